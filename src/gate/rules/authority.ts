import type { Rule } from '../case.ts'

/** A person reads every proposal, so only so many wait at one memory. */
const PROPOSALS_MAX = 20

/** Fields that come with known words of another author wait for a person to decide. */
export const authority: Rule = {
  name: 'authority',
  judge: ({ restated }) => {
    if (restated?.type !== 'proposal') return undefined
    const { of, fields } = restated
    const waiting = of.flags.filter(({ code }) => code === 'proposed')
    const isAlone = waiting.every(({ by }) => by === of.ref)
    if (isAlone && waiting.length < PROPOSALS_MAX) return { type: 'propose', of, fields }
    return {
      type: 'refuse',
      reasons: ['proposals_waiting'],
      facts: { ref: of.ref },
      message: `${of.ref} has the same words and is not yours to revise; other proposals about it wait for a person.`,
      hint: 'Send it again after a person answered them in review.',
    }
  },
}
