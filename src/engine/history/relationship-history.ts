import { keyNameOf } from '../../domain/distrust.ts'
import type { Tier } from '../../domain/doors.ts'
import { type Hash, type Ref, splitRef } from '../../domain/ids.ts'
import type { RelationshipBody } from '../../domain/kinds/relationship.ts'
import { contentText } from '../../domain/kinds/table.ts'
import type { StackState } from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import { pseudonymOf, readEntry } from '../../ledger/ledger.ts'
import type { Engine } from '../engine.ts'
import { openSealed } from '../read/memory-view.ts'
import type { Served } from '../read/served.ts'
import { annotationTier } from '../write/annotations.ts'

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
    .map(({ bytes }) => readEntry(bytes))
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
