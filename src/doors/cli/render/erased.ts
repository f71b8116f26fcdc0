import type { EntryPointer } from '../../../domain/outcome.ts'
import type { EraseAnswer } from '../../operate/keeping.ts'
import type { Page } from './page.ts'
import { plural, shortRef } from './words.ts'

const SHOWN_MAX = 20 // --json has every one

/** What is gone, or what would go, and what was made from it. */
export function erasedPage(answer: EraseAnswer, { ink }: Page): readonly string[] {
  const list = (refs: readonly string[]): readonly string[] => [
    ...refs.slice(0, SHOWN_MAX).map((ref) => `  ${ink.ref(shortRef(ref))}`),
    ...(refs.length > SHOWN_MAX ? [`  … and ${refs.length - SHOWN_MAX} more: --json`] : []),
  ]
  const left =
    answer.derived.length === 0
      ? []
      : [`Made from it, and still there: ${answer.derived.length}`, ...list(answer.derived)]
  if (!('entries' in answer)) {
    return [
      `Would erase ${plural(answer.refs.length, 'memory', 'memories')}, for good:`,
      ...list(answer.refs),
      ...left,
      'Nothing was done. With --yes it is, and nothing brings it back.',
    ]
  }
  if (answer.proposed !== null) return ['Put up for review: a person decides what is erased.']
  const { erased, scrubbed } = answer
  const where = scrubbed
    ? 'No file of the stack holds it any more.'
    : 'Somebody reads an older state: the files are cleaned when the stack is opened next.'
  return [
    `${ink.good('Erased')} ${plural(erased.length, 'memory', 'memories')}. ${where}`,
    ...list(erased),
    ...left,
    ink.faint('Backups, exports and copies elsewhere are yours to clean.'),
  ]
}

export const readmittedLine = ({ entry }: { readonly entry: EntryPointer | null }): string =>
  entry === null ? 'Nothing kept these words out.' : `Let back in, by entry ${entry.seq}.`
