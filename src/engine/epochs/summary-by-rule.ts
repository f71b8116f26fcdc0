import { cutAtWord } from '../../recall/cut-at-word.ts'
import { commonLessons } from '../../recall/patterns.ts'
import type { Memory } from '../read/memory-view.ts'

const SHOWN_MAX = 5 // lessons, beliefs and earlier summaries that are quoted
const QUOTE_CHARS_MAX = 300

export interface Material {
  readonly episodes: readonly Memory<'episode'>[]
  readonly notes: readonly Memory<'note'>[]
  readonly beliefs: readonly Memory<'belief'>[]
  readonly summaries: readonly Memory<'summary'>[]
}

/** Summarises a period without a model: counts, and words of the memories. */
export function toldByRule(title: string, material: Material): string {
  const { episodes, notes, beliefs, summaries } = material
  const lessons = commonLessons(
    episodes.map(({ ref, body }) => ({ ref, lessons: body.lessons })),
    { min: 1 },
  )
  const held = beliefs.toSorted((a, b) => b.confidence - a.confidence)
  const went = (type: string): number =>
    episodes.filter(({ body }) => body.outcomeType === type).length
  return [
    `${title}: ${count(episodes, 'episode')} (${went('success')} went well, ${went('failure')} did not), ${count(notes, 'note')}, ${count(beliefs, 'belief')}.`,
    ...section(
      'Lessons',
      lessons.map(({ lesson, refs }) => `${quoted(lesson)} (${refs.length})`),
    ),
    ...section(
      'Held',
      held.map(({ text, confidence }) => `${quoted(text)} (${confidence.toFixed(2)})`),
    ),
    ...section(
      'Told before',
      summaries.map(({ text }) => quoted(text)),
    ),
  ].join('\n')
}

const count = (list: readonly unknown[], noun: string): string =>
  `${list.length} ${noun}${list.length === 1 ? '' : 's'}`

const quoted = (text: string): string =>
  cutAtWord(text.replace(/\s+/gu, ' ').trim(), QUOTE_CHARS_MAX)

function section(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return []
  const more = lines.length > SHOWN_MAX ? [`- and ${lines.length - SHOWN_MAX} more`] : []
  return [`${title}:`, ...lines.slice(0, SHOWN_MAX).map((line) => `- ${line}`), ...more]
}
