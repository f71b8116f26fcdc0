import { describe, expect } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import type { Caller } from '../../src/domain/doors.ts'
import { parseRef, type Ref } from '../../src/domain/ids.ts'
import { type Label, label } from '../../src/domain/labels.ts'
import { DEFAULT_NUMBERS } from '../../src/domain/policy.ts'
import { openStack } from '../../src/index.ts'
import type { Stack } from '../../src/stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { served } from '../http/support/server.ts'
import { verifyLedger } from '../ledger/naive-verifier.ts'
import { ledgerOf } from '../ledger/vandal.ts'
import { memoryOf } from '../life/support.ts'
import { at, freshStack, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'

interface Who {
  readonly caller: Caller
  readonly label: Label
  readonly actor: string
}

const http = (grant: Caller['grant'], person = false) => at('http', { grant, person })

/** Everybody who asks for changes or wrote a memory here. */
const WHO = {
  'person at the cli': {
    caller: at('cli', { person: true }),
    label: label.userAsserted(),
    actor: 'test:user',
  },
  'person with a token': {
    caller: http({ UserAsserted: 3, ModelDerived: 1, RecallReEntry: 0 }, true),
    label: label.userAsserted(),
    actor: 'test:user',
  },
  host: { caller: at('lib'), label: label.firstHand(), actor: 'test:host' },
  'tool token of tier 2': {
    caller: http({ ExternalFirstHand: 2 }),
    label: label.firstHand(),
    actor: 'test:tool',
  },
  'tool token of tier 1': {
    caller: http({ ExternalFirstHand: 1 }),
    label: label.firstHand(),
    actor: 'test:crawler',
  },
  model: { caller: at('mcp'), label: label.modelDerived(), actor: 'test:model' },
  'another model': { caller: at('mcp'), label: label.modelDerived(), actor: 'test:other' },
  'token of tier 0': {
    caller: http({ ExternalFirstHand: 0 }),
    label: label.firstHand(),
    actor: 'test:stranger',
  },
  'the host, as a model': { caller: at('lib'), label: label.modelDerived(), actor: 'test:agent' },
} as const satisfies Record<string, Who>

type Name = keyof typeof WHO

const NAMES = Object.keys(WHO) as readonly Name[] // its own keys

/** Who wrote the memory that is to be changed. */
const AUTHORS = [
  'person at the cli',
  'host',
  'tool token of tier 1',
  'model',
  'another model',
] as const satisfies readonly Name[]

type Author = (typeof AUTHORS)[number]

/** Who may take from a memory, add to it or end it; everybody else only proposes. */
const MAY: Readonly<Record<Author, readonly Name[]>> = {
  'person at the cli': ['person at the cli', 'person with a token'],
  host: ['person at the cli', 'person with a token', 'host'],
  'tool token of tier 1': [
    'person at the cli',
    'person with a token',
    'host',
    'tool token of tier 1',
  ],
  model: ['person at the cli', 'person with a token', 'host', 'model', 'the host, as a model'],
  'another model': [
    'person at the cli',
    'person with a token',
    'host',
    'another model',
    'the host, as a model',
  ],
}

const CHANGES = {
  forget: { type: 'forget' },
  weaken: { type: 'weaken', amount: 0.25 },
  'describe with a lower confidence': { type: 'describe', confidence: 0.1, tags: null },
  'describe with tags': { type: 'describe', confidence: null, tags: ['mine'] },
  protect: { type: 'protect', on: true },
  end: { type: 'end', at: '2027-01-01T00:00:00.000Z' },
  retract: { type: 'retract' },
} as const

/** A claim by its author, on a stack of its own. */
async function claimed(author: Author) {
  const fresh = await freshStack()
  const { caller, label: said, actor } = WHO[author]
  const options = { caller, label: said, actor, confidence: 0.6 }
  const { claimRef, tier } = await fresh.stack.claims.remember('hall', 'meter', 41, options)
  return { ...fresh, ref: parseRef(String(claimRef)), tier }
}

type ChangeGiven = Parameters<Stack['changes']['change']>[1]

const asked = (stack: Stack, ref: string, change: object, { caller, label: as, actor }: Who) =>
  stack.changes.change(ref, change as ChangeGiven, 'test', { caller, label: as, actor })

/** What each caller is answered, each on a stack where nothing else has happened. */
async function answersTo(author: Author, change: object) {
  const answers: Partial<Record<Name, string>> = {}
  for (const who of NAMES) {
    const { stack, ref } = await claimed(author)
    const before = await memoryOf(stack, ref)
    const { changed, reason } = await asked(stack, ref, change, WHO[who])
    answers[who] = changed ? 'allowed' : String(reason)
    const after = await memoryOf(stack, ref)
    if (!changed) expect({ ...after, flags: [], review: null }).toEqual(before)
    const waiting = await stack.review.list({ kinds: ['proposal'] })
    expect(waiting.map((item) => item.ref)).toEqual(changed ? [] : [ref])
    expect(await stack.ledger.audit()).toMatchObject({ ok: true })
  }
  return answers
}

const expectedFor = (author: Author) =>
  Object.fromEntries(NAMES.map((who) => [who, MAY[author].includes(who) ? 'allowed' : 'proposed']))

describe('who may change whose memory', () => {
  holds(
    'FIREWALL-AUTHORITY',
    'every caller of the table makes the changes that the table allows and proposes all others',
    async () => {
      for (const author of AUTHORS) {
        for (const [name, change] of Object.entries(CHANGES)) {
          expect([name, author, await answersTo(author, change)]).toEqual([
            name,
            author,
            expectedFor(author),
          ])
        }
      }
    },
    120_000,
  )

  holds(
    'FIREWALL-AUTHORITY',
    'what was taken back, forgotten or decided is brought back by those whom the table allows',
    async () => {
      for (const author of ['person at the cli', 'host', 'model'] as const) {
        for (const [first, change] of [
          ['retract', { type: 'reopen' }],
          ['forget', { type: 'recover' }],
          ['protect', { type: 'protect', on: false }],
        ] as const) {
          for (const who of NAMES) {
            const { stack, ref } = await claimed(author)
            expect(await asked(stack, ref, CHANGES[first], WHO[author])).toMatchObject({
              changed: true,
            })
            const { changed, reason } = await asked(stack, ref, change, WHO[who])
            // A model only proposes to reopen, also what it said itself.
            const isDecision = change.type === 'reopen' && WHO[who].label.type !== 'External'
            const isAllowed = MAY[author].includes(who) && !isDecision
            expect([author, change.type, who, changed, reason]).toEqual([
              author,
              change.type,
              who,
              isAllowed,
              isAllowed ? null : 'proposed',
            ])
            expect((await stack.ledger.audit()).problems).toEqual([])
          }
        }
      }
    },
    120_000,
  )

  holds(
    ['FIREWALL-AUTHORITY', 'F-05'],
    'a model changes nothing that was seen or said, at whatever tier it is',
    async () => {
      const { stack } = await freshStack()
      const { caller, label: as, actor } = WHO['token of tier 0']
      const low = await stack.claims.remember('hall', 'meter', 41, { caller, label: as, actor })
      expect(low.tier).toBe(0)
      const ref = String(low.claimRef)
      const model = { ...WHO.model, actor } // even under the name of the one who said it
      expect(await asked(stack, ref, CHANGES.forget, model)).toMatchObject({ reason: 'proposed' })
      expect(await asked(stack, ref, CHANGES.forget, WHO['token of tier 0'])).toMatchObject({
        changed: true,
      })
    },
  )
})

describe('proposals', () => {
  holds(
    'FIREWALL-AUTHORITY',
    'each actor has one about a memory: its second joins the first, and another actor opens its own',
    async () => {
      const { stack, ref } = await claimed('person at the cli')
      const first = await asked(stack, ref, CHANGES.forget, WHO.model)
      expect(first).toMatchObject({ reason: 'proposed', entry: { seq: expect.any(Number) } })
      expect(await asked(stack, ref, CHANGES.weaken, WHO.model)).toMatchObject({
        reason: 'proposed',
        entry: null,
      })
      const other = await asked(stack, ref, CHANGES.retract, WHO['another model'])
      const [item, ...more] = await stack.review.list({ kinds: ['proposal'] })
      expect(more).toEqual([])
      expect(item?.proposals.map(({ change, seq }) => [change, seq])).toEqual([
        ['forget', first.entry?.seq],
        ['retract', other.entry?.seq],
      ])
      const person = WHO['person at the cli']
      await expect(stack.review.resolve(ref, 'accept', person)).rejects.toThrow('2 proposals')
      const wish = Number(first.entry?.seq)
      expect(await stack.review.resolve(ref, 'accept', { ...person, proposal: wish })).toBe(true)
      expect(await memoryOf(stack, ref)).toMatchObject({ strength: 0, review: null })
      expect((await stack.ledger.audit()).problems).toEqual([])
      // What was answered is no longer open, so that the same actor may propose again.
      expect(await asked(stack, ref, { type: 'recover' }, WHO.model)).toMatchObject({
        reason: 'proposed',
        entry: { seq: expect.any(Number) },
      })
    },
  )

  holds(
    ['FIREWALL-AUTHORITY', 'BOUND-LOUD'],
    'an actor has so many at a time, and the answer to one more says so; others still propose',
    async () => {
      const { stack } = await freshStack()
      const refs: Ref[] = []
      for (let at = 0; at <= DEFAULT_NUMBERS.proposalsPerActorMax; at += 1) {
        const { claimRef } = await stack.claims.remember(`door ${at}`, 'colour', 'red', {
          ...WHO['person at the cli'],
        })
        refs.push(parseRef(String(claimRef)))
      }
      const reasons: unknown[] = []
      for (const ref of refs) {
        reasons.push((await asked(stack, ref, CHANGES.forget, WHO['token of tier 0'])).reason)
      }
      expect(reasons.filter((reason) => reason === 'proposed')).toHaveLength(64)
      expect(reasons.at(-1)).toBe('proposals_full')
      const last = refs.at(-1) as Ref // just made
      expect(await asked(stack, last, CHANGES.forget, WHO.model)).toMatchObject({
        reason: 'proposed',
      })
      // A person's answer makes room for one more.
      const person = WHO['person at the cli']
      expect(await stack.review.resolve(String(refs[0]), 'dismiss', person)).toBe(true)
      expect(await asked(stack, last, CHANGES.forget, WHO['token of tier 0'])).toMatchObject({
        reason: 'proposed',
      })
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
    60_000,
  )
})

describe('verifying and protecting', () => {
  async function withEvidence() {
    const { stack } = await freshStack()
    const model = WHO.model
    const { claimRef } = await stack.claims.remember('hall', 'meter', 41, {
      ...model,
      confidence: 0.5,
    })
    const seen: string[] = []
    for (const [sourceId, caller] of [
      ['a camera', at('lib')],
      ['a sensor', at('hook', { vouched: true })],
    ] as const) {
      const provenance = saying('ExternalFirstHand', { sourceId })
      const body = { content: `Seen by ${sourceId}: 41.` }
      seen.push(String((await stack.write({ kind: 'raw', body, provenance }, caller)).ref))
    }
    return { stack, ref: parseRef(String(claimRef)), seen }
  }

  holds(
    ['FIREWALL-AUTHORITY', 'FIREWALL-INDEPENDENT', 'P-49'],
    'a model’s verification counts once, lifts no tier, and leaves the evidence to a person',
    async () => {
      const { stack, ref, seen } = await withEvidence()
      const other = WHO['another model']
      const verify = { type: 'verify', evidence: seen }
      expect(await asked(stack, ref, verify, other)).toMatchObject({ changed: true })
      const once = await memoryOf(stack, ref)
      expect(once).toMatchObject({ confidence: 0.6, tier: 1 })
      expect(await asked(stack, ref, verify, other)).toMatchObject({ reason: 'attested' })
      expect((await memoryOf(stack, ref)).confidence).toBe(0.6)
      const person = WHO['person at the cli']
      expect(await asked(stack, ref, verify, person)).toMatchObject({ changed: true })
      // The evidence moved the confidence once; on a person's word it lifts the tier.
      expect(await memoryOf(stack, ref)).toMatchObject({
        confidence: 0.6,
        tier: 2,
      })
      expect(await asked(stack, ref, verify, person)).toMatchObject({ reason: 'attested' })
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )

  holds(
    'FIREWALL-AUTHORITY',
    'who may change a memory goes by the tier of its birth, not by the tier that evidence gave it',
    async () => {
      const { stack, ref, seen } = await withEvidence()
      await asked(stack, ref, { type: 'verify', evidence: seen }, WHO['person at the cli'])
      expect((await memoryOf(stack, ref)).tier).toBe(2)
      expect(await asked(stack, ref, CHANGES.weaken, WHO.model)).toMatchObject({ changed: true })
      expect(await asked(stack, ref, CHANGES.weaken, WHO['token of tier 0'])).toMatchObject({
        reason: 'proposed',
      })
      // Tags are read with the memory, and count for no more than the one who gave them.
      expect(await asked(stack, ref, CHANGES['describe with tags'], WHO.model)).toMatchObject({
        reason: 'proposed',
      })
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )

  holds('FIREWALL-AUTHORITY', 'a caller of tier 0 verifies nothing that counts', async () => {
    const { stack, ref, seen } = await withEvidence()
    const verify = { type: 'verify', evidence: seen }
    expect(await asked(stack, ref, verify, WHO['token of tier 0'])).toMatchObject({
      reason: 'proposed',
    })
    expect(await memoryOf(stack, ref)).toMatchObject({ confidence: 0.5, tier: 1 })
    expect(await stack.review.resolve(ref, 'accept', WHO['person at the cli'])).toBe(true)
    expect(await memoryOf(stack, ref)).toMatchObject({ confidence: 0.6, tier: 2 })
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  holds('FIREWALL-AUTHORITY', 'what a model protected binds the model and no person', async () => {
    for (const change of [CHANGES.forget, CHANGES.weaken]) {
      const { stack, ref } = await claimed('model')
      expect(await asked(stack, ref, CHANGES.protect, WHO.model)).toMatchObject({ changed: true })
      expect(await asked(stack, ref, change, WHO.model)).toMatchObject({ reason: 'protected' })
      expect(await asked(stack, ref, change, WHO['person at the cli'])).toMatchObject({
        changed: true,
      })
      expect((await stack.ledger.audit()).problems).toEqual([])
    }
    // What a person protected binds the person too, until the person takes the protection away.
    const { stack, ref } = await claimed('person at the cli')
    const person = WHO['person at the cli']
    await asked(stack, ref, CHANGES.protect, person)
    expect(await asked(stack, ref, CHANGES.forget, person)).toMatchObject({ reason: 'protected' })
  })
})

describe('the sweep of the policy', () => {
  holds(
    'FIREWALL-AUTHORITY',
    'forgets what has faded, whoever said it; the host alone forgets nothing that a person said',
    async () => {
      const { clock, ...world } = fakeWorld(1)
      const store = new MemoryStore()
      const stack = await openStack('test', { store, clock, ...world })
      const me = new Entity('ann')
      await me.attachStack(stack)
      const { ref } = await me.note('The key lies under the mat', {
        because: 'I put it there',
        ...{ label: label.userAsserted(), actor: 'ann' },
      })
      expect(await asked(stack, ref, CHANGES.forget, WHO.host)).toMatchObject({
        reason: 'proposed',
      })
      expect(await stack.review.resolve(ref, 'dismiss', WHO['person at the cli'])).toBe(true)
      clock.advance({ ms: 7 * 365 * 86_400_000 })
      expect((await memoryOf(stack, ref)).strength).toBeGreaterThan(0)
      // A program without the policy behind it still only proposes.
      expect(await asked(stack, ref, CHANGES.forget, WHO['tool token of tier 2'])).toMatchObject({
        reason: 'proposed',
      })
      expect((await stack.applyForgetting()).refs).toContain(ref)
      expect((await memoryOf(stack, ref)).strength).toBe(0)
      expect((await stack.ledger.audit()).problems).toEqual([])
      expect(verifyLedger(ledgerOf(store.rows(stack.stackId)))).toEqual([])
    },
  )
})

describe('a token of tier 0 over HTTP', () => {
  holds(
    ['FIREWALL-AUTHORITY', 'SCOPE-BOUND'],
    'takes nothing from what a person said: each wish waits in review, and no claim is contested',
    async () => {
      const server = await served()
      const person = await server.token('ann')
      const low = await server.token('stranger', { labels: ['ExternalFirstHand'], tier: 0 })
      const ask = async (name: string, body: object, token: string) => {
        const { status, json } = await server.ask(`/v1/stacks/default/${name}`, { token, body })
        return { status, json }
      }
      const made = async (name: string, body: object) => {
        const { status, json } = await ask(name, body, person)
        expect([name, status, json]).toEqual([name, 201, expect.anything()])
        return String(json.ref ?? json.claimRef)
      }
      const claim = await made('claim', { subject: 'user', predicate: 'city', value: 'Berlin' })
      const note = await made('note', { content: 'The key lies under the mat' })
      const belief = await made('belief', {
        statement: 'Trains are on time',
        because: 'I was there',
      })
      const stack = await server.open()
      for (const [name, body, ref] of [
        ['retract', { ref: claim }, claim],
        ['forget', { ref: note, reason: 'no longer needed' }, note],
        ['supersede', { ref: belief, statement: 'Trains are always late' }, belief],
      ] as const) {
        const { status, json } = await ask(name, body, low)
        expect([name, status, json]).toMatchObject([
          name,
          200,
          { changed: false, reason: 'proposed' },
        ])
        expect((await memoryOf(stack, parseRef(ref))).review).toBe('proposal')
      }
      expect((await stack.claims.ask({ subject: 'user', predicate: 'city' })).value).toBe('Berlin')
      expect((await memoryOf(stack, parseRef(note))).strength).toBe(1)
      const contested: unknown[] = []
      for (let number = 0; number < 200; number += 1) {
        const line = { subject: `person ${number}`, predicate: 'city' }
        await ask('claim', { ...line, value: 'Berlin' }, person)
        await ask('claim', { ...line, value: 'Paris' }, low)
        const { standing, value, beside } = await stack.claims.ask(line)
        if (standing !== 'held' || value !== 'Berlin') contested.push(number)
        expect(beside.map((each) => [each.value, each.claims[0]?.tier])).toEqual([['Paris', 0]])
      }
      expect(contested).toEqual([])
      expect(await stack.review.list({ kinds: ['contest'] })).toEqual([])
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
    120_000,
  )
})

describe('a claim of a lower tier', () => {
  holds(
    ['FIREWALL-AUTHORITY', 'P-43'],
    'leaves what a person said held, and ask and review show the disagreement with its tier',
    async () => {
      const { stack } = await freshStack()
      const line = { subject: 'user', predicate: 'city' }
      await stack.claims.remember('user', 'city', 'Berlin', WHO['person at the cli'])
      const said = await stack.claims.remember('user', 'city', 'Paris', WHO.host)
      expect(said).toMatchObject({
        disposition: 'PendingConflict',
        reasons: ['higher_tier_disagrees'],
      })
      const answer = await stack.claims.ask(line)
      expect(answer).toMatchObject({ standing: 'held', value: 'Berlin', evidence: 1 })
      expect(answer.beside).toMatchObject([{ value: 'Paris', claims: [{ tier: 2 }] }])
      const ref = parseRef(String(said.claimRef))
      const waiting = await stack.review.list()
      expect(waiting.map((item) => [item.kind, item.ref, item.memory.tier])).toEqual([
        ['contest', ref, 2],
      ])
      // A person settles it either way.
      expect(await stack.review.resolve(ref, 'affirm', WHO['person at the cli'])).toBe(true)
      expect(await stack.claims.ask(line)).toMatchObject({ standing: 'held', value: 'Paris' })
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )
})
