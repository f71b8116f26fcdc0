import type { RuleName } from '../domain/dispositions.ts'
import type { Door } from '../domain/doors.ts'
import type { StoredEntry } from '../domain/entry.ts'
import type { Hash, Ref } from '../domain/ids.ts'
import type { Tally } from '../domain/state.ts'
import { type Instant, laterOf } from '../domain/time.ts'

/** Repeats of one memory under one rule share a tally for the memory's life. */
export const collapseKey = (about: Ref, rule: RuleName): string =>
  JSON.stringify(['collapse', about, rule])

/** A rewording whose words were kept has a tally of its own, for the same words again. */
export const phrasingKey = (about: Ref, identity: Hash): string =>
  JSON.stringify(['phrasing', about, identity])

export const isPhrasingKey = (key: string): boolean => key.startsWith('["phrasing",')

/** Refusals of one actor at one door under one rule share a tally. */
export const refusalKey = (actor: string, door: Door, rule: RuleName): string =>
  JSON.stringify(['refusal', actor, door, rule])

type Opening = Omit<Tally, 'entrySeq' | 'entryHash' | 'count' | 'firstAt' | 'lastAt'> & {
  readonly stored: StoredEntry
}

/** A tally that has counted nothing yet: its entry records the first, and it waits for a second. */
export const openTally = ({ stored, ...rest }: Opening): Tally => ({
  ...rest,
  entrySeq: stored.entry.seq,
  entryHash: stored.hash,
  count: 0,
  firstAt: null,
  lastAt: null,
})

export const countRepeat = (tally: Tally, time: Instant): Tally => ({
  ...tally,
  count: tally.count + 1,
  firstAt: tally.firstAt ?? time,
  lastAt: laterOf(tally.lastAt ?? time, time), // a clock that was set back does not turn it around
})
