import { hash } from 'node:crypto'
import { isMembers } from './event.ts'

const LOOKED_AT_MAX = 200_000 // characters of each text
const PHRASE_WORDS = 6
const HASH_CHARS = 12
const DEPTH_MAX = 8

/** Text from the file before the call; the model repeats the text only to find the place. */
const FOUND_BEFORE: ReadonlySet<string> = new Set(['old_string', 'oldString'])

/** Every text in a tool's input, at any depth. */
export function textsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value]
  if (depth > DEPTH_MAX) return []
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, depth + 1))
  if (!isMembers(value)) return []
  return Object.entries(value).flatMap(([name, item]) =>
    FOUND_BEFORE.has(name) ? [] : textsIn(item, depth + 1),
  )
}

/** `printf 'a\\nb'` prints two lines. */
export const unescaped = (text: string): string =>
  text
    .slice(0, LOOKED_AT_MAX)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\\[nrt]/g, ' ')

/** Hashed runs of six words: enough to recognise words, without keeping a copy. */
export function phrasesOf(text: string): ReadonlySet<string> {
  const words = unescaped(text).match(/[\p{L}\p{N}]+/gu) ?? []
  const phrases = new Set<string>()
  for (let at = 0; at + PHRASE_WORDS <= words.length; at += 1) {
    const phrase = words.slice(at, at + PHRASE_WORDS).join(' ')
    phrases.add(hash('sha256', phrase).slice(0, HASH_CHARS))
  }
  return phrases
}

export function sharesOne(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const each of some) if (others.has(each)) return true
  return false
}
