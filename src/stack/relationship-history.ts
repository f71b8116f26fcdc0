import { type Ref, splitRef } from '../domain/ids.ts'
import type { RelationshipBody } from '../domain/kinds/relationship.ts'
import type { Instant } from '../domain/time.ts'
import { readEntry } from '../hash/ledger.ts'
import { openSealed } from './memory-view.ts'
import type { Uses } from './uses.ts'

/** One thing that changed between two revisions of a relationship. */
export interface RelationshipEvent {
  readonly eventType: 'trust_change' | 'type_change' | 'note' | 'interaction'
  readonly time: Instant
  readonly seq: number
  readonly version: number
  readonly old: string | number | null
  readonly new: string | number | null
}

type Told = Pick<RelationshipEvent, 'eventType' | 'old' | 'new'>

/** How a relationship came to be what it is, out of its revisions; nothing is kept a second time. */
export async function relationshipHistory(
  { read }: Pick<Uses, 'read'>,
  ref: Ref,
): Promise<readonly RelationshipEvent[]> {
  if (splitRef(ref).kind !== 'relationship') return []
  const rows = await read({ type: 'entriesAbout', ref })
  const entries = rows
    .map(({ bytes }) => readEntry(bytes))
    .filter(({ revision }) => revision !== null)
  const events: RelationshipEvent[] = []
  let before: RelationshipBody | null = null
  for (const { seq, time, revision } of entries) {
    const [sealed] = await read({ type: 'sealed', from: seq, to: seq })
    if (!sealed) continue
    const body = openSealed(sealed).body as RelationshipBody // sealed as one
    const told: readonly Told[] = before === null ? [] : differences(before, body)
    events.push(...told.map((each) => ({ ...each, time, seq, version: revision ?? 1 })))
    before = body
  }
  return events
}

/** Trust is sentiment on a scale from nought to one. */
export const trustOf = ({ sentiment }: Pick<RelationshipBody, 'sentiment'>): number =>
  (sentiment + 1) / 2

function differences(a: RelationshipBody, b: RelationshipBody): readonly Told[] {
  const told: Told[] = []
  const compare = (eventType: Told['eventType'], old: Told['old'], now: Told['new']): void => {
    if (old !== now) told.push({ eventType, old, new: now })
  }
  compare('trust_change', trustOf(a), trustOf(b))
  compare('type_change', a.relationshipType, b.relationshipType)
  compare('note', a.notes ?? null, b.notes ?? null)
  compare('interaction', a.interactionCount, b.interactionCount)
  return told
}
