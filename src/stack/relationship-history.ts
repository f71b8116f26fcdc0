import { type Ref, splitRef } from '../domain/ids.ts'
import type { RelationshipBody } from '../domain/kinds/relationship.ts'
import { contentText } from '../domain/kinds/table.ts'
import type { Instant } from '../domain/time.ts'
import { readEntry } from '../hash/ledger.ts'
import { besideTier } from './beside.ts'
import { openSealed } from './memory-view.ts'
import type { Served } from './serving.ts'
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

interface RelationshipHistory {
  readonly events: readonly RelationshipEvent[]
  /** The words of each revision, and what they count for: an older one may count for less. */
  readonly words: readonly Served[]
}

/** How a relationship came to be what it is, out of its revisions; nothing is kept a second time. */
export async function relationshipHistory(
  { read }: Pick<Uses, 'read'>,
  ref: Ref,
): Promise<RelationshipHistory> {
  if (splitRef(ref).kind !== 'relationship') return { events: [], words: [] }
  const { stack } = await read({ type: 'standing' })
  const rows = await read({ type: 'entriesAbout', ref })
  const entries = rows
    .map(({ bytes }) => readEntry(bytes))
    .filter(({ revision }) => revision !== null)
  const events: RelationshipEvent[] = []
  const words: Served[] = []
  let before: RelationshipBody | null = null
  for (const entry of entries) {
    const { seq, time, revision } = entry
    const [sealed] = await read({ type: 'sealed', from: seq, to: seq })
    if (!sealed) continue
    const body = openSealed(sealed).body as RelationshipBody // sealed as one
    const told: readonly Told[] = before === null ? [] : differences(before, body)
    events.push(...told.map((each) => ({ ...each, time, seq, version: revision ?? 1 })))
    words.push({ ref, tier: besideTier(entry, stack), text: contentText('relationship', body) })
    before = body
  }
  return { events, words }
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
