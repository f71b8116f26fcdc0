import type { Ref } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import { countsForLess } from '../../fold/effective.ts'
import type { Engine } from '../engine.ts'

/** Memories whose tier today is lower than their recorded tier. */
export interface CountedLess {
  readonly count: number
  readonly refs: readonly Ref[]
}

const PAGE = 1_000
const REFS_MAX = 5

export async function countedLess({ read }: Pick<Engine, 'read'>): Promise<CountedLess> {
  let count = 0
  let refs: readonly Ref[] = []
  let after = -1
  for (;;) {
    const page: readonly MemoryState[] = await read({
      type: 'memories',
      as: 'state',
      order: 'oldest',
      after,
      limit: PAGE,
    })
    const less = page.filter(countsForLess).map(({ ref }) => ref)
    count += less.length
    refs = [...refs, ...less].slice(-REFS_MAX)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return { count, refs: refs.toReversed() }
    after = last.seq
  }
}
