import type { Ref } from '../../../src/domain/ids.ts'
import type { LifecycleState } from '../../../src/domain/vocabulary.ts'
import { textOf } from '../sayings.ts'
import { type GateDraft, POLICY_NUMBERS } from '../steps.ts'
import { counting } from './burst.ts'
import { recall, sourcesOf } from './lineage.ts'
import { isExternal } from './tables.ts'
import {
  type Book,
  bytesOf,
  type Counted,
  instant,
  type Line,
  lineOf,
  type Moment,
  meaning,
  type Remembered,
} from './words.ts'

const BLANK: Omit<Line, 'op' | 'time' | 'unit' | 'policy'> = {
  ref: null,
  revision: null,
  actor: null,
  door: null,
  label: null,
  tier: null,
  parents: [],
  seals: false,
  rule: null,
  disposition: null,
  reasons: [],
  facts: {},
}

export function writeLine(
  book: Book,
  at: Moment,
  fields: Partial<Line> & Pick<Line, 'op'>,
): number {
  const seq = book.lines.length
  book.lines.push({ ...BLANK, unit: seq, policy: book.policy, time: at.time, ...fields })
  return seq
}

export function changeMemory(book: Book, ref: Ref, to: Partial<Remembered>): void {
  book.memories = book.memories.map((memory) =>
    memory.ref === ref ? { ...memory, ...to } : memory,
  )
}

export function enterState(
  book: Book,
  at: Moment,
  { to, ...by }: { readonly to: LifecycleState } & Pick<Partial<Line>, 'actor' | 'door'>,
): number {
  const facts = { from: book.state, to }
  book.state = to
  return writeLine(book, at, { op: 'state', facts, ...by })
}

/** What must stand before the next entry: genesis and policy, and tallies whose time is over. */
export function prepare(book: Book, at: Moment): void {
  if (book.lines.length === 0) {
    writeLine(book, at, { op: 'genesis', policy: null })
    writeLine(book, at, { op: 'policy', policy: null })
  }
  const { tallyWindowMs } = POLICY_NUMBERS[book.policy]
  emitAll(book, at, ({ first }) => first !== null && at.time > first + tallyWindowMs)
}

/** Before the clock is corrected no tally is left open. */
export function prepareAll(book: Book, at: Moment): void {
  prepare(book, at)
  emitAll(book, at, ({ first }) => first !== null)
}

function emitAll(book: Book, at: Moment, isDue: (tally: Counted) => boolean): void {
  const due = book.counted
    .filter(isDue)
    .sort((a, b) => (a.first ?? 0) - (b.first ?? 0) || byName(a, b))
  for (const tally of due) emit(book, tally, at)
}

function emit(book: Book, tally: Counted, at: Moment): void {
  const { about, actor, door, rule, entry, count, first, last } = tally
  const facts = { of: entry, count, first: instant(first), last: instant(last) }
  const who = about === null ? { actor, door } : { ref: about }
  writeLine(book, at, { op: 'tally', ...who, rule, facts })
  if (rule === 'restate' && about) changeMemory(book, about, { restatedAt: last })
  const rest = book.counted.filter((other) => other !== tally)
  book.counted = [...rest, { ...tally, count: 0, first: null, last: null }]
}

export type TallyKey = Pick<Counted, 'about' | 'actor' | 'door' | 'rule' | 'phrase'>

/** Ties in time are broken by name: collapses by memory and rule, then refusals. */
function nameOf({ about, actor, door, rule, phrase }: TallyKey): string {
  if (!about) return `refusal ${actor} ${door} ${rule}`
  // Noise that was kept is counted by itself, in the order of the entries that kept it.
  if (actor) return `noise ${actor} ${door} ${about.replace('suggestion@', '').padStart(16, '0')}`
  if (phrase?.startsWith('proposal ')) return phrase.replace(' ', ` ${about} `)
  return `collapse ${about} ${rule}`
}

const byName = (a: TallyKey, b: TallyKey): number => (nameOf(a) < nameOf(b) ? -1 : 1)

export const isCounted = (book: Book, key: TallyKey): boolean =>
  book.counted.some((tally) => nameOf(tally) === nameOf(key))

/** Counts a repeat on the entry of the first, and gives that; null when this is the first. */
export function repeatOf(book: Book, key: TallyKey, at: Moment): Counted | null {
  const known = book.counted.find((tally) => nameOf(tally) === nameOf(key))
  if (!known) return null
  const rest = book.counted.filter((tally) => tally !== known)
  const first = known.first ?? at.time
  // A clock that was set back between two repeats does not turn a tally around.
  const last = Math.max(known.last ?? at.time, at.time)
  book.counted = [...rest, { ...known, count: known.count + 1, first, last }]
  return known
}

export function firstOf(book: Book, key: TallyKey, entry: number): void {
  book.counted.push({ ...key, entry, count: 0, first: null, last: null })
}

export function countBurst(book: Book, draft: GateDraft, at: Moment): void {
  const count = counting(book, draft, at)
  if (!count) return
  const { actor, says } = count
  const rest = book.bursts.filter((row) => row.actor !== actor || row.says !== says)
  book.bursts = [...rest, count]
}

/** A rewording is counted with its original; its own words begin a count of their own. */
export function countItself(book: Book, draft: GateDraft, { time }: Moment): void {
  const { actor } = draft
  const says = meaning(draft.kind, draft.saying)
  if (draft.revises || book.bursts.some((row) => row.actor === actor && row.says === says)) return
  if (draft.label !== 'RecallReEntry') {
    book.bursts.push({ actor, says, times: [time], quarantined: null })
  }
}

/** From here on the quarantined row stands for the burst. */
export function holdBurst(book: Book, draft: GateDraft, entry: number): void {
  const says = meaning(draft.kind, draft.saying)
  book.bursts = book.bursts.map((row) =>
    row.actor === draft.actor && row.says === says ? { ...row, quarantined: draft.ref } : row,
  )
  const key = { about: draft.ref, actor: null, door: null, rule: 'burst', phrase: null } as const
  firstOf(book, key, entry)
}

export type Saving = Pick<Line, 'unit' | 'rule' | 'reasons' | 'facts'> & {
  readonly tier: Remembered['tier']
  readonly disposition: Remembered['disposition']
  readonly hops: Pick<Remembered, 'near' | 'far'>
  readonly captured: boolean
  readonly quotes: Ref | null
  readonly lift?: { readonly from: Remembered['tier']; readonly to: Remembered['tier'] } | null
}

/** From where nothing is believed, nothing is for a moment; trusted again, it is as if let in. */
function markAtBirth({ disposition, facts }: Saving, label: Remembered['label']) {
  if (disposition !== 'Distrusted') return null
  const was = isExternal(label) ? 'CommittedCheap' : 'CommittedInferred'
  return { was, origins: facts.distrusted as readonly number[], own: false } as const
}

/** A link is about the words: other words have a link of their own, or none. */
function linkIn(before: Remembered | undefined, says: string, { facts }: Saving): Ref | null {
  if (before?.says === says) return before.rewordingOf
  return typeof facts.phrasingOf === 'string' ? (facts.phrasingOf as Ref) : null
}

/** Captured by a hook from a tool, while no history here vouches for any. */
const isOfTool = ({ kind, label, door }: GateDraft): boolean =>
  door === 'hook' && label === 'ExternalFirstHand' && (kind === 'raw' || kind === 'note')

/** A birth, or the next revision: one entry, and the memory as its certificate now describes it. */
export function saveMemory(book: Book, at: Moment, draft: GateDraft, plan: Saving): number {
  const { hops, captured, quotes, lift = null, ...fields } = plan
  const { ref, kind, saying, label, sourceType, actor, door, document } = draft
  const before = recall(book, ref)
  const revision = (before?.revision ?? 0) + 1
  const sources = sourcesOf(book, draft)
  const parents = sources.map((parent) => ({ ref: parent, seq: recall(book, parent)?.seq ?? -1 }))
  const op = before ? 'memory.revised' : 'memory.saved'
  const who = { actor, door, label }
  const entry = writeLine(book, at, { ...fields, ...who, op, ref, revision, parents, seals: true })
  const memory: Remembered = {
    ref,
    kind,
    seq: before?.seq ?? entry,
    revision,
    says: meaning(kind, saying),
    bytes: bytesOf(kind, saying),
    predicate: lineOf(kind, saying),
    claim: saying.claim,
    text: textOf(kind, saying),
    captured,
    label,
    sourceType,
    actor,
    door,
    document,
    disposition: plan.disposition,
    tier: isOfTool(draft) && plan.tier > 1 ? 1 : plan.tier,
    ...(isOfTool(draft) ? { recordedTier: plan.tier } : {}),
    parents: sources,
    ...hops,
    restatedAt: before?.restatedAt ?? null,
    sure: draft.confidence,
    sureAt: at.time,
    distrust: before?.distrust ?? markAtBirth(plan, label),
    flags: before?.flags ?? [],
    rewordingOf: linkIn(before, meaning(kind, saying), plan),
    quotes: kind === 'claim' ? quotes : null,
    lift: lift && quotes ? { ...lift, of: quotes, lostBy: [] } : null,
  }
  if (before) changeMemory(book, ref, memory)
  else book.memories.push(memory)
  return entry
}
