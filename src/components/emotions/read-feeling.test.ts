import { describe, expect, it } from 'vitest'
import { EMOTIONS, readFeeling } from './read-feeling.ts'

describe('what a text feels like', () => {
  it('is the mean of the emotions that it names, surer with each of them', () => {
    expect(readFeeling("I'm so happy and excited about this!")).toEqual({
      valence: 0.75,
      arousal: 0.75,
      tags: ['joy', 'excitement'],
      confidence: 0.7,
    })
  })

  it.each(Object.entries(EMOTIONS))('%s alone has its own numbers', (emotion, numbers) => {
    const word = emotion === 'anxiety' ? 'worried' : emotion
    expect(readFeeling(`There was ${word} about`)).toEqual({
      ...numbers,
      tags: [emotion],
      confidence: 0.5,
    })
  })

  it.each([
    'The table was created and the index rebuilt.',
    'The download completed',
    'I made a saddle for the horse',
    'The deployment was unsuccessful',
    'The content was shut down and the sandbox torn down',
    'A kind of cross-check of the madrigal',
    '',
  ])('is nothing where no emotion is named: %s', (text) => {
    expect(readFeeling(text)).toBeNull()
  })
})

describe('negation', () => {
  it.each([
    'not happy at all',
    'I was never happy with it',
    "we weren't really happy",
    'nobody was happy',
    'hardly a happy day',
    'without joy',
  ])('%s is no joy', (text) => {
    const feeling = readFeeling(text)
    expect(feeling?.tags).toEqual([])
    expect(feeling?.valence).toBeLessThan(0)
  })

  it.each(['not angry any more', 'I am no longer afraid', 'she was never sad'])(
    '%s is hardly pleasant, and not unpleasant',
    (text) => {
      const feeling = readFeeling(text)
      expect(feeling?.tags).toEqual([])
      expect(feeling?.valence).toBeGreaterThan(0)
      expect(feeling?.valence).toBeLessThan(0.25)
    },
  )

  it.each([
    'It did not work, but I am happy',
    'It did not work. Happy anyway',
    'not only happy but proud',
    'no doubt happy',
    'I could not be happier',
    'I was never not happy',
  ])('does not reach: %s', (text) => {
    expect(readFeeling(text)?.tags).toContain('joy')
  })
})

describe('degree', () => {
  const valenceOf = (text: string) => readFeeling(text)?.valence ?? 0

  it('more is more and a little is less, within the bounds', () => {
    expect(valenceOf('very disappointed')).toBeCloseTo(-0.625)
    expect(valenceOf('disappointed')).toBeCloseTo(-0.5)
    expect(valenceOf('slightly disappointed')).toBeCloseTo(-0.3)
    expect(valenceOf('a bit disappointed')).toBeCloseTo(-0.3)
    expect(valenceOf('really very truly happy')).toBe(1)
  })

  it('saying it often does not make it more', () => {
    expect(readFeeling('happy happy happy')).toEqual(readFeeling('happy'))
  })
})
