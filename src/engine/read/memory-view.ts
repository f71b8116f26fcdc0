import type { Disposition } from '../../domain/dispositions.ts'
import type { DistrustMark } from '../../domain/distrust.ts'
import type { Tier } from '../../domain/doors.ts'
import type { SealedNote, SealedRow } from '../../domain/entry.ts'
import { assert, MunimentError } from '../../domain/errors.ts'
import { type MemoryId, type Ref, ZERO_HASH } from '../../domain/ids.ts'
import type { RecordKind } from '../../domain/kind-names.ts'
import { type BodyOf, contentText } from '../../domain/kinds/table.ts'
import { labelNamed } from '../../domain/labels.ts'
import {
  type ComputedProvenance,
  computedProvenance,
  type Provenance,
} from '../../domain/provenance.ts'
import type { Flag, ReviewKind, ShownState } from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import {
  confidenceAt,
  type StrengthTier,
  strengthAt,
  strengthTier,
  tierNow,
} from '../../fold/effective.ts'
import { readJson } from '../../ledger/read-json.ts'
import type { ComponentMemory } from '../../ports/component.ts'
import type { MetMemory, ShelvedMemory, StoredMemory } from '../../ports/store.ts'
import type { Moment } from '../engine.ts'
import type { NumberChange } from '../history/confidence-history.ts'

/** A memory as readers get it: its words, its papers and where it stands. */
export interface Memory<K extends RecordKind = RecordKind> {
  readonly ref: Ref
  readonly kind: K
  readonly id: MemoryId
  readonly body: BodyOf<K>
  /** What it says, as one text. */
  readonly text: string
  readonly provenance: Provenance & ComputedProvenance
  /** The number of revisions; the body and provenance are the last one's. */
  readonly version: number
  readonly createdAt: Instant
  readonly disposition: Disposition
  /** The tier it has now, which may have risen or fallen since its birth. */
  readonly tier: Tier
  /** How likely it is true, and how readily it comes to mind: today, after what time took. */
  readonly confidence: number
  readonly strength: number
  readonly strengthTier: StrengthTier
  /** The same numbers as the ledger last recorded them. */
  readonly stored: { readonly confidence: number; readonly strength: number }
  readonly isProtected: boolean
  readonly tags: readonly string[]
  /** A goal's or suggestion's status today; null for kinds that have none. */
  readonly status: string | null
  /** What components noted of it, each under its name. */
  readonly annotations: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly accessCount: number
  readonly lastAccessed: Instant | null
  /** Verifications by independent first-hand evidence. */
  readonly verificationCount: number
  readonly lastVerified: Instant | null
  readonly timesReinforced: number
  /** What supports it: given at birth and added since. */
  readonly evidence: readonly Ref[]
  /** Every change of its confidence, oldest first. */
  readonly confidenceHistory: readonly NumberChange[]
  readonly flags: readonly Flag[]
  /** What it waits for in the review queue, if it waits. */
  readonly review: ReviewKind | null
  readonly entry: { readonly seq: number }
  /** Why it is not believed, where that is because of its origin or its sources; else null. */
  readonly distrust: DistrustMark | null
  /** The memory that this one likely says again in other words: both are one voice. */
  readonly rewordingOf: Ref | null
  /** Where its words are withheld from a use: the tier that the use takes. */
  readonly withheld?: Tier
  /** The entry that erased it; its words are gone, and what is shown of its papers is what entries say. */
  readonly erased: { readonly seq: number } | null
}

const decoder = new TextDecoder()

interface Opened {
  readonly body: object
  readonly provenance: Provenance & ComputedProvenance
}

/** Opens what a birth or revision sealed. The bytes were written by the gate. */
export const openSealed = (sealed: SealedRow | string): Opened =>
  readJson(typeof sealed === 'string' ? sealed : decoder.decode(sealed.bytes)) as Opened // the gate's

type Shown = Pick<Memory, 'body' | 'text' | 'provenance'>

function openedContent(
  kind: RecordKind,
  sealed: SealedRow | string,
  opened: OpenedWords | undefined,
): Shown {
  const { body, provenance } = opened ?? openSealed(sealed)
  return {
    body: body as BodyOf<RecordKind>, // parsed as its kind before it was sealed
    text: opened?.text ?? contentText(kind, body),
    // Onto the object that was just read: a copy of twenty fields would cost more than the rest.
    provenance: Object.assign(provenance, computedProvenance(provenance)),
  }
}

/** A memory as components get it: frozen by the registry, which hands out copies. */
export function forComponents(stored: StoredMemory, { policy, now }: Moment): ComponentMemory {
  const { state } = stored
  return {
    ref: state.ref,
    kind: state.kind,
    id: state.id,
    ...contentOf(stored),
    createdAt: state.bornAt,
    confidence: confidenceAt(state, policy, now),
    strength: strengthAt(state, policy, now),
    isProtected: state.isProtected,
    isCaptured: state.captured,
    tags: state.facets.tags,
    madeFrom: state.parents,
    accessCount: state.accesses,
    lastAccessed: state.accessedAt,
    annotations: stored.notes.length === 0 ? {} : annotationsIn(state.notes, stored.notes),
  }
}

/** What is shown of a memory, whatever else is known of it. */
type Shows = StoredMemory | MetMemory | ShelvedMemory

function contentOf({ state, sealed }: Shows, opened?: OpenedWords): Shown {
  if (sealed !== null) return openedContent(state.kind, sealed, opened)
  if (state.erased !== null) return erasedContent(state)
  throw missing(state.ref)
}

/** What a memory sealed, opened for its words, for whoever shows the memory after all. */
export interface OpenedWords extends Opened {
  readonly text: string
}

export function wordsOf({ state, sealed }: ShelvedMemory): OpenedWords {
  if (sealed === null) throw missing(state.ref)
  const { body, provenance } = openSealed(sealed)
  return { body, provenance, text: contentText(state.kind, body) }
}

const missing = (ref: Ref): MunimentError =>
  new MunimentError('data_loss', `The content of ${ref} is missing.`, {
    hint: 'Run audit: it names what is gone.',
  })

export const ERASED_TEXT = '(erased)'

/** What may be loaded is never erased, and comes without what it was made from. */
type Erased = Pick<ShownState, 'bornAt' | 'label' | 'tier'> & Partial<Pick<ShownState, 'parents'>>

/** What is left to show of an erased memory: nothing that it said or that came with its words. */
function erasedContent({ bornAt, label, tier, parents = [] }: Erased): Shown {
  assert(label !== null, 'of what was erased, who said it is told by its row')
  const provenance: Provenance = {
    sourceType: 'external',
    label: labelNamed(label),
    sourceId: '',
    sourceEntity: null,
    ingestionPath: '',
    timestamp: bornAt,
    eventTime: null,
    session: null,
    turn: null,
    relayed: false,
    captured: false,
    quote: null,
    document: null,
    confidence: 0,
    contentHash: ZERO_HASH,
    policyHash: ZERO_HASH,
    trustTier: tier,
    llmModel: null,
    derivedFrom: parents,
    sourceEpisodes: [],
    depthNearest: null,
    depthFarthest: null,
  }
  return {
    body: {} as BodyOf<RecordKind>, // a body that is gone has no members of any kind
    text: ERASED_TEXT,
    provenance: { ...provenance, ...computedProvenance(provenance) },
  }
}

/** What is known of a memory beside its row. */
interface Known {
  readonly confidenceHistory?: Memory['confidenceHistory']
  readonly opened?: OpenedWords
}

/** A stored memory as it stands at a moment, with what is given of the history of its confidence. */
export function viewOf<K extends RecordKind>(
  stored: Shows,
  { policy, now }: Moment,
  { confidenceHistory = [], opened }: Known = {},
): Memory<K> {
  const { state, notes } = stored
  const strength = strengthAt(state, policy, now)
  const { body, text, provenance } = contentOf(stored, opened)
  return {
    ref: state.ref,
    kind: state.kind as K, // the caller asked for memories of this kind
    id: state.id,
    body: body as BodyOf<K>, // likewise
    text,
    provenance,
    version: state.revision,
    createdAt: state.bornAt,
    disposition: state.disposition,
    tier: tierNow(state),
    confidence: confidenceAt(state, policy, now),
    strength,
    strengthTier: strengthTier(strength, policy),
    stored: { confidence: state.confidence.value, strength: state.strength.value },
    isProtected: state.isProtected,
    tags: state.facets.tags,
    status: state.facets.status,
    annotations: notes.length === 0 ? {} : annotationsIn(state.notes, notes),
    accessCount: state.accesses,
    lastAccessed: state.accessedAt,
    verificationCount: state.verifications,
    lastVerified: state.verifiedAt,
    timesReinforced: state.reinforcements,
    evidence: state.evidence,
    confidenceHistory,
    flags: state.flags,
    review: state.review,
    entry: { seq: state.revisionSeq },
    distrust: state.distrust,
    rewordingOf: state.rewordingOf,
    erased: state.erased && { seq: state.erased.seq },
  }
}

/** Fields that components noted, under the name of each; tags are a note too and stand elsewhere. */
function annotationsIn(
  named: Readonly<Record<string, number>>,
  rows: readonly SealedRow[],
): Memory['annotations'] {
  const found = Object.entries(named).flatMap(([name, seq]) => {
    const row = rows.find((each) => each.seq === seq)
    const fields = row ? openNote(row).fields : null
    return fields === null ? [] : [[name, fields] as const]
  })
  return Object.fromEntries(found)
}

/** Opens what a change sealed. The bytes were written by the gate. */
export const openNote = (row: SealedRow): SealedNote =>
  readJson(decoder.decode(row.bytes)) as SealedNote // the gate's
