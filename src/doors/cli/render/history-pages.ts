import type { Contradicting } from '../../../engine/claims/contradictions.ts'
import type { Diff, Difference } from '../../../engine/history/diff.ts'
import type { SignedCheckpoint } from '../../../engine/proofs/prove.ts'
import type { NumberChange } from '../../../engine/read/memory-view.ts'
import type { Uncertain } from '../../../engine/read/uncertain.ts'
import type { History } from '../../operate/history-handlers.ts'
import type { Page } from './page.ts'
import { clippedTable, table } from './table.ts'
import { age, oneLine, plural, shortRef } from './words.ts'

export function historyPage(history: History, page: Page): readonly string[] {
  const { ink, now } = page
  const { confidence, strength, versions, events } = history
  const places =
    versions.length < 2
      ? []
      : [
          ink.strong('Beliefs in this place, oldest first'),
          ...versions.map(
            ({ memory, heldFrom, heldUntil }) =>
              `  ${ink.ref(shortRef(memory.ref))}  ${oneLine(memory.text)}  ${ink.faint(
                `${age(heldFrom, now)} – ${heldUntil === null ? 'now' : age(heldUntil, now)}`,
              )}`,
          ),
        ]
  const changed = events.map(
    ({ eventType, old, new: to, time }) =>
      `  ${eventType.replace('_', ' ')}  ${oneLine(String(old))} → ${oneLine(String(to))}  ${age(time, now)}`,
  )
  const lines = [
    ...places,
    ...numbersOf('Confidence', confidence, page),
    ...numbersOf('Strength', strength, page),
    ...(changed.length === 0 ? [] : [ink.strong('What changed'), ...changed]),
  ]
  return lines.length === 0 ? ['Nothing about it has changed since it was written.'] : lines
}

function numbersOf(
  title: string,
  changes: readonly NumberChange[],
  { ink, now }: Page,
): readonly string[] {
  if (changes.length === 0) return []
  const rows = changes.map(({ old, new: to, reason, text, time, evidence }) => [
    { text: `  ${old.toFixed(3)} → ${to.toFixed(3)}` },
    { text: reason.replace('memory.', '') },
    { text: age(time, now) },
    { text: text === null ? '' : `“${oneLine(text)}”` },
    { text: evidence.map(shortRef).join(' ') },
  ])
  return [ink.strong(title), ...table(rows)]
}

export function diffPage({ from, to, added, lost, changed }: Diff, page: Page): readonly string[] {
  const { ink } = page
  const part = (title: string, all: readonly Difference[], mark: string) =>
    all.length === 0
      ? []
      : [
          ink.strong(`${title} (${all.length})`),
          ...all.map(({ ref, before, after, members }) => {
            const text = oneLine((after ?? before)?.text ?? '')
            const what = mark === '~' ? ink.faint(`  ${members.join(', ')}`) : ''
            return `  ${mark} ${ink.ref(shortRef(ref))}  ${text}${what}`
          }),
        ]
  const lines = [
    ...part('Learnt', added, '+'),
    ...part('Lost', lost, '-'),
    ...part('Changed', changed, '~'),
  ]
  const span = `Between entry ${from.seq} and entry ${to.seq}`
  return lines.length === 0 ? [`${span} nothing changed.`] : [`${span}:`, ...lines]
}

export function uncertainPage(
  found: readonly Uncertain[],
  { ink, width }: Page,
): readonly string[] {
  if (found.length === 0) return ['Nothing is that uncertain.']
  const rows = found.map(({ memory, confidence, restingOnIt }) => {
    const ref = shortRef(memory.ref)
    return [
      { text: ref, shown: ink.ref(ref) },
      { text: `confidence ${confidence.toFixed(2)}` },
      { text: restingOnIt === 0 ? 'nothing rests on it' : `${restingOnIt} rest on it` },
      { text: oneLine(memory.text) },
    ]
  })
  const first = shortRef(found[0]?.memory.ref ?? '')
  return [
    ...clippedTable(rows, width),
    ink.faint(`next: muniment verify ${first} --evidence <ref>`),
  ]
}

export function contradictionsPage(
  found: readonly Contradicting[],
  { ink, width }: Page,
): readonly string[] {
  if (found.length === 0) return ['Nothing that is believed speaks against it.']
  const rows = found.map(({ memory, kind, evidence }) => {
    const ref = shortRef(memory.ref)
    return [
      { text: ref, shown: ink.ref(ref) },
      { text: kind },
      { text: oneLine(evidence) },
      { text: oneLine(memory.text) },
    ]
  })
  return clippedTable(rows, width)
}

export const checkpointPage = (
  { size, root, note, key }: SignedCheckpoint,
  { ink }: Page,
): readonly string[] => [
  `Signed: ${plural(size, 'entry', 'entries')}, root ${root.slice(0, 16)}…`,
  '',
  ...note
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`),
  '',
  ink.faint('Keep the note elsewhere, and the key that checks it:'),
  `  ${key}`,
]
