import type { Change, UnchangedReason } from '../../domain/change.ts'
import { LINE_KINDS, VERDICTS } from '../../domain/claims.ts'
import { DISTRUST_BASES, type DistrustBasis } from '../../domain/distrust.ts'
import { lowerTier, type Tier } from '../../domain/doors.ts'
import type { Entry } from '../../domain/entry.ts'
import { ERASE_BASES, type EraseBasis } from '../../domain/erasure.ts'
import { MunimentError } from '../../domain/errors.ts'
import { type Hash, parseRef, type Ref } from '../../domain/ids.ts'
import type { MemoryState, ReviewKind } from '../../domain/state.ts'
import { type Instant, isInstant } from '../../domain/time.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import { type AnnotationReader, annotationReader, openNote } from '../read/memory-view.ts'

/** A change proposed by a caller without the authority, read from its entry and sealed words. */
export interface ChangeProposal {
  readonly change: string
  readonly amount: number | null
  readonly confidence: number | null
  readonly tags: readonly string[] | null
  /** Memories made from a capture, where the proposal marks the capture as processed. */
  readonly into: readonly Ref[] | null
  /** The date of an end, the verdict of a contest, and its evidence. */
  readonly at: string | null
  readonly verdict: string | null
  readonly evidence: readonly Ref[]
  readonly basis: EraseBasis | null
  readonly doubt: DistrustBasis | null
  /** The reason, or the new statement of a supersede. */
  readonly text: string | null
  /** The tier of the proposal's words, independent of the memory's tier. */
  readonly tier: Tier
  /** For a revision: the given fields and their sources. */
  readonly fields: Readonly<Record<string, unknown>> | null
  readonly from: readonly Ref[]
  /** For a protection: on or off. For a timeline: the new cardinality. */
  readonly on: boolean | null
  readonly to: string | null
  readonly seq: number
}

/** Open proposals about a memory, one for each actor, oldest first. */
export async function proposalsAbout(
  engine: Pick<Engine, 'read'>,
  { ref, flags }: Pick<MemoryState, 'ref' | 'flags'>,
  annotations: AnnotationReader = annotationReader(engine),
): Promise<readonly ChangeProposal[]> {
  const open = new Set(flags.flatMap(({ code, seq }) => (code === 'proposed' ? [seq] : [])))
  const rows = await engine.read({ type: 'entries', about: ref })
  const entries = rows.map(({ bytes }) => readEntry(bytes)).filter(({ seq }) => open.has(seq))
  const ofActor = new Map<Entry['actor'], Entry[]>()
  for (const entry of entries) {
    ofActor.set(entry.actor, [...(ofActor.get(entry.actor) ?? []), entry])
  }
  const proposals = await Promise.all(
    [...ofActor.values()].map((own) => proposalIn(engine, own, annotations)),
  )
  return proposals.flat()
}

/** The proposal of one actor; its successive revisions merge into one. */
async function proposalIn(
  { read }: Pick<Engine, 'read'>,
  entries: readonly Entry[],
  annotations: AnnotationReader,
): Promise<readonly ChangeProposal[]> {
  const entry = entries.at(-1)
  if (entry === undefined) return []
  const { change, amount, confidence, into, at, verdict, evidence, basis, on, to } =
    entry.decision.facts
  const [sealed] = entry.commitment
    ? await read({ type: 'table', name: 'sealed', from: entry.seq, to: entry.seq })
    : []
  const { text, tags } = sealed ? openNote(sealed) : { text: null, tags: null }
  const revision = change === 'revise' ? await revisionIn(read, entries) : NO_REVISION
  const proposal = {
    change: String(change),
    amount: typeof amount === 'number' ? amount : null,
    confidence: typeof confidence === 'number' ? confidence : null,
    tags,
    into: Array.isArray(into) ? (into as readonly Ref[]) : null, // written by the gate as refs
    at: typeof at === 'string' ? at : null,
    verdict: typeof verdict === 'string' ? verdict : null,
    evidence: Array.isArray(evidence) ? evidence.map((ref) => parseRef(ref)) : [],
    basis: ERASE_BASES.find((each) => each === basis) ?? null,
    doubt: DISTRUST_BASES.find((each) => each === basis) ?? null,
    text,
    // Words of several entries have the lowest tier among the entries.
    tier: (await Promise.all(entries.map((each) => annotations.tierOf(each)))).reduce(lowerTier),
    ...revision,
    on: typeof on === 'boolean' ? on : null,
    to: typeof to === 'string' ? to : null,
    seq: entry.seq,
  }
  return [proposal]
}

const NO_REVISION: Pick<ChangeProposal, 'fields' | 'from'> = { fields: null, from: [] }

/** For each field the later proposal wins. */
async function revisionIn(
  read: Engine['read'],
  entries: readonly Entry[],
): Promise<Pick<ChangeProposal, 'fields' | 'from'>> {
  let fields: Readonly<Record<string, unknown>> = {}
  let from: readonly Ref[] = []
  for (const { seq, decision } of entries) {
    const [sealed] = await read({ type: 'table', name: 'sealed', from: seq, to: seq })
    fields = { ...fields, ...(sealed && openNote(sealed).fields) }
    from = [...new Set([...from, ...((decision.facts.from ?? []) as readonly Ref[])])] // written by the gate
  }
  return { fields, from }
}

/** Converts a proposal to a change; null for proposals beyond a change of this memory. */
export function changeProposed(
  { change, amount, confidence, tags, into, at, verdict, evidence, on, to }: ChangeProposal,
  line: Hash | null,
): Change | null {
  switch (change) {
    case 'forget':
    case 'recover':
    case 'deactivate':
    case 'retract':
    case 'reopen':
    case 'overrule':
      return { type: change }
    case 'protect':
      return { type: 'protect', on: on ?? false }
    case 'verify':
    case 'reinforce':
      return { type: change, evidence }
    case 'recast': {
      const cardinality = LINE_KINDS.find((each) => each === to)
      return cardinality ? { type: 'recast', cardinality } : null
    }
    case 'weaken':
      return { type: 'weaken', amount: amount ?? 0 }
    case 'describe':
      return { type: 'describe', confidence, tags }
    case 'process':
      return { type: 'process', into: into ?? [] }
    case 'end':
      return isInstant(at) ? { type: 'end', at } : null
    case 'adjudicate': {
      const known = VERDICTS.find((each) => each === verdict)
      return known && line ? { type: 'adjudicate', verdict: known, evidence, line } : null
    }
    default:
      return null
  }
}

export const REVIEW_ANSWERS = [
  'accept',
  'dismiss',
  'reject',
  'keep',
  'forget',
  ...VERDICTS,
] as const
/** An answer to an item of the review queue. */
export type ReviewAnswer = (typeof REVIEW_ANSWERS)[number]

/** The result of a part of an answer. */
export interface Answered {
  readonly taken: boolean
  /** The memory from a suggestion, or the replacing belief. */
  readonly became: Ref | null
  /** The reason why the requested change failed. */
  readonly reason?: UnchangedReason
}

interface AnswerTaken {
  readonly ref: Ref
  readonly waits: ReviewKind
  readonly answer: ReviewAnswer
  /** The proposed change, where the item is a proposal. */
  readonly proposed: string | null
  readonly became: Ref | null
}

/** Describes the effect of an answer in a sentence with the memory's ref. */
export function answerWords(taken: AnswerTaken): string {
  const { waits, answer, ref, became } = taken
  switch (waits) {
    case 'suggestion':
      if (answer === 'dismiss') return `Dismissed ${ref}: nothing was saved.`
      return became === null ? `Accepted ${ref}.` : `Saved ${became}, as ${ref} suggested.`
    case 'quarantine':
      return answer === 'accept'
        ? `Let in ${ref}: it is decided like any other memory.`
        : `Kept ${ref} out: the same words stay out from now on.`
    case 'contest':
      return verdictWords(answer, ref)
    case 'proposal':
      return answer === 'accept' ? grantedWords(taken) : refusedWords(taken)
    case 'contradiction':
      if (answer === 'keep') return `Kept ${ref} and what contradicts it: both may stand.`
      return answer === 'accept'
        ? `Kept ${ref}, and gave up what contradicts it.`
        : `Gave up ${ref}: what was known before stands.`
    case 'flagged':
      return answer === 'forget' ? `Forgot ${ref}.` : `Kept ${ref} as it is.`
  }
}

function verdictWords(answer: ReviewAnswer, ref: Ref): string {
  if (answer === 'affirm') return `Affirmed ${ref}: claims that disagree give way.`
  return answer === 'deny'
    ? `Denied ${ref}: the claim answers nothing any more.`
    : `Left ${ref} contested: nobody knows.`
}

/** Past tense of each change open to proposals. */
const GRANTED: Readonly<Record<string, string>> = {
  forget: 'Forgot',
  recover: 'Recovered',
  protect: 'Took the protection away from',
  weaken: 'Weakened',
  describe: 'Changed the tags or the confidence of',
  deactivate: 'Gave up',
  retract: 'Took back',
  reopen: 'Reopened',
  end: 'Ended',
  adjudicate: 'Decided',
  process: 'Marked as processed',
  erase: 'Erased for good',
  distrust: 'Stopped believing',
  overrule: 'Unlinked',
}

function grantedWords({ proposed, ref, became }: AnswerTaken): string {
  if (proposed === 'supersede') return `Replaced ${ref} with ${became ?? 'the new words'}.`
  return `${GRANTED[proposed ?? ''] ?? 'Accepted the proposal about'} ${ref}.`
}

const refusedWords = ({ proposed, ref }: AnswerTaken): string =>
  `Left ${ref} as it is: the proposal${proposed === null ? '' : ` to ${proposed} it`} was dismissed.`

interface WaitingItem {
  readonly stored: StoredMemory
  /** Opposing memories of a contest or a contradiction. */
  readonly against: readonly StoredMemory[]
  readonly proposal: ChangeProposal | null
}

/**
 * Time at which an item entered the review queue: with its last proposal, flag or opposing memory.
 * A memory may be years older than the question about the memory.
 */
export async function waitingSince(
  { read }: Pick<Engine, 'read'>,
  { stored, against, proposal }: WaitingItem,
): Promise<Instant> {
  const seqs = [stored, ...against].map(({ state }) => state.seq)
  const flagged = stored.state.flags.map(({ seq }) => seq)
  const seq = proposal?.seq ?? Math.max(...seqs, ...flagged)
  const [row] = await read({ type: 'entries', from: seq, limit: 1 })
  if (!row) throw new MunimentError('data_loss', `The entry ${seq} is missing.`)
  return readEntry(row.bytes).time
}
