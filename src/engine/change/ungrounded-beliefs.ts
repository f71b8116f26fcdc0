import { unbelieved } from '../../domain/distrust.ts'
import type { Ref } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Narrowed, StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import { type Memory, viewOf } from '../read/memory-view.ts'

/** Forgotten and disbelieved beliefs need no sources. */
const held = (policy: Policy): Narrowed => ({
  strengthMin: Number.MIN_VALUE,
  except: unbelieved(policy),
})

/** The beliefs without any remaining source. */
export async function ungroundedAmong(
  { read, moment }: Pick<Engine, 'read' | 'moment'>,
  memories: readonly Pick<MemoryState, 'kind' | 'ref'>[],
): Promise<readonly Ref[]> {
  const among = memories.flatMap(({ kind, ref }) => (kind === 'belief' ? [ref] : []))
  if (among.length === 0) return []
  const { policy } = await moment()
  const where = held(policy)
  const found = await read({
    type: 'memories',
    where: { ...where, ungrounded: true, refs: among },
    limit: among.length,
  })
  return found.map(({ state }) => state.ref)
}

const PAGE = 200

/** Beliefs without any remaining source, newest first, reviewed or not. */
export async function ungrounded(engine: Engine): Promise<readonly Memory<'belief'>[]> {
  const moment = await engine.moment()
  const where = held(moment.policy)
  const found: Memory<'belief'>[] = []
  for (let before: number | null = null; ; ) {
    const page: readonly StoredMemory[] = await engine.read({
      type: 'memories',
      where: { ...where, ungrounded: true },
      after: before,
      limit: PAGE,
    })
    for (const stored of page) found.push(viewOf<'belief'>(stored, moment))
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return found
    before = last.state.seq
  }
}
