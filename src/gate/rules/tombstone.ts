import type { Rule } from '../case.ts'

/** Erased words, and words that a person rejected, do not come back by being saved again. */
export const tombstone: Rule = {
  name: 'tombstone',
  judge: (c) => {
    if (c.desk.stack.tombstones === 0) return undefined
    const mark = c.candidate.marks().find((candidate) => c.desk.isTombstoned(candidate))
    if (mark === undefined) return undefined
    return {
      type: 'refuse',
      reasons: ['tombstoned'],
      facts: { tombstone: mark },
      message: 'These words were erased or rejected here, and are kept out.',
      hint: 'A person can readmit them.',
    }
  },
}
