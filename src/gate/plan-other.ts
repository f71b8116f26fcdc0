import { isBelieved } from '../domain/distrust.ts'
import type { Facts } from '../domain/entry.ts'
import { type Hash, parseMemoryId, type Ref, toRef } from '../domain/ids.ts'
import { identityParts } from '../domain/kinds/content.ts'
import { parseBody } from '../domain/kinds/table.ts'
import { KEPT_LIMITS } from '../domain/limits.ts'
import type { MemoryState, Tally } from '../domain/state.ts'
import { toMs } from '../domain/time.ts'
import type { RuleName } from '../domain/vocabulary.ts'
import type { EntryPointer, WriteResult } from '../domain/write.ts'
import { isLive } from '../fold/fold-memory.ts'
import { NO_DEPTH } from '../fold/lineage.ts'
import { canonicalBytes } from '../ledger/canonical.ts'
import { commitmentOf, contentHash } from '../ledger/ledger.ts'
import type { Case, Verdict } from './case.ts'
import { actorOf, certificateOf, redactedFact } from './plan.ts'
import {
  collapseKey,
  countRepeat,
  isNoiseKey,
  isNoiseOf,
  noiseKey,
  openTally,
  refusalKey,
} from './tally.ts'
import type { Content } from './words.ts'

type Collapse = Extract<Verdict, { type: 'collapse' }>
type Refusal = Extract<Verdict, { type: 'refuse' }>

/** No new row: the first collapse onto a memory is an entry, every further one is counted. */
export function planCollapse(c: Case, rule: RuleName, verdict: Collapse): WriteResult {
  const { onto, disposition, reasons } = verdict
  const key = collapseKey(onto.ref, rule)
  const known = c.desk.tally(key)
  const entry = known ? repeat(c, known) : firstCollapse(c, rule, { verdict, key })
  return {
    ...NOTHING_ELSE,
    ref: onto.ref,
    id: onto.id,
    disposition,
    rule,
    reasons,
    entry,
    tier: onto.tier,
    ...(rule === 'burst' ? saidOfBurst(onto) : saidOfStanding(c, onto)),
  }
}

const saidOfBurst = ({ ref }: MemoryState) => ({
  message: `${ref} says the same; repeats beyond the burst threshold are counted, not saved.`,
  hint: 'A person finds the burst in review.',
})

/** A repeated memory may be forgotten or quarantined, and then a search does not find it. */
function saidOfStanding({ policy }: Case, onto: MemoryState) {
  if (isLive(onto, policy)) return {}
  const isForgotten = isBelieved(onto.disposition, policy)
  const standing = isForgotten ? 'forgotten' : onto.disposition.toLowerCase()
  return {
    message: `${onto.ref} says the same and is ${standing}; repeating it does not bring it back.`,
    hint: isForgotten
      ? 'Recover it, or let a person say it first-hand.'
      : 'Supersede what stands in its place, or let a person say it first-hand.',
  }
}

const NOTHING_ELSE = {
  captures: [],
  suggestion: null,
  message: null,
  hint: null,
} as const

function repeat(c: Case, tally: Tally): EntryPointer {
  c.desk.putTally(countRepeat(tally, c.time))
  return { seq: tally.entrySeq, hash: tally.entryHash }
}

interface FirstCollapse {
  readonly verdict: Collapse
  readonly key: string
}

function firstCollapse(c: Case, rule: RuleName, { verdict, key }: FirstCollapse): EntryPointer {
  const { desk, candidate } = c
  const { draft } = candidate
  const { onto, disposition, reasons, facts } = verdict
  const actor = actorOf(desk, draft.origin.sourceId, candidate.chance.actorKey)
  const stored = desk.append({
    op: 'memory.collapsed',
    time: c.time,
    ref: onto.ref,
    actor,
    door: draft.caller.door,
    label: draft.origin.label,
    decision: { rule, disposition, reasons, facts },
  })
  desk.putTally(openTally({ key, rule, about: onto.ref, stored }))
  return { seq: stored.entry.seq, hash: stored.hash }
}

/** The position of a refused draft in an all-or-nothing batch. */
export interface BatchPlace {
  readonly index: number
  readonly drafts: number
}

/** The first refusal of an actor at a door under a rule is an entry; every repeat is counted. */
export function planRefusal(
  c: Case,
  rule: RuleName,
  { verdict, place }: { readonly verdict: Refusal; readonly place: BatchPlace | null },
): WriteResult {
  const { desk, candidate } = c
  const { origin, caller } = candidate.draft
  const noise = rule === 'lint' ? noiseBy(c) : NO_NOISE
  const key = refusalKey(origin.sourceId, caller.door, rule)
  const known = noise.mayKeep ? noise.known : desk.tally(key)
  const base = {
    ...NOTHING_ELSE,
    ref: null,
    id: null,
    disposition: 'Rejected',
    rule,
    reasons: verdict.reasons,
    tier: null,
    message: verdict.message,
    hint: noise.isFull ? `${verdict.hint} ${NOT_KEPT}` : verdict.hint,
  } as const
  if (known) return { ...base, entry: repeat(c, known) }
  const actor = actorOf(desk, origin.sourceId, candidate.chance.actorKey)
  const kept = noise.mayKeep || noise.isFirst ? suggestionOf(c, verdict) : null
  const taken = kept ? redactedFact(c) : {}
  const full: Facts = noise.isFull ? { notKept: true } : {}
  const facts: Facts = { ...verdict.facts, ...(place ?? {}), ...taken, ...full }
  const stored = desk.append(
    {
      op: 'memory.refused',
      time: c.time,
      ref: kept?.ref ?? null,
      revision: kept ? 1 : null,
      actor,
      door: caller.door,
      label: origin.label,
      tier: kept ? c.tier : null,
      commitment: kept ? commitmentOf(desk.setting.sha256, kept.salt, kept.bytes) : null,
      decision: { rule, disposition: 'Rejected', reasons: verdict.reasons, facts },
    },
    kept,
  )
  const { sourceId } = origin
  const { door } = caller
  const { seq } = stored.entry
  const own =
    noise.mayKeep && kept && noise.mark !== null
      ? { key: noiseKey({ actor: sourceId, door, seq, mark: noise.mark }), about: kept.ref }
      : { key, about: null }
  desk.putTally(openTally({ ...own, rule, actor: sourceId, door, pseudonym: actor, stored }))
  const entry = { seq: stored.entry.seq, hash: stored.hash }
  const hint = kept ? `${verdict.hint} What was sent is kept as a rejected suggestion.` : base.hint
  return { ...base, hint, entry, suggestion: kept?.ref ?? null }
}

/** Noise of an actor at a door, as far as the ledger keeps noise. */
interface Noise {
  /** A digest of these words; null where the store lacks the key for the digest. */
  readonly mark: Hash | null
  /** True where the words are kept already, or have room. */
  readonly mayKeep: boolean
  /** The tally of repeats of the words. */
  readonly known: Tally | undefined
  readonly isFull: boolean
  /** Without the key, words cannot be told apart: only the first refusal is kept. */
  readonly isFirst: boolean
}

const NO_NOISE: Noise = {
  mark: null,
  mayKeep: false,
  known: undefined,
  isFull: false,
  isFirst: false,
}

const { rejectedSuggestionsMax } = KEPT_LIMITS
const NOT_KEPT = `Not kept: ${rejectedSuggestionsMax} rejected suggestions of this actor are kept already (rejectedSuggestionsMax).`

function noiseBy({ desk, candidate }: Case): Noise {
  const { origin, caller } = candidate.draft
  const mark = candidate.repeatMark()
  if (mark === null) return { ...NO_NOISE, isFirst: true }
  const kept = desk.tallies.filter(
    ({ key, actor, door }) => isNoiseKey(key) && actor === origin.sourceId && door === caller.door,
  )
  const known = kept.find(({ key }) => isNoiseOf(key, mark))
  const isFull = known === undefined && kept.length >= rejectedSuggestionsMax
  return { mark, mayKeep: !isFull, known, isFull, isFirst: false }
}

/** Refused noise stays readable, so that a person can see every refused statement. */
function suggestionOf(c: Case, verdict: Refusal): Content & { readonly ref: Ref } {
  const { desk, candidate } = c
  const { sha256 } = desk.setting
  const { main, draft, chance } = candidate
  const body = parseBody('suggestion', {
    memoryType: main.kind,
    content: main.body,
    confidence: draft.confidence,
    sourceRefs: main.derivedFrom.filter((ref) => desk.memory(ref) !== undefined), // captures are not kept
    status: 'rejected',
    reason: `lint: ${verdict.reasons.join(', ')}`,
  })
  const item = { contentHash: contentHash(sha256, body), derivedFrom: [] }
  const provenance = certificateOf(c, item, { captured: false, depth: NO_DEPTH })
  const sealed = { body, provenance }
  return {
    ref: toRef('suggestion', parseMemoryId(chance.id('suggestion', toMs(c.time)))),
    sealed,
    keys: { identity: contentHash(sha256, identityParts('suggestion', body)), line: null },
    salt: chance.salt(candidate.captures.length),
    bytes: canonicalBytes(sealed),
  }
}
