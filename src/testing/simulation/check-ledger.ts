import { ZERO_HASH } from '../../domain/ids.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import { type Check, must, mustBeNone } from './check.ts'
import type { Observation, SeenEntry } from './observe.ts'
import { CANARY } from './words.ts'

/** Everything recomputed and cross-checked by the product itself. */
export const auditIsClean: Check = async ({ sim }) => {
  const { problems } = await sim.steady.ledger.audit()
  mustBeNone(problems, 'audit')
}

/** Old entries and old content keep their bytes (LEDGER-APPEND, PROV-FIXED). */
export const nothingOldChanged: Check = ({ before, after }) => {
  const isSame = (a: Uint8Array, b: Uint8Array | undefined): boolean =>
    b !== undefined && a.length === b.length && a.every((byte, at) => byte === b[at])
  mustBeNone(
    before.entries.filter(({ bytes, seq }) => !isSame(bytes, after.entries[seq]?.bytes)),
    'an entry changed',
  )
  const sealed = new Map(after.sealed.map((row) => [row.seq, row]))
  mustBeNone(
    before.sealed.filter(({ seq, ref, bytes, salt }) => {
      const now = sealed.get(seq)
      if (after.byRef.get(ref)?.erased) return now !== undefined
      return !isSame(bytes, now?.bytes) || !isSame(salt, now?.salt)
    }),
    'content changed',
  )
}

/**
 * Erased memories leave no content, and no digest of content in their rows (LEDGER-CONTENTLESS).
 */
export const erasedIsGone: Check = ({ after }) => {
  const erased = new Set(after.memories.flatMap(({ ref, erased: mark }) => (mark ? [ref] : [])))
  mustBeNone(
    after.sealed.filter(({ ref }) => erased.has(ref)).map(({ seq }) => seq),
    'content that was erased and is still there',
  )
  mustBeNone(
    after.memories
      .filter(({ ref, identity, contentHash }) => {
        return erased.has(ref) && (identity !== ZERO_HASH || contentHash !== ZERO_HASH)
      })
      .map(({ ref }) => ref),
    'digests of what was erased',
  )
}

/** Dense, chained, and never back in time. */
export const ledgerIsDense: Check = ({ after }) => {
  const wrong = after.entries.filter(({ seq, entry, prevHash }, index) => {
    const previous = after.entries[index - 1]
    return (
      seq !== index ||
      entry.seq !== index ||
      entry.prevHash !== (previous?.hash ?? ZERO_HASH) ||
      prevHash !== entry.prevHash ||
      (previous !== undefined && entry.op !== 'clock.corrected' && entry.time < previous.entry.time)
    )
  })
  mustBeNone(
    wrong.map(({ seq }) => seq),
    'entries out of place or out of time',
  )
}

/** Bytes are in the one canonical form, in the log and beside the log. */
export const bytesAreCanonical: Check = ({ before, after }) => {
  const texts = [
    ...freshEntries(before, after).map(({ text }) => text),
    ...after.sealed.slice(before.sealed.length).map(({ bytes }) => decoder.decode(bytes)),
  ]
  mustBeNone(
    texts.filter((text) => canonicalize(JSON.parse(text)) !== text),
    'bytes that are not canonical',
  )
}

const decoder = new TextDecoder()

/** No words, names or sessions in an entry, and no unsalted hash of any (LEDGER-CONTENTLESS). */
export const entriesHoldNoContent: Check = ({ before, after }) => {
  const fresh = freshEntries(before, after)
  mustBeNone(
    fresh.filter(({ text }) => text.toLowerCase().includes(CANARY)).map(({ seq }) => seq),
    'entries with words in them',
  )
  const digests = after.memories.flatMap(({ contentHash, identity, line }) => [
    contentHash,
    identity,
    ...(line === null ? [] : [line]),
  ])
  mustBeNone(
    fresh
      .filter(({ text }) => digests.some((digest) => text.includes(digest)))
      .map(({ seq }) => seq),
    'entries with a hash of content in them',
  )
}

export const freshEntries = (before: Observation, after: Observation): readonly SeenEntry[] =>
  after.entries.slice(before.entries.length)

const BOOKKEEPING: ReadonlySet<string> = new Set([
  'genesis',
  'policy',
  'state',
  'replica.started',
  'enforcement.on',
  'enforcement.off',
  'tally',
])

/** Entries of acts without an answer of their own. */
const WRITTEN_BY: Readonly<Record<string, readonly string[]>> = {
  // A statement is linked to the earlier statements that the same speaker replaces by the statement.
  writes: ['memory.annotated'],
  reject: ['quarantine.rejected'],
  release: ['quarantine.released'],
  // Erasing a claim keeps the places of the claims that it replaced.
  erase: ['memory.erased', 'memory.flagged', 'claim.superseded'],
  distrust: ['origin.distrusted', 'memory.distrusted', 'memory.flagged'],
  trust: ['origin.trusted', 'memory.trusted', 'memory.flagged', 'memory.cleared'],
}

/** Answers without a memory: after a lost answer, no id identifies them. */
const LEAVES_NO_ID: ReadonlySet<string> = new Set(['memory.collapsed', 'memory.refused'])

/**
 * Every entry except bookkeeping is an answer to a writer, or a capture for such an answer
 * (GATE-ONE-ENTRY): no write is recorded twice, and no entry lacks its writer.
 */
export const everyEntryIsAnAnswer: Check = ({ before, after, performed }) => {
  if (performed.act.type === 'change') return // the checks of changes cover these
  const captures = new Set(performed.told.flatMap(({ result }) => result?.captures ?? []))
  const answered = new Set(performed.told.flatMap(({ result }) => result?.entry.seq ?? []))
  const isLost = performed.fault?.startsWith('after_commit') === true
  const unexplained = freshEntries(before, after).filter(
    ({ seq, entry }) =>
      !BOOKKEEPING.has(entry.op) &&
      !WRITTEN_BY[performed.act.type]?.includes(entry.op) &&
      !answered.has(seq) &&
      !(entry.ref !== null && captures.has(entry.ref)) &&
      !(isLost && LEAVES_NO_ID.has(entry.op)) &&
      !isCaptureOfRetried(after, entry.unit, answered),
  )
  mustBeNone(
    unexplained.map(({ seq, entry }) => [seq, entry.op]),
    'entries that answer nobody',
  )
  for (const { result } of performed.told) {
    if (!result) continue
    const entry = after.entries[result.entry.seq]
    must(entry?.hash === result.entry.hash, `an answer points at no entry: ${result.entry.seq}`)
  }
}

/** A retry does not name the captures of the first try again. */
const isCaptureOfRetried = (
  after: Observation,
  unit: number,
  answered: ReadonlySet<number>,
): boolean =>
  after.entries.some(({ seq, entry }) => entry.unit === unit && seq > unit && answered.has(seq))

/** Every repeat without an entry is counted, once (GATE-ONE-ENTRY). */
export const repeatsAreCounted: Check = ({ before, after, performed }) => {
  const answers = new Map<number, number>()
  for (const { result } of performed.told) {
    if (!result || result.reasons.includes('already_saved')) continue
    answers.set(result.entry.seq, (answers.get(result.entry.seq) ?? 0) + 1)
  }
  const wrong = [...answers].filter(([seq, count]) => {
    const isFresh = seq >= before.entries.length
    const counted = countedIn(after, seq) - countedIn(before, seq)
    const repeats = isFresh ? count - 1 : count
    // A try with a lost answer was counted too.
    return performed.fault === null ? counted !== repeats : counted < repeats
  })
  mustBeNone(wrong, 'repeats that were not counted')
}

/** The number of repeats of the write at `seq` counted so far, in open and ended tallies. */
function countedIn({ tallies, entries }: Observation, seq: number): number {
  const open = tallies.filter(({ entrySeq }) => entrySeq === seq)
  const emitted = entries.filter(
    ({ entry }) => entry.op === 'tally' && entry.decision.facts.of === seq,
  )
  return (
    open.reduce((sum, { count }) => sum + count, 0) +
    emitted.reduce((sum, { entry }) => sum + Number(entry.decision.facts.count), 0)
  )
}

/** A tally counts at least one repeat, names the first write, and ends after its window. */
export const talliesCount: Check = ({ before, after }) => {
  const wrong = freshEntries(before, after).filter(({ seq, entry }) => {
    if (entry.op !== 'tally') return false
    const { of, count, first, last } = entry.decision.facts
    const isSane =
      typeof of === 'number' &&
      of < seq &&
      typeof count === 'number' &&
      count >= 1 &&
      String(first) <= String(last) &&
      String(last) < entry.time
    return !isSane
  })
  mustBeNone(
    wrong.map(({ seq }) => seq),
    'tallies that count nothing',
  )
}
