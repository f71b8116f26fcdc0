import { hasGivenWay, KEPT_OUT } from '../../domain/claims.ts'
import type { Hash } from '../../domain/ids.ts'
import { isFirstHand } from '../../domain/labels.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Head, Needs } from '../../domain/waist.ts'
import { isStillOn } from '../sql/lines.ts'
import type { Connection } from './connection.ts'

/** Cached rows of the requested timelines, and the timelines left to query. */
export function knownLines(
  { known }: Connection,
  needs: Needs,
  head: Head,
): { readonly asked: Needs; readonly known: readonly MemoryState[] } {
  if (known === null || needs.lines.length === 0) return { asked: needs, known: [] }
  const states: MemoryState[] = []
  const lines = needs.lines.filter(({ line, from, except }) => {
    const kept = except === null ? known.statesOf(line, head) : undefined
    if (!kept) return true
    for (const state of kept.states.values()) {
      if (from === null || kept.tellers.has(state.seq) || isStillOn(state, from)) states.push(state)
    }
    return false
  })
  return states.length === 0
    ? { asked: needs, known: [] }
    : { asked: { ...needs, lines }, known: states }
}

/** Both in the order of birth, each memory once. */
export function both(
  found: readonly MemoryState[],
  known: readonly MemoryState[],
): readonly MemoryState[] {
  const seqs = new Set(found.map(({ seq }) => seq))
  const rest = known.filter(({ seq }) => !seqs.has(seq))
  return [...found, ...rest].sort((a, b) => a.seq - b.seq)
}

interface Gathered {
  readonly found: readonly MemoryState[]
  readonly head: Head
}

/** Caches the standing claims of long timelines; a set is never gathered whole. */
export function keepLines(
  { known }: Connection,
  { lines }: Needs,
  { found, head }: Gathered,
): void {
  if (!known?.isWorth(found.length)) return
  for (const { line, from, except } of lines) {
    const claims =
      from === null && except === null ? found.filter((each) => each.line === line) : []
    if (known.isWorth(claims.length)) keepLine(known, line, { found: claims, head })
  }
}

function keepLine(
  known: NonNullable<Connection['known']>,
  line: Hash,
  { found, head }: Gathered,
): void {
  const heard = found.filter(({ disposition }) => !KEPT_OUT.includes(disposition))
  const says = ({ facets }: MemoryState): boolean => facets.subtype !== 'Unknown'
  const said = heard.filter(({ label }) => isFirstHand(label))
  const teller = said.find(says) ?? said[0]
  if (teller?.facets.subtype === 'SetValued') return
  const tellers = new Set([teller, heard.find(says)].flatMap((each) => each?.seq ?? []))
  const standing = found.filter((each) => tellers.has(each.seq) || !hasGivenWay(each))
  known.keepStates(line, head, {
    tellers,
    states: new Map(standing.map((each) => [each.seq, each])),
  })
}
