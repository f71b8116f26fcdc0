// A history as short as one can be with an entry of every operation: what the vectors are made of.

import {
  type Caller,
  Entity,
  label,
  openStack,
  type Stack,
  type WriteRequest,
} from '../../src/index.ts'
import type { Keyring } from '../../src/ports/world.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { changes } from './changes.ts'
import type { Tombstone } from './naive-hash.ts'
import type { Rows } from './vandal.ts'
import { countingWorld, keepOut, mapKeyring, type World } from './world.ts'

export type ShortHistory = { rows: Rows; stack: Stack; tombstone: Tombstone }

const TALLY_WINDOW_MS = 600_000
const BURST = 11
const STATEMENT = 'Say it  OFTEN enough, J\u030c'

const TOOL: WriteRequest['provenance'] = {
  sourceType: 'direct_experience',
  label: label.firstHand(),
  sourceId: 'a tool',
  ingestionPath: 'lib:vectors',
  confidence: 1,
  llmModel: null,
}

const PERSON: Caller = {
  door: 'explorer',
  operation: 'reject',
  person: true,
  grant: null,
  session: null,
  turn: null,
}

export async function shortHistory(): Promise<ShortHistory> {
  const world = countingWorld()
  const store = new MemoryStore()
  const open = (options: object) =>
    openStack('vectors', { store, ...world, components: [], ...options })
  const keyring = mapKeyring()
  const stack = await open({ keyring })
  const me = new Entity('my agent', { modelId: 'model-1' })
  await me.attachStack(stack)
  await written(me, stack, world)
  await migrated(await open({ keyring, enforceProvenance: false }))
  const elsewhere = mapKeyring()
  const moved = await open({ keyring: elsewhere })
  await quarantined(moved)
  await changes(moved, world)
  await keepOut(moved, elsewhere)
  world.clock.advance(-TWO_DAYS_MS)
  await moved.health.correctClock()
  const rows = store.rows(moved.stackId)
  return { rows, stack: moved, tombstone: tombstoneIn(rows, elsewhere) }
}

const TWO_DAYS_MS = 172_800_000

async function written(me: Entity, stack: Stack, world: World): Promise<void> {
  await me.note('Grüße: "ready"\n\u0000 𝄞', { label: label.userAsserted(), tags: ['é'] })
  await me.note('Grüße: "ready"\n\u0000 𝄞', { label: label.userAsserted() })
  await me.note('Grüße: "ready"\n\u0000 𝄞', { label: label.userAsserted() })
  await me.belief('This one has no source').catch(() => {})
  await me.belief('todo', { because: 'noise is kept as a suggestion' }).catch(() => {})
  world.clock.advance(TALLY_WINDOW_MS + 1)
  const { id } = await me.goal('ship it', { because: 'it is late' })
  const episode = await me.episode({
    objective: 'ship',
    outcome: 'shipped',
    emotionalValence: 0.1,
    observed: true,
  })
  if (id === null || episode.ref === null) throw new Error('both were written')
  await stack.write({
    kind: 'goal',
    id,
    body: { title: 'ship it', status: 'completed' },
    provenance: { ...TOOL, derivedFrom: [episode.ref] },
    revises: { expectedVersion: 1 },
  })
}

async function migrated(stack: Stack): Promise<void> {
  const body = { statement: 'Migrated without a source' }
  await stack.write({ kind: 'belief', body, provenance: TOOL })
}

async function quarantined(stack: Stack): Promise<void> {
  const me = new Entity('my agent', { modelId: 'model-1' })
  await me.attachStack(stack)
  let last: string | null = null
  for (let i = 0; i < BURST; i += 1) {
    const { ref, id } = await me.belief(STATEMENT, { because: `reason ${i}` })
    last = ref
    if (i === 0) await stack.forgetMemory('belief', id, 'said in a loop')
  }
  if (last === null) throw new Error('the last of a burst is kept, in quarantine')
  await stack.review.reject(last, PERSON)
}

function tombstoneIn(rows: Rows, keyring: Keyring): Tombstone {
  const { uid } = rows.stack
  const key = uid === null ? null : keyring.find(uid)?.tombstoneKey
  if (!key) throw new Error('the stack kept a tombstone key')
  const hex = Buffer.from(key).toString('hex')
  return { key: hex, kind: 'belief', sourceId: 'my agent', text: STATEMENT }
}
