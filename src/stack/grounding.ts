import type { Ref } from '../domain/ids.ts'
import type { MemoryState } from '../domain/state.ts'
import type { StoredMemory } from '../ports/store.ts'
import { type Memory, viewOf } from './memory-view.ts'
import type { Uses } from './uses.ts'

/** Gone: forgotten, put aside by a person, or never there. */
const isGone = (source: MemoryState | undefined): boolean =>
  source === undefined ||
  source.strength.value === 0 ||
  source.disposition === 'Rejected' ||
  source.disposition === 'Quarantined'

/** Only what a going source has flagged can be ungrounded, so only that is looked at. */
export async function ungroundedAmong(
  { read }: Pick<Uses, 'read'>,
  memories: readonly StoredMemory[],
): Promise<readonly Ref[]> {
  const found: Ref[] = []
  for (const { state } of memories) {
    if (state.kind !== 'belief' || state.parents.length === 0) continue
    if (!state.flags.some(({ code }) => code === 'source_forgotten' || code === 'source_erased'))
      continue
    const sources = await Promise.all(state.parents.map((ref) => read({ type: 'memory', ref })))
    if (sources.every((source) => isGone(source?.state))) found.push(state.ref)
  }
  return found
}

const PAGE = 200

/** Beliefs whose every source is gone, newest first; linear in what is flagged. */
export async function ungrounded(uses: Uses): Promise<readonly Memory<'belief'>[]> {
  const moment = await uses.moment()
  const found: Memory<'belief'>[] = []
  for (let before: number | null = null; ; ) {
    const page: readonly StoredMemory[] = await uses.read({
      type: 'review',
      kinds: ['flagged', 'proposal'],
      before,
      limit: PAGE,
    })
    const refs = new Set(await ungroundedAmong(uses, page))
    for (const stored of page) {
      if (refs.has(stored.state.ref)) found.push(viewOf<'belief'>(stored, moment))
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return found
    before = last.state.seq
  }
}
