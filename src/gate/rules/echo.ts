import { isLive } from '../../belief/fold-memory.ts'
import { claimStateOf } from '../../domain/claim-state.ts'
import type { ClaimBody } from '../../domain/kinds/claim.ts'
import { isFirstHand } from '../../domain/labels.ts'
import type { MemoryState } from '../../domain/state.ts'
import { type Case, isAsserting, type Rule, type Verdict } from '../case.ts'
import type { ServedLike } from '../stamp.ts'
import { coherence } from './coherence.ts'
import { lint } from './lint.ts'

/** What takes a place or answers a suggestion must stand for something that comes to mind. */
const matches = ({ candidate, policy }: Case, saying: readonly MemoryState[]) =>
  candidate.draft.consequence === null ? saying : saying.filter((memory) => isLive(memory, policy))

/** An echo proves only that we said it. Counting it would let repetition become evidence. */
export const echo: Rule = {
  name: 'echo',
  judge: (c) => {
    const { candidate, desk } = c
    const { label } = candidate.draft.origin
    if (!isAsserting(c) || candidate.draft.revises || isFirstHand(label)) return undefined
    // Its fields are news, and no memory can take them: it is kept as a memory of its own.
    if (c.restated?.type === 'apart') return undefined
    const known = matches(c, desk.saying(candidate.main.keys.identity))
    const inWindow = known.find((memory) => !namesAnotherWindow(candidate.main, memory))
    const declared = label.type === 'RecallReEntry'
    // Whoever declares a recall gets the known claim; whoever does not says another claim.
    const match = inWindow ?? (declared ? known[0] : undefined)
    if (match) {
      return {
        type: 'collapse',
        onto: match,
        disposition: 'Corroborated',
        reasons: [
          declared ? 'echo_declared' : 'echo_exact',
          ...(inWindow === undefined ? ['dates_not_kept'] : []),
        ],
        facts: { match: match.ref },
      }
    }
    if (c.distrustedBy.length > 0) return undefined
    const reworded = rewording(c)
    if (reworded) return reworded
    if (!declared) return undefined
    return {
      type: 'admit',
      disposition: 'CommittedInferred',
      reasons: ['echo_of_nothing_known'],
      facts: {},
    }
  },
}

/** A claim with dates of its own that are not those of the known claim; dates that are not given are no others. */
function namesAnotherWindow(
  { kind, body }: Case['candidate']['main'],
  memory: MemoryState,
): boolean {
  const said = claimStateOf(kind, body)?.span
  const known = memory.claim?.span
  if (!said || !known || (said.from === null && said.until === null)) return false
  return said.from !== known.from || said.until !== known.until
}

/** Other words for what this session was served: the same again, or another phrasing of it. */
function rewording(c: Case): Verdict | undefined {
  const { candidate, desk } = c
  // What takes the place of another says so, and means to say nearly the same.
  if (candidate.draft.consequence !== null) return undefined
  const known = candidate.likes.flatMap((like) => {
    const memory = desk.memory(like.ref)
    return memory && memory.erased === null ? [{ like, memory }] : []
  })
  const here = known.filter(({ like }) => !like.isElsewhere)
  const same = here.find(({ like, memory }) => isSame(c, like, memory))
  if (same) {
    const { like, memory } = same
    return {
      type: 'collapse',
      onto: memory,
      disposition: 'Corroborated',
      reasons: ['echo_reworded'],
      facts: { match: memory.ref, score: like.score },
      keeps: true,
    }
  }
  const near =
    here.find(({ like, memory }) => isPhrasing(c, like, memory)) ??
    known.find(({ like, memory }) => isPassedOn(c, like, memory))
  // Noise and dates that contradict each other are no phrasing of anything.
  if (!near || coherence.judge(c) || lint.judge(c)) return undefined
  return {
    type: 'admit',
    disposition: 'CommittedInferred',
    reasons: ['echo_phrasing'],
    facts: {
      phrasingOf: near.memory.ref,
      score: near.like.score,
      ...(near.like.isElsewhere
        ? { elsewhere: { covered: near.like.covered, repeated: near.like.repeated } }
        : {}),
    },
  }
}

/** Nothing added, little left out: two kinds are two statements, whatever their words. */
function isSame({ candidate, policy }: Case, like: ServedLike, memory: MemoryState): boolean {
  const { echoCertainCoveredFrom, echoCertainRepeatedFrom } = policy.numbers
  return (
    memory.kind === candidate.main.kind &&
    like.isInStep &&
    like.covered >= echoCertainCoveredFrom &&
    like.repeated >= echoCertainRepeatedFrom &&
    !namesItsOwnTime(candidate.main.body, memory)
  )
}

const isPhrasing = (c: Case, like: ServedLike, memory: MemoryState): boolean =>
  like.score >= c.policy.numbers.echoLikelyFrom && mayRepeat(c, memory)

/** What others were told comes back here; nobody told it to this session, so more must be the same. */
function isPassedOn(c: Case, like: ServedLike, memory: MemoryState): boolean {
  const { echoElsewhereCoveredFrom, echoElsewhereRepeatedFrom } = c.policy.numbers
  return (
    like.isElsewhere &&
    like.covered >= echoElsewhereCoveredFrom &&
    like.repeated >= echoElsewhereRepeatedFrom &&
    mayRepeat(c, memory)
  )
}

/** What is cited is built upon, openly: the lineage says where it comes from. */
function mayRepeat({ candidate: { main, draft } }: Case, memory: MemoryState): boolean {
  const isCited = main.derivedFrom.includes(memory.ref) || draft.sourceEpisodes.includes(memory.ref)
  return !(isCited && memory.kind !== main.kind) && !namesItsOwnTime(main.body, memory)
}

/** Another stay in the same city is no echo of the first, nor of a note about it. */
const namesItsOwnTime = (body: object, { kind }: MemoryState): boolean => {
  const { validTime } = body as Partial<ClaimBody> // of other kinds there is none
  return kind === 'claim' && (validTime?.start ?? validTime?.end ?? null) !== null
}
