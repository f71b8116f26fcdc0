import { isBurst } from '../burst-count.ts'
import type { Rule } from '../case.ts'

/** The same words from the same actor over and over: one row is set aside, the rest are counted. */
export const burst: Rule = {
  name: 'burst',
  judge: (c) => {
    if (c.burst === null || !isBurst(c.burst, c.policy)) return undefined
    const { quarantined, times } = c.burst
    const facts = { count: times.length, first: times[0] ?? null, last: times.at(-1) ?? null }
    const standing = quarantined === null ? undefined : c.desk.memory(quarantined)
    // A rewording keeps its words: it is set aside as a memory of its own.
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
