import {
  DERIVED_CHOICES,
  type DerivedChoice,
  ERASE_BASES,
  type EraseBasis,
  type ErasureTarget,
} from '../../domain/erasure.ts'
import { MunimentError } from '../../domain/errors.ts'
import {
  type Hash,
  isHash,
  isRecordKind,
  parseRef,
  type RecordKind,
  type Ref,
} from '../../domain/ids.ts'
import { identityParts } from '../../domain/kinds/content.ts'
import { keptOutAs, parseBody } from '../../domain/kinds/table.ts'
import { EVERYONE } from '../../domain/provenance.ts'
import type { EntryPointer } from '../../domain/write.ts'
import { whyNotErase } from '../../gate/commands/erase.ts'
import { pseudonymOf, readEntry, tombstoneOf } from '../../ledger/ledger.ts'
import type { KnownErasure } from '../../ports/world.ts'
import type { Engine } from '../engine.ts'
import {
  type ActOptions,
  given,
  nameOf,
  oneOf,
  readable,
  type Speaker,
  speakerOf,
} from '../write/arguments.ts'
import {
  derivedFrom,
  type ErasurePlan,
  linesLosing,
  planErasure,
  refsOfActor,
  refsOfSubject,
  targetOf,
} from './erasure-plan.ts'
import { marksOf } from './tombstones.ts'

/** One memory, all memories of an actor, or all memories about a subject. */
export type EraseWhat = string | { readonly actor: string } | { readonly subject: string }

/** The basis of an erasure, and what goes with it. */
export interface EraseOptions extends ActOptions {
  /** Treatment of derived memories: `list` by default. */
  readonly derived?: DerivedChoice
  /** The basis as a code, which stays in the ledger. */
  readonly basis?: EraseBasis
}

export interface Erased {
  /** Erased memories, oldest first. */
  readonly erased: readonly Ref[]
  readonly derived: readonly Ref[]
  /** One entry for each memory, and one for the actor. */
  readonly entries: readonly EntryPointer[]
  /** True if every file is clean; otherwise `maintenance` and the next opening try again. */
  readonly scrubbed: boolean
  /** The proposal of a caller who may not erase; a person decides. */
  readonly proposed: EntryPointer | null
}

const TRIES_MAX = 5 // a caller that keeps revising the memory wins

/** Destroys content, salts, words and counters in one commit, then the bytes they left in files. */
export async function erase(
  engine: Engine,
  what: EraseWhat,
  options?: EraseOptions | null,
): Promise<Erased> {
  const { derived = 'list', basis = 'requested', ...by } = given(options)
  const asked = {
    derived: oneOf('derived', derived, DERIVED_CHOICES),
    basis: oneOf('basis', basis, ERASE_BASES),
    by: speakerOf(engine.stackId, 'erase', by),
    ...meant(what),
  }
  await engine.checks.settled() // a check names words of other memories
  const gone = await destroy(engine, asked)
  if (gone.proposed !== null) return gone
  const { entries } = await finishErasures(engine)
  return { ...gone, scrubbed: entries === 0 }
}

/** An erasure without tombstones. */
const isOfRetention = ({ basis, tombstones }: KnownErasure): boolean =>
  basis === 'retention' && tombstones.length === 0

/** Erases a memory at the end of its retention; `finishErasures` cleans the files later. */
export const expire = (engine: Engine, ref: Ref): Promise<Erased> =>
  destroy(engine, {
    derived: 'list',
    basis: 'retention',
    by: speakerOf(engine.stackId, 'maintenance'),
    ...{ ref, actor: null, subject: null },
    mayReturn: true,
  })

/** Commits the erasure; `finishErasures` cleans the files. */
async function destroy(engine: Engine, asked: ErasureRequest): Promise<Erased> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await destroyOnce(engine, asked)
    } catch (cause) {
      const isMoved = cause instanceof MunimentError && cause.code === 'version_conflict'
      if (!isMoved || tries === TRIES_MAX) throw cause
    }
  }
}

/** Lists the memories of an erasure, without a change. */
export async function planFor(
  engine: Engine,
  what: EraseWhat,
  options?: Pick<EraseOptions, 'derived'> | null,
): Promise<ErasurePlan> {
  const { derived = 'list' } = given(options)
  const { ref, ...others } = meant(what)
  const refs = ref !== null ? [ref] : await refsMeant(engine, others)
  return planErasure(engine, refs, oneOf('derived', derived, DERIVED_CHOICES) === 'erase')
}

interface ErasureRequest {
  readonly derived: DerivedChoice
  readonly basis: EraseBasis
  readonly by: Speaker
  readonly ref: Ref | null
  readonly actor: string | null
  readonly subject: string | null
  /** Tombstones of a repeated erasure, by memory. */
  readonly marks?: ReadonlyMap<Ref, readonly Hash[]>
  /** The words may be saved again, so no tombstone is set. */
  readonly mayReturn?: true
}

function meant(what: EraseWhat): Pick<ErasureRequest, 'ref' | 'actor' | 'subject'> {
  const none = { ref: null, actor: null, subject: null }
  if (typeof what === 'string') return { ...none, ref: parseRef(what) }
  const members = readable(() => Object.entries({ ...what }))
  const [[name, value] = ['', ''], ...more] = members
  if (more.length === 0 && name === 'actor') return { ...none, actor: nameOf('actor', value) }
  if (more.length === 0 && name === 'subject') return { ...none, subject: nameOf('subject', value) }
  throw new MunimentError('invalid_input', 'What to erase is a ref, an actor or a subject.', {
    hint: 'erase("raw:…"), erase({ actor: "…" }) or erase({ subject: "…" })',
  })
}

async function destroyOnce(engine: Engine, asked: ErasureRequest): Promise<Erased> {
  const { ref, actor, subject, derived, basis, by, marks } = asked
  const refs = ref !== null ? [ref] : await refsMeant(engine, { actor, subject })
  const plan = await planErasure(engine, refs, derived === 'erase')
  const scope = subject === null ? 'own' : 'everyone'
  const read = await Promise.all(plan.refs.map((each) => targetOf(engine, each, scope)))
  const targets = asked.mayReturn
    ? read.map((each) => ({ ...each, marks: [] }))
    : read.map((each) => alsoMarked(each, marks?.get(each.ref) ?? []))
  const lines = await linesLosing(engine, plan.refs)
  const request = { targets, lines, shred: actor, derived, basis, ...by }
  if (actor !== null) await forgetTold(engine, actor, request)
  const outcome = await engine.erasing.erase(request)
  if (outcome.type === 'changed') {
    return { ...NOTHING, derived: plan.derived, proposed: outcome.result.entry }
  }
  const left = await derivedFrom(engine, plan.refs)
  const more =
    derived === 'erase' && left.length > 0
      ? await destroy(engine, { ...asked, ref: left[0] ?? null, actor: null, subject: null })
      : NOTHING
  return {
    erased: [...plan.refs, ...more.erased],
    derived: derived === 'erase' ? [] : left,
    entries: [...outcome.entries, ...more.entries],
    scrubbed: false,
    proposed: null,
  }
}

const alsoMarked = (target: ErasureTarget, marks: readonly Hash[]): ErasureTarget => ({
  ...target,
  marks: [...new Set([...target.marks, ...marks])].sort(),
})

/** Forgets receipts first, because the commit destroys the actor's name; the gate may refuse. */
async function forgetTold(
  engine: Engine,
  actor: string,
  request: Parameters<typeof whyNotErase>[0],
): Promise<void> {
  const { policy } = await engine.moment()
  const refused = whyNotErase(request, policy)
  if (refused) throw refused
  await engine.erasing.forgetReceipts({ refs: [], actor })
}

const NOTHING: Erased = { erased: [], derived: [], entries: [], scrubbed: true, proposed: null }

async function refsMeant(
  engine: Engine,
  { actor, subject }: Pick<ErasureRequest, 'actor' | 'subject'>,
): Promise<readonly Ref[]> {
  if (actor !== null) return refsOfActor(engine, actor)
  return subject === null ? [] : refsOfSubject(engine, subject)
}

/** Files that may still hold bytes of erased memories. */
export interface ErasuresPending {
  /** Erasures whose files are not clean yet. */
  readonly entries: number
  /** The reason of the last failed cleaning; null without a failure. */
  readonly fault: string | null
}

/**
 * Finishes erasures after the commit or a crash: the keyring notes them, receipts are forgotten,
 * and files are scrubbed. Every step may be repeated. A failure is reported and never thrown,
 * because the commit stands and must block no reader or writer; `maintenance` or the next opening
 * tries again.
 */
export async function finishErasures(engine: Engine): Promise<ErasuresPending> {
  const pending = await engine.read({ type: 'table', name: 'scrubs' })
  if (pending.length === 0) return { entries: 0, fault: null }
  try {
    await cleanAfter(engine, pending)
    engine.erasing.failed(null)
  } catch (cause) {
    engine.erasing.failed(cause instanceof Error ? cause.message : String(cause))
  }
  return erasuresPending(engine)
}

export async function erasuresPending({ read, erasing }: Engine): Promise<ErasuresPending> {
  const { length: entries } = await read({ type: 'table', name: 'scrubs' })
  return { entries, fault: entries === 0 ? null : erasing.fault() }
}

async function cleanAfter(engine: Engine, pending: readonly number[]): Promise<void> {
  const { stack } = await engine.read({ type: 'standing' })
  const known: KnownErasure[] = []
  for (const from of pending) {
    const [row] = await engine.read({ type: 'entries', from, limit: 1 })
    if (!row) continue
    const { seq, ref, decision } = readEntry(row.bytes)
    const { basis, of = null, tombstones } = decision.facts
    known.push({
      seq,
      hash: row.hash,
      basis: ERASE_BASES.find((each) => each === basis) ?? 'other',
      ref,
      of: isHash(of) ? of : null,
      tombstones: Array.isArray(tombstones) ? tombstones.filter(isHash) : [],
    })
  }
  if (stack.uid !== null) engine.erasing.note(stack.uid, known)
  const refs = known.flatMap(({ ref }) => ref ?? [])
  await engine.erasing.forgetReceipts({ refs, actor: null })
  await engine.erasing.scrub()
}

/**
 * Repeats erasures after a restore from an older copy, before any read. The keyring lists them;
 * each is checked, because an earlier repetition may have stopped halfway, and a repeated erasure
 * has another entry number.
 */
export async function repeatErasures(engine: Engine): Promise<number> {
  const { stack } = await engine.read({ type: 'standing' })
  if (stack.uid === null) return 0
  const by = speakerOf(engine.stackId, 'erase')
  const erasures = engine.erasing.known(stack.uid)
  // A unit is erased with its first memory, and each memory keeps its own tombstones.
  const marks = new Map(erasures.flatMap(({ ref, tombstones }) => (ref ? [[ref, tombstones]] : [])))
  const told = new Set<Ref | null>()
  const repeated = new Set<Ref | Hash>()
  for (const known of erasures) {
    if (await isTold(engine, known)) told.add(known.ref)
    else if (known.ref !== null && (await isThere(engine, known.ref))) repeated.add(known.ref)
  }
  for (const known of erasures) {
    if (await isTold(engine, known)) continue
    const { ref, of, basis } = known
    if (ref !== null && !told.has(ref)) await keepOutUnborn(engine, { known, uid: stack.uid, by })
    const to = { derived: 'keep', basis, by, marks, ref: null, actor: null, subject: null } as const
    const again = isOfRetention(known) ? ({ mayReturn: true } as const) : {}
    if (ref !== null && (await isThere(engine, ref)))
      await destroy(engine, { ...to, ...again, ref })
    const actor = of === null ? null : await actorNamed(engine, of)
    if (actor === null || of === null) continue
    await destroy(engine, { ...to, actor })
    repeated.add(of)
  }
  return repeated.size
}

/**
 * Sets the tombstones of a memory that the older copy does not contain, so that its words stay out
 * (ERASE-BYTES). The keyring notes the repetition as a new erasure, so that a later readmission
 * wins.
 */
async function keepOutUnborn(
  { erasing, read }: Engine,
  { known, uid, by }: { readonly known: KnownErasure; readonly uid: string; readonly by: Speaker },
): Promise<void> {
  const { ref, tombstones } = known
  if (ref === null || tombstones.length === 0 || (await read({ type: 'memory', ref }))) return
  const entry = await erasing.keepOut(known, by)
  if (entry !== null) erasing.note(uid, [{ ...known, seq: entry.seq, hash: entry.hash }])
}

/** True if this ledger holds the entry of the erasure. */
async function isTold({ read }: Engine, { seq, hash }: KnownErasure): Promise<boolean> {
  const [row] = await read({ type: 'entries', from: seq, limit: 1 })
  return row?.hash === hash
}

const isThere = async ({ read }: Engine, ref: Ref): Promise<boolean> =>
  (await read({ type: 'memory', ref }))?.state.erased === null

async function actorNamed({ read, sha256 }: Engine, pseudonym: Hash): Promise<string | null> {
  const keys = await read({ type: 'table', name: 'actorKeys' })
  const key = keys.find((each) => pseudonymOf(sha256, each.key, each.actor) === pseudonym)
  return key?.actor ?? null
}

/** Erased or rejected words: named by their memory, or given as a body. */
export type ReadmitWhat =
  | string
  | { readonly kind: RecordKind; readonly body: object; readonly actor: string }

/** Readmits erased or rejected words; null where no tombstone matched. */
export async function readmit(
  engine: Engine,
  what: ReadmitWhat,
  options?: ActOptions | null,
): Promise<EntryPointer | null> {
  const { caller, actor } = speakerOf(engine.stackId, 'readmit', given(options))
  const marks =
    typeof what === 'string' ? await marksOf(engine, parseRef(what)) : marksFor(engine, what)
  return engine.erasing.readmit(marks, actor, caller)
}

function marksFor(
  { sha256, erasing }: Engine,
  { kind, body, actor }: Exclude<ReadmitWhat, string>,
): readonly Hash[] {
  const key = erasing.tombstoneKey()
  if (key === null) {
    throw new MunimentError('tombstone_key_missing', 'The key that checks tombstones is not here.')
  }
  if (!isRecordKind(kind)) throw new MunimentError('invalid_input', 'That is no kind of memory.')
  const identity = identityParts(kind, parseBody(kind, body as never)) // checked by its parser
  return [nameOf('actor', actor), EVERYONE].map((name) =>
    tombstoneOf(sha256, key, { kind: keptOutAs(kind), actor: name, identity }),
  )
}
