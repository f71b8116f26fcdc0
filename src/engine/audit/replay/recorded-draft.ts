import { inputsIn } from '../../../domain/decision-inputs.ts'
import type { Entry, Facts, SealedRow } from '../../../domain/entry.ts'
import { assert } from '../../../domain/errors.ts'
import { parseRef, type Ref, splitRef } from '../../../domain/ids.ts'
import { type Provenance, sourcesIn } from '../../../domain/provenance.ts'
import type { Capture, Consequence, Draft, Origin } from '../../../domain/write.ts'
import { QUOTE_FAULTS } from '../../../fold/check-quote.ts'
import type { Likeness } from '../../../gate/stamp.ts'
import { openSealed } from '../../read/memory-view.ts'
import type { DraftUnit } from './replay.ts'

/** The reason why an unerased decision cannot be replayed; null where replay works. */
export function unrecordedIn({ main }: DraftUnit): string | null {
  const { facts, reasons } = main.decision
  if (!inputsIn(facts)) return 'an older version did not record who asked, and with what grant'
  if (facts.relaxed !== undefined) return 'what it cited and was not there is only counted'
  const faults: readonly string[] = QUOTE_FAULTS
  if (reasons.some((reason) => faults.includes(reason)))
    return 'the words it said to quote were not found, and not kept'
  return null
}

export interface DraftInputs {
  readonly sealed: ReadonlyMap<number, SealedRow>
  readonly quote: string | null
}

/** Rebuilds the draft from its entries: words, provenance, captures and door. */
export function recordedDraft(unit: DraftUnit, { sealed, quote }: DraftInputs): Draft {
  const { main } = unit
  const { body, provenance } = openedAt(sealed, main)
  const { hedge, redacted, vouched } = main.decision.facts
  const inputs = inputsIn(main.decision.facts)
  assert(inputs !== null && inputs !== undefined, 'only a decision with its inputs is made again')
  const { person, grant, through, tier, given } = inputs
  return {
    ...splitRef(refOf(main)),
    body,
    origin: originIn(provenance),
    // The entry records the requested confidence of an overconfident memory.
    confidence: hedge === undefined ? provenance.confidence : Number((hedge as Facts).asked),
    derivedFrom: sourcesIn(provenance),
    sourceEpisodes: provenance.sourceEpisodes,
    quote,
    captures: capturesIn(unit).map((entry) => captureAt(sealed, entry)),
    supplied: { contentHash: null, policyHash: null, trustTier: tier, timestamp: null },
    revises: main.op === 'memory.revised' ? { expectedVersion: null } : null,
    given: given ?? Object.keys(body),
    consequence: consequenceIn(unit),
    caller: {
      door: main.door ?? 'lib',
      operation: 'replay',
      person,
      grant,
      ...(through === undefined ? {} : { through }),
      session: provenance.session,
      turn: provenance.turn,
      ...(redacted === undefined ? {} : { redacted: Number(redacted) }),
      ...(vouched === true ? { vouched } : {}),
    },
  }
}

/** Captures of the draft, in draft order. */
export const capturesIn = ({ entries, main }: DraftUnit): readonly Entry[] =>
  entries.flatMap(({ entry }) =>
    entry.op === 'memory.saved' && entry.seq < main.seq ? [entry] : [],
  )

/** Recorded likeness to another memory, which is computed outside the gate. */
export const recordedLikes = ({ decision: { facts } }: Entry): readonly Likeness[] =>
  typeof facts.phrasingOf === 'string'
    ? [{ ref: parseRef(facts.phrasingOf), score: Number(facts.score) }]
    : []

export function refOf({ ref }: Entry): Ref {
  assert(ref !== null, 'an entry that takes something in names it')
  return ref
}

function openedAt(sealed: DraftInputs['sealed'], { seq }: Entry) {
  const row = sealed.get(seq)
  assert(row !== undefined, 'what the unit sealed was read')
  return openSealed(row)
}

function originIn(provenance: Provenance): Origin {
  const { sourceType, label, sourceId, sourceEntity, ingestionPath } = provenance
  const { eventTime, relayed, document, llmModel } = provenance
  return {
    ...{ sourceType, label, sourceId, sourceEntity, ingestionPath },
    ...{ eventTime, relayed, document, llmModel },
  }
}

function captureAt(sealed: DraftInputs['sealed'], entry: Entry): Capture {
  const { body, provenance } = openedAt(sealed, entry)
  const { kind, id } = splitRef(refOf(entry))
  assert(kind === 'raw' || kind === 'note' || kind === 'episode', 'only these are captured')
  return { kind, id, body, derivedFrom: provenance.derivedFrom }
}

/** The consequence for another memory comes directly after the draft. */
function consequenceIn({ entries, main }: DraftUnit): Consequence | null {
  for (const { entry } of entries) {
    const { status, into, of } = entry.decision.facts
    if (entry.op === 'suggestion.resolved' && into === main.ref) {
      const resolved = status as Extract<Consequence, { type: 'promotes' }>['status'] // written by the gate
      return { type: 'promotes', ref: refOf(entry), status: resolved }
    }
    if (entry.op === 'belief.revised' && entry.ref === main.ref && typeof of === 'string') {
      return { type: 'supersedes', ref: parseRef(of) }
    }
  }
  return null
}
