import { describe, expect } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import type { Change } from '../../src/domain/change.ts'
import { MunimentError } from '../../src/domain/errors.ts'
import { parseRef, type Ref } from '../../src/domain/ids.ts'
import { label } from '../../src/domain/labels.ts'
import { createToken } from '../../src/doors/access/tokens.ts'
import { kebab } from '../../src/doors/cli/spec/names.ts'
import type { RememberOptions } from '../../src/engine/claims/claim.ts'
import { openStack, type Stack } from '../../src/index.ts'
import { operate } from '../../src/operations/operate.ts'
import type { OperationName } from '../../src/operations/operations.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { commandWords } from '../cli/support/command-words.ts'
import { Desk } from '../cli/support/fake-host.ts'
import { scratch } from '../cli/support/scratch.ts'
import { asTool } from '../doors/support/as-tool.ts'
import { served } from '../http/support/server.ts'
import { memoryOf } from '../life/support.ts'
import { linkedTo } from '../mcp/support/linked.ts'
import { at, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'

const STACK = 'attacked'
const PERSON = { label: label.userAsserted(), actor: 'ann' } as const
const LINE = { subject: 'ann', predicate: 'city' } as const

type Input = Readonly<Record<string, unknown>>
/** Asks for an operation; an answer of a door and a refusal read alike here. */
type Ask = (name: OperationName, input: Input) => Promise<Input>

interface Scene {
  readonly stack: Stack
  readonly store: MemoryStore
}

const orRefused = async (work: () => Promise<unknown>): Promise<Input> => {
  try {
    return (await work()) as Input // every operation here answers with an object
  } catch (error) {
    if (error instanceof MunimentError) return { refused: error.code, ...error.facts }
    throw error
  }
}

const STRANGER = { name: 'stranger', labels: ['ExternalFirstHand'], tier: 0 } as const

/** Every door by which somebody below a person reaches a stack. */
const ATTACKERS: Readonly<Record<string, (scene: Scene) => Promise<Ask>>> = {
  'a token of tier 0 by HTTP': (scene) => overHttp(scene, STRANGER),
  'a token of tier 1 by HTTP': (scene) =>
    overHttp(scene, { name: 'crawler', labels: ['ExternalFirstHand'], tier: 1 }),
  'a client of MCP': async ({ stack }) => {
    const { client } = await linkedTo(stack)
    return async (name, input) => {
      const { name: tool, arguments: given } = asTool(name, input)
      const { structuredContent } = await client.callTool({ name: tool, arguments: given })
      return (structuredContent ?? {}) as Input // tools answer with objects
    }
  },
  'a program at the command line': async ({ store }) => {
    const desk = new Desk(scratch())
    desk.stores.set(`${desk.home}\n${STACK}`, store)
    const env = { MUNIMENT_MODEL: 'model-of-the-test' }
    return async (name, input) => {
      const args = [...commandWords(name), '--input', '-', '--json', '--stack', STACK]
      return (await desk.call(args, { env, stdin: JSON.stringify(input) })).json() as Input
    }
  },
  'a hook': async ({ stack }) => {
    const entity = new Entity('hook', { modelId: 'model-of-the-test' })
    await entity.attachStack(stack)
    const context = { stack, entity, caller: at('hook'), actor: 'a tool' }
    return (name, input) =>
      orRefused(() => operate(context, name, input as Parameters<typeof operate>[2]))
  },
  'a model in the library': async ({ stack }) => {
    const who = { label: label.modelDerived(), actor: 'agent' }
    const me = new Entity('agent')
    await me.attachStack(stack)
    return (name, input) => orRefused(() => inLibrary({ stack, me, who }, name, input))
  },
}

async function overHttp(
  { stack }: Scene,
  scope: { readonly name: string } & Partial<Parameters<typeof createToken>[1]>,
): Promise<Ask> {
  const site = await served({
    usual: STACK,
    source: { open: async () => stack, exists: async () => true, list: async () => [STACK] },
  })
  const { token } = await createToken(site.home, {
    createdAt: '2026-01-01T00:00:00.000Z',
    ...scope,
  })
  return async (name, body) => {
    const { json } = await site.ask(`/v1/stacks/${STACK}/${kebab(name)}`, { token, body })
    return json as Input
  }
}

interface LibraryCaller {
  readonly stack: Stack
  readonly me: Entity
  readonly who: { readonly label: ReturnType<typeof label.modelDerived>; readonly actor: string }
}

/** The method of the library for an operation. */
async function inLibrary(
  { stack, me, who }: LibraryCaller,
  name: OperationName,
  input: Input,
): Promise<unknown> {
  const target = String(input.ref)
  if (name === 'supersede') return stack.changes.supersede(target, String(input.statement), who)
  if (name === 'update_goal') return stack.changes.updateGoal(target, { status: 'completed' }, who)
  if (name === 'goal') {
    const status = input.status === 'completed' ? { status: 'completed' as const } : {}
    return me.goal(String(input.title), { ...status, because: 'I think so', ...who })
  }
  if (name === 'claim') {
    return stack.claims.remember(LINE.subject, String(input.predicate), String(input.value), who)
  }
  if (name === 'end') return stack.claims.end(target, { at: String(input.at), ...who })
  if (name === 'adjudicate') return stack.claims.adjudicate(target, { verdict: 'deny', ...who })
  return stack.changes.change(target, changeOf(name, input), 'attack', who)
}

function changeOf(name: OperationName, { amount, confidence, tags, off }: Input): Change {
  switch (name) {
    case 'weaken':
      return { type: 'weaken', amount: Number(amount) }
    case 'describe':
      return {
        type: 'describe',
        confidence: confidence === undefined ? null : Number(confidence),
        tags: Array.isArray(tags) ? tags.map(String) : null,
      }
    case 'protect':
      return { type: 'protect', on: off !== true }
    case 'forget':
    case 'retract':
      return { type: name }
    default:
      throw new Error(`${name} has a method of its own`)
  }
}

async function planted(): Promise<Scene & Readonly<Record<Target, Ref>>> {
  const store = new MemoryStore()
  const stack = await openStack(STACK, { store })
  const me = new Entity('ann')
  await me.attachStack(stack)
  const because = 'I was there'
  const note = await me.note('The key lies under the mat', { because, ...PERSON })
  const belief = await me.belief('Trains are on time', { because, ...PERSON })
  const goal = await me.goal('Ship it', { because, ...PERSON })
  const claim = await stack.claims.remember(LINE.subject, LINE.predicate, 'Berlin', PERSON)
  return {
    ...{ stack, store, note: note.ref, belief: belief.ref, goal: goal.ref },
    claim: parseRef(String(claim.claimRef)),
  }
}

type Target = 'note' | 'belief' | 'goal' | 'claim'

/** Everything that takes from a memory, adds to it or decides about it. */
const ATTACKS: readonly (readonly [OperationName, Target, Input])[] = [
  ['forget', 'note', { reason: 'no longer needed' }],
  ['weaken', 'note', { amount: 0.5 }],
  ['describe', 'note', { confidence: 0.1 }],
  ['describe', 'note', { tags: ['wrong'] }],
  ['protect', 'note', {}],
  ['protect', 'goal', { off: true }],
  ['supersede', 'belief', { statement: 'Trains are always late', because: 'I think so' }],
  ['end', 'claim', { at: '2020-01-01' }],
  ['retract', 'claim', {}],
  ['adjudicate', 'claim', { verdict: 'deny' }],
  ['update_goal', 'goal', { status: 'completed' }],
  ['goal', 'goal', { title: 'Ship it', status: 'completed', because: 'I think so' }],
]

const DOORS = Object.entries(ATTACKERS)

/** A tool that says the same words is a witness, with a memory of its own and no proposal. */
const isWitness = (attacker: string, name: OperationName): boolean =>
  name === 'goal' && (attacker.includes('HTTP') || attacker === 'a hook')

/** The row without what a proposal adds to it, and the answer to which a claim leads. */
async function unmoved(stack: Stack, ref: Ref) {
  const row = { ...(await memoryOf(stack, ref)), flags: [], review: null }
  if (row.kind !== 'claim') return { row, standing: null }
  const { subject, predicate } = row.body as typeof LINE // the body of a claim
  return { row, standing: (await stack.claims.ask({ subject, predicate })).standing }
}

type Attacker = (typeof DOORS)[number]

describe('who is below a person', () => {
  holds(
    'FIREWALL-AUTHORITY',
    'moves nothing of what the person said through any door, and each attempt is one proposal',
    async () => {
      for (const attacker of DOORS) {
        for (const attack of ATTACKS) await attackOnce(attacker, attack)
      }
    },
    120_000,
  )

  holds(
    ['FIREWALL-AUTHORITY', 'P-43'],
    'contests nothing that the person said through any door, and the disagreement is shown',
    async () => {
      for (const [attacker, enter] of DOORS) {
        const scene = await planted()
        const { stack, claim } = scene
        const ask = await enter(scene)
        await ask('claim', { ...LINE, value: 'Paris' })
        const answer = await stack.claims.ask(LINE)
        expect([attacker, answer]).toMatchObject([attacker, { standing: 'held', value: 'Berlin' }])
        expect(answer.beside.map(({ value }) => value)).toEqual(['Paris'])
        expect((await memoryOf(stack, claim)).disposition).toBe('CommittedCheap')
        expect((await stack.ledger.audit()).problems).toEqual([])
      }
    },
    60_000,
  )
})

describe('the disagreement of a lower tier', () => {
  holds(
    ['FIREWALL-AUTHORITY', 'P-43'],
    'is shown by why at the library, MCP and the command line, and by review',
    async () => {
      const scene = await planted()
      const { stack, store, claim } = scene
      const tool = { label: label.firstHand(), actor: 'a tool' }
      const { claimRef } = await stack.claims.remember(LINE.subject, LINE.predicate, 'Paris', tool)
      const other = parseRef(String(claimRef))
      expect((await stack.history.why(claim)).disagreeing.map(({ ref }) => ref)).toEqual([other])
      expect((await stack.history.why(other)).disagreeing.map(({ ref }) => ref)).toEqual([claim])
      const [item] = await stack.review.list({ kinds: ['contest'] })
      expect([item?.ref, item?.against.map(({ ref }) => ref)]).toEqual([other, [claim]])
      const { client } = await linkedTo(stack)
      const lookup = asTool('why', { ref: claim })
      const told = await client.callTool({ name: lookup.name, arguments: lookup.arguments })
      expect(JSON.stringify(told.structuredContent)).toContain(other)
      const desk = new Desk(scratch())
      desk.stores.set(`${desk.home}\n${STACK}`, store)
      const page = await desk.call(['why', claim, '--stack', STACK])
      expect(page.out).toMatch(/Disagrees: claim:[0-9a-f]{8} .*Paris.*tier 2/)
      // Control: what nobody denies has nothing there.
      expect((await stack.history.why(scene.note)).disagreeing).toEqual([])
      await stack.claims.retract(other, PERSON)
      expect((await stack.history.why(claim)).disagreeing).toEqual([])
    },
  )
})

async function attackOnce(
  [attacker, enter]: Attacker,
  [name, target, input]: (typeof ATTACKS)[number],
): Promise<void> {
  if (isWitness(attacker, name)) return
  const scene = await planted()
  const { stack } = scene
  const ref = scene[target]
  const ask = await enter(scene)
  const before = await unmoved(stack, ref)
  const asked = name === 'goal' ? input : { ref, ...input }
  await ask(name, asked)
  await ask(name, asked)
  expect([attacker, name, await unmoved(stack, ref)]).toEqual([attacker, name, before])
  const waiting = await stack.review.list({ kinds: ['proposal'] })
  expect([attacker, name, waiting.map((item) => [item.ref, item.proposals.length])]).toEqual([
    attacker,
    name,
    [[ref, 1]],
  ])
  // Positive control: the person grants it, and the memory moves.
  if (name !== 'adjudicate' && !(name === 'protect' && target === 'goal')) {
    await stack.review.resolve(ref, 'accept', PERSON)
    expect([attacker, name, await unmoved(stack, ref)]).not.toEqual([attacker, name, before])
  }
  expect((await stack.ledger.audit()).problems).toEqual([])
}

describe('a model that quotes a page', () => {
  const PAGE = 'Everything about Ann. Ann lives in Paris since the month of May.'

  /** A claim of somebody, and the same question answered by a model with words of a page. */
  async function quoted(who: RememberOptions) {
    const stack = await openStack(STACK, { store: new MemoryStore() })
    const provenance = saying('ExternalFirstHand', { sourceId: 'browser', trustTier: 1 })
    const body = { content: PAGE }
    const page = await stack.write({ kind: 'raw', body, provenance }, at('hook'))
    await stack.claims.remember(LINE.subject, LINE.predicate, 'Berlin', who)
    const claimed = await stack.claims.remember(LINE.subject, LINE.predicate, 'Paris', {
      ...{ caller: at('mcp'), label: label.modelDerived(), actor: 'agent' },
      quote: 'Ann lives in Paris since the month of May.',
      derivedFrom: [page.ref as Ref],
    })
    return { stack, claimed }
  }

  holds(
    ['FIREWALL-AUTHORITY', 'FIREWALL-QUOTE', 'P-43'],
    'contests no higher tier: the answer is held, and ask and review show the page’s words',
    async () => {
      const { stack, claimed } = await quoted(PERSON)
      expect(claimed).toMatchObject({
        disposition: 'PendingConflict',
        reasons: ['higher_tier_disagrees'],
      })
      const answer = await stack.claims.ask(LINE)
      expect(answer).toMatchObject({ standing: 'held', value: 'Berlin' })
      expect(answer.beside.map(({ value }) => value)).toEqual(['Paris'])
      expect(await stack.review.list()).toMatchObject([{ kind: 'contest', ref: claimed.claimRef }])
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )

  holds('FIREWALL-QUOTE', 'contests a first-hand claim of its own tier', async () => {
    const caller = at('http', { grant: { ExternalFirstHand: 1 } })
    const { stack, claimed } = await quoted({ caller, label: label.firstHand(), actor: 'sensor' })
    expect(claimed).toMatchObject({
      disposition: 'Contested',
      reasons: ['quote_against_first_hand'],
    })
    expect((await stack.claims.ask(LINE)).standing).toBe('contested')
    expect((await stack.ledger.audit()).problems).toEqual([])
  })
})

/** A memory of the caller's own for each attack, made through the same door. */
const OWN: Readonly<Partial<Record<Target, Input>>> = {
  goal: { title: 'Sleep more', because: 'I think so' },
  claim: { subject: 'ann', predicate: 'pet', value: 'cat' },
}

describe('what is one’s own', () => {
  holds(
    'FIREWALL-AUTHORITY',
    'is changed at once through every door',
    async () => {
      for (const [owner, enter] of DOORS) {
        for (const [name, target, input] of ATTACKS) {
          const own = OWN[target]
          const isDecision = name === 'adjudicate' || name === 'goal' || 'off' in input
          if (own === undefined || isDecision) continue
          const scene = await planted()
          const { stack } = scene
          const ask = await enter(scene)
          const born = await ask(target, own)
          const ref = parseRef(String(born.claimRef ?? born.ref))
          const before = await unmoved(stack, ref)
          await ask(name, { ref, ...input })
          expect([owner, name, await unmoved(stack, ref)]).not.toEqual([owner, name, before])
          expect(await stack.review.list({ kinds: ['proposal'] })).toEqual([])
          expect((await stack.ledger.audit()).problems).toEqual([])
        }
      }
    },
    60_000,
  )
})

describe('a token of tier 0 by HTTP, 200 times', () => {
  holds(
    ['FIREWALL-AUTHORITY', 'SCOPE-BOUND'],
    'retracts 0, forgets 0, supersedes 0 and contests 0 of 200, and proposes as much as it may',
    async () => {
      const store = new MemoryStore()
      const stack = await openStack(STACK, { store })
      const me = new Entity('ann')
      await me.attachStack(stack)
      const ask = await overHttp({ stack, store }, STRANGER)
      const refs: Ref[] = []
      for (let n = 0; n < 200; n += 1) {
        const because = `I saw number ${n}`
        const belief = await me.belief(`Train ${n} is on time`, { because, ...PERSON })
        const note = await me.note(`Key ${n} lies under mat ${n}`, { because, ...PERSON })
        const { claimRef } = await stack.claims.remember(`person ${n}`, 'city', 'Berlin', PERSON)
        refs.push(belief.ref, note.ref, parseRef(String(claimRef)))
      }
      const before = await Promise.all(refs.map((ref) => unmoved(stack, ref)))
      const reasons = new Map<unknown, number>()
      for (let n = 0; n < 200; n += 1) {
        const [belief, note, claim] = refs.slice(3 * n, 3 * n + 3)
        for (const said of [
          await ask('retract', { ref: claim }),
          await ask('forget', { ref: note, reason: 'old' }),
          await ask('supersede', { ref: belief, statement: `Train ${n} is late`, because: 'so' }),
        ]) {
          expect(said.changed).toBe(false)
          reasons.set(said.reason, (reasons.get(said.reason) ?? 0) + 1)
        }
        await ask('claim', { subject: `person ${n}`, predicate: 'city', value: 'Paris' })
        expect(await stack.claims.ask({ subject: `person ${n}`, predicate: 'city' })).toMatchObject(
          {
            standing: 'held',
            value: 'Berlin',
          },
        )
      }
      expect(await Promise.all(refs.map((ref) => unmoved(stack, ref)))).toEqual(before)
      expect(Object.fromEntries(reasons)).toEqual({ proposed: 64, proposals_full: 536 })
      expect(await stack.review.list({ kinds: ['proposal'], limit: 100 })).toHaveLength(64)
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
    120_000,
  )
})
