import { hasGivenWay, isOverFrom, KEPT_OUT } from '../../domain/claims.ts'
import type { Hash } from '../../domain/ids.ts'
import { isFirstHand } from '../../domain/labels.ts'
import { lineStateOf, type MemoryState } from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import type { Answers, ReadQuery } from '../../ports/store.ts'
import type { Rows } from './rows.ts'

/**
 * The oldest claims with a known timeline kind, of all claims and of first-hand claims; without the
 * latter, the oldest first-hand claim.
 */
export function tellersOf(claims: readonly MemoryState[]) {
  const telling = claims
    .filter(
      ({ facets, disposition }) => facets.subtype !== 'Unknown' && !KEPT_OUT.includes(disposition),
    )
    .sort((a, b) => a.seq - b.seq)
  const said = claims
    .filter(({ label, disposition }) => isFirstHand(label) && !KEPT_OUT.includes(disposition))
    .sort((a, b) => a.seq - b.seq)
  const firstHand = telling.find(({ label }) => isFirstHand(label)) ?? said[0]
  return { any: telling[0], firstHand }
}

const decoder = new TextDecoder()

export function lineIn(rows: Rows, query: Extract<ReadQuery, { type: 'line' }>): Answers['line'] {
  const all = claimsOn(rows, query.line)
  const standing = all.filter((claim) => !hasGivenWay(claim))
  const read = query.which === 'all' ? all : standingAt(all, query.at)
  const claims = read.map((state) => {
    const sealed = rows.sealed.get(state.revisionSeq)
    return { state: lineStateOf(state), sealed: sealed ? decoder.decode(sealed.bytes) : null }
  })
  return {
    claims,
    gaveWay: all.length - standing.length,
    over: standing.filter((claim) => !read.includes(claim)).length,
  }
}

/** The newest claim of every timeline, without erased claims. */
export function newestOfLines(rows: Rows): ReadonlySet<MemoryState> {
  const newest = new Map<Hash, MemoryState>()
  for (const state of rows.memories.values()) {
    const { line, kind, erased, seq } = state
    if (line === null || kind !== 'claim' || erased !== null) continue
    if (seq > (newest.get(line)?.seq ?? -1)) newest.set(line, state)
  }
  return new Set(newest.values())
}

function standingAt(claims: readonly MemoryState[], at: Instant | null): readonly MemoryState[] {
  const { any, firstHand } = tellersOf(claims)
  return claims.filter(
    (claim) => claim === any || claim === firstHand || (!hasGivenWay(claim) && !isOver(claim, at)),
  )
}

/** Holds under every policy; without a time, no claim is over. */
export function isOver({ claim }: MemoryState, by: Instant | null): boolean {
  const until = claim && isOverFrom(claim)
  return until !== null && by !== null && until <= by
}

const claimsOn = (rows: Rows, of: Hash): readonly MemoryState[] =>
  [...rows.memories.values()].filter(({ line }) => line === of).sort((a, b) => a.seq - b.seq)
