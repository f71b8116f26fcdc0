import { describe, expect, test } from 'vitest'
import { splitPrompt, withoutPastedLines } from './pasted-text.ts'

describe('a prompt that a person typed alone', () => {
  test.each([
    'who wrote the novel about the white whale: the answer is Herman Melville.',
    'Release 4.2 ships on 14 March.',
    'Two things: I am allergic to sesame, and my flight leaves at 6.',
    'Rename foo to bar.\nKeep the old name as an alias for one release.\nUpdate the docs.',
    'Why is the build slow?\nIt takes 9 minutes since Tuesday. Nothing changed except node.',
    'Write a mail to the landlord.\n\nThe boiler is broken since Monday. Friendly but firm.',
    'Hi Claude,\n\nplease add a dark theme. The colours are in design/tokens.json.',
    'The deploy is done.\nWhat is next?',
  ])('is not split: %j', (prompt) => {
    expect(splitPrompt(prompt)).toEqual({ own: prompt, pasted: null })
  })
})

describe('a text beside a line that speaks of the text', () => {
  const TEXT = 'The tap water is safe again. Nobody has to boil it. The ban ends on Monday.'

  test.each([
    ['Is this article accurate?', ''],
    ['Please extract the dates', ''],
    ['Got an SMS:', 'scam?'],
    ['Fact-check:', ''],
    ['The doctor gave me this leaflet', 'Can I drive?'],
    ['', 'Can you translate that into Danish?'],
  ])('is pasted: %j … %j', (before, after) => {
    const filler = 'Offices were closed for two days, and schools used bottled water.'
    const pasted = `${TEXT} ${filler}`
    const split = splitPrompt([before, pasted, after].filter((part) => part !== '').join('\n'))
    expect(split.pasted).toBe(pasted)
    expect(split.own).toContain(before)
    expect(split.own).toContain(after)
  })

  test('is pasted to its end, whoever speaks in it', () => {
    const mail = 'From: Carla <carla@example.org>\nSubject: Move\n\nI live in Turin now.'
    expect(splitPrompt(mail).own).toBe('')
    expect(splitPrompt(`${mail}\n\nWhat should I answer?`).own).toContain('What should I answer?')
    const chat =
      'Who is right?\nmaria 10:02 AM\nThe key rotates.\nboris 10:05 AM\nI keep it at home.'
    expect(splitPrompt(chat).own).not.toContain('I keep it')
  })
})

test('pasted lines become blanks, and positions stay', () => {
  const text = 'Is this right?\r\n> I live in Turin.\r\nI live in Lund.'
  const own = withoutPastedLines(text)
  expect(own).toHaveLength(text.length)
  expect(own.indexOf('I live in Lund.')).toBe(text.indexOf('I live in Lund.'))
  expect(own).not.toContain('Turin')
})
