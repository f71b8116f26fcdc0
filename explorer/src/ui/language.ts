/** What `Intl` takes of a tag that a browser names: `en-US@posix`, of a bare locale, is none. */
export function languageTag(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

/** The chart hands the browser's tag to `Intl` as it is loaded, which fails on one that is none. */
export function mendLanguage(navigator: { readonly language: string }): void {
  const mended = languageTag(navigator.language)
  if (mended === navigator.language) return
  Object.defineProperty(navigator, 'language', { value: mended, configurable: true })
}
