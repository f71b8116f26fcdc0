import type { Ref } from '../../../domain/ids.ts'
import type { EntryPointer } from '../../../domain/write.ts'
import type { EraseAnswer } from '../../operate/upkeep-handlers.ts'
import type { Who } from '../caller.ts'
import { proposedLines } from './changed.ts'
import type { Page } from './page.ts'
import { clip, oneLine, plural, shortRef } from './words.ts'

const SHOWN_MAX = 20 // --json has every one

interface ErasureRequest {
  /** The named memory; null for an actor or a subject. */
  readonly ref: Ref | null
  readonly who: Who
}

type Words = Readonly<Record<string, string>>

function list(refs: readonly string[], { ink, width }: Page, words: Words = {}): readonly string[] {
  const lines = refs.slice(0, SHOWN_MAX).map((ref) => {
    const short = shortRef(ref)
    const text = clip(oneLine(words[ref] ?? ''), width - short.length - 4)
    return `  ${ink.ref(short)}${text === '' ? '' : `  ${text}`}`
  })
  const more = refs.length - SHOWN_MAX
  return more > 0 ? [...lines, `  … and ${more} more: --json`] : lines
}

/** Erased memories, or those a plan would erase, with everything derived from them. */
export function erasedPage(
  answer: EraseAnswer,
  asked: ErasureRequest,
  page: Page,
): readonly string[] {
  const { ink } = page
  const words = 'words' in answer ? answer.words : {}
  const left =
    answer.derived.length === 0
      ? []
      : [
          `Made from it, and still there: ${answer.derived.length}`,
          ...list(answer.derived, page, words),
        ]
  if (!('entries' in answer)) {
    if (answer.refs.length === 0) return [NOTHING]
    return [
      `Would erase ${plural(answer.refs.length, 'memory', 'memories')}, for good:`,
      ...list(answer.refs, page, words),
      ...left,
      'Nothing was done. With --yes it is, and nothing brings it back.',
    ]
  }
  if (isWish(answer, asked)) {
    const { ref, who } = asked
    return proposedLines({ ref, entry: answer.proposed }, who, page, 'would be gone for good')
  }
  const { erased, scrubbed } = answer
  if (answer.entries.length === 0) return [NOTHING]
  const where = scrubbed
    ? 'No file of the stack holds it any more.'
    : 'Somebody reads an older state: the files are cleaned when the stack is opened next.'
  return [
    `${ink.good('Erased')} ${plural(erased.length, 'memory', 'memories')}. ${where}`,
    ...list(erased, page),
    ...left,
    ink.faint(
      'Backups, exports and copies are yours to clean, also old stacks that a restore set aside',
    ),
    ink.faint('(<stack>.db.replaced); muniment doctor lists them.'),
    ...certificateLines(erased, page),
  ]
}

const NOTHING = 'Nothing to erase: nothing of it is here, or it was erased already.'

/** A model's proposal, also a repeated proposal without an entry. */
const isWish = (
  { proposed, entries }: Extract<EraseAnswer, { entries: unknown }>,
  asked: ErasureRequest,
): asked is ErasureRequest & { readonly ref: Ref } =>
  asked.ref !== null && (proposed !== null || (entries.length === 0 && !asked.who.person))

const certificateLines = ([first]: readonly Ref[], { ink }: Page): readonly string[] =>
  first === undefined
    ? []
    : [ink.faint(`proof of it, for anyone: muniment certificate ${shortRef(first)} > erased.json`)]

export const readmittedLine = ({ entry }: { readonly entry: EntryPointer | null }): string =>
  entry === null ? 'Nothing kept these words out.' : `Let back in, by entry ${entry.seq}.`
