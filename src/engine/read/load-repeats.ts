import type { Tier } from '../../domain/doors.ts'
import type { Ref } from '../../domain/ids.ts'
import { normaliseText } from '../../domain/kinds/content.ts'
import { SHORTER_SCOPES, SUMMARY_SCOPES } from '../../domain/kinds/summary.ts'
import { isFirstHand } from '../../domain/labels.ts'
import type { MemoryState } from '../../domain/state.ts'
import { currencyOf, standingReplacement } from '../claims/replacement-links.ts'
import type { Engine } from '../engine.ts'
import { sharesPlace } from '../search/search-terms.ts'
import type { Candidate } from './load.ts'

/**
 * Summaries inside a longer summary, which repeats them. A model's summary covers only models'
 * summaries, and hides no summary of a person or tool.
 */
export async function coveredAmong(
  engine: Engine,
  candidates: readonly Candidate[],
): Promise<ReadonlySet<string>> {
  const seqs = candidates.flatMap(({ kind, shelved }) =>
    kind === 'summary' ? shelved.state.seq : [],
  )
  if (seqs.length < 2) return new Set()
  const summaries = (await engine.read({ type: 'memories', where: { seqs }, order: 'given' })).map(
    ({ state }) => state,
  )
  const byRef = new Map<string, MemoryState>(summaries.map((state) => [state.ref, state]))
  const scopeOf = ({ facets }: MemoryState) =>
    SUMMARY_SCOPES.find((scope) => scope === facets.subtype)
  const covered = summaries.flatMap((state) =>
    state.parents.filter((parent) => {
      const shorter = byRef.get(parent)
      const [scope, of] = [scopeOf(state), shorter && scopeOf(shorter)]
      if (!shorter || !scope || !of || !SHORTER_SCOPES[scope].includes(of)) return false
      return isFirstHand(state.label) || !isFirstHand(shorter.label)
    }),
  )
  return new Set(covered)
}

/**
 * Memories whose words another memory repeats at a higher tier, or at their own where nobody vouches
 * for them: equal words take a single place. Claims stay, because two claims with an equal value may
 * hold at different times.
 */
export function repeatedAmong(all: readonly Candidate[]): ReadonlySet<string> {
  const keyOf = ({ kind, text }: Candidate): string => `${kind} ${normaliseText(text)}`
  const highest = new Map<string, Candidate>()
  for (const candidate of all) {
    const known = highest.get(keyOf(candidate))
    if (!known || tierOf(candidate) > tierOf(known)) highest.set(keyOf(candidate), candidate)
  }
  const repeated = all.filter((candidate) => {
    const head = highest.get(keyOf(candidate))
    if (head === undefined || head === candidate || candidate.kind === 'claim') return false
    return tierOf(candidate) < tierOf(head) || sharesPlace(candidate.shelved.state)
  })
  return new Set(repeated.map(({ ref }) => ref))
}

const tierOf = ({ shelved }: Candidate): Tier => shelved.state.tier

/** Statements that a later statement replaced, while the later one stands. */
export async function replacedAmong(
  engine: Engine,
  candidates: readonly Candidate[],
): Promise<ReadonlySet<Ref>> {
  const replaced = new Set<Ref>()
  for (const { ref, shelved } of candidates) {
    if (currencyOf(shelved).replacedBy === null) continue
    const earlier = await engine.read({ type: 'memory', ref })
    if (earlier !== null && (await standingReplacement(engine, earlier)) !== null) replaced.add(ref)
  }
  return replaced
}
