import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KnownPrints } from './known-prints.ts'
import { likest } from './likeness.ts'
import { printOf } from './print.ts'

const WORDS =
  'harbour ship crane sailor rope anchor lighthouse ferry captain barrel deck not'.split(' ')
const texts = fc.array(
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 9 }).map((said) => said.join(' ')),
  { minLength: 1, maxLength: 30 },
)

const known = (text: string, at: number) => ({ ref: `note:${at}`, print: printOf(text) })
const refsOf = (known: readonly { readonly ref: string }[]) => known.map(({ ref }) => ref)

describe('known prints', () => {
  test('near a text hold all that a comparison with every print finds', () => {
    fc.assert(
      fc.property(texts, texts, (before, said) => {
        const all = before.map(known)
        const prints = new KnownPrints(100, all)
        for (const text of said) {
          const print = printOf(text)
          expect(likest(print, prints.near(print), 8)).toEqual(likest(print, all, 8))
        }
      }),
    )
  })

  test('are the latest, and a print that is served again is the latest', () => {
    const prints = new KnownPrints(3, ['one ship', 'two ships', 'three boats'].map(known))
    prints.add(known('one ship', 0))
    prints.add(known('four oars', 3))
    expect(refsOf(prints.all())).toEqual(['note:2', 'note:0', 'note:3'])
    expect(refsOf(prints.near(printOf('two ships')))).not.toContain('note:1')
  })

  test('stay the latest over many more than are kept', () => {
    const prints = new KnownPrints(4, [known('harbour', 99)])
    for (let at = 0; at < 50; at += 1) prints.add(known(`harbour ${WORDS[at % 9]} ${at}`, at))
    expect(refsOf(prints.all())).toEqual(['note:46', 'note:47', 'note:48', 'note:49'])
    expect(refsOf(prints.near(printOf('harbour')))).toEqual(refsOf(prints.all()))
  })
})
