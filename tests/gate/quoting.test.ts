import fc from 'fast-check'
import { expect } from 'vitest'
import { checkQuote } from '../../src/fold/check-quote.ts'
import { holds } from '../support/holds.ts'
import { placeOfQuote } from './reference/quoting.ts'
import { runs } from './runs.ts'

const word = fc.constantFrom(
  ...['Kim', 'moved', 'to', 'Paris', 'Zürich', 'the', 'train', '2', '12'],
  ...['not', 'never', 'maybe', 'probably', 'might', 'rain', 'garden'],
)
const words = (maxLength: number) =>
  fc.array(word, { minLength: 1, maxLength }).map((all) => all.join(' '))
const ended = fc.tuple(words(7), fc.constantFrom('.', '.', '.', '!', '?', '...'))
const account = fc
  .array(ended, { minLength: 1, maxLength: 4 })
  .chain((all) =>
    fc.constantFrom(' ', '\n', '  ').map((gap) => all.map((it) => it.join('')).join(gap)),
  )
const quotedFor = fc.oneof(
  words(2).map((value) => ({ value })),
  words(7).map((statement) => ({ statement })),
)
/** Where a quote is cut: at any letter, or where sentences begin and end. */
const cut = fc.record({ from: fc.nat(60), to: fc.nat(60), isWhole: fc.boolean() })

const edgesOf = (text: string): readonly number[] => [
  0,
  text.length,
  ...[...text.matchAll(/[.!?]+\s+/gu)].flatMap(({ index, 0: gap }) => [
    index,
    index + gap.trimEnd().length,
    index + gap.length,
  ]),
]

holds(
  'FIREWALL-QUOTE',
  'a quote stands where its reference finds it, and is nothing for the same reason',
  () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(account, cut, quotedFor, (source, { from, to, isWhole }, asked) => {
        const edges = isWhole ? edgesOf(source) : [...source].map((_, at) => at)
        const [a = 0, b = 0] = [from, to].map((at) => edges[at % edges.length])
        const quote = source.slice(Math.min(a, b), Math.max(a, b))
        const given =
          'value' in asked
            ? ({ type: 'value', ...asked } as const)
            : ({ type: 'statement', ...asked } as const)
        const found = checkQuote(quote, source, given)
        expect(found).toEqual(placeOfQuote(quote, source, asked))
        seen.add(typeof found === 'string' ? found : 'found')
      }),
      runs(20_000),
    )
    expect([...seen].sort()).toEqual([
      'found',
      'quote_denied',
      'quote_hedged',
      'quote_not_found',
      'quote_partial',
      'quote_too_short',
      'quote_without_value',
    ])
  },
)
