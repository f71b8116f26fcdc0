import { isRecordKind, KINDS, type RecordKind, type Ref } from '../../domain/ids.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import { given, wrong } from '../write/arguments.ts'
import { type FindOptions, isToday, narrowing } from './list.ts'
import { tierMinOf, WITHHELD_MAX, type Withheld } from './use-gate.ts'

/** Filters of the list; the page does not matter. */
export interface WithheldOptions extends Omit<FindOptions, 'limit' | 'after'> {
  /** Kinds to look at; every kind by default. */
  readonly kinds?: readonly string[]
}

/**
 * The memories that an equal list withholds from its use, because a list itself has no place to
 * report them.
 */
export async function withheld(
  engine: Engine,
  options?: WithheldOptions | null,
): Promise<Withheld> {
  const { kinds, ...asked } = given(options)
  const moment = await engine.moment()
  const tierMin = tierMinOf(moment.policy, asked, 0)
  const { tierMin: _, ...where } = narrowing(asked, moment)
  const refs: Ref[] = []
  for (const kind of kindsOf(kinds)) {
    let before: number | null = null
    while (tierMin > 0 && refs.length <= WITHHELD_MAX) {
      const below = { ...where, tierBelow: tierMin }
      const query = {
        type: 'memories',
        where: { ...below, kind, present: true },
        after: before,
        limit: PAGE,
      } as const
      const page: readonly StoredMemory[] = await engine.read(query)
      for (const { state } of page) {
        if (isToday(state, asked, moment)) refs.push(state.ref)
      }
      before = page.at(-1)?.state.seq ?? null
      if (page.length < PAGE) break
    }
  }
  const named = refs.slice(0, WITHHELD_MAX)
  return { tierMin, count: named.length, refs: named, hasMore: refs.length > WITHHELD_MAX }
}

const PAGE = WITHHELD_MAX + 1

function kindsOf(kinds: unknown): readonly RecordKind[] {
  if (kinds === undefined) return KINDS
  if (Array.isArray(kinds) && kinds.every(isRecordKind)) return kinds
  throw wrong('kinds', `a list of kinds among ${KINDS.join(', ')}`)
}
