import { isBelieved } from '../domain/distrust.ts'
import type { Facts } from '../domain/entry.ts'
import { type Hash, parseMemoryId, type Ref, toRef } from '../domain/ids.ts'
import { identityParts } from '../domain/kinds/content.ts'
import { parseBody } from '../domain/kinds/table.ts'
import { KEPT_LIMITS } from '../domain/limits.ts'
import type { MemoryState, Tally } from '../domain/state.ts'
import { toMs } from '../domain/time.ts'
import type { RuleName } from '../domain/vocabulary.ts'
import { UNREMARKED, type WriteResult } from '../domain/write.ts'
import { isLive } from '../fold/fold-memory.ts'
import { NO_DEPTH } from '../fold/lineage.ts'
import { canonicalBytes } from '../ledger/canonical.ts'
import { contentHash } from '../ledger/ledger.ts'
import type { Case, Verdict } from './case.ts'
import { certificateOf, redactedFact, writerOf } from './plan.ts'
import { collapseKey, isNoiseKey, isNoiseOf, noiseKey, refusalKey } from './tally.ts'
import type { Content } from './words.ts'

type Collapse = Extract<Verdict, { type: 'collapse' }>
type Refusal = Extract<Verdict, { type: 'refuse' }>

/** No new row: the first collapse onto a memory is an entry, every further one is counted. */
export function planCollapse(c: Case, rule: RuleName, verdict: Collapse): WriteResult {
  const { desk, time } = c
  const { onto, disposition, reasons, facts } = verdict
  const { ref } = onto
  const key = collapseKey(ref, rule)
  const known = desk.tally(key)
  const decision = { rule, disposition, reasons, facts }
  const entry = known
    ? desk.countRepeat(known, time)
    : desk.openTally(desk.append({ op: 'memory.collapsed', ref, ...writerOf(c), decision }), {
        key,
        rule,
        about: ref,
      })
  return {
    ...UNREMARKED,
    ...{ ref, id: onto.id, disposition, rule, reasons, entry, tier: onto.tier },
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
  const { desk } = c
  const { origin, caller } = c.candidate.draft
  const { sourceId: actor } = origin
  const { door } = caller
  const { reasons, message, hint } = verdict
  const noise: Noise = rule === 'lint' ? noiseBy(c) : { type: 'none' }
  const key = refusalKey(actor, door, rule)
  const known = 'tally' in noise ? noise.tally : noise.type === 'new' ? undefined : desk.tally(key)
  const base = { ...UNREMARKED, ref: null, id: null, tier: null, rule, reasons, message } as const
  const told = { ...base, disposition: 'Rejected', hint: withNotKept(hint, noise) } as const
  if (known) return { ...told, entry: desk.countRepeat(known, c.time) }
  const kept = noise.type === 'new' || noise.type === 'unmarked' ? suggestionOf(c, verdict) : null
  const facts: Facts = {
    ...{ ...verdict.facts, ...place, ...(kept ? redactedFact(c) : {}) },
    ...(noise.type === 'full' ? { notKept: true } : {}),
  }
  const writer = writerOf(c)
  const decision = { rule, disposition: 'Rejected', reasons, facts } as const
  const suggested = kept && { ref: kept.ref, revision: 1, tier: c.tier }
  const stored = desk.append({ op: 'memory.refused', ...writer, ...suggested, decision }, kept)
  const own =
    noise.type === 'new' && kept
      ? { key: noiseKey({ actor, door, seq: stored.entry.seq, mark: noise.mark }), about: kept.ref }
      : { key, about: null }
  const entry = desk.openTally(stored, {
    ...{ ...own, rule, actor, door },
    pseudonym: writer.actor,
  })
  if (kept === null) return { ...told, entry }
  const hintOfKept = `${hint} What was sent is kept as a rejected suggestion.`
  return { ...told, hint: hintOfKept, entry, suggestion: kept.ref }
}

/** Noise of an actor at a door, as far as the ledger keeps noise. */
type Noise =
  /** Words that are kept already, with the tally of their repeats. */
  | { readonly type: 'known'; readonly tally: Tally }
  /** Words that the ledger has room for; `mark` is their digest. */
  | { readonly type: 'new'; readonly mark: Hash }
  /** The store lacks the key for digests: words cannot be told apart, so the first is kept. */
  | { readonly type: 'unmarked' }
  | { readonly type: 'full' }
  | { readonly type: 'none' }

const { rejectedSuggestionsMax } = KEPT_LIMITS

const withNotKept = (hint: string, { type }: Noise): string =>
  type === 'full'
    ? `${hint} Not kept: ${rejectedSuggestionsMax} rejected suggestions of this actor are kept already (rejectedSuggestionsMax).`
    : hint

function noiseBy({ desk, candidate }: Case): Noise {
  const { origin, caller } = candidate.draft
  const mark = candidate.repeatMark()
  if (mark === null) return { type: 'unmarked' }
  const kept = desk.tallies.filter(
    ({ key, actor, door }) => isNoiseKey(key) && actor === origin.sourceId && door === caller.door,
  )
  const tally = kept.find(({ key }) => isNoiseOf(key, mark))
  if (tally) return { type: 'known', tally }
  return kept.length >= rejectedSuggestionsMax ? { type: 'full' } : { type: 'new', mark }
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
