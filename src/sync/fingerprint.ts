import { type Sha256, utf8 } from '../ledger/sha256.ts'

const CONSONANTS = 'bdfghjklmnprstvz'
const VOWELS = 'aiou'
const WORDS = 6 // 96 bits: nobody makes a second key with these words

/** A word for 16 bits: consonant, vowel, consonant, vowel, consonant. */
const wordFor = (bits: number): string =>
  [
    CONSONANTS[(bits >> 12) & 15],
    VOWELS[(bits >> 10) & 3],
    CONSONANTS[(bits >> 6) & 15],
    VOWELS[(bits >> 4) & 3],
    CONSONANTS[bits & 15],
  ].join('')

/** The key of a replica as words that two people can compare aloud. */
export function keyWords(sha256: Sha256, key: string): string {
  const digest = sha256(utf8(`muniment/sync-key/1\n${key}`))
  const words = Array.from({ length: WORDS }, (_, at) =>
    wordFor(Number.parseInt(digest.slice(at * 4, at * 4 + 4), 16)),
  )
  return words.join('-')
}
