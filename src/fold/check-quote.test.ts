import { describe, expect, test } from 'vitest'
import { hedgeDropped } from './check-quote.ts'

const from = (...texts: readonly string[]) => texts.map((text, of) => ({ of, text }))

describe('a hedge that was dropped', () => {
  test.each([
    ['The user is vegetarian', 'The user might be vegetarian', 2],
    ['The user is vegetarian', 'Perhaps the user is vegetarian. He likes tea.', 2],
    ['The user is vegetarian', 'I think the user is vegetarian', 1],
    ['Ann moved to Paris', 'She said: Ann may have moved to Paris', 2],
    ['Ann moved to Paris', 'Ann probably moved to Paris', 1],
    ['Ann moved to Paris', 'It is not certain that Ann moved to Paris', 2],
    ['Ann moved to Paris', 'There is no doubt that Ann moved to Paris', null],
    ['Ann moved to Paris', 'Did Ann move to Paris?', 2],
    ['Ann moved to Paris', 'Ann moved to Paris. Bob might come too.', null],
    ['Bob plays chess', 'Ann might move to Paris', null],
    ['Ann might have moved to Paris', 'Ann may have moved to Paris', null],
    ['Ann probably moved to Paris', 'Ann may have moved to Paris', 2],
    ['', 'Ann may have moved to Paris', null],
  ] as const)('“%s” after “%s” loses to %s', (said, source, hedging) => {
    const found = hedgeDropped({ text: said }, from(source))
    expect(found?.source ?? null).toBe(hedging)
  })

  test('one ground that says it for sure is enough', () => {
    const said = { text: 'Ann moved to Paris' }
    const open = 'Ann might have moved to Paris'
    expect(hedgeDropped(said, from(open))).toEqual({ of: 0, said: 0, source: 2 })
    expect(hedgeDropped(said, from(open, 'Yes, Ann moved to Paris'))).toBeNull()
    expect(hedgeDropped(said, from('Bob plays chess', open))?.of).toBe(1)
  })

  test('a claim is held against the sentences that name its value', () => {
    const claim = (value: string) => ({ text: `user city ${value}`, value })
    const told = 'I might move to New York. I live in Berlin.'
    expect(hedgeDropped(claim('New York'), from(told))?.source).toBe(2)
    expect(hedgeDropped(claim('Berlin'), from(told))).toBeNull()
    expect(hedgeDropped(claim('Rome'), from(told))).toBeNull()
  })

  test('of several sentences the worst loss is told', () => {
    const said = { text: 'Ann moved to Paris. Bob plays chess.' }
    const found = hedgeDropped(said, from('Ann probably moved to Paris', 'Bob might play chess'))
    expect(found).toEqual({ of: 1, said: 0, source: 2 })
  })
})
