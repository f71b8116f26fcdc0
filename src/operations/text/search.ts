import { restingStatus } from '../../domain/kinds/goal.ts'
import { labelName } from '../../domain/labels.ts'
import { tellingWords, termOf, termsOf } from '../../domain/words/terms.ts'
import type { Memory } from '../../engine/read/memory-view.ts'
import type { Explained, WhyNot } from '../../engine/search/explained.ts'
import type { RecallResult } from '../../engine/search/search.ts'
import type { Page } from './page.ts'
import { speaker } from './speaker.ts'
import { clippedTable } from './table.ts'
import { oneLine, rewordingsWords, shortRef, withShortRefs } from './words.ts'

type SearchResult = RecallResult['results'][number]

/** Results sorted by score, each explained on request. */
export function searchPage(
  found: readonly SearchResult[],
  query: string,
  page: Page,
): readonly string[] {
  const { ink, width, isVerbose } = page
  const [first] = found
  if (!first) return ['Nothing here speaks of that. What there is: muniment list']
  const rows = found.map((result) => {
    const ref = refOf(result)
    const hasNumbers = isVerbose || result.metadata.explained !== undefined
    return [
      { text: ref, shown: ink.ref(ref) },
      { text: matchWords(result, query, hasNumbers) },
      { text: sayerOf(result) },
      ...(hasNumbers
        ? [
            { text: `tier ${result.metadata.tier}` },
            { text: `confidence ${Number(result.metadata.confidence).toFixed(2)}` },
          ]
        : []),
      {
        text: `${standingMark(result)}${oneLine(result.content)}${rewordingsMark(result.metadata.rewordings)}`,
      },
    ]
  })
  const lines = clippedTable(rows, width).flatMap((line, at) => [
    line,
    ...whyLines(found[at]?.metadata.explained, page),
  ])
  return [...lines, ink.faint(`next: muniment why ${refOf(first)}`)]
}

/** The source of the words; empty for a result that a component added. */
function sayerOf({ metadata: { provenance } }: SearchResult): string {
  const { label, ingestionPath } = (provenance ?? {}) as Partial<Memory['provenance']> // as `resultOf` puts them
  return label === undefined ? '' : speaker(labelName(label), ingestionPath?.split(':')[0])
}

const STRONG_FROM = 0.5

const GOOD_FROM = 0.2

/** The strength of a match in words; with numbers where explanations were asked for. */
function matchWords({ score, content }: SearchResult, query: string, hasNumbers: boolean): string {
  const isGood = score >= GOOD_FROM || saysAll(query, content)
  const word = score >= STRONG_FROM ? 'strong' : isGood ? 'good' : 'weak'
  const chance = hasNumbers ? ` (${Math.round(score * 100)} %)` : ''
  return `${word} match${chance}`
}

/** A memory with every asked word is no weak match, however common the words are here. */
function saysAll(query: string, content: string): boolean {
  const asked = tellingWords(query)
  const held = new Set(termsOf(content))
  return asked.length > 0 && asked.every((word) => held.has(termOf(word)))
}

const rewordingsMark = (count: unknown): string =>
  typeof count === 'number' ? ` ${rewordingsWords(count)}` : ''

/** A claim's standing in its timeline, unless simply held; the status of a goal, unless active. */
function standingMark({ memoryType, metadata: { standing, status } }: SearchResult): string {
  const resting = restingStatus(memoryType, status)
  if (resting !== null) return `[${resting}] `
  return typeof standing === 'string' && standing !== 'held'
    ? `[${standing.replaceAll('_', ' ')}] `
    : ''
}

const refOf = ({ memoryType, memoryId }: SearchResult): string =>
  shortRef(`${memoryType}:${memoryId}`)

/** One line for each signal, below its memory. */
function whyLines(explained: unknown, { ink }: Page): readonly string[] {
  const { words } = (explained ?? { words: [] }) as Pick<Explained, 'words'> // put there by the stack
  return words.map((line) => ink.faint(`    ${withShortRefs(oneLine(line))}`))
}

/** Answerability comes first: the nearest memory may still be far. */
export function recallPage(found: RecallResult, query: string, page: Page): readonly string[] {
  const { results, answerable, withheld } = found
  const isLikely = answerable.isLikely || results.length === 0
  const chance = page.isVerbose ? ` (${Math.round(answerable.chance * 100)} %)` : ''
  const unlikely = `Nothing here is likely to answer that${chance}. What comes nearest:`
  return [
    ...(isLikely ? [] : [unlikely]),
    ...searchPage(results, query, page),
    ...(withheld === null || withheld.count === 0
      ? []
      : [page.ink.faint(`${withheld.count} as near, below tier ${withheld.tierMin}: withheld`)]),
  ]
}

/** The obstacle to recall, its remedy, and the scores. */
export function whyNotPage({ ref, words, explained }: WhyNot, page: Page): readonly string[] {
  return [
    page.ink.ref(shortRef(ref)),
    ...words.map((line) => `  ${withShortRefs(oneLine(line))}`),
    ...whyLines(explained ?? undefined, page),
  ]
}
