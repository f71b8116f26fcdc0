import type { Entry } from '../../domain/entry.ts'
import { type ErasedRows, isSaidBy } from '../../domain/erasure.ts'
import type { Rows } from './rows.ts'
import { dropVector } from './vectors.ts'

const decoder = new TextDecoder()

/** Removes all that a batch destroys: content, words, counters, keys and lifted tombstones. */
export function eraseFrom(rows: Rows, { memories, actors, lifted }: ErasedRows): void {
  for (const { ref, birth, entry, identities } of memories) {
    for (const { seq, bytes } of rows.entries.slice(0, entry)) {
      const told = JSON.parse(decoder.decode(bytes))
      if (told.ref !== ref || told.commitment === null || rows.erasures.has(seq)) continue
      rows.erasures.set(seq, entry)
      rows.sealed.delete(seq)
    }
    rows.texts.delete(birth)
    dropVector(rows, birth)
    for (const [key, { about }] of rows.tallies) if (about === ref) rows.tallies.delete(key)
    for (const [key, { identity }] of rows.bursts) {
      if (identities.includes(identity)) rows.bursts.delete(key)
    }
    rows.scrubs.add(entry)
  }
  for (const { actor, pseudonym, entry } of actors) {
    for (const { seq, bytes } of rows.entries.slice(0, entry)) {
      const told: Entry = JSON.parse(decoder.decode(bytes))
      if (!isSaidBy(pseudonym, told) || rows.erasures.has(seq)) continue
      rows.erasures.set(seq, entry)
      rows.sealed.delete(seq)
    }
    rows.actorKeys.delete(actor)
    for (const [key, tally] of rows.tallies) {
      if (tally.actor === actor || tellerIn(key) === actor) rows.tallies.delete(key)
    }
    for (const [key, burst] of rows.bursts) if (burst.actor === actor) rows.bursts.delete(key)
    rows.scrubs.add(entry)
  }
  for (const mark of lifted) rows.tombstones.delete(mark)
}

/** The actor who attested is part of the key under which repeats are counted. */
function tellerIn(key: string): unknown {
  const parts: unknown = JSON.parse(key)
  return Array.isArray(parts) && parts[0] === 'attested' ? parts[2] : null
}
