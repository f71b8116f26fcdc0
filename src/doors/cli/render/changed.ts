import type { Changed } from '../../operate/change-handlers.ts'
import { UNCHANGED } from '../../unchanged.ts'
import type { Who } from '../caller.ts'
import type { Page } from './page.ts'
import { oneLine, plural, shortRef } from './words.ts'

/** Commands that change a memory, with the words for success. */
const DONE = {
  forget: 'Forgotten:',
  recover: 'Recovered:',
  protect: 'Protected:',
  weaken: 'Weakened:',
  access: 'Noted as used:',
  unlink: 'Unlinked:',
  describe: 'Described:',
  verify: 'Verified:',
  reinforce: 'Reinforced:',
  supersede: 'Superseded:',
  end: 'Ended:',
  retract: 'Retracted:',
  reopen: 'Reopened:',
  recast: 'The line is told anew at',
  adjudicate: 'Decided:',
} as const

export type ChangeName = keyof typeof DONE

interface Did {
  readonly name: ChangeName
  readonly who: Who
}

/** The result of a change, the caller, and the command to type next. */
export function changedPage(changed: Changed, { name, who }: Did, page: Page): readonly string[] {
  const { ink } = page
  const ref = ink.ref(shortRef(changed.ref))
  if (changed.reason === 'proposed') return proposedLines(changed, who, page)
  if (!changed.changed)
    return [`${ref}: ${UNCHANGED[changed.reason ?? 'already_so']}`, ...entryLine(changed, who)]
  const done = name === 'protect' && !changed.now.isProtected ? 'No longer protected:' : DONE[name]
  const { flagged } = changed
  return [
    `${ink.good(done)} ${ref}  ${numbersOf(changed)}`,
    ...entryLine(changed, who),
    ...(flagged.length === 0 ? [] : [restingOn(flagged.length)]),
    ...nextLine(changed, name).map((line) => ink.faint(`  ${line}`)),
  ]
}

const restingOn = (count: number): string =>
  `  ${plural(count, 'memory rests', 'memories rest')} on it and waits for a look: muniment review`

function nextLine({ ref, now }: Changed, name: ChangeName): readonly string[] {
  if (name === 'end' || name === 'retract') return [`undo it: muniment reopen ${shortRef(ref)}`]
  if (name === 'forget') return [`back again: muniment recover ${shortRef(ref)}`]
  const isFaint = now.strengthTier === 'weak' || now.strengthTier === 'dormant'
  if (name !== 'recover' || !isFaint) return []
  return [
    'search finds it; list shows it with --weak, until it is of use:',
    `  muniment access ${shortRef(ref)}`,
  ]
}

const numbersOf = ({ now }: Changed): string =>
  [
    `confidence ${now.confidence.toFixed(2)}`,
    `strength ${now.strength.toFixed(2)} (${now.strengthTier})`,
    now.isProtected ? 'protected' : '',
    now.tags.length === 0 ? '' : `tags ${oneLine(now.tags.join(', '))}`,
  ]
    .filter((part) => part !== '')
    .join(', ')

const entryLine = ({ entry }: Changed, { label, because }: Who): readonly string[] =>
  entry === null ? [] : [`  entry ${entry.seq}, as ${label}: ${because}`]

/**
 * A model's proposal about words of a person or a tool: kept, and without effect until a person
 * decides.
 */
export function proposedLines(
  { ref, entry }: Pick<Changed, 'ref' | 'entry'>,
  { because }: Who,
  { ink }: Page,
  why = 'is first-hand',
): readonly string[] {
  const short = shortRef(ref)
  if (entry === null) {
    return [
      `${ink.hint('Not recorded:')} another wish about ${ink.ref(short)} waits for a person already.`,
      `  Nothing has changed. See it: muniment review ${short}`,
    ]
  }
  return [
    `${ink.hint('Put up for review:')} ${ink.ref(short)} ${why}, and this call is a model’s: ${because}.`,
    '  Nothing has changed. A person decides:',
    `    muniment review ${short} accept`,
    `    muniment review ${short} dismiss`,
  ]
}
