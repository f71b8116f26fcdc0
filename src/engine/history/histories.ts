import { keyNameOf } from '../../domain/distrust.ts'
import type { Tier } from '../../domain/doors.ts'
import type { Entry } from '../../domain/entry.ts'
import { MunimentError } from '../../domain/errors.ts'
import { type Hash, type RecordKind, type Ref, splitRef } from '../../domain/ids.ts'
import type { RelationshipBody } from '../../domain/kinds/relationship.ts'
import { contentText } from '../../domain/kinds/table.ts'
import type { StackState } from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import { pseudonymOf } from '../../ledger/ledger.ts'
import type { EntryRow, MetMemory, StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import {
  type AnnotationReader,
  annotationReader,
  annotationTier,
  type Memory,
  type NumberChange,
  openSealed,
  viewOf,
} from '../read/memory-view.ts'
import { toldEntry } from '../read/merged-steps.ts'
import type { Served } from '../read/served.ts'
import type { Moment } from '../world.ts'

type Which = 'confidence' | 'strength'

export async function numberHistory(
  engine: Pick<Engine, 'read'>,
  ref: Ref,
  which: Which,
): Promise<readonly NumberChange[]> {
  const rows = await engine.read({ type: 'entries', about: ref })
  return changesIn(annotationReader(engine), rows, which)
}

export async function changesIn(
  annotations: AnnotationReader,
  rows: readonly EntryRow[],
  which: Which,
): Promise<readonly NumberChange[]> {
  const changes: NumberChange[] = []
  for (const entry of rows.map(({ bytes }) => toldEntry(bytes))) {
    const span = entry.decision.facts[which]
    if (isSpan(span)) changes.push(await changeIn(annotations, entry, span))
  }
  return changes
}

/** Whole memories at a moment; only entries that moved a confidence are read. */
export async function viewsOf<K extends RecordKind>(
  engine: Pick<Engine, 'read'>,
  found: readonly (StoredMemory | MetMemory)[],
  moment: Moment,
): Promise<readonly Memory<K>[]> {
  const views: Memory<K>[] = []
  const annotations = annotationReader(engine)
  for (const stored of found) {
    const { moves } = stored.state
    const confidenceHistory =
      moves.length === 0 ? NO_MOVES : await movesOf(engine, moves, annotations)
    views.push(viewOf<K>(stored, moment, { confidenceHistory }))
  }
  return views
}

const NO_MOVES: readonly NumberChange[] = []

async function movesOf(
  engine: Pick<Engine, 'read'>,
  seqs: readonly number[],
  annotations: AnnotationReader,
): Promise<readonly NumberChange[]> {
  const rows: EntryRow[] = []
  for (const from of seqs) rows.push(...(await engine.read({ type: 'entries', from, limit: 1 })))
  return changesIn(annotations, rows, 'confidence')
}

interface Span {
  readonly from: number
  readonly to: number
}

const isSpan = (fact: unknown): fact is Span =>
  typeof fact === 'object' && fact !== null && 'from' in fact && 'to' in fact

async function changeIn(
  annotations: AnnotationReader,
  entry: Entry,
  { from, to }: Span,
): Promise<NumberChange> {
  const { seq, time, op, decision } = entry
  const { evidence } = decision.facts
  return {
    time,
    seq,
    old: from,
    new: to,
    reason: op,
    ...(await annotations.in(entry)),
    evidence: Array.isArray(evidence) ? (evidence as readonly Ref[]) : [], // the gate writes refs
  }
}

/** One belief in a chain of superseded beliefs. */
export interface BeliefVersion {
  readonly memory: Memory<'belief'>
  readonly replaces: Ref | null
  readonly replacedBy: Ref | null
  readonly heldFrom: Instant
  readonly heldUntil: Instant | null
}

interface Links {
  readonly replaces: Ref | null
  readonly replacedBy: Ref | null
  readonly until: Instant | null
}

/** Every belief of the chain, oldest first, read from the ledger. */
export async function beliefHistory(engine: Engine, ref: Ref): Promise<readonly BeliefVersion[]> {
  if (splitRef(ref).kind !== 'belief') {
    throw new MunimentError('invalid_input', 'Only a belief has been revised.')
  }
  const seen = new Map<Ref, Links>()
  for (let at: Ref | null = ref; at !== null && !seen.has(at); ) {
    const links = await linksOf(engine, at)
    seen.set(at, links)
    at = links.replaces
  }
  const older = [...seen.keys()].reverse()
  const newer: Ref[] = []
  for (let at = seen.get(ref)?.replacedBy ?? null; at !== null && !seen.has(at); ) {
    const links = await linksOf(engine, at)
    seen.set(at, links)
    newer.push(at)
    at = links.replacedBy
  }
  const moment = await engine.moment()
  const versions: BeliefVersion[] = []
  for (const each of [...older, ...newer]) {
    const stored = await engine.read({ type: 'memory', ref: each })
    const [memory] = stored ? await viewsOf<'belief'>(engine, [stored], moment) : []
    const links = seen.get(each)
    if (!memory || !links) continue
    const { replaces, replacedBy, until } = links
    versions.push({ memory, replaces, replacedBy, heldFrom: memory.createdAt, heldUntil: until })
  }
  if (versions.length === 0) throw new MunimentError('not_found', `${ref} does not exist.`)
  return versions
}

/** Links from the entries `belief.revised` and `belief.deactivated`. */
async function linksOf({ read }: Pick<Engine, 'read'>, ref: Ref): Promise<Links> {
  const rows = await read({ type: 'entries', about: ref })
  const entries = rows.map(({ bytes }) => toldEntry(bytes))
  const revised = entries.findLast(({ op }) => op === 'belief.revised')
  const deactivated = entries.findLast(({ op }) => op === 'belief.deactivated')
  return {
    replaces: (revised?.decision.facts.of as Ref | undefined) ?? null, // the gate writes a ref
    replacedBy: (deactivated?.decision.facts.by as Ref | null | undefined) ?? null,
    until: deactivated?.time ?? null,
  }
}

/** One change between two revisions of a relationship. */
export interface RelationshipEvent {
  readonly eventType: 'trust_change' | 'type_change' | 'note' | 'interaction'
  readonly time: Instant
  readonly seq: number
  readonly version: number
  readonly old: string | number | null
  readonly new: string | number | null
}

type EventChange = Pick<RelationshipEvent, 'eventType' | 'old' | 'new'>

interface RelationshipHistory {
  readonly events: readonly RelationshipEvent[]
  /** The words of each revision with their tier: an older revision may have a lower tier. */
  readonly words: readonly Served[]
}

/**
 * Computes the history of a relationship from its revisions; no second copy is stored. Revisions
 * below the needed tier are left out with their words.
 */
export async function relationshipHistory(
  engine: Pick<Engine, 'read' | 'sha256'>,
  ref: Ref,
  needed: Tier = 0,
): Promise<RelationshipHistory> {
  if (splitRef(ref).kind !== 'relationship') return { events: [], words: [] }
  const { read } = engine
  const { stack } = await read({ type: 'standing' })
  const markOf = await sessionMarks(engine, stack)
  const rows = await read({ type: 'entries', about: ref })
  const entries = rows
    .map(({ bytes }) => toldEntry(bytes))
    .filter(({ revision }) => revision !== null)
  const events: RelationshipEvent[] = []
  const words: Served[] = []
  let before: RelationshipBody | null = null
  for (const entry of entries) {
    const { seq, time, revision } = entry
    const [sealed] = await read({ type: 'table', name: 'sealed', from: seq, to: seq })
    if (!sealed) continue
    const opened = openSealed(sealed)
    const tier = annotationTier(entry, stack, markOf(opened.provenance.session))
    if (tier < needed) continue
    const body = opened.body as RelationshipBody // sealed as a relationship
    const told: readonly EventChange[] = before === null ? [] : differences(before, body)
    events.push(...told.map((each) => ({ ...each, time, seq, version: revision ?? 1 })))
    words.push({ ref, tier, text: contentText('relationship', body) })
    before = body
  }
  return { events, words }
}

/** Pseudonyms of sessions in entries; read only where a session is distrusted. */
async function sessionMarks(
  { read, sha256 }: Pick<Engine, 'read' | 'sha256'>,
  { distrusted }: StackState,
): Promise<(session: string | null) => Hash | null> {
  const isAsked = distrusted.some(({ origin }) => origin === 'session')
  const keys = isAsked ? await read({ type: 'table', name: 'actorKeys' }) : []
  return (session) => {
    const name = session === null ? null : keyNameOf('session', session)
    const found = keys.find(({ actor }) => actor === name)
    return found ? pseudonymOf(sha256, found.key, found.actor) : null
  }
}

/** Trust is sentiment scaled to 0–1. */
export const trustOf = ({ sentiment }: Pick<RelationshipBody, 'sentiment'>): number =>
  (sentiment + 1) / 2

function differences(a: RelationshipBody, b: RelationshipBody): readonly EventChange[] {
  const told: EventChange[] = []
  const compare = (
    eventType: EventChange['eventType'],
    old: EventChange['old'],
    now: EventChange['new'],
  ): void => {
    if (old !== now) told.push({ eventType, old, new: now })
  }
  compare('trust_change', trustOf(a), trustOf(b))
  compare('type_change', a.relationshipType, b.relationshipType)
  compare('note', a.notes ?? null, b.notes ?? null)
  compare('interaction', a.interactionCount, b.interactionCount)
  return told
}
