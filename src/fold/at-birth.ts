import type { Entry } from '../domain/entry.ts'
import { assert } from '../domain/errors.ts'
import { type Ref, splitRef } from '../domain/ids.ts'
import type { Policy } from '../domain/policy.ts'

/** What the entry of a birth says of a memory without its content, for good. */
export function atBirth({ ref, seq, unit, time }: Entry, { numbers }: Policy) {
  assert(ref !== null, 'a birth names its memory')
  const { kind, id } = splitRef(ref)
  const strength = { value: numbers.strengthAtBirth, at: time }
  return { ref, kind, id, seq, unit, bornAt: time, strength }
}

/** The memory that the words of this entry say again, as the gate recognised them. */
export const linkIn = ({ decision: { facts } }: Entry): Ref | null =>
  typeof facts.phrasingOf === 'string' ? (facts.phrasingOf as Ref) : null // written by the gate
