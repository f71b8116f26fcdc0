import type { Facts } from '../domain/entry.ts'
import { assert } from '../domain/errors.ts'
import type { Ref } from '../domain/ids.ts'
import { contentText } from '../domain/kinds/table.ts'
import { DEFAULT_NUMBERS, type Policy, type PolicyNumbers } from '../domain/policy.ts'
import type { MemoryState, Tally } from '../domain/state.ts'
import { type EntryPointer, type Outcome, UNREMARKED, type WriteResult } from '../domain/write.ts'
import { contentHash } from '../ledger/ledger.ts'
import type { Case, Verdict } from './case.ts'
import { authorOf } from './change-caller.ts'
import { begin, sealNote, type Telling, tell, unchanged } from './change-entry.ts'
import type { Desk } from './desk.ts'
import type { Fields } from './restatement.ts'
import { isProposalKey, proposalKey } from './tally.ts'
import type { NoteContent } from './words.ts'

/** A change that its caller lacks the authority for. */
export interface ProposedChange {
  readonly memory: MemoryState
  readonly facts: Facts
  readonly note: NoteContent | null
  readonly by: string
}

/** An actor has one proposal for each memory; the fields of further revisions join the proposal. */
type Room =
  | { readonly type: 'free'; readonly key: string }
  /** An equal proposal was made before; a person may have answered already. */
  | { readonly type: 'repeated'; readonly tally: Tally; readonly isOpen: boolean }
  /** Another proposal of the actor about the memory waits. */
  | { readonly type: 'waiting' }
  /** The actor has as many proposals as may wait at a time. */
  | { readonly type: 'full' }

function roomFor(
  {
    memory,
    by,
    fields,
  }: Pick<ProposedChange, 'memory' | 'by'> & { readonly fields: Fields | null },
  desk: Desk,
): Room {
  const { ref, flags } = memory
  const mark = fields && contentHash(desk.setting.sha256, fields)
  const key = proposalKey(ref, by, mark)
  const known = desk.tally(key)
  const isUp = (seq: number): boolean =>
    flags.some((flag) => flag.code === 'proposed' && flag.seq === seq)
  if (known && fields) return { type: 'repeated', tally: known, isOpen: isUp(known.entrySeq) }
  const open = desk.tallies.filter(({ key: of, actor }) => isProposalKey(of) && actor === by)
  const here = open.filter(({ about, entrySeq }) => about === ref && isUp(entrySeq))
  const isRevision = ({ entrySeq }: Tally): boolean =>
    flags.some((flag) => flag.seq === entrySeq && flag.by === ref)
  if (here.length > 0 && !(fields && here.every(isRevision))) return { type: 'waiting' }
  return open.length >= proposalsMax(desk.policy) ? { type: 'full' } : { type: 'free', key }
}

/** A policy of an older stack lacks this limit. */
const proposalsMax = ({ numbers }: Policy): number =>
  (numbers as Partial<PolicyNumbers>).proposalsPerActorMax ?? DEFAULT_NUMBERS.proposalsPerActorMax

/** A change without the authority moves nothing and waits for a person. */
export function propose(proposed: ProposedChange, desk: Desk, beginning: () => Telling): Outcome {
  const room = roomFor({ ...proposed, fields: null }, desk)
  switch (room.type) {
    case 'free':
      return unchanged('proposed', enter(proposed, { key: room.key, telling: beginning() }))
    case 'full':
      return unchanged('proposals_full')
    case 'waiting':
    case 'repeated':
      return unchanged('proposed')
  }
}

function enter(
  { memory: { ref }, facts, note, by }: ProposedChange,
  { key, telling }: { readonly key: string; readonly telling: Telling },
): EntryPointer {
  const rule = 'authority'
  const stored = tell(telling, { ref, op: 'memory.proposed', facts, rule }, note)
  return telling.desk.openTally(stored, { key, rule, about: ref, actor: by })
}

/** Answered proposals leave room for others of the same actor. */
export function closeProposals(ref: Ref, of: readonly number[], desk: Desk): void {
  for (const tally of desk.tallies) {
    const isAnswered =
      isProposalKey(tally.key) && tally.about === ref && of.includes(tally.entrySeq)
    if (isAnswered) desk.putTally({ ...tally, actor: null })
  }
}

type Proposed = Extract<Verdict, { type: 'propose' }>

/** Fields that their author may not revise are proposed, or refused where they cannot wait. */
export function judgeProposal(c: Case, { of, fields }: Pick<Proposed, 'of' | 'fields'>): Verdict {
  const by = c.candidate.draft.origin.sourceId
  const room = roomFor({ memory: of, by, fields }, c.desk)
  if (room.type === 'free' || room.type === 'repeated') return { type: 'propose', of, fields }
  const isFull = room.type === 'full'
  const message = `${of.ref} is not yours to revise, and the fields were not kept`
  return {
    type: 'refuse',
    reasons: [isFull ? 'proposals_full' : 'proposals_waiting'],
    facts: { ref: of.ref },
    message: isFull
      ? `${message}: as many of your proposals wait for a person as may (proposalsPerActorMax).`
      : `${message}: another proposal of yours about it waits for a person.`,
    hint: 'Send them again after a person answered in review.',
  }
}

/** Moves nothing; one entry keeps the fields for a person. The same proposal again is counted. */
export function planProposal(c: Case, { of, fields }: Proposed): WriteResult {
  const { candidate, desk, time } = c
  const { origin } = candidate.draft
  const { chance, captures } = candidate
  const names = Object.keys(fields).join(', ')
  const base = {
    ...UNREMARKED,
    ref: of.ref,
    id: of.id,
    tier: of.tier,
    disposition: 'PendingReview',
    rule: 'authority',
    reasons: ['proposed'],
  } as const
  const room = roomFor({ memory: of, by: origin.sourceId, fields }, desk)
  if (room.type === 'repeated') {
    const fate = room.isOpen ? 'waits for a person' : 'a person has answered'
    const message = `${names}: proposed for ${of.ref} before, and ${fate}.`
    return { ...base, entry: desk.countRepeat(room.tally, time), message }
  }
  assert(room.type === 'free', 'a proposal was judged to have room')
  const [first] = captures
  const text = first ? contentText(first.kind, first.body) : null
  const sources = candidate.main.derivedFrom.filter((ref) => desk.memory(ref) !== undefined)
  const entry = enter(
    {
      memory: of,
      by: origin.sourceId,
      facts: { change: 'revise', ...(sources.length > 0 ? { from: sources } : {}) },
      note: sealNote({ fields: { ...fields }, tags: null, text }, chance),
    },
    {
      key: room.key,
      telling: { ...begin(authorOf(candidate), desk, chance), wordsTier: () => c.tier },
    },
  )
  return {
    ...base,
    entry,
    message: `${of.ref} is not yours to revise: ${names} is proposed, and a person decides.`,
    hint: 'A person answers with review.',
  }
}
