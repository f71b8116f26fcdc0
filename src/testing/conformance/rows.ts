import type { Hash, Ref } from '../../domain/ids.ts'
import type { Burst, Tally } from '../../domain/state.ts'
import type { Scribe } from './scribe.ts'

/** A tally of a collapse onto a memory, or of refusals of an actor. */
export const tallyFor = (
  scribe: Scribe,
  of: { readonly about: Ref } | { readonly actor: string },
): Tally => ({
  key: JSON.stringify(of),
  rule: 'about' in of ? 'echo' : 'origin',
  about: 'about' in of ? of.about : null,
  actor: 'actor' in of ? of.actor : null,
  door: 'actor' in of ? 'mcp' : null,
  pseudonym: null,
  entrySeq: scribe.tip.head.seq,
  entryHash: scribe.tip.head.hash,
  count: 0,
  firstAt: null,
  lastAt: null,
})

export const burstFor = (
  scribe: Scribe,
  of: { readonly actor: string; readonly identity: Hash },
): Burst => ({ ...of, times: [scribe.time, scribe.time], quarantined: null })
