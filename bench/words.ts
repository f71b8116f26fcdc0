const SYLLABLES = 'ba de fi go lu ma ne pi ro su ta ve wi zo kra ble fin gor lam mus'.split(' ')
const VOCABULARY = 8_000 // words; people use some thousands

const wordOf = (rank: number): string => {
  let left = rank
  let word = ''
  for (let count = 0; count < 3; count += 1) {
    word += SYLLABLES[left % SYLLABLES.length]
    left = Math.floor(left / SYLLABLES.length)
  }
  return word
}

const WORDS = Array.from({ length: VOCABULARY }, (_, rank) => wordOf(rank))

/** The word of a rank: 0 is the one that is said most. */
export const wordAt = (rank: number): string => WORDS[rank] ?? 'word'

/** Chance that begins anew for every number, so that a run says the same as the last one. */
function diceOf(number: number): () => number {
  let seed = Math.imul(number, 2_654_435_761) >>> 0
  return () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 2 ** 32
  }
}

/**
 * A sentence that differs for every number, as long as people write them, and of words that are said
 * as often as words are: the tenth a tenth as often as the first.
 */
export function sentence(number: number): string {
  const roll = diceOf(number)
  const picked = Array.from({ length: 12 }, () => wordAt(Math.floor(VOCABULARY ** roll()) - 1))
  return `${picked.join(' ')} ${number}`
}
