import type { Hash, Ref } from '../../domain/ids.ts'
import { isFirstHand } from '../../domain/labels.ts'
import type { ClaimStatus } from '../../fold/fold-line.ts'
import type { ShelvedMemory } from '../../ports/store.ts'
import { isShownAs, standingOf } from '../claims/timelines.ts'
import type { Engine } from '../engine.ts'
import type { OpenedWords } from './memory-view.ts'

const MODEL_CLAIMS_MAX = 10 // of a timeline: claims of models beyond these are left out

interface Candidate {
  readonly priority: number
  readonly shelved: ShelvedMemory
  readonly opened: OpenedWords
}

interface FoldedClaims<Of> {
  readonly candidates: readonly Of[]
  readonly standings: ReadonlyMap<Ref, ClaimStatus>
  readonly excluded: readonly { readonly ref: Ref; readonly reason: string }[]
}

/**
 * Leaves out claims that answer nothing today, before any of them takes room. A first-hand claim
 * comes before the claims of models in its timeline, and no number of these displaces it.
 */
export async function foldClaims<Of extends Candidate>(
  engine: Engine,
  candidates: readonly Of[],
): Promise<FoldedClaims<Of>> {
  const standings = await standingOf(
    engine,
    candidates.map(({ shelved }) => shelved.state),
  )
  const lowest = new Map<Hash, number>() // priority of the first-hand claims of a timeline
  for (const { priority, shelved } of candidates.filter(isSaid)) {
    const { ref, line } = shelved.state
    if (line === null || !isShownAs(standings.get(ref))) continue
    lowest.set(line, Math.min(priority, lowest.get(line) ?? Infinity))
  }
  const firsts: Of[] = []
  const others: Of[] = []
  const excluded: { ref: Ref; reason: string }[] = []
  const counts = new Map<Hash, number>()
  for (const candidate of candidates) {
    const { ref, line } = candidate.shelved.state
    const standing = standings.get(ref)
    const count = line === null ? 0 : (counts.get(line) ?? 0)
    if (!isShownAs(standing)) excluded.push({ ref, reason: standing ?? 'replaced' })
    else if (line === null || isSaid(candidate)) firsts.push(candidate)
    else if (count >= MODEL_CLAIMS_MAX) excluded.push({ ref, reason: 'timeline' })
    else {
      counts.set(line, count + 1)
      const priority = Math.min(candidate.priority, lowest.get(line) ?? Infinity)
      others.push({ ...candidate, priority })
    }
  }
  return { candidates: [...firsts, ...others], standings, excluded }
}

const isSaid = ({ opened }: Candidate): boolean => isFirstHand(opened.provenance.label)
