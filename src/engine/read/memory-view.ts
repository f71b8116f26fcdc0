import type { DistrustMark } from '../../domain/distrust.ts'
import { TIER_OF_LABEL, type Tier } from '../../domain/doors.ts'
import type { Entry, SealedNote, SealedRow } from '../../domain/entry.ts'
import { assert, MunimentError } from '../../domain/errors.ts'
import { type Hash, type MemoryId, type RecordKind, type Ref, ZERO_HASH } from '../../domain/ids.ts'
import { type BodyOf, contentText } from '../../domain/kinds/table.ts'
import { labelName, labelNamed } from '../../domain/labels.ts'
import {
  type ComputedProvenance,
  computedProvenance,
  type Provenance,
} from '../../domain/provenance.ts'
import type { Flag, ReviewKind, ShownState, StackState } from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import type { Disposition } from '../../domain/vocabulary.ts'
import {
  confidenceAt,
  type StrengthTier,
  strengthAt,
  strengthTier,
  tierNow,
} from '../../fold/effective.ts'
import { readJson } from '../../ledger/canonical.ts'
import type { ComponentMemory } from '../../ports/component.ts'
import type { MetMemory, ShelvedMemory, StoredMemory } from '../../ports/store.ts'
import type { Moment, Read } from '../world.ts'

/** One change of a number, with its cause and evidence. */
export interface NumberChange {
  readonly time: Instant
  readonly seq: number
  readonly old: number
  readonly new: number
  readonly reason: string
  readonly text: string | null
  /** Tier of the words; null without words. */
  readonly tier: Tier | null
  readonly evidence: readonly Ref[]
}

/** A memory for readers: words, provenance and state. */
export interface Memory<K extends RecordKind = RecordKind> {
  readonly ref: Ref
  readonly kind: K
  readonly id: MemoryId
  readonly body: BodyOf<K>
  /** The content as one text. */
  readonly text: string
  readonly provenance: Provenance & ComputedProvenance
  /** The number of revisions; body and provenance are from the last revision. */
  readonly version: number
  readonly createdAt: Instant
  readonly disposition: Disposition
  /** The current tier; distrust and review may have changed the tier since birth. */
  readonly tier: Tier
  /** Today's confidence and strength, after decay. */
  readonly confidence: number
  readonly strength: number
  readonly strengthTier: StrengthTier
  /** The numbers of the last entry, without decay. */
  readonly stored: { readonly confidence: number; readonly strength: number }
  readonly isProtected: boolean
  readonly tags: readonly string[]
  /** A goal's or suggestion's current status; null for kinds without a status. */
  readonly status: string | null
  /** Annotations of components, each under the component's name. */
  readonly annotations: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly accessCount: number
  readonly lastAccessed: Instant | null
  /** Verifications by independent first-hand evidence. */
  readonly verificationCount: number
  readonly lastVerified: Instant | null
  readonly timesReinforced: number
  /** Supporting memories: given at birth and added since. */
  readonly evidence: readonly Ref[]
  /** Every change of confidence, oldest first. */
  readonly confidenceHistory: readonly NumberChange[]
  readonly flags: readonly Flag[]
  /** The reason for waiting in the review queue, or null. */
  readonly review: ReviewKind | null
  readonly entry: { readonly seq: number }
  /** The distrusted origin or source behind this memory's disbelief, or null. */
  readonly distrust: DistrustMark | null
  /** The memory that this memory likely repeats in other words: both count as one voice. */
  readonly rewordingOf: Ref | null
  readonly withheld?: Tier
  /** The erasing entry; the words are gone, and the remaining provenance comes from entries. */
  readonly erased: { readonly seq: number } | null
}

/** One memory of a lineage. */
export interface LineageStep {
  readonly memory: Memory
  /** Steps from the memory in question. */
  readonly distance: number
  readonly parents: readonly Ref[]
}

const decoder = new TextDecoder()

interface Opened {
  readonly body: object
  readonly provenance: Provenance & ComputedProvenance
}

/** Opens the sealed content of a birth or revision. The gate wrote the bytes. */
export const openSealed = (sealed: SealedRow | string): Opened =>
  readJson(typeof sealed === 'string' ? sealed : decoder.decode(sealed.bytes)) as Opened // the gate's bytes

type Shown = Pick<Memory, 'body' | 'text' | 'provenance'>

function openedContent(
  kind: RecordKind,
  sealed: SealedRow | string,
  opened: OpenedWords | undefined,
): Shown {
  const { body, provenance } = opened ?? openSealed(sealed)
  return {
    body: body as BodyOf<RecordKind>, // parsed as its kind before sealing
    text: opened?.text ?? contentText(kind, body),
    // Written onto the object that was just read: a copy of twenty fields would cost more than the
    // rest.
    provenance: Object.assign(provenance, computedProvenance(provenance)),
  }
}

/** A memory for components: the registry freezes the object and hands out copies. */
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

/** Rows with enough fields to show a memory. */
type ShowableRow = StoredMemory | MetMemory | ShelvedMemory

function contentOf({ state, sealed }: ShowableRow, opened?: OpenedWords): Shown {
  if (sealed !== null) return openedContent(state.kind, sealed, opened)
  if (state.erased !== null) return erasedContent(state)
  throw missing(state.ref)
}

/** Sealed content, opened once for its text and reused when the memory is shown. */
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

const ERASED_TEXT = '(erased)'

/** A loadable memory is never erased, and its row has no parents. */
type Erased = Pick<ShownState, 'bornAt' | 'label' | 'tier'> & Partial<Pick<ShownState, 'parents'>>

/** The remainder of an erased memory: no words, and nothing that came with the words. */
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
    body: {} as BodyOf<RecordKind>, // an erased body has no members of any kind
    text: ERASED_TEXT,
    provenance: { ...provenance, ...computedProvenance(provenance) },
  }
}

interface ViewDetails {
  readonly confidenceHistory?: Memory['confidenceHistory']
  readonly opened?: OpenedWords
}

/** A stored memory at a moment, with the given confidence history. */
export function viewOf<K extends RecordKind>(
  stored: ShowableRow,
  { policy, now }: Moment,
  { confidenceHistory = [], opened }: ViewDetails = {},
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

/**
 * Fields that components noted, under each component's name; tags are stored alike but shown
 * elsewhere.
 */
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

/** Opens the sealed content of a change. The gate wrote the bytes. */
export const openNote = (row: SealedRow): SealedNote =>
  readJson(decoder.decode(row.bytes)) as SealedNote // the gate's bytes

/** The reason given with a change, with its tier today; the words, not the effect of the change. */
export interface Annotation {
  readonly text: string | null
  /** Null without a text. */
  readonly tier: Tier | null
}

const NONE: Annotation = { text: null, tier: null }

/** Annotations for one answer, each read once. */
export interface AnnotationReader {
  /** The reason of a change, from the entry and its sealed content. */
  in(entry: Entry): Promise<Annotation>
  /** Today's tier of an entry's words. */
  tierOf(entry: Entry): Promise<Tier>
}

/** Reads the stack's state once for all annotations, and each sealed content once. */
export function annotationReader({ read }: { readonly read: Read }): AnnotationReader {
  let standing: Promise<{ readonly stack: StackState }> | null = null
  const told = new Map<number, Promise<Annotation>>()
  const tierOf = async (entry: Entry): Promise<Tier> => {
    standing ??= read({ type: 'standing' })
    return annotationTier(entry, (await standing).stack)
  }
  const tell = async (entry: Entry): Promise<Annotation> => {
    const { seq, commitment, revision } = entry
    if (commitment === null || revision !== null) return NONE
    const [sealed] = await read({ type: 'table', name: 'sealed', from: seq, to: seq })
    const { text } = sealed ? openNote(sealed) : NONE
    return text === null ? NONE : { text, tier: await tierOf(entry) }
  }
  return {
    tierOf,
    in(entry) {
      const known = told.get(entry.seq) ?? tell(entry)
      told.set(entry.seq, known)
      return known
    },
  }
}

/** The tier at the gate, or 0 when the origin was distrusted since. */
export function annotationTier(
  { tier, label, actor, door }: Pick<Entry, 'tier' | 'label' | 'actor' | 'door'>,
  { distrusted }: Pick<StackState, 'distrusted'>,
  /**
   * The session as entries name sessions; only provenance holds the session itself, never an entry.
   */
  session: Hash | null = null,
): Tier {
  const from = { door, actor, session }
  const isDoubted = distrusted.some(({ origin, of }) => of === from[origin])
  if (isDoubted) return 0
  return tier ?? (label === null ? 0 : TIER_OF_LABEL[labelName(label)])
}
