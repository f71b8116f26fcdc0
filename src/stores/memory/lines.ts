import { hasGivenWay, KEPT_OUT } from '../../domain/claim-state.ts'
import type { Hash } from '../../domain/ids.ts'
import { isFirstHand } from '../../domain/labels.ts'
import { lineStateOf, type MemoryState } from '../../domain/state.ts'
import type { ReadQuery, ReadResults } from '../../ports/store.ts'
import type { Rows } from './rows.ts'

/** The oldest claims that say what kind of line theirs is: of all, and of those said first-hand. */
export function tellersOf(claims: readonly MemoryState[]) {
  const telling = claims
    .filter(({ facets, disposition }) => {
      return facets.subtype !== 'Unknown' && !KEPT_OUT.includes(disposition)
    })
    .sort((a, b) => a.seq - b.seq)
  return { any: telling[0], firstHand: telling.find(({ label }) => isFirstHand(label)) }
}

const decoder = new TextDecoder()

export function lineIn(
  rows: Rows,
  { line, which }: Extract<ReadQuery, { type: 'line' }>,
): ReadResults['line'] {
  const all = claimsOn(rows, line)
  const tellers = tellersOf(all)
  const isTelling = (claim: MemoryState) => claim === tellers.any || claim === tellers.firstHand
  const read =
    which === 'all' ? all : all.filter((claim) => !hasGivenWay(claim) || isTelling(claim))
  const claims = read.map((state) => {
    const sealed = rows.sealed.get(state.revisionSeq)
    return { state: lineStateOf(state), sealed: sealed ? decoder.decode(sealed.bytes) : null }
  })
  return { claims, leftOut: all.length - read.length }
}

const claimsOn = (rows: Rows, of: Hash): readonly MemoryState[] =>
  [...rows.memories.values()].filter(({ line }) => line === of).sort((a, b) => a.seq - b.seq)
