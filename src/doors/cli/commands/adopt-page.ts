import type { Batch } from '../../../adopt/batches.ts'
import { formatNamed } from '../../../adopt/formats/table.ts'
import type { Undone } from '../../../adopt/undo.ts'
import type { Page } from '../../../operations/text/page.ts'
import { table } from '../../../operations/text/table.ts'
import { grouped, oneLine, plural } from '../../../operations/text/words.ts'
import type { SourceAnswer } from './adopt.ts'

const SHOWN_MAX = 20 // --json has every one

const toolOf = (format: string): string => formatNamed(format)?.tool ?? format

interface Plan {
  readonly found: readonly SourceAnswer[]
  readonly passed: readonly string[]
  /** True where no place was named. */
  readonly isFound: boolean
  readonly isAsking?: boolean
}

/** The plan of an adoption: records that could be taken, by source. */
export function planPage(
  { found, passed, isFound, isAsking }: Plan,
  page: Page,
): readonly string[] {
  const { ink } = page
  if (found.length === 0) return nothingPage(passed, isFound)
  const rows = found.map(({ format, place, found: counts }) => [
    { text: toolOf(format) },
    { text: oneLine(place) },
    { text: plural(counts?.records ?? 0, 'record') },
    { text: counts === null || counts.bad === 0 ? '' : `${counts.bad} unreadable` },
  ])
  const total = found.reduce((sum, each) => sum + (each.found?.records ?? 0), 0)
  return [
    ...table(rows).map((line) => `  ${line}`),
    ...found.flatMap((each) => (each.found === null ? [] : problemLines(each.found, page))),
    `${plural(total, 'record')} would come in at tier 1: the words of a file, until a person vouches.`,
    ...(isAsking ? [] : [ink.hint('Nothing was taken. To take it: the same with --yes')]),
  ]
}

const nothingPage = (passed: readonly string[], isFound: boolean): readonly string[] => [
  isFound
    ? 'No memory of another tool was found in your home folder or in this one.'
    : 'Nothing here is of a known format.',
  ...passed.slice(0, SHOWN_MAX).map((place) => `  ${oneLine(place)}`),
  'Name a file or a folder, and where needed its format: muniment help adopt',
]

interface Problems {
  readonly bad: number
  readonly problems: readonly {
    readonly file: string
    readonly position: string
    readonly why: string
  }[]
}

function problemLines({ bad, problems }: Problems, { ink }: Page, refused = 0): readonly string[] {
  const shown = problems.slice(0, SHOWN_MAX)
  const left = bad + refused - shown.length
  return [
    ...shown.map(({ file, position, why }) =>
      ink.bad(`    ${oneLine(file)}, ${oneLine(position)}: ${oneLine(why)}`),
    ),
    ...(left > 0 ? [`    … and ${left} more`] : []),
  ]
}

/** The result of each source, and the way back. */
export function takenPage(taken: readonly SourceAnswer[], page: Page): readonly string[] {
  const { ink } = page
  return taken.flatMap(({ format, place, taken: result }) => {
    if (result === null) return []
    const { batch, here, undone, repeated, refused, bad, skipped } = result
    const rest = [
      [here, 'here already'],
      [undone, 'of them no longer believed, as their batch was undone: muniment adopt --batches'],
      [repeated, 'in words that are here'],
      [refused, 'refused'],
      [bad, 'unreadable'],
      ...Object.entries(skipped).map(([why, count]) => [count, `left out: ${why}`] as const),
    ].filter(([count]) => Number(count) > 0)
    return [
      `${ink.good(`${grouped(result.taken)} taken`)} from ${toolOf(format)}, ${oneLine(place)}`,
      ...rest.map(([count, words]) => `    ${grouped(Number(count))} ${oneLine(String(words))}`),
      ...problemLines(result, page, refused),
      ...(result.taken + here === 0
        ? []
        : [ink.faint(`    to take it out again: muniment adopt --undo ${batch}`)]),
    ]
  })
}

export function undonePage(
  { batch, how, memories, flagged, proposed }: Undone,
  { ink }: Page,
): readonly string[] {
  const count = plural(memories, 'memory', 'memories')
  return [
    proposed > 0
      ? `Put up for review: a person decides on the batch ${batch}.`
      : `${ink.bad(how === 'erased' ? 'Erased' : 'No longer believed')}: ${count} of ${batch}.`,
    ...(flagged === 0
      ? []
      : [`${plural(flagged, 'other memory', 'other memories')} cited them, and stay.`]),
    ...(how === 'erased' || proposed > 0
      ? []
      : [ink.faint(`  To believe it again: muniment trust distrust --actor adopt:${batch} --off`)]),
  ]
}

export const batchesPage = (batches: readonly Batch[], { ink }: Page): readonly string[] =>
  batches.length === 0
    ? ['Nothing was adopted into this stack.']
    : batches.map(
        ({ batch, says, at, isDistrusted }) =>
          `${ink.ref(batch)}  ${at}  ${oneLine(says)}${isDistrusted ? ink.bad('  no longer believed') : ''}`,
      )
