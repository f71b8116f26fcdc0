// Rule 5 of the firewall: an entry that its caller had no authority for is noticed by both verifiers.

import { beforeAll, describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { toInstant } from '../../src/domain/time.ts'
import { label, openStack } from '../../src/index.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { memoryOf } from '../life/support.ts'
import { at } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { both, type Told, tell } from './forging.ts'
import type { History } from './history.ts'
import type { Json, JsonObject } from './naive-canonical.ts'
import {
  type Copy,
  copyOf,
  type Members,
  membersOf,
  naiveProblems,
  rechain,
  rowAt,
  sealedAt,
  withMembers,
} from './vandal.ts'

const ANN = { label: label.userAsserted(), actor: 'ann' } as const
const BOB = { label: label.userAsserted(), actor: 'bob' } as const

let history: History

/** Changes by those who may make them, each of a memory of its own. */
beforeAll(async () => {
  const store = new MemoryStore()
  const stack = await openStack('demo', { store, ...fakeWorld(1) })
  const me = new Entity('ann')
  await me.attachStack(stack)
  const noted = async (content: string) =>
    (await me.note(content, { because: `I saw that ${content}`, ...ANN })).ref
  const claimed = async (predicate: string, value: string, who: typeof ANN | typeof BOB = ANN) =>
    String((await stack.claims.remember('ann', predicate, value, who)).claimRef)
  const change = async (ref: string, asked: Parameters<typeof stack.changes.change>[1]) =>
    expect(await stack.changes.change(ref, asked, 'test', ANN)).toMatchObject({ changed: true })
  await change(await noted('the key lies under the mat'), { type: 'forget' })
  await change(await noted('the door was painted blue'), { type: 'weaken', amount: 0.2 })
  await change(await noted('the lamp hangs in the hall'), { type: 'protect', on: true })
  await change(await noted('the bus leaves at nine'), {
    type: 'describe',
    confidence: 0.3,
    tags: null,
  })
  await change(await claimed('city', 'Berlin'), { type: 'retract' })
  await change(await claimed('job', 'baker'), { type: 'end', at: toInstant(Date.UTC(2027, 0, 1)) })
  const belief = await me.belief('Trains are on time', { because: 'I was there', ...ANN })
  await stack.changes.supersede(belief.ref, 'Trains are mostly on time', ANN)
  const goal = await me.goal('Ship it', { because: 'they wait', ...ANN })
  await stack.changes.updateGoal(goal.ref, { status: 'completed' }, ANN)
  await claimed('pet', 'cat')
  await claimed('pet', 'dog', BOB) // contests
  await claimed('team', 'red')
  await claimed('team', 'blue') // succeeds
  const tool = { caller: at('http', { grant: { ExternalFirstHand: 2 } }), actor: 'a tool' }
  const { claimRef } = await stack.claims.remember('hall', 'meter', 41, {
    ...tool,
    label: label.firstHand(),
  })
  const own = await stack.changes.change(String(claimRef), { type: 'retract' }, 'test', {
    ...tool,
    label: label.firstHand(),
  })
  expect(own.changed).toBe(true)
  expect(await memoryOf(stack, goal.ref)).toMatchObject({ status: 'completed' })
  history = { store, stack } as History // as much of one as is copied
})

const FIRST_HAND: Json = { type: 'External', kind: 'ExternalFirstHand' }
const MODEL: Json = { type: 'ModelDerived' }

const seqOf = ({ rows }: Copy, is: (members: Members) => boolean): number => {
  const seq = rows.entries.findIndex((row) => is(membersOf(row)))
  if (seq < 0) throw new Error('there is no such entry')
  return seq
}

function rewrite(copy: Copy, op: string, changed: JsonObject): void {
  const seq = seqOf(copy, (members) => members.op === op)
  const row = rowAt(copy.rows, seq)
  copy.rows.entries[seq] = withMembers(row, { ...membersOf(row), ...changed })
  rechain(copy.rows, seq)
}

function retell(copy: Copy, is: (members: Members) => boolean, changed: JsonObject): void {
  const seq = seqOf(copy, is)
  const { body, provenance } = JSON.parse(
    Buffer.from(sealedAt(copy.rows, seq).bytes).toString('utf8'),
  ) as Pick<Told, 'body' | 'provenance'>
  const truth = { members: membersOf(rowAt(copy.rows, seq)), provenance, body }
  const { tier, ...rest } = changed
  const certified = tier === undefined ? rest : { ...rest, trustTier: tier }
  tell(copy, truth, both(truth, changed, certified))
}

const isBorn = (of: (decision: { facts: JsonObject; disposition: Json }) => boolean) => {
  return ({ op, decision }: Members): boolean =>
    op === 'memory.saved' && of(decision as { facts: JsonObject; disposition: Json })
}

const CHANGES = [
  'memory.forgotten',
  'memory.weakened',
  'memory.protected',
  'memory.described',
  'claim.retracted',
  'claim.ended',
  'belief.revised',
]

type Lie = readonly [name: string, vandalise: (copy: Copy) => void, word: RegExp]

const LIES: readonly Lie[] = [
  ...CHANGES.flatMap((op): readonly Lie[] => {
    const word = op === 'belief.revised' ? /authority|may not|takes the place/ : /authority/
    return [
      [`${op} at tier 0`, (copy) => rewrite(copy, op, { tier: 0 }), word],
      [`${op} by a tool`, (copy) => rewrite(copy, op, { label: FIRST_HAND }), word],
      [`${op} by a model`, (copy) => rewrite(copy, op, { label: MODEL }), word],
    ]
  }),
  [
    'memory.revised by a tool',
    (copy) => retell(copy, ({ op }) => op === 'memory.revised', { label: FIRST_HAND, tier: 2 }),
    /authority/,
  ],
  [
    'a contest by a tool',
    (copy) =>
      retell(
        copy,
        isBorn(({ disposition }) => disposition === 'Contested'),
        { label: FIRST_HAND, tier: 2 },
      ),
    /higher tier/,
  ],
  [
    'a succession at a lower tier',
    (copy) =>
      retell(
        copy,
        isBorn(({ facts }) => facts.succeeds !== undefined),
        { tier: 2 },
      ),
    /succeeds/,
  ],
]

describe('the honest history', () => {
  test('is sound to both', async () => {
    const copy = copyOf(history)
    expect(naiveProblems(copy)).toEqual([])
    const stack = await openStack('demo', { store: copy.store })
    expect((await stack.ledger.audit()).problems).toEqual([])
  })
})

describe.each(LIES)('%s', (_name, vandalise, word) => {
  holds('FIREWALL-AUTHORITY', 'is noticed by the naive verifier and by an audit', async () => {
    const copy = copyOf(history)
    vandalise(copy)
    expect(naiveProblems(copy).join('; ')).toMatch(/leave|authority|higher tier/)
    const stack = await openStack('demo', { store: copy.store })
    const { problems } = await stack.ledger.audit()
    expect(problems.map(({ detail }) => detail).join('; ')).toMatch(word)
  })
})
