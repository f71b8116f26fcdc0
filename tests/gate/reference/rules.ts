import { STATEMENTS } from '../sayings.ts'
import type { GateDraft } from '../steps.ts'
import { hasAuthority } from './authority.ts'
import { burst } from './burst.ts'
import { doubtsOf } from './doubt.ts'
import { allHops, faultsOf, isAnotherStay, recall, saying, sourcesOf, tierOf } from './lineage.ts'
import { quotingOf } from './quoting.ts'
import { authority, restated } from './restatement.ts'
import { asserts, doorTier, isExternal, isLive, isSenseless, isTrusted } from './tables.ts'
import { doMeet, isSetLine } from './timeline.ts'
import {
  type Book,
  bytesOf,
  lineOf,
  type Moment,
  meaning,
  type Remembered,
  type Verdict,
} from './words.ts'

const CLOCK_SKEW_MS = 300_000
const DEPTH_CAP = 3
const CONFIDENCE_FLOOR = 0.2

/** The fourteen rules in their order: the first that has something to say is the answer. */
export function judge(book: Book, draft: GateDraft, at: Moment): Verdict {
  return (
    state(book) ??
    shape(book, draft, at) ??
    origin(book, draft) ??
    lineage(book, draft) ??
    tombstone(book, draft) ??
    burst(book, draft, at) ??
    authority(book, draft, at) ??
    restate(book, draft) ??
    echo(book, draft, at) ??
    coherence(draft, at) ??
    lint(draft) ??
    distrust(book, draft) ??
    conflict(book, draft) ??
    admit(draft)
  )
}

const state = (book: Book): Verdict | null =>
  book.state === 'MAINTENANCE' ? { type: 'error', code: 'maintenance_mode', paths: [] } : null

function shape(book: Book, draft: GateDraft, { reading, time }: Moment): Verdict | null {
  const { supplied, label, llmModel } = draft
  const paths: string[] = []
  if (supplied.content === 'other') paths.push('contentHash')
  if (supplied.policy !== null && supplied.policy !== book.policy) paths.push('policyHash')
  if (supplied.aheadMs !== null && reading + supplied.aheadMs - time > CLOCK_SKEW_MS) {
    paths.push('timestamp')
  }
  if (isSenseless(draft)) paths.push('sourceType')
  if ((label === 'ModelDerived') !== (llmModel !== null)) paths.push('llmModel')
  if (paths.length > 0) return { type: 'error', code: 'invalid_provenance', paths: paths.sort() }
  return identity(book, draft)
}

function identity(book: Book, draft: GateDraft): Verdict | null {
  const memory = recall(book, draft.ref)
  const isSame =
    memory !== undefined &&
    memory.bytes === bytesOf(draft.kind, draft.saying) &&
    memory.label === draft.label &&
    memory.actor === draft.actor &&
    memory.parents.join() === sourcesOf(book, draft).join()
  const isFaulty = draft.revises !== null && faultsOf(book, draft).length > 0
  if (isSame && !isFaulty) return { type: 'present', memory }
  if (!draft.revises) return memory ? { type: 'error', code: 'id_exists', paths: [] } : null
  if (!memory) return { type: 'error', code: 'not_found', paths: [] }
  const { expectedVersion } = draft.revises
  const isStale = expectedVersion !== null && expectedVersion !== memory.revision
  return isStale ? { type: 'error', code: 'version_conflict', paths: [] } : null
}

/** Nothing leaves review by being revised. */
function overreach(book: Book, draft: GateDraft): Verdict | null {
  const memory = draft.revises && recall(book, draft.ref)
  if (!memory) return null
  const refused = (reason: string): Verdict => ({
    type: 'refuse',
    rule: 'origin',
    reasons: [reason],
    facts: { ref: draft.ref },
  })
  return isLive(memory) ? null : refused('revises_what_is_set_aside')
}

function origin(book: Book, draft: GateDraft): Verdict | null {
  const revision = overreach(book, draft)
  if (revision) return revision
  const { door, label, person } = draft
  if (doorTier(draft) !== null) {
    const isReserved = draft.kind === 'assessment' || draft.kind === 'report'
    if (!isReserved || isTrusted(draft)) return unauthorised(book, draft)
    const reasons = [`${draft.kind}_not_allowed`]
    return { type: 'refuse', rule: 'origin', reasons, facts: { door } }
  }
  const facts = { door, label, person }
  return { type: 'refuse', rule: 'origin', reasons: ['label_not_allowed'], facts }
}

/** Other words take the place of what a memory says, which takes the authority over it. */
function unauthorised(book: Book, draft: GateDraft): Verdict | null {
  const memory = draft.revises && recall(book, draft.ref)
  if (!memory || hasAuthority(book, draft, memory)) return null
  const reasons = ['revises_without_authority']
  return { type: 'refuse', rule: 'origin', reasons, facts: { ref: draft.ref } }
}

function lineage(book: Book, draft: GateDraft): Verdict | null {
  const faults = faultsOf(book, draft)
  if (faults.length === 0) return null
  const reasons = [...new Set(faults.map(([code]) => code))]
  const named = [...new Set(faults.flatMap(([, ref]) => ref ?? []))]
  const parents = named.filter((ref) => recall(book, ref))
  const facts = { parents, missing: named.length - parents.length }
  return { type: 'refuse', rule: 'lineage', reasons, facts }
}

/** Neither the memory nor a note captured for it may be words that a person kept out. */
function tombstone(book: Book, draft: GateDraft): Verdict | null {
  const said = [{ kind: draft.kind, saying: draft.saying }, ...capturedSayings(draft)]
  const isKeptOut = said
    .filter(({ kind }) => asserts(kind))
    .map(({ kind, saying }) => meaning(kind, saying))
    .some((says) =>
      book.tombstones.some((mark) => mark.says === says && mark.actor === draft.actor),
    )
  if (!isKeptOut) return null
  return { type: 'refuse', rule: 'tombstone', reasons: ['tombstoned'], facts: {} }
}

const capturedSayings = ({ captures, saying }: GateDraft) =>
  captures.map(({ kind, phrase }) => ({ kind, saying: { ...saying, phrase, variant: 0 } }))

function restate(book: Book, draft: GateDraft): Verdict | null {
  if (!asserts(draft.kind) || draft.revises || !isExternal(draft.label)) return null
  if (doubtsOf(book, draft).length > 0) return null
  const { start, end } = draft.saying.claim
  const namesItsTime = draft.kind === 'claim' && (start !== null || end !== null)
  const onto = saying(book, draft).find(
    (memory) =>
      isLive(memory) &&
      isExternal(memory.label) &&
      memory.actor === draft.actor &&
      memory.door === draft.door &&
      memory.document === draft.document &&
      // Another stay in the same town is news; the same stay told again is not.
      (!namesItsTime || memory.bytes === bytesOf(draft.kind, draft.saying)),
  )
  if (!onto) return null
  return { type: 'collapse', rule: 'restate', onto, disposition: 'Corroborated', ...NOTHING }
}

const NOTHING = { reasons: [], facts: {} } as const

function echo(book: Book, draft: GateDraft, at: Moment): Verdict | null {
  if (!asserts(draft.kind) || draft.revises || isExternal(draft.label)) return null
  if (restated(book, draft, at).says === 'apart') return null
  const isDeclared = draft.label === 'RecallReEntry'
  const known = saying(book, draft)
  const sameStay = known.find((memory) => !isAnotherStay(draft, memory))
  const onto = sameStay ?? (isDeclared ? known[0] : undefined)
  if (onto) {
    const reasons = [isDeclared ? 'echo_declared' : 'echo_exact']
    if (!sameStay) reasons.push('dates_not_kept')
    const facts = { match: onto.ref }
    return { type: 'collapse', rule: 'echo', onto, disposition: 'Corroborated', reasons, facts }
  }
  if (doubtsOf(book, draft).length > 0) return null
  if (!isDeclared) return null
  const reasons = ['echo_of_nothing_known']
  return { type: 'admit', rule: 'echo', disposition: 'CommittedInferred', reasons, facts: {} }
}

function coherence({ kind, saying: { claim } }: GateDraft, { time }: Moment): Verdict | null {
  if (kind !== 'claim') return null
  const { start, end, holds } = claim
  const reasons: string[] = []
  if (start && end && Date.parse(start) > Date.parse(end)) reasons.push('start_after_end')
  if (start && holds === 'already' && Date.parse(start) > time) reasons.push('true_before_it_began')
  if (reasons.length === 0) return null
  return { type: 'admit', rule: 'coherence', disposition: 'Quarantined', reasons, facts: {} }
}

function lint({ kind, saying: { phrase } }: GateDraft): Verdict | null {
  const reasons = STATEMENTS.get(phrase) ?? []
  if ((kind !== 'belief' && kind !== 'value') || reasons.length === 0) return null
  return { type: 'refuse', rule: 'lint', reasons, facts: {} }
}

/** Heard and kept, so that trusting again loses nothing; the same again from the same place is not. */
function distrust(book: Book, draft: GateDraft): Verdict | null {
  const distrusted = doubtsOf(book, draft)
  if (distrusted.length === 0) return null
  const answer = { rule: 'distrust', disposition: 'Distrusted' } as const
  const reasons = ['origin_distrusted']
  const onto = book.memories.find(
    (memory) =>
      memory.distrust !== null &&
      // Words captured for a memory are found through that one.
      !(memory.captured && memory.kind === 'raw') &&
      memory.bytes === bytesOf(draft.kind, draft.saying) &&
      memory.actor === draft.actor &&
      memory.door === draft.door &&
      memory.document === draft.document,
  )
  return onto
    ? { type: 'collapse', onto, ...answer, reasons, facts: {} }
    : { type: 'admit', ...answer, reasons, facts: { distrusted } }
}

/** What a line holds already: one's own word is succeeded, others' words are contested. */
function conflict(book: Book, draft: GateDraft): Verdict | null {
  const line = lineOf(draft.kind, draft.saying)
  if (line === null) return null
  const says = meaning(draft.kind, draft.saying)
  const others = book.memories.filter(
    (memory) => memory.predicate === line && memory.ref !== draft.ref,
  )
  const rivals = others.filter(
    (memory) =>
      memory.says !== says &&
      isLive(memory) &&
      (isExternal(memory.label) || (isExternal(draft.label) && memory.quotes !== null)) &&
      doMeet(memory.claim, draft.saying.claim),
  )
  const isSet = isSetLine([...others, { ...draft, claim: draft.saying.claim, disposition: '' }])
  return (
    (isSet || rivals.length === 0 ? null : against(book, draft, rivals)) ?? unsure(others, draft)
  )
}

const refsOf = (memories: readonly Remembered[]) => memories.map(({ ref }) => ref)

function against(book: Book, draft: GateDraft, rivals: readonly Remembered[]): Verdict | null {
  const named = (of: readonly Remembered[]) => ({
    against: refsOf(of).slice(0, 16),
    rivals: of.length,
  })
  const answer = { type: 'admit', rule: 'conflict' } as const
  const quoting = quotingOf(book, draft)
  const isQuoting = quoting.quote !== null
  const { tier } = tierOf(book, draft, quoting)
  const higher = rivals.filter((memory) => isExternal(memory.label) && memory.tier > tier)
  if (!isExternal(draft.label)) {
    const far = allHops(book, draft).at(-1)?.far ?? null
    return far === null || far > DEPTH_CAP
      ? {
          ...answer,
          disposition: 'PendingConflict',
          reasons: ['depth_over_cap'],
          facts: named(rivals),
        }
      : isQuoting && higher.length > 0
        ? {
            ...answer,
            disposition: tier === 0 ? 'CommittedInferred' : 'PendingConflict',
            reasons: ['higher_tier_disagrees'],
            facts: named(higher),
          }
        : isQuoting
          ? {
              ...answer,
              disposition: 'Contested',
              reasons: ['quote_against_first_hand'],
              facts: named(rivals),
            }
          : {
              ...answer,
              disposition: 'CommittedInferred',
              reasons: ['model_against_first_hand'],
              facts: named(rivals),
            }
  }
  const isOwn = (memory: Remembered) => memory.actor === draft.actor && memory.label === draft.label
  const own = rivals.filter((memory) => isOwn(memory) && memory.tier <= tier)
  // A lower tier contests nothing. Equals contest each other, and so does a model that quotes somebody.
  const doesContest = ({ label, tier: its }: Remembered) =>
    its === tier || (!isExternal(label) && its > tier)
  const others = rivals.filter((memory) => !isOwn(memory) && doesContest(memory))
  const succeeds = own.length === 0 ? {} : { succeeds: refsOf(own) }
  const said = own.length === 0 ? [] : ['succession']
  if (higher.length > 0) {
    const disposition = tier === 0 ? 'CommittedCheap' : 'PendingConflict'
    const reasons = ['higher_tier_disagrees', ...said]
    return { ...answer, disposition, reasons, facts: { ...named(higher), ...succeeds } }
  }
  if (others.length === 0 && own.length === 0) return null
  if (others.length === 0) {
    return { ...answer, disposition: 'CommittedCheap', reasons: said, facts: succeeds }
  }
  const isCritical = [draft.saying, ...others].some(({ claim }) => claim.criticality === 'High')
  return {
    ...answer,
    disposition: isCritical ? 'QueuedForAdjudication' : 'Contested',
    reasons: ['first_hand_disagreement', ...said],
    facts: { ...named(others), ...succeeds },
  }
}

/** Too unsure to be taken alone; another's first-hand word for the same makes it two. */
function unsure(line: readonly Remembered[], draft: GateDraft): Verdict | null {
  if (draft.confidence >= CONFIDENCE_FLOOR) return null
  const says = meaning(draft.kind, draft.saying)
  const isVouched = line.some(
    (memory) =>
      memory.says === says &&
      memory.actor !== draft.actor &&
      isLive(memory) &&
      isExternal(memory.label),
  )
  if (isVouched) return null
  const reasons = ['confidence_under_floor']
  const facts = { floor: CONFIDENCE_FLOOR }
  return { type: 'admit', rule: 'conflict', disposition: 'PendingLowConfidence', reasons, facts }
}

const admit = ({ label }: GateDraft): Verdict => ({
  type: 'admit',
  rule: 'admit',
  disposition: isExternal(label) ? 'CommittedCheap' : 'CommittedInferred',
  ...NOTHING,
})
