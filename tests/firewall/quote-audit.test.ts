import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/domain/entry.ts'
import type { Hash, Ref } from '../../src/domain/ids.ts'
import { HEDGE_LEXICON } from '../../src/domain/words/lexicons.ts'
import { STATEMENT_RULES } from '../../src/domain/words/stating-sentence.ts'
import { checkQuotes, noteQuote } from '../../src/engine/audit/content.ts'
import type { Progress, ToRead } from '../../src/engine/audit/progress.ts'
import { checkQuote } from '../../src/fold/check-quote.ts'
import type { Sealed } from '../../src/fold/fold-memory.ts'
import { contentHash } from '../../src/ledger/ledger.ts'
import { at, freshStack, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { testSha256 } from '../support/world.ts'

const HEDGED = 'Ann maybe moved to Paris in May.'
const FIRM = 'Ann works for Acme in Lyon now.'
const SAID = `${HEDGED} ${FIRM}`
const OURS = contentHash(testSha256, HEDGE_LEXICON)
const CLAIM = 'claim:01980000-0000-7000-8000-000000000001' as Ref // of no memory
const OTHERS = 'e'.repeat(64) as Hash // of some list that is not here

/** What an audit finds in one quote of what was said, judged by a list of words for doubt. */
async function foundIn(words: string, value: string, hedges: Hash | undefined) {
  const { stack, store } = await freshStack()
  const provenance = saying('ExternalFirstHand')
  const raw = { kind: 'raw', body: { content: SAID }, provenance } as const
  const { ref, entry } = await stack.write(raw, at('lib'))
  const start = SAID.indexOf(words)
  const toRead: ToRead = {
    seq: entry.seq + 1,
    ref: CLAIM,
    quote: { of: ref as Ref, start, end: start + words.length },
    quoted: { type: 'value', value },
    lifted: null,
    hedges,
    sourceSeq: entry.seq,
  }
  const progress = { quotes: [toRead], sha256: testSha256, problems: [] as object[] }
  // Of all that an audit knows, reading a quote needs this.
  await checkQuotes(progress as unknown as Progress, { store, stackId: stack.stackId })
  return progress.problems.length
}

describe('a quote that is read again', () => {
  test.each([
    ['a hedge is found by the list that it was judged by', HEDGED, 'Paris', OURS, 1],
    ['a hedge cannot be judged by a list that is not here', HEDGED, 'Paris', OTHERS, 0],
    ['nor where the policy named no list', HEDGED, 'Paris', undefined, 0],
    ['what is whole and firm passes by our list', FIRM, 'Lyon', OURS, 0],
    ['and by any other', FIRM, 'Lyon', OTHERS, 0],
    ['another value is found under every list', FIRM, 'Paris', OTHERS, 1],
    ['half a sentence is found under every list', 'works for Acme in Lyon', 'Lyon', OTHERS, 1],
    ['a denial is found under every list', FIRM, 'never in Lyon', OTHERS, 1],
  ])('%s', async (_, words, value, hedges, problems) => {
    expect(await foundIn(words, value, hedges)).toBe(problems)
  })

  holds(
    ['FIREWALL-QUOTE', 'LEDGER-POLICY'],
    'is held to the list that the policy in force named when it was written',
    () => {
      const of = 'raw:01980000-0000-7000-8000-000000000002' as Ref // of no memory
      const policies = new Map(
        [OURS, OTHERS].map((hedges) => [hedges, { lexicons: { hedges } }] as const),
      )
      const listFor = (policyHash: Hash | null) => {
        const quotes: ToRead[] = []
        const memories = new Map([[of, { revisionSeq: 3 }]])
        const progress = { stack: { policyHash }, policies, memories, quotes }
        const quote = { of, start: 0, end: 5 }
        const sealed = { body: { value: 'Lyon' }, provenance: { quote } }
        // Of an audit, an entry and what it sealed, noting a quote reads this.
        noteQuote(
          progress as unknown as Progress,
          { seq: 9, ref: CLAIM, decision: { facts: {} } } as unknown as Entry,
          sealed as unknown as Sealed,
        )
        return quotes.map(({ hedges, sourceSeq }) => [hedges, sourceSeq])
      }
      expect(listFor(OURS)).toEqual([[OURS, 3]])
      expect(listFor(OTHERS)).toEqual([[OTHERS, 3]])
      expect(listFor(null)).toEqual([[undefined, 3]])
    },
  )

  holds('FIREWALL-QUOTE', 'is taken for stated where other rules for statements judged it', () => {
    const said = 'I am in Rome with Ann.'
    const written = { type: 'claim', subject: 'user', predicate: 'city', value: 'Rome' } as const
    const quoted = { type: 'value', value: 'Rome', written } as const
    expect(checkQuote(said, said, quoted)).toBe('quote_too_short')
    const byOthers = { ...quoted, isByOtherRules: true } as const
    expect(checkQuote(said, said, byOthers)).toEqual({ start: 0, end: said.length })
    expect(checkQuote(said, said, { ...byOthers, value: 'Oslo' })).toBe('quote_too_short')
    const of = 'raw:01980000-0000-7000-8000-000000000002' as Ref // of no memory
    const judgedBy = (statements: Hash | undefined) => {
      const quotes: ToRead[] = []
      const policies = new Map([[OURS, { lexicons: { statements } }]])
      const memories = new Map([[of, { revisionSeq: 3 }]])
      const stack = { policyHash: OURS }
      const progress = { stack, policies, memories, quotes, sha256: testSha256 }
      const quote = { of, start: 0, end: said.length }
      noteQuote(
        progress as unknown as Progress,
        { seq: 9, ref: CLAIM, decision: { facts: { lift: {} } } } as unknown as Entry,
        { body: { ...written }, provenance: { quote } } as unknown as Sealed,
      )
      return quotes.map((each) => [each.quoted.isByOtherRules === true, each.lifted !== null])
    }
    expect(judgedBy(contentHash(testSha256, STATEMENT_RULES))).toEqual([[false, true]])
    expect(judgedBy(OTHERS)).toEqual([[true, false]])
    expect(judgedBy(undefined)).toEqual([[false, false]])
  })
})
