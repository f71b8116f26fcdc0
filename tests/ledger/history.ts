// One long history with something of everything in it: each chapter adds what the one before lacks.

import {
  type Caller,
  defaultPolicy,
  Entity,
  label,
  openStack,
  type ProvenancePayload,
  type Stack,
  type WriteRequest,
} from '../../src/index.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { countingWorld, keepOut, mapKeyring, type World } from './world.ts'

export type History = { store: MemoryStore; stack: Stack }

type Payload = WriteRequest['provenance']

const TALLY_WINDOW_MS = 600_000
const AWKWARD =
  'NUL \u0000, line \u2028, quote " and \\, é and e\u0301, 𝄞, \u{10FFFF}, \ufeff, \u007f'

const at = (door: Caller['door'], person = false): Caller => ({
  door,
  operation: 'test',
  person,
  grant: null,
  session: 'session-1',
  turn: 'turn-1',
})

const first = (of: Partial<Payload> = {}): Payload => ({
  sourceType: 'direct_experience',
  label: label.firstHand(),
  sourceId: 'a tool',
  ingestionPath: 'lib:test',
  confidence: 1,
  llmModel: null,
  ...of,
})

/** A refusal is part of the history; that it throws is not what is tested here. */
async function refused(write: Promise<unknown>): Promise<void> {
  const outcome = await write.then(
    () => 'accepted',
    () => 'refused',
  )
  if (outcome === 'accepted') throw new Error('the history expects a refusal here')
}

function refOf(written: { ref: string | null }): string {
  if (written.ref === null) throw new Error('the history expects a memory here')
  return written.ref
}

export async function longHistory(world: World = countingWorld()): Promise<History> {
  const store = new MemoryStore()
  const open = (options: { enforceProvenance?: boolean } = {}) =>
    openStack('demo', { store, ...world, ...options })
  const stack = await open()
  const me = new Entity('my agent', { modelId: 'model-1' })
  await seeds(stack)
  await me.attachStack(stack)
  await everyKind(me, stack)
  await everyDoor(stack)
  await refusals(me, stack)
  await batches(stack)
  await repeats(me)
  world.clock.advance(TALLY_WINDOW_MS + 1)
  await revisions(me, stack)
  await states(me, stack)
  await policies(me, stack)
  await unenforced(await open({ enforceProvenance: false }))
  await bounded(await open())
  const keyring = mapKeyring()
  const moved = await openStack('demo', { store, ...world, keyring })
  await elsewhere(moved, world)
  await keepOut(moved, keyring)
  return { store, stack: moved }
}

async function seeds(stack: Stack): Promise<void> {
  const seed = first({ sourceType: 'seed', sourceId: 'the gardener' })
  await stack.write({
    kind: 'belief',
    body: { statement: 'Seeds may stand alone' },
    provenance: seed,
  })
  await stack.write({ kind: 'raw', body: { content: 'a seed in plain words' }, provenance: seed })
}

async function everyKind(me: Entity, stack: Stack): Promise<void> {
  const raw = refOf(await me.raw(AWKWARD, { context: 'project:é', tags: ['\u0000'] }))
  const ep = refOf(
    await me.episode({
      objective: 'deploy',
      outcome: 'failed',
      derivedFrom: [raw],
      observed: true,
    }),
  )
  const told = refOf(
    await me.episode({
      objective: 'told at once',
      outcome: 'kept',
      lessons: ['one'],
      observed: true,
    }),
  )
  const note = refOf(await me.note(AWKWARD, { label: label.userAsserted(), eventTime: EVENT }))
  const belief = refOf(
    await me.belief('Migrations go first', { derivedFrom: [ep, note], evidence: [told] }),
  )
  await me.belief('Small changes ship faster', { because: 'three small releases in a day' })
  await me.belief('An unheard thing comes back', {
    label: label.recallReEntry(),
    derivedFrom: [ep],
  })
  const goal = refOf(await me.goal('ship it', { because: 'it is late' }))
  const value = refOf(await me.value('care', 'Care for what is written', { derivedFrom: [belief] }))
  const drive = refOf(await me.drive('curiosity', { intensity: 0.1, derivedFrom: [ep] }))
  await me.relationship({ entityName: 'Ada', relationshipType: 'friend', derivedFrom: [told] })
  await me.playbook({ name: 'deploy', description: 'how to deploy', derivedFrom: [ep, belief] })
  const period = { scope: 'month', periodStart: EVENT, periodEnd: EVENT } as const
  await me.summary({ ...period, content: 'a month of deploys', derivedFrom: [ep, note] })
  await me.selfNarrative({ content: 'I deploy with care', derivedFrom: [value, goal, drive] })
  await me.epoch({ epochNumber: 1, name: 'the first', startedAt: EVENT, observed: true })
  await claims(me, stack, note)
}

const EVENT = '2025-12-31T23:59:59.999Z'

async function claims(me: Entity, stack: Stack, note: string): Promise<void> {
  const line = { subject: 'user', predicate: 'city' }
  const person = label.userAsserted()
  await me.claim({ ...line, value: { é: [1, 1e21, 0.1, null, ''], a: true } }, { label: person })
  await me.claim({ ...line, value: 'Paris' }, { label: person, actor: 'another' })
  await me.claim(
    { ...line, value: 'Rome' },
    { derivedFrom: [note], relayed: true, document: 'doc:1' },
  )
  const suggestion = { memoryType: 'note', content: { '\u0000': 'x' }, confidence: 0.5 } as const
  await stack.write({ kind: 'suggestion', body: suggestion, provenance: first() })
  const assessment = { entityId: 'a tool', dimensions: { general: { score: 0.9 } } }
  await stack.write({
    kind: 'assessment',
    body: assessment,
    provenance: first({ sourceId: 'host' }),
  })
}

async function everyDoor(stack: Stack): Promise<void> {
  const raw = (content: string, provenance: Payload) =>
    ({ kind: 'raw', body: { content }, provenance }) as const
  const model = {
    label: label.modelDerived(),
    llmModel: 'model-2',
    sourceType: 'inference',
  } as const
  const user = { label: label.userAsserted(), sourceId: 'the user' }
  await stack.write(raw('from a terminal', first(user)), at('cli', true))
  await stack.write(raw('from the explorer', first(user)), at('explorer', true))
  await stack.write(raw('from a hook', first()), at('hook'))
  await stack.write(raw('from a model', first({ ...model, session: 's', turn: 't' })), at('mcp'))
  const grant = { UserAsserted: 2, ExternalFirstHand: 1 } as const
  await stack.write(raw('with a token', first(user)), { ...at('http'), grant })
  await stack.write(raw('imported', first({ trustTier: 0 })), { ...at('import'), grant })
  await stack.write(raw('synchronised', first()), { ...at('sync'), grant })
}

async function refusals(me: Entity, stack: Stack): Promise<void> {
  await refused(me.belief('This one has no source'))
  await refused(me.belief('todo', { because: 'noise is kept as a suggestion' }))
  const note = { kind: 'note', body: { content: 'not for this door' } } as const
  await stack.write({ ...note, provenance: first({ label: label.userAsserted() }) }, at('mcp'))
}

async function batches(stack: Stack): Promise<void> {
  const source = await stack.write({
    kind: 'raw',
    body: { content: 'for all' },
    provenance: first(),
  })
  const record = async (content: string, derivedFrom: readonly string[]) => ({
    content,
    provenance: {
      ...first({ sourceId: 'a batch' }),
      ...(await stack.control.certify('note', { content })),
      trustTier: 2,
      derivedFrom,
    } as ProvenancePayload, // the refs are those the stack gave
  })
  const sources = [refOf(source)]
  const good = [await record('one of two', sources), await record('two of two', sources)]
  await refused(stack.saveNotesBatch([...good, await record('three has no source', [])]))
  await stack.saveNotesBatch(good)
}

async function repeats(me: Entity): Promise<void> {
  for (let i = 0; i < 20; i += 1) {
    await me.belief('Migrations go first', { label: label.recallReEntry(), because: `heard ${i}` })
  }
  for (let i = 0; i < 3; i += 1) {
    await me.note('The user likes tea', { label: label.userAsserted() })
    await refused(me.belief('Another without a source'))
  }
}

async function revisions(me: Entity, stack: Stack): Promise<void> {
  const goal = await me.goal('revise me', { because: 'plans change' })
  const id = refOf(goal).slice('goal:'.length)
  const because = [{ kind: 'raw', body: { content: 'why' } }] as const
  const episode = await me.episode({ objective: 'plan', outcome: 'changed', observed: true })
  const provenance = first({ derivedFrom: [refOf(episode)] as Payload['derivedFrom'] })
  for (const status of ['paused', 'active', 'completed'] as const) {
    const body = { title: 'revise me', status }
    await stack.write({ kind: 'goal', id, body, provenance, revises: { expectedVersion: null } })
  }
  await stack.write({
    kind: 'note',
    body: { content: 'x' },
    provenance: first(),
    captures: because,
  })
}

async function states(me: Entity, stack: Stack): Promise<void> {
  await stack.control.setState('MAINTENANCE')
  await refused(me.raw('not now'))
  await stack.control.setState('ACTIVE')
}

async function policies(me: Entity, stack: Stack): Promise<void> {
  const policy = defaultPolicy()
  const numbers = { ...policy.numbers, quarantineBurstThreshold: 3 }
  await stack.control.setPolicy({ ...policy, numbers })
  await me.raw('under another policy')
  await stack.control.setPolicy(policy)
}

async function unenforced(stack: Stack): Promise<void> {
  const belief = (statement: string, derivedFrom: readonly string[]) =>
    stack.write({
      kind: 'belief',
      body: { statement },
      provenance: first({ derivedFrom: derivedFrom as Payload['derivedFrom'] }),
    })
  const late = '00000000-0000-7000-8000-00000000beef'
  await belief('Migrated without a source', [])
  await belief('Migrated before its source', [`note:${late}`])
  await stack.write({ kind: 'note', id: late, body: { content: 'late' }, provenance: first() })
  await belief('Migrated after its source', [`note:${late}`])
}

async function bounded(stack: Stack): Promise<void> {
  const raw = { kind: 'raw', provenance: first() } as const
  await stack.write({ ...raw, body: { content: ' ' } })
  await stack.write({ ...raw, body: { content: 'x'.repeat(5_000) } })
}

/** The copy goes on under another replica: what a person rejects there is marked with its own key. */
async function elsewhere(stack: Stack, world: World): Promise<void> {
  const me = new Entity('my agent', { modelId: 'model-1' })
  await me.attachStack(stack)
  let last = ''
  for (let i = 0; i < 13; i += 1) {
    const said = await me.belief('Say it often enough', { because: `reason ${i}` })
    last = refOf(said)
    if (i === 0) await stack.forgetMemory('belief', said.id, 'said in a loop')
    world.clock.advance(1)
  }
  await stack.review.reject(last, at('explorer', true))
  await refused(me.belief('say it  OFTEN enough', { because: 'once more' }))
  world.clock.advance(TALLY_WINDOW_MS + 1)
  await me.raw('the end')
}
