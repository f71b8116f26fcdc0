import { Entity } from '../../src/agent/entity.ts'
import { type OpenOptions, openStack } from '../../src/compose/open-stack.ts'
import type { Caller, Door } from '../../src/domain/doors.ts'
import type { Entry } from '../../src/domain/entry.ts'
import type { RecordKind } from '../../src/domain/ids.ts'
import type { BodyInputOf } from '../../src/domain/kinds/table.ts'
import { type LabelName, labelNamed } from '../../src/domain/labels.ts'
import type { ProvenancePayload, RoutedPayload } from '../../src/domain/provenance.ts'
import { readEntry } from '../../src/ledger/ledger.ts'
import type { Stack } from '../../src/stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'

/** A stack in memory with a world that stands still. */
export async function freshStack(options: OpenOptions = {}) {
  const store = new MemoryStore()
  const world = fakeWorld(1)
  const stack = await openStack('test', { store, ...world, ...options })
  return { stack, store, ...world }
}

export async function freshEntity() {
  const fresh = await freshStack()
  const me = new Entity('my-agent')
  await me.attachStack(fresh.stack)
  return { me, ...fresh }
}

/** The ledger as its bytes say it. */
export const entriesOf = (store: MemoryStore, stack: Stack): readonly Entry[] =>
  store.rows(stack.stackId).entries.map(({ bytes }) => readEntry(bytes))

export const opsOf = (store: MemoryStore, stack: Stack): readonly string[] =>
  entriesOf(store, stack).map(({ op }) => op)

/** What a routed write says of itself. */
export const saying = (label: LabelName, more: Partial<RoutedPayload> = {}): RoutedPayload => {
  const isModel = label === 'ModelDerived'
  const isHost = label === 'UserAsserted' || label === 'ExternalFirstHand'
  return {
    sourceType: isHost ? 'direct_experience' : 'inference',
    label: labelNamed(label),
    sourceId: 'someone',
    ingestionPath: 'lib:test',
    confidence: 0.8,
    llmModel: isModel ? 'test-model' : null,
    ...more,
  }
}

/** Full papers for the low-level save of a body. */
export async function papersFor<K extends RecordKind>(
  stack: Stack,
  kind: K,
  body: BodyInputOf<K>,
  more: Partial<ProvenancePayload> = {},
): Promise<ProvenancePayload> {
  const certified = await stack.control.certify(kind, body)
  const { contentHash, policyHash } = certified
  return { ...saying('ExternalFirstHand'), trustTier: 2, contentHash, policyHash, ...more }
}

export const at = (door: Door, more: Partial<Caller> = {}): Caller => ({
  door,
  operation: 'test',
  person: false,
  grant: null,
  session: null,
  turn: null,
  ...more,
})
