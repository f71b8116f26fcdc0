// Sections 3 and 4 of docs/ledger-format.md: which memory another one says again in other words.

import type { Entry } from './naive-entry.ts'
import type { Memory } from './naive-memory.ts'

/** The link that the entry of a birth or a revision gives. */
export const linkOf = (
  before: Memory | undefined,
  { decision: { facts } }: Entry,
): string | null => {
  if (typeof facts.phrasingOf === 'string') return facts.phrasingOf
  return facts.anew === true ? null : (before?.link ?? null)
}

/** An entry with `of` is an older one: a draft that was folded away came in behind it. */
const isOlder = ({ decision: { facts } }: Entry): boolean => typeof facts.of === 'number'

export const linkAfter = ({ link }: Memory, entry: Entry): string | null =>
  entry.op === 'echo.overruled' && !isOlder(entry) ? null : link

const isSaid = ({ label }: Entry): boolean => label?.type === 'External'

export const ECHO_JUDGES = {
  'echo.left': ({ entry }: { entry: Entry }) => [!isSaid(entry) && 'leaves it so without leave'],
  'echo.overruled': ({ entry, memory }: { entry: Entry; memory: Memory }) => [
    !isSaid(entry) && 'unlinks without leave',
    !isOlder(entry) &&
      (memory.link === null || memory.link !== entry.decision.facts.phrasingOf) &&
      'unlinks what was not linked',
  ],
}
