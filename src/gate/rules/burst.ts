import { isBurst } from '../burst-count.ts'
import type { Rule } from '../case.ts'

/** Unmarked repeats by an actor become one quarantined row; the row's entry counts the rest. */
export const burst: Rule = {
  name: 'burst',
  judge: (c) => {
    if (c.burst === null || !isBurst(c.burst, c.policy)) return undefined
    const { quarantined, times } = c.burst
    const facts = { count: times.length, first: times[0] ?? null, last: times.at(-1) ?? null }
    const standing = quarantined === null ? undefined : c.desk.memory(quarantined)
    // A rewording has other words, so the rule quarantines each rewording as a separate memory.
    if (standing?.disposition === 'Quarantined' && c.rewordingOf === null) {
      return {
        type: 'collapse',
        onto: standing,
        disposition: 'Quarantined',
        reasons: ['burst'],
        facts,
      }
    }
    return { type: 'admit', disposition: 'Quarantined', reasons: ['burst'], facts }
  },
}
