import type { Dice } from '../world.ts'

/** Occurs in every statement of a simulation, and must occur in no entry. */
export const CANARY = 'kanari'

const WHO = ['Ann', 'Bob', 'the deploy', 'the build', 'the garden', 'this team'] as const
const DOES = ['prefers', 'avoids', 'needs', 'waits for', 'depends on', 'forgets'] as const
const WHAT = ['tea', 'small changes', 'the night train', 'two reviews', 'fresh water'] as const

/** A natural sentence, so that lint passes. */
export const sentence = (dice: Dice): string =>
  `${dice.pick(WHO)} ${dice.pick(DOES)} ${dice.pick(WHAT)}, says ${CANARY} ${dice.roll(40)}`

/** Equal words as far as identity goes: other case, other spaces. */
export function disguised(text: string, dice: Dice): string {
  const spaced = text.replaceAll(' ', dice.pick([' ', '  ', '\t', ' \n ']))
  return dice.pick([spaced, spaced.toUpperCase(), `  ${spaced} `])
}

export const actorName = (dice: Dice, role: string): string => `${CANARY}-${role}-${dice.roll(3)}`
