import { Entity } from '../../../src/agent/entity.ts'
import { openStack } from '../../../src/compose/open-stack.ts'
import { MunimentError } from '../../../src/domain/errors.ts'
import { KINDS, parseStackId } from '../../../src/domain/ids.ts'
import { label } from '../../../src/domain/labels.ts'
import { REVIEW_KINDS } from '../../../src/domain/state.ts'
import { toInstant } from '../../../src/domain/time.ts'
import type { ReadQuery, Store, StoredMemory } from '../../../src/ports/store.ts'
import type { Stack } from '../../../src/stack.ts'
import { textOf } from '../../../src/testing/conformance/compare.ts'
import { type Dice, fakeWorld, seededDice } from '../../../src/testing/world.ts'

export const DEMO = parseStackId('demo')

export interface History {
  readonly seed: number
  readonly steps: number
  /** Writes that are sent off together. */
  readonly atOnce: number
  readonly enforceProvenance?: boolean
}

/** Lives one history on a store: equal seeds give equal calls, whatever the store. */
export async function live(store: Store, history: History): Promise<readonly string[]> {
  const world = fakeWorld(history.seed)
  const { enforceProvenance = true } = history
  const stack = await openStack(DEMO, { store, ...world, enforceProvenance })
  const me = new Entity('agent', { modelId: 'test:model' })
  await me.attachStack(stack)
  const dice = seededDice(history.seed)
  const refs: string[] = []
  const answers: string[] = []
  for (let step = 0; step < history.steps; step += history.atOnce) {
    world.clock.advance({ ms: dice.roll(90_000) - 20_000 })
    if (dice.isLucky(0.05)) world.clock.advance({ minutes: 11 })
    const scene = { me, stack, dice, refs, isAlone: history.atOnce === 1 }
    const group = Array.from({ length: history.atOnce }, () => act(scene))
    for (const outcome of await Promise.allSettled(group)) answers.push(told(outcome, refs))
  }
  await stack.close()
  return answers
}

function told(outcome: PromiseSettledResult<unknown>, refs: string[]): string {
  if (outcome.status === 'rejected') {
    if (!(outcome.reason instanceof MunimentError)) throw outcome.reason
    return `${outcome.reason.code}: ${outcome.reason.message}`
  }
  const { ref } = (outcome.value ?? {}) as { ref?: string | null } // results of writes have one
  if (ref) refs.push(ref)
  return JSON.stringify(outcome.value)
}

interface Scene {
  readonly me: Entity
  readonly stack: Stack
  readonly dice: Dice
  readonly refs: readonly string[]
  /** Acts that read before they write come alone: beside others, a store's pace would order them. */
  readonly isAlone: boolean
}

const NOWHERE = 'episode:01980000-0000-7000-8000-00000000dead'

/** One of everything that the library can be asked today, sensible or not. */
function act({ me, stack, dice, refs, isAlone }: Scene): Promise<unknown> {
  const matter = `matter ${dice.roll(5)}`
  const parent = dice.pickAny(refs) ?? NOWHERE
  const options = { derivedFrom: [...new Set([parent, dice.pickAny(refs) ?? parent])] }
  const isTold = dice.isLucky(0.5)
  switch (dice.roll(isAlone ? 11 : 9)) {
    case 0:
      return me.raw(`heard of ${matter}`, { document: isTold ? 'a.md' : 'b.md' })
    case 1:
      return me.episode({ objective: `look into ${matter}`, outcome: 'it is so', observed: true })
    case 2:
      return me.note(`it is known of ${matter}`, { observed: true })
    case 3:
      return me.claim(
        { subject: 'user', predicate: matter, value: dice.roll(3) },
        { label: isTold ? label.userAsserted() : label.modelDerived() },
      )
    case 4:
      return me.belief(`One can rely on ${matter} here`, options)
    case 5:
      return me.belief(`One can rely on ${matter} here`, { because: `of ${matter}` })
    case 6:
      return me.belief('hm', { because: `of ${matter}` })
    case 7:
      return isTold
        ? me.goal(`settle ${matter}`, { derivedFrom: [parent] })
        : me.goal(`find where ${matter} comes from`, { derivedFrom: [NOWHERE] })
    case 8:
      return me.note(`echoed ${matter}`, { label: label.recallReEntry(), sourceType: 'inference' })
    case 9:
      return revise(stack, parent)
    default:
      return dice.isLucky(0.2) ? turnOver(stack) : stack.review.reject(parent)
  }
}

/** Other words from the same sources. */
async function revise(stack: Stack, ref: string): Promise<unknown> {
  const [kind, id = ''] = ref.split(':')
  const memory = kind === 'note' ? await stack.getMemory('note', id) : null
  if (!memory) return stack.getStats()
  return stack.write({
    kind: 'note',
    id,
    body: { content: `said otherwise of ${id}` },
    provenance: {
      sourceType: 'direct_experience',
      label: label.userAsserted(),
      sourceId: 'ann',
      ingestionPath: 'lib:revise',
      confidence: 0.7,
      llmModel: null,
      derivedFrom: [...memory.provenance.derivedFrom],
    },
    revises: { expectedVersion: null },
  })
}

async function turnOver(stack: Stack): Promise<unknown> {
  await stack.control.setState('MAINTENANCE')
  return stack.control.setState('ACTIVE')
}

const QUERIES: readonly ReadQuery[] = [
  { type: 'standing' },
  { type: 'entries', from: 0, limit: 10_000 },
  { type: 'table', name: 'sealed', from: 0, to: 10_000 },
  { type: 'memories', as: 'state', order: 'oldest', limit: 10_000 },
  { type: 'counts' },
  { type: 'table', name: 'actorKeys' },
  { type: 'table', name: 'tallies' },
  { type: 'table', name: 'bursts', after: null, limit: 10_000 },
  { type: 'memories', where: { kind: 'note', present: true }, limit: 10_000 },
  {
    type: 'memories',
    where: { kind: 'note', present: true, strengthMin: 0.5, except: ['Rejected'] },
    limit: 5,
  },
  {
    type: 'memories',
    where: {
      kind: 'raw',
      present: true,
      bornFrom: toInstant(1),
      bornBefore: toInstant(4_000_000_000_000),
    },
    limit: 1_000,
  },
  {
    type: 'memories',
    as: 'section',
    where: { kind: 'belief', present: true },
    order: 'heaviest',
    limit: 7,
  },
  { type: 'memories', as: 'section', where: { kind: 'note', present: true }, after: 30, limit: 7 },
  { type: 'match', terms: ['matter', '3'], kinds: ['note', 'belief'], skip: 1, limit: 1_000 },
  { type: 'match', terms: ['said', 'heard'], kinds: KINDS, skip: 0, limit: 3 },
  {
    type: 'recall',
    terms: ['matter', '3', 'said'],
    near: [5, 9, 10_000, 3],
    kinds: KINDS,
    hits: 200,
  },
  { type: 'recall', terms: ['said', 'heard'], near: [], kinds: ['note', 'raw'], hits: 3 },
  { type: 'begins', terms: ['mat', 'said', 'x', 'zzz', 'hea', 'eard', 'atter'] },
  {
    type: 'memories',
    as: 'seq',
    where: { seqs: [9, 3, 5, 10_000], kinds: ['note', 'raw'] },
    order: 'given',
    limit: 9,
  },
  { type: 'touched', after: -1, limit: 1_000 },
  { type: 'touched', after: 7, limit: 3 },
  { type: 'vectors', model: { id: 'm', dimension: 4 } },
  { type: 'memories', where: { seqs: [9, 3, 5, 10_000] }, order: 'given' },
  { type: 'memories', where: { review: REVIEW_KINDS }, limit: 1_000 },
  { type: 'memories', as: 'ref', where: { idPart: '7' }, order: 'oldest', limit: 1_000 },
  {
    type: 'memories',
    as: 'ref',
    where: { idPart: '0000', kind: 'raw' },
    order: 'oldest',
    limit: 3,
  },
]

/** Everything a store says of a stack, and of each of its memories, under the question asked. */
export async function contentsOf(store: Store): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>()
  const ask = async (query: ReadQuery): Promise<void> => {
    const answer = await store.read(DEMO, query)
    contents.set(JSON.stringify(query), query.type === 'lineage' ? refsIn(answer) : textOf(answer))
  }
  for (const query of QUERIES) await ask(query)
  for (const { ref } of await store.read(DEMO, {
    type: 'memories',
    as: 'state',
    order: 'oldest',
    limit: 10_000,
  })) {
    await ask({ type: 'memory', ref })
    await ask({ type: 'entries', about: ref })
    await ask({ type: 'lineage', ref, direction: 'up', visitMax: 1_000 })
    await ask({ type: 'lineage', ref, direction: 'down', visitMax: 1_000 })
  }
  return contents
}

/** A lineage has no order of its own. */
const refsIn = (answer: unknown): string =>
  (answer as readonly StoredMemory[]) // lineages below the limit
    .map(({ state }) => state.ref)
    .sort()
    .join()
