import type { Entry, EntryOp, Fact } from './entry.ts'
import { badMember } from './entry-shape.ts'
import { type Hash, isHash, type Ref } from './ids.ts'
import { type Instant, laterOf, toInstant, toMs } from './time.ts'

/**
 * Operations that travel between replicas. Review flags, proposals, distrust and refusals stay where
 * they were decided: each replica has a review queue of its own.
 */
const TRAVELS: ReadonlySet<EntryOp> = new Set<EntryOp>([
  'memory.saved',
  'memory.revised',
  'quarantine.rejected',
  'quarantine.released',
  'memory.forgotten',
  'memory.recovered',
  'memory.protected',
  'memory.unprotected',
  'memory.accessed',
  'memory.weakened',
  'memory.strengthened',
  'memory.described',
  'memory.processed',
  'memory.verified',
  'memory.reinforced',
  'belief.revised',
  'belief.deactivated',
  'suggestion.resolved',
  'claim.ended',
  'claim.retracted',
  'claim.reopened',
  'claim.adjudicated',
  'claim.superseded',
  'claim.lapsed',
  'claim.recast',
])

/** An entry of another replica, with the signed tree that holds the entry. */
export interface Received {
  readonly entry: Entry & { readonly ref: Ref }
  /** The leaf of the entry in the tree of its replica. */
  readonly hash: Hash
  readonly size: number
  readonly root: Hash
}

/** A memory that was not believed at its birth stays where it was written. */
export const travels = (entry: Entry): entry is Received['entry'] =>
  entry.ref !== null && TRAVELS.has(entry.op) && entry.decision.disposition !== 'Distrusted'

/** True for a birth or a revision; a change may seal a note instead. */
export const bringsWords = ({ revision }: Pick<Entry, 'revision'>): boolean => revision !== null

/** The facts of the local entry `memory.received`. */
export const receivedFacts = ({ entry, hash, size, root }: Received) => ({
  ...{ hash, size, root },
  entry: entry as unknown as Fact, // an entry is plain JSON by its type and by its hash
})

const known = new WeakMap<Entry, Received | null>()

/** Null where the entry holds no sound entry of another replica. Checked once for each object. */
export function receivedIn(entry: Entry): Received | null {
  if (entry.op !== 'memory.received') return null
  const found = known.get(entry)
  if (found !== undefined) return found
  const received = checked(entry)
  known.set(entry, received)
  return received
}

function checked({ ref, decision }: Entry): Received | null {
  const { entry, hash, size, root, ...more } = decision.facts
  if (badMember(entry) !== null || Object.keys(more).length > 0) return null
  const inner = entry as unknown as Entry // every member was checked
  if (!isHash(hash) || !isHash(root) || !Number.isSafeInteger(size)) return null
  return travels(inner) && inner.ref === ref && inner.seq < Number(size)
    ? { entry: inner, hash, size: Number(size), root }
    : null
}

/**
 * The time of the local entry: behind the time of origin, so that what is written here afterwards
 * comes after what was known.
 */
export const timeBehind = (here: Instant, origin: Instant): Instant =>
  laterOf(here, toInstant(toMs(origin) + 1))

/** The entry as a fold reads it: said there and then, kept at the local position. */
export function asToldThere(local: Entry, { entry }: Pick<Received, 'entry'>): Entry {
  const { seq, stack, unit } = local
  const door = entry.door === 'hook' ? 'hook' : 'sync' // captures of hooks are listed apart
  return { ...entry, stack, seq, unit, door, tier: local.tier ?? entry.tier }
}

/** Captures and the memory they were made for stay one unit, so that an erasure finds them. */
export const isOfOneUnit = (a: Entry, b: Entry): boolean =>
  a.replica === b.replica && a.unit === b.unit && a.revision !== null && b.revision !== null
