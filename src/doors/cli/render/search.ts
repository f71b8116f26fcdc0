import { tellingWords, termOf, termsOf } from '../../../domain/terms.ts'
import type { Explained } from '../../../engine/search/explained.ts'
import type { RecallResult } from '../../../engine/search/search.ts'
import type { WhyNot } from '../../../engine/search/why-recalled.ts'
import type { Page } from './page.ts'
import { clippedTable } from './table.ts'
import { oneLine, rewordingsWords, shortRef, withShortRefs } from './words.ts'

type SearchResult = RecallResult['results'][number]

/** The nearest first, each with why it was found where that was asked for. */
export function searchPage(
  found: readonly SearchResult[],
  query: string,
  page: Page,
): readonly string[] {
  const { ink, width } = page
  const [first] = found
  if (!first) return ['Nothing here speaks of that. What there is: muniment list']
  const rows = found.map((result) => {
    const ref = refOf(result)
    return [
      { text: ref, shown: ink.ref(ref) },
      { text: `tier ${result.metadata.tier}` },
      { text: matchWords(result, query) },
      { text: `confidence ${Number(result.metadata.confidence).toFixed(2)}` },
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

const STRONG_FROM = 0.5
const GOOD_FROM = 0.2

/** The chance in words; in numbers too where somebody asked why a memory was found. */
function matchWords(
  { score, content, metadata: { explained } }: SearchResult,
  query: string,
): string {
  const isGood = score >= GOOD_FROM || saysAll(query, content)
  const word = score >= STRONG_FROM ? 'strong' : isGood ? 'good' : 'weak'
  const chance = explained === undefined ? '' : ` (${Math.round(score * 100)} %)`
  return `${word} match${chance}`
}

/** A memory that says every asked word is no weak match, however common the words are here. */
function saysAll(query: string, content: string): boolean {
  const asked = tellingWords(query)
  const held = new Set(termsOf(content))
  return asked.length > 0 && asked.every((word) => held.has(termOf(word)))
}

const rewordingsMark = (count: unknown): string =>
  typeof count === 'number' ? ` ${rewordingsWords(count)}` : ''

/** Where a claim stands in its line, where it is not simply held. */
function standingMark({ metadata: { standing } }: SearchResult): string {
  return typeof standing === 'string' && standing !== 'held'
    ? `[${standing.replaceAll('_', ' ')}] `
    : ''
}

const refOf = ({ memoryType, memoryId }: SearchResult): string =>
  shortRef(`${memoryType}:${memoryId}`)

/** A line for each signal, below the memory that it speaks for. */
function whyLines(explained: unknown, { ink }: Page): readonly string[] {
  const { words } = (explained ?? { words: [] }) as Pick<Explained, 'words'> // as the stack put it there
  return words.map((line) => ink.faint(`    ${withShortRefs(oneLine(line))}`))
}

/** Whether it answers comes first: what is nearest may still be far. */
export function recallPage(found: RecallResult, query: string, page: Page): readonly string[] {
  const { results, answerable, withheld } = found
  const isLikely = answerable.isLikely || results.length === 0
  const chance = `${Math.round(answerable.chance * 100)} %`
  const unlikely = `Nothing here is likely to answer that (${chance}). What comes nearest:`
  return [
    ...(isLikely ? [] : [unlikely]),
    ...searchPage(results, query, page),
    ...(withheld === null || withheld.count === 0
      ? []
      : [page.ink.faint(`${withheld.count} as near, below tier ${withheld.tierMin}: withheld`)]),
  ]
}

/** What keeps it out, what would bring it in, and how it stands. */
export function whyNotPage({ ref, words, explained }: WhyNot, page: Page): readonly string[] {
  return [
    page.ink.ref(shortRef(ref)),
    ...words.map((line) => `  ${withShortRefs(oneLine(line))}`),
    ...whyLines(explained ?? undefined, page),
  ]
}

/** Why it was found, signal by signal. */
export const explainedPage = (explained: Explained, page: Page): readonly string[] => [
  page.ink.ref(shortRef(explained.ref)),
  ...whyLines(explained, page),
]
