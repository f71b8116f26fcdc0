/** The words of a content that holds nothing but words; null for every other content. */
export function wordsOf(content: unknown): string | null {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return null
  const texts = content.map((part: unknown) => (Object(part) as { readonly text?: unknown }).text)
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : null
}

/** True where a part of the content has the field. */
export const hasField = (content: readonly unknown[], field: string): boolean =>
  content.some((part) => Object.hasOwn(Object(part), field))
