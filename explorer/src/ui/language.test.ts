import { describe, expect, test } from 'vitest'
import { languageTag, mendLanguage } from './language.ts'

describe('the language of the browser', () => {
  test('is English where its tag is none that Intl takes', () => {
    for (const tag of ['en-US@posix', 'C', 'de_DE', '']) {
      expect(() => new Intl.NumberFormat(languageTag(tag)), tag).not.toThrow()
    }
    expect(languageTag('en-US@posix')).toBe('en')
    expect(languageTag('de-AT')).toBe('de-AT')
  })

  test('is mended where it is read, also when it is inherited, and left alone when it is sound', () => {
    const inherited: { readonly language: string } = Object.create({
      get language() {
        return 'en-US@posix'
      },
    })
    mendLanguage(inherited)
    expect(inherited.language).toBe('en')
    const sound = { language: 'de-AT' }
    mendLanguage(sound)
    expect(sound).toEqual({ language: 'de-AT' })
  })
})
