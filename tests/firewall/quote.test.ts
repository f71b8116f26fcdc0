import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import { label } from '../../src/domain/labels.ts'
import { sentencesOf } from '../../src/domain/words/sentence-words.ts'
import { checkQuote } from '../../src/fold/check-quote.ts'
import type { Stack } from '../../src/stack.ts'
import { verifyLedger } from '../ledger/naive-verifier.ts'
import { ledgerOf } from '../ledger/vandal.ts'
import { at, entriesOf, freshStack, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'

const SAID = 'Ann told us a lot today. Ann moved to Paris in the month of May. She may stay.'
const SENTENCE = 'Ann moved to Paris in the month of May.'
const LINE = { subject: 'ann', predicate: 'city' }
const model = at('mcp', { session: 'talk' })
const person = { caller: at('cli', { person: true }), actor: 'bob' } as const
/** A quote stands up to first-hand words of its own tier, and to none above. */
const sensor = {
  caller: at('http', { grant: { ExternalFirstHand: 1 } }),
  label: label.firstHand(),
  actor: 'a sensor',
}

/** What a tool met with; its words are nobody's claim yet. */
async function captured(stack: Stack, content = SAID): Promise<Ref> {
  const provenance = saying('ExternalFirstHand')
  return (await stack.write({ kind: 'raw', body: { content }, provenance }, at('lib'))).ref as Ref
}

const claiming = (stack: Stack, value: string, quote: string, derivedFrom: readonly Ref[]) =>
  stack.claims.remember('ann', 'city', value, {
    caller: model,
    actor: 'bot',
    label: { type: 'ModelDerived' },
    quote,
    derivedFrom: [...derivedFrom],
  })

describe('a model that quotes', () => {
  holds(
    'FIREWALL-QUOTE',
    'contests what was said first-hand, and never takes its place',
    async () => {
      const { stack, store } = await freshStack()
      const raw = await captured(stack)
      await stack.claims.remember('ann', 'city', 'Berlin', sensor)
      const claimed = await claiming(stack, 'Paris', SENTENCE, [raw])
      expect(claimed).toMatchObject({
        disposition: 'Contested',
        rule: 'conflict',
        reasons: ['quote_against_first_hand'],
      })
      const start = Buffer.byteLength(SAID.slice(0, SAID.indexOf(SENTENCE)))
      const quote = { of: raw, start, end: start + Buffer.byteLength(SENTENCE) }
      expect(entriesOf(store, stack).at(-1)?.decision.facts.quote).toEqual(quote)
      const memory = await stack.getMemory('claim', String(claimed.claimRef).slice('claim:'.length))
      expect(memory?.provenance.quote).toEqual(quote)
      const answer = await stack.claims.ask(LINE)
      expect(answer.standing).toBe('contested')
      expect(answer.values.map(({ value, evidence }) => [value, evidence])).toEqual([
        ['Berlin', 1],
        ['Paris', 0],
      ])
      // A person settles it, at either side.
      expect(await stack.review.list()).toMatchObject([{ kind: 'contest', ref: claimed.claimRef }])
      await stack.claims.adjudicate(String(claimed.claimRef), { verdict: 'deny', ...person })
      expect(await stack.claims.ask(LINE)).toMatchObject({ standing: 'held' })
      expect((await stack.ledger.audit()).problems).toEqual([])
      expect(verifyLedger(ledgerOf(store.rows(stack.stackId)))).toEqual([])
    },
  )

  holds('FIREWALL-QUOTE', 'alone on its line is a model’s word, and no more', async () => {
    const { stack } = await freshStack()
    const raw = await captured(stack)
    const claimed = await claiming(stack, 'Paris', SENTENCE, [raw])
    expect(claimed).toMatchObject({ disposition: 'CommittedInferred', rule: 'admit' })
    expect((await stack.claims.ask(LINE)).values.map(({ evidence }) => evidence)).toEqual([0])
    await stack.claims.remember('ann', 'city', 'Berlin', sensor)
    expect((await stack.claims.ask(LINE)).standing).toBe('contested')
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test.each([
    ['quote_not_found', 'Ann moved to Rome in the month of May.', 'Paris', SAID],
    ['quote_partial', 'moved to Paris in the month', 'Paris', SAID],
    ['quote_too_short', 'To Paris.', 'Paris', 'Where to? To Paris.'],
    ['quote_without_value', SENTENCE, 'Rome', SAID],
    [
      'quote_denied',
      'Ann never moved to Paris in May.',
      'Paris',
      'Ann never moved to Paris in May.',
    ],
    [
      'quote_hedged',
      'Ann maybe moved to Paris in May.',
      'Paris',
      'Ann maybe moved to Paris in May.',
    ],
  ])('is told %s, and kept without it', async (code, quote, value, said) => {
    const { stack } = await freshStack()
    const raw = await captured(stack, said)
    await stack.claims.remember('ann', 'city', 'Berlin', person)
    const claimed = await claiming(stack, value, quote, [raw])
    expect(claimed.disposition).toBe('CommittedInferred')
    expect(claimed.reasons).toContain(code)
    expect(claimed.message).toContain('without its quote')
    expect(await stack.claims.ask(LINE)).toMatchObject({ standing: 'held' })
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  holds(
    'FIREWALL-QUOTE',
    'never quotes what was captured for itself, nor another model',
    async () => {
      const { stack } = await freshStack()
      const provenance = { ...saying('ModelDerived'), sourceId: 'bot' }
      const captures = [{ kind: 'raw', body: 'own words' }] as const
      const said = { kind: 'note', body: { content: SENTENCE }, provenance, captures } as const
      const own = await stack.write(said, model)
      const claimed = await claiming(stack, 'Paris', SENTENCE, [own.ref as Ref])
      expect(claimed.reasons).toContain('quote_source')
      const first = { ...provenance, ...saying('ExternalFirstHand'), sourceId: 'bot' }
      const tool = await stack.write(
        { ...said, body: { content: `${SENTENCE} So.` }, provenance: first },
        at('lib'),
      )
      const mine = await claiming(stack, 'the month of May', SENTENCE, tool.captures)
      expect(mine.reasons).toContain('quote_source')
    },
  )
})

const word = fc.constantFrom(
  'Ann',
  'moved',
  'Paris',
  'May',
  'deploys',
  'failed',
  'not',
  'maybe',
  'train',
)
const sentence = fc
  .array(word, { minLength: 1, maxLength: 8 })
  .map((words) => `${words.join(' ')}.`)

holds('FIREWALL-QUOTE', 'whatever passes is whole, said as surely, and says the value', () => {
  fc.assert(
    fc.property(
      fc.array(sentence, { minLength: 1, maxLength: 4 }),
      fc.nat(40),
      fc.nat(40),
      word,
      (sentences, from, length, value) => {
        const source = sentences.join(' ')
        const quote = source.slice(from % source.length, (from % source.length) + length)
        const found = checkQuote(quote, source, { type: 'value', value })
        if (typeof found === 'string') return
        const words = source.slice(found.start, found.end)
        expect(words).toBe(quote.trim())
        const whole = sentencesOf(source)
        expect(whole.some(({ start }) => start === found.start)).toBe(true)
        expect(words.toLowerCase()).toContain(value.toLowerCase())
        expect(/\bnot\b/.test(words)).toBe(value === 'not')
        expect(/\bmaybe\b/.test(words) && value !== 'maybe').toBe(false)
      },
    ),
    { numRuns: 2_000 },
  )
})
