import { describe, expect, test } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import { splitRef } from '../../src/domain/ids.ts'
import { label } from '../../src/domain/labels.ts'
import type { Stack } from '../../src/stack.ts'
import type { MemoryStore } from '../../src/stores/memory/store.ts'
import { verifyLedger } from '../ledger/naive-verifier.ts'
import { ledgerOf } from '../ledger/vandal.ts'
import { at, entriesOf, freshStack, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { FRESH_SHORTENED_QUOTES } from './suite/sets/fresh-quotes.ts'
import { DROPPED_RESTRICTIONS, LEFT_OUT, WHOLE_BELIEFS } from './support/left-out-cases.ts'
import { MORE_FALSE_LIFTS, MORE_HONEST } from './support/more-quote-cases.ts'
import { FIRST_FALSE_LIFTS, FIRST_HONEST } from './support/quote-cases.ts'
import { FALSE_LIFTS, type QuoteCase } from './support/quote-rows.ts'
import { SECOND_FALSE_LIFTS, SECOND_HONEST } from './support/second-quote-cases.ts'
import { THIRD_FALSE_LIFTS, THIRD_HONEST } from './support/third-quote-cases.ts'

const model = at('mcp', { session: 'talk' })
const person = { caller: at('cli', { person: true }), actor: 'ann' } as const
const acting = { for: 'act' } as const

type From = { readonly label: 'UserAsserted' | 'ExternalFirstHand'; readonly tier?: 1 | 2 | 3 }

/** Words of a person, or of a tool, captured as they were said. */
async function captured(stack: Stack, content: string, from: From = { label: 'UserAsserted' }) {
  const more = from.tier === undefined ? {} : { trustTier: from.tier }
  const provenance = saying(from.label, { sourceId: 'ann', ...more })
  const { ref } = await stack.write({ kind: 'raw', body: { content }, provenance }, at('lib'))
  return ref as Ref
}

/** The same as a note of the person: a belief cites no raw capture. */
async function noted(stack: Stack, content: string): Promise<Ref> {
  const derivedFrom = [await captured(stack, 'Somebody typed something.')]
  const provenance = saying('UserAsserted', { sourceId: 'ann', derivedFrom })
  const { ref } = await stack.write({ kind: 'note', body: { content }, provenance }, at('lib'))
  return ref as Ref
}

interface Quoting {
  readonly memory: QuoteCase['memory']
  readonly quote?: string
  readonly from: readonly Ref[]
}

/** A model keeps a memory that cites something, with a quote or without one. */
async function written(stack: Stack, { memory, quote, from }: Quoting) {
  const quoted = quote === undefined ? {} : { quote }
  const derivedFrom = [...from]
  if (typeof memory !== 'string') {
    const by = { caller: model, actor: 'bot', label: label.modelDerived() }
    const [subject, predicate, value] = memory
    const { claimRef, ...rest } = await stack.claims.remember(subject, predicate, value, {
      ...by,
      ...quoted,
      derivedFrom,
    })
    return { ...rest, ref: claimRef as Ref }
  }
  const provenance = { ...saying('ModelDerived', { sourceId: 'bot', derivedFrom }), ...quoted }
  const body = { statement: memory }
  const result = await stack.write({ kind: 'belief', body, provenance }, model)
  return { ...result, ref: result.ref as Ref }
}

const tierIn = async (stack: Stack, ref: Ref): Promise<number | undefined> => {
  const { kind, id } = splitRef(ref)
  return (await stack.getMemory(kind, id))?.tier
}

async function expectSound(stack: Stack, store: MemoryStore): Promise<void> {
  expect((await stack.ledger.audit()).problems).toEqual([])
  expect(verifyLedger(ledgerOf(store.rows(stack.stackId)))).toEqual([])
}

/** Rows of a set that a quote lifts to a tier by which a model may act. */
async function liftedIn(cases: readonly QuoteCase[]): Promise<readonly QuoteCase[]> {
  const lifted: QuoteCase[] = []
  for (const each of cases) {
    const { stack } = await freshStack()
    const { memory, said, quote = said } = each
    const source = await (typeof memory === 'string' ? noted : captured)(stack, said)
    const { tier } = await written(stack, { memory, quote, from: [source] })
    if ((tier ?? 0) >= 2) lifted.push(each)
  }
  return lifted
}

describe.each([
  ['first set', { falseLifts: FIRST_FALSE_LIFTS, honest: FIRST_HONEST }],
  ['first set, other half', { falseLifts: MORE_FALSE_LIFTS, honest: MORE_HONEST }],
  ['second set', { falseLifts: SECOND_FALSE_LIFTS, honest: SECOND_HONEST }],
  ['third set', { falseLifts: THIRD_FALSE_LIFTS, honest: THIRD_HONEST }],
] as const)('a quote that lifts, %s', (_, { falseLifts, honest }) => {
  test('at most 1 in 100 false quotes lifts', async () => {
    const counts = FALSE_LIFTS.map((why) => falseLifts.filter((each) => each.why === why).length)
    expect(new Set(counts)).toEqual(new Set([falseLifts.length / FALSE_LIFTS.length]))
    const lifted = await liftedIn(falseLifts)
    const shown = lifted.map(({ why, said }) => `${why}: ${said}`).join('\n')
    expect(lifted.length, shown).toBeLessThanOrEqual(falseLifts.length / 100)
  })

  test('at most 1 in 10 honest quotes is withheld', async () => {
    const lifted = new Set(await liftedIn(honest))
    const withheld = honest.filter((each) => !lifted.has(each))
    const shown = withheld.map(({ said }) => said).join('\n')
    expect(withheld.length, shown).toBeLessThanOrEqual(honest.length / 10)
  })
})

const SHORTENED = FRESH_SHORTENED_QUOTES.map(
  ({ said, subject, predicate, value }): QuoteCase => ({
    ...{ why: 'leaves words out', said, memory: [subject, predicate, value] },
  }),
)

describe('a quote of which words are left out', () => {
  test.each([
    ['a belief', DROPPED_RESTRICTIONS],
    ['a claim', LEFT_OUT],
    ['a claim of the fresh set', SHORTENED],
  ])('lifts nothing, for %s', async (_, cases) => {
    const lifted = await liftedIn(cases)
    expect(lifted.map(({ said }) => said)).toEqual([])
  })

  test('lifts a belief that leaves nothing out', async () => {
    expect(await liftedIn(WHOLE_BELIEFS)).toEqual(WHOLE_BELIEFS)
  })
})

const SAID = 'I live in Lisbon now.'
const CLAIM = ['user', 'lives_in', 'Lisbon'] as const
const LINE = { subject: 'user', predicate: 'lives_in' }

describe('a checked quote', () => {
  holds('FIREWALL-QUOTE', 'lifts a model’s claim to tier 2, and act is served', async () => {
    const { stack, store } = await freshStack()
    const raw = await captured(stack, SAID)
    const claimed = await written(stack, { memory: CLAIM, quote: SAID, from: [raw] })
    expect(claimed).toMatchObject({ tier: 2, disposition: 'CommittedInferred' })
    const { facts } = entriesOf(store, stack).at(-1)?.decision ?? {}
    expect(facts).toMatchObject({ lift: { from: 1, to: 2 }, quote: { of: raw } })
    expect(await stack.claims.ask({ ...LINE, ...acting })).toMatchObject({
      standing: 'held',
      value: 'Lisbon',
      evidence: 0,
    })
    const memory = await stack.getMemory('claim', splitRef(claimed.ref).id)
    expect(memory?.provenance.label).toEqual({ type: 'ModelDerived' })
    await expectSound(stack, store)
  })

  holds(
    'FIREWALL-QUOTE',
    'must be given: the same words in the source alone lift nothing',
    async () => {
      const { stack } = await freshStack()
      const raw = await captured(stack, SAID)
      expect(await written(stack, { memory: CLAIM, from: [raw] })).toMatchObject({ tier: 1 })
      expect(await stack.claims.ask({ ...LINE, ...acting })).toMatchObject({
        withheld: { count: 1 },
      })
    },
  )

  test.each([
    [2, { label: 'ExternalFirstHand' }], // what the host or an allow-listed tool vouches for
    [1, { label: 'ExternalFirstHand', tier: 1 }],
    [1, { label: 'UserAsserted', tier: 1 }], // pasted by a person
    [2, { label: 'UserAsserted', tier: 2 }],
  ] as const)('lifts to tier %i from a source of %o', async (tier, from) => {
    const { stack, store } = await freshStack()
    const raw = await captured(stack, SAID, from)
    expect(await written(stack, { memory: CLAIM, quote: SAID, from: [raw] })).toMatchObject({
      tier,
    })
    await expectSound(stack, store)
  })

  holds(
    'FIREWALL-QUOTE',
    'stands above other sources of the claim, and above no assessment',
    async () => {
      const { stack, store } = await freshStack()
      const raw = await captured(stack, SAID)
      const page = await captured(stack, 'A page about Portugal.', {
        label: 'ExternalFirstHand',
        tier: 1,
      })
      const from = [page, raw]
      expect(await written(stack, { memory: CLAIM, quote: SAID, from })).toMatchObject({ tier: 2 })
      await stack.saveTrustAssessment({ entityId: 'bot', dimensions: { general: { score: 0.4 } } })
      const memory = ['user', 'home', 'Lisbon'] as const
      expect(await written(stack, { memory, quote: SAID, from })).toMatchObject({ tier: 1 })
      await expectSound(stack, store)
    },
  )

  holds(
    'FIREWALL-QUOTE',
    'lifts nothing for a caller who may say nothing that counts',
    async () => {
      const { stack } = await freshStack()
      const raw = await captured(stack, SAID)
      const caller = at('http', { grant: { ModelDerived: 0 } })
      const by = { caller, actor: 'bot', label: label.modelDerived(), quote: SAID }
      const [subject, predicate, value] = CLAIM
      const claimed = await stack.claims.remember(subject, predicate, value, {
        ...by,
        derivedFrom: [raw],
      })
      expect(claimed.tier).toBe(0)
    },
  )

  test.each([
    ['in the same words', `${SAID} Sorry, that is wrong.`],
    ['in a prompt that is cited too', 'I do not live in Lisbon any more.'],
  ])('lifts nothing where the person took the sentence back %s', async (where, later) => {
    const { stack } = await freshStack()
    const isSame = where === 'in the same words'
    const raw = await captured(stack, isSame ? later : SAID)
    const from = isSame ? [raw] : [raw, await captured(stack, later)]
    expect(await written(stack, { memory: CLAIM, quote: SAID, from })).toMatchObject({ tier: 1 })
  })
})

describe('the lift goes with the quoted memory', () => {
  const lifted = async () => {
    const { stack, store } = await freshStack()
    const raw = await captured(stack, SAID)
    const other = await captured(stack, 'The person asked for flats by the river today.')
    const { ref } = await written(stack, { memory: CLAIM, quote: SAID, from: [raw, other] })
    expect(await tierIn(stack, ref)).toBe(2)
    return { stack, store, raw, other, ref }
  }

  holds('FIREWALL-QUOTE', 'distrusted it lifts nothing, and trusted again it lifts', async () => {
    const { stack, store, raw, other, ref } = await lifted()
    await stack.sources.distrust(other, person)
    expect(await tierIn(stack, ref)).toBe(2) // another source lifts nothing
    await stack.sources.distrust(raw, person)
    await stack.sources.trust(other, person)
    expect(await tierIn(stack, ref)).toBe(1)
    expect(await stack.claims.ask({ ...LINE, ...acting })).toMatchObject({ values: [] })
    await expectSound(stack, store)
    await stack.sources.trust(raw, person)
    expect(await tierIn(stack, ref)).toBe(2)
    await expectSound(stack, store)
  })

  holds(
    'FIREWALL-QUOTE',
    'erased it lifts nothing, also after a person looked at the flag',
    async () => {
      const { stack, store, raw, ref } = await lifted()
      await stack.erasure.erase(raw, { basis: 'requested', ...person })
      expect(await tierIn(stack, ref)).toBe(1)
      expect(await stack.review.resolve(ref, 'keep', person)).toBe(true)
      expect(await tierIn(stack, ref)).toBe(1)
      await expectSound(stack, store)
    },
  )

  holds('FIREWALL-QUOTE', 'forgotten it lifts nothing, and recovered it lifts', async () => {
    const { stack, store, raw, ref } = await lifted()
    const { id } = splitRef(raw)
    await stack.forgetMemory('raw', id, 'I said that in anger', person)
    expect(await tierIn(stack, ref)).toBe(1)
    await stack.recoverMemory('raw', id, person)
    expect(await tierIn(stack, ref)).toBe(2)
    await expectSound(stack, store)
  })

  holds('FIREWALL-QUOTE', 'alone it takes the claim along', async () => {
    const { stack, store } = await freshStack()
    const raw = await captured(stack, SAID)
    const { ref } = await written(stack, { memory: CLAIM, quote: SAID, from: [raw] })
    await stack.sources.distrust(raw, person)
    expect(await tierIn(stack, ref)).toBe(0)
    await expectSound(stack, store)
  })
})

describe('a lifted claim is still a model’s', () => {
  holds(
    'FIREWALL-QUOTE',
    'its own model may take it back, and it ends nothing of a person',
    async () => {
      const { stack, store } = await freshStack()
      const raw = await captured(stack, SAID)
      const said = await stack.claims.remember('user', 'lives_in', 'Porto', person)
      const { ref } = await written(stack, { memory: CLAIM, quote: SAID, from: [raw] })
      expect(await stack.claims.ask(LINE)).toMatchObject({ standing: 'held', value: 'Porto' })
      const bot = { caller: model, actor: 'bot', label: label.modelDerived() }
      expect(await stack.claims.retract(String(said.claimRef), bot)).toMatchObject({
        changed: false,
      })
      expect(await stack.claims.retract(ref, bot)).toMatchObject({ changed: true })
      expect(await stack.claims.ask(LINE)).toMatchObject({ standing: 'held', value: 'Porto' })
      await expectSound(stack, store)
    },
  )
})
