import type { Decision, Facts, ParentLink, StoredEntry } from '../domain/entry.ts'
import { assert } from '../domain/errors.ts'
import type { Hash, Ref } from '../domain/ids.ts'
import { labelName } from '../domain/labels.ts'
import type { Provenance } from '../domain/provenance.ts'
import { type MemoryState, parentsAtBirth } from '../domain/state.ts'
import type { RuleName } from '../domain/vocabulary.ts'
import { pointerTo, type WriteResult } from '../domain/write.ts'
import type { QuoteFault } from '../fold/check-quote.ts'
import { admitted } from '../fold/fold-change.ts'
import { NO_DEPTH } from '../fold/lineage.ts'
import { provenanceText } from '../ledger/ledger.ts'
import { utf8 } from '../ledger/sha256.ts'
import { type Admission, type Case, inputsFact } from './case.ts'
import type { Desk } from './desk.ts'
import { captureSourceType } from './lineage-finding.ts'
import type { Downgrade } from './quote.ts'
import type { Stamped } from './stamp.ts'
import { collapseKey } from './tally.ts'

/** The actor's pseudonym; a new actor gets the key from its draft. */
export function actorOf(desk: Desk, actor: string, candidateKey: () => string): Hash {
  if (desk.actorKey(actor) === undefined) desk.putActorKey(actor, candidateKey())
  return desk.pseudonym(actor)
}

/** The author, door and time of all entries that a draft writes. */
export const writerOf = ({ desk, time, candidate: { draft, chance } }: Case) => ({
  time,
  actor: actorOf(desk, draft.origin.sourceId, chance.actorKey),
  door: draft.caller.door,
  label: draft.origin.label,
})

/** Captures first, then their memory: an entry each, all in the same unit. */
export function planAdmission(c: Case, rule: RuleName, verdict: Admission): WriteResult {
  const { candidate, desk, lineage } = c
  const before = desk.memory(candidate.main.ref)
  const unit = desk.nextSeq
  const facts = {
    ...verdict.facts,
    depth: { nearest: c.depth.depthNearest, farthest: c.depth.depthFarthest },
    ...inputsFact(c),
    ...revisedFacts(c),
    ...linkFacts(c),
    ...hedgeFacts(c),
    ...(c.quoting.quote === null ? {} : { quote: { ...c.quoting.quote } }),
    ...(c.lift === null ? {} : { lift: { ...c.lift } }),
    ...redactedFact(c),
    ...vouchedFact(c),
    ...(lineage.relaxed.length > 0
      ? { relaxed: lineage.relaxed.map(({ code }) => code), dropped: lineage.dropped.length }
      : {}),
  }
  const reasons = [
    ...verdict.reasons,
    ...(c.rewordingOf === null ? [] : ['rewording']),
    ...c.tierCaps,
    ...(c.downgrade === null ? [] : ['hedge_dropped']),
    ...(c.quoting.fault === null ? [] : [c.quoting.fault]),
  ]
  const decision: Decision = { rule, disposition: verdict.disposition, reasons, facts }
  for (const [index, capture] of candidate.captures.entries()) {
    // A revision may bring words captured for its memory before: the new version cites that capture
    // again.
    if (desk.memory(capture.ref)) continue
    const depth = lineage.captureDepths[index] ?? NO_DEPTH
    const fate = fateOfCapture(c, decision)
    write(c, capture, { index, unit, decision: fate, captured: true, depth })
  }
  const main = { ...candidate.main, derivedFrom: lineage.derivedFrom }
  const index = candidate.captures.length
  const stored = write(c, main, { index, unit, decision, captured: false, depth: c.depth })
  if (rule === 'burst' && c.rewordingOf === null) holdBurst(c, stored)
  return {
    ...{ ref: candidate.main.ref, id: candidate.main.id, tier: c.tier, rule, reasons },
    disposition: verdict.disposition,
    entry: pointerTo(stored),
    ...(before ? { revised: true, version: before.revision + 1 } : {}),
    captures: candidate.captures.map(({ ref }) => ref),
    suggestion: null,
    ...said(c),
  }
}

/** The message for the writer: the first that applies. */
function said(c: Case) {
  const { downgrade, rewordingOf, quoting } = c
  const { quote, fault } = quoting
  if (fault !== null) return { message: `Kept without its quote: ${FAULTS[fault]}.`, hint: QUOTING }
  if (quote !== null && c.lift === null && downgrade === null && rewordingOf === null)
    return { message: `Kept with its quote at tier ${c.tier}: ${notLifted(c)}.`, hint: STATING }
  return downgrade === null ? saidOfLink(rewordingOf) : saidOfHedge(downgrade)
}

const QUOTING = 'Quote a whole sentence, letter for letter, of something first-hand that it cites.'

const STATING =
  'Quote the sentence that states it in plain words, typed by a person or read by a tool on the allow-list.'

const notLifted = ({ quoting: { lift } }: Case): string =>
  lift === null
    ? 'the sentence does not plainly state it, or nobody vouches for the source'
    : 'the tier of the writer bounds it'

const FAULTS: Readonly<Record<QuoteFault, string>> = {
  quote_misplaced: 'only a claim or a belief of a model is anchored by one',
  quote_source: 'it cites nothing first-hand that was not captured for the one who quotes',
  quote_not_found: 'nothing that it cites says these words',
  quote_partial: 'it is part of a sentence, and the rest may say otherwise',
  quote_too_short: 'it has fewer than three telling words',
  quote_without_value: 'it does not say what is claimed',
  quote_denied: 'one of the two says no',
  quote_hedged: 'it leaves open what is claimed',
}

/** Records the compared hedges: an audit can explain the lower confidence without the words. */
function hedgeFacts({ downgrade, candidate: { draft } }: Case): Facts {
  if (downgrade === null) return {}
  const { of, said, source } = downgrade
  return { hedge: { of, said, source, asked: draft.confidence } }
}

const saidOfHedge = ({ of, source, confidenceMax }: Downgrade) => ({
  message: `It is surer than ${of}, which ${source > 1 ? 'leaves it open' : 'only thinks so'}: kept with a confidence of ${confidenceMax} at most.`,
  hint: 'Say it as unsure as it was said, or cite what settled it.',
})

const linkFacts = ({ rewordingOf }: Case): Facts =>
  rewordingOf === null ? {} : { phrasingOf: rewordingOf.ref, score: rewordingOf.score }

/** The writer learns of the link, so that a model need not say the same a third time. */
function saidOfLink(link: Case['rewordingOf']) {
  if (link === null) return { message: null, hint: null }
  return {
    message: `Saved, and linked to ${link.ref} as a likely rewording: both are one voice.`,
    hint: `If it says something else, a person can remove the link: unlink.`,
  }
}

/** The redaction at the door; without this fact, erasing the words would hide the redaction. */
export const redactedFact = ({ candidate: { draft } }: Case): Facts =>
  draft.caller.redacted === undefined ? {} : { redacted: draft.caller.redacted }

/** A person vouches for tool and path: without the fact a capture of a tool counts for tier 1. */
function vouchedFact({ candidate: { draft } }: Case): Facts {
  const { caller, origin } = draft
  const isCapture = caller.door === 'hook' && labelName(origin.label) === 'ExternalFirstHand'
  return caller.vouched === true && isCapture ? { vouched: true } : {}
}

/** The changes of a revision: its confidence, and whether its words differ. */
function revisedFacts({ candidate: { main, draft }, desk, confidence }: Case): Facts {
  const before = draft.revises === null ? undefined : desk.memory(main.ref)
  if (!before) return {}
  const { from, to } = confidence
  return {
    ...(from === to ? {} : { confidence: { from, to } }),
    ...(before.identity === main.keys.identity ? {} : { anew: true }),
  }
}

function linkTo(desk: Desk, ref: Ref): ParentLink {
  const parent = desk.memory(ref)
  assert(parent !== undefined, 'a parent is there when it is cited')
  return { ref, seq: parent.seq }
}

interface WritePlan {
  readonly index: number
  readonly unit: number
  readonly decision: Decision
  readonly captured: boolean
  readonly depth: Pick<Provenance, 'depthNearest' | 'depthFarthest'>
}

/** A capture shares the fate of its draft: a quarantined draft has quarantined captures. */
function fateOfCapture({ candidate, distrustedBy }: Case, main: Decision): Decision {
  if (main.disposition === 'Quarantined') return { ...main, facts: {} }
  if (main.disposition === 'Distrusted') return { ...main, facts: { distrusted: distrustedBy } }
  const disposition = admitted(labelName(candidate.draft.origin.label))
  return { rule: 'admit', disposition, reasons: [], facts: {} }
}

/** Seals body and certificate and appends the entry that commits to them. */
function write(c: Case, item: Stamped, plan: WritePlan): StoredEntry {
  const { desk, candidate } = c
  const { ref, body, keys } = item
  const before = desk.memory(ref)
  const certified = { ...item, ...splitSources(item.derivedFrom, before) }
  const sealed = { body, provenance: certificateOf(c, certified, plan) }
  const bytes = utf8(`{"body":${item.bodyText},"provenance":${provenanceText(sealed.provenance)}}`)
  return desk.append(
    {
      ...{ op: before ? 'memory.revised' : 'memory.saved', unit: plan.unit, ref },
      ...{ revision: (before?.revision ?? 0) + 1, ...writerOf(c), tier: c.tier },
      parents: item.derivedFrom.map((source) => linkTo(desk, source)),
      decision: plan.decision,
    },
    { sealed, keys, salt: candidate.chance.salt(plan.index), bytes },
  )
}

/** A revision repeats the sources of the birth, and lists later sources apart. */
function splitSources(sources: readonly Ref[], before: MemoryState | undefined) {
  if (before === undefined) return { derivedFrom: sources, revisedFrom: [] }
  const derivedFrom = parentsAtBirth(before)
  return { derivedFrom, revisedFrom: sources.slice(derivedFrom.length) }
}

/** Every field of the birth certificate, none left to be filled in later (PROV-BIRTH). */
export function certificateOf(
  c: Case,
  item: Pick<Stamped, 'contentHash' | 'derivedFrom'> & { readonly revisedFrom?: readonly Ref[] },
  plan: Pick<WritePlan, 'captured' | 'depth'>,
): Provenance {
  const { draft } = c.candidate
  const { origin, caller } = draft
  return {
    ...origin,
    sourceType: plan.captured ? captureSourceType(origin) : origin.sourceType,
    timestamp: c.time,
    session: caller.session,
    turn: caller.turn,
    captured: plan.captured,
    quote: plan.captured ? null : c.quoting.quote,
    confidence: c.confidence.to,
    contentHash: item.contentHash,
    policyHash: c.desk.policyHash,
    trustTier: c.tier,
    derivedFrom: item.derivedFrom,
    ...(item.revisedFrom?.length ? { revisedFrom: item.revisedFrom } : {}),
    sourceEpisodes: plan.captured ? [] : c.lineage.sourceEpisodes,
    ...plan.depth,
  }
}

/** The quarantined row stands for the burst: the row's entry counts every further repeat. */
function holdBurst({ desk, candidate, burst }: Case, stored: StoredEntry): void {
  assert(burst !== null, 'a burst was counted')
  desk.putBurst({ ...burst, quarantined: candidate.main.ref })
  const about = candidate.main.ref
  desk.openTally(stored, { key: collapseKey(about, 'burst'), rule: 'burst', about })
}
