import { expect, test } from 'vitest'
import { asSeen } from '../../src/recall/embed/print.ts'
import { at as door, freshStack } from '../stack/support.ts'
import { holds } from '../support/holds.ts'

const model = door('mcp', { session: 'talk-1' })
const VALUE = 'dark mode and a quiet theme'

/** The same to the eye. */
const DISGUISES: readonly (readonly [name: string, value: string])[] = [
  ['with blanks of no width', VALUE.replaceAll(/(?<=\w)(?=\w)/gu, '\u200b')],
  ['with joiners', VALUE.replaceAll('e', '\u2060e')],
  ['with marks of direction', `\u200f${VALUE}\u200e`],
  ['with Cyrillic letters', VALUE.replaceAll('a', '\u0430').replaceAll('e', '\u0435')],
  ['with Greek letters', VALUE.replaceAll('o', '\u03bf').replaceAll('t', '\u03c4')],
  ['in wide letters', VALUE.replace('dark', '\uff44\uff41\uff52\uff4b')],
]

holds('FIREWALL-ECHO', 'our own words in letters that only look the same are linked', async () => {
  const { stack } = await freshStack()
  const by = { caller: model, actor: 'bot', label: { type: 'ModelDerived' } } as const
  for (const [at, [name, value]] of DISGUISES.entries()) {
    const predicate = `theme ${'uvwxyz'[at]}`
    await stack.claims.remember('user', predicate, VALUE, by)
    expect((await stack.claims.remember('user', predicate, value, by)).reasons, name).toEqual([
      'rewording',
    ])
  }
  // Something else is something else, in any letters.
  const other = await stack.claims.remember('user', 'colour', 'gr\u0435en and gold', by)
  expect(other.reasons).toEqual([])
})

test('words of one script stay as they are', () => {
  for (const text of ['\u0430\u0440\u0435\u043d\u0430', '\u03bd\u03b1\u03b9', 'caf\u00e9'])
    expect(asSeen(text)).toBe(text)
  expect(asSeen('p\u0430ris \u043c\u0438\u0440')).toBe('paris \u043c\u0438\u0440')
})
