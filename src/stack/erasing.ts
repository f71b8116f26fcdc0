import {
  DERIVED_CHOICES,
  type DerivedChoice,
  ERASE_BASES,
  type EraseBasis,
} from '../domain/erasure.ts'
import { MunimentError } from '../domain/errors.ts'
import { identityParts } from '../domain/identity.ts'
import { type Hash, isHash, parseRef, type Ref } from '../domain/ids.ts'
import { isRecordKind, type RecordKind } from '../domain/kind-names.ts'
import { keptOutAs, parseBody } from '../domain/kinds/table.ts'
import type { EntryPointer } from '../domain/outcome.ts'
import { EVERYONE } from '../domain/payload.ts'
import { pseudonymOf, readEntry, tombstoneOf } from '../hash/ledger.ts'
import type { KnownErasure } from '../ports/keyring.ts'
import {
  derivedFrom,
  type ErasurePlan,
  planErasure,
  refsOfActor,
  refsOfSubject,
  targetOf,
} from './erasure-plan.ts'
import { given, nameOf, oneOf, readable } from './given.ts'
import { type ActOptions, type Speaker, speakerOf } from './speaker.ts'
import type { Uses } from './uses.ts'

/** One memory, everything that an actor handed in, or everything kept about a subject. */
export type EraseWhat = string | { readonly actor: string } | { readonly subject: string }

export interface EraseOptions extends ActOptions {
  /** What becomes of memories made from it; they are listed unless something else is said. */
  readonly derived?: DerivedChoice
  /** Why, as a code that may stay in the ledger. */
  readonly basis?: EraseBasis
}

export interface Erased {
  /** What is gone, oldest first. */
  readonly erased: readonly Ref[]
  /** What was made from it and is still there. */
  readonly derived: readonly Ref[]
  /** One entry for each memory, and one for the actor. */
  readonly entries: readonly EntryPointer[]
  /** Whether every file is clean; if not, it is tried again when the stack is opened next. */
  readonly scrubbed: boolean
  /** The wish of somebody who may not erase, kept for a person to decide. */
  readonly proposed: EntryPointer | null
}

const TRIES_MAX = 5 // somebody who keeps rewording what is to go is let win

/** Destroys content, salts, words and counters in one commit, then the bytes they left in files. */
export async function erase(
  uses: Uses,
  what: EraseWhat,
  options?: EraseOptions | null,
): Promise<Erased> {
  const { derived = 'list', basis = 'requested', ...by } = given(options)
  const asked = {
    derived: oneOf('derived', derived, DERIVED_CHOICES),
    basis: oneOf('basis', basis, ERASE_BASES),
    by: speakerOf(uses.stackId, 'erase', by),
    ...meant(what),
  }
  for (let tries = 1; ; tries += 1) {
    try {
      return await eraseOnce(uses, asked)
    } catch (cause) {
      const isMoved = cause instanceof MunimentError && cause.code === 'version_conflict'
      if (!isMoved || tries === TRIES_MAX) throw cause
    }
  }
}

/** What would go: read, and nothing done. */
export async function planFor(
  uses: Uses,
  what: EraseWhat,
  options?: Pick<EraseOptions, 'derived'> | null,
): Promise<ErasurePlan> {
  const { derived = 'list' } = given(options)
  const { ref, ...others } = meant(what)
  const refs = ref !== null ? [ref] : await refsMeant(uses, others)
  return planErasure(uses, refs, oneOf('derived', derived, DERIVED_CHOICES) === 'erase')
}

interface Asked {
  readonly derived: DerivedChoice
  readonly basis: EraseBasis
  readonly by: Speaker
  readonly ref: Ref | null
  readonly actor: string | null
  readonly subject: string | null
}

function meant(what: EraseWhat): Pick<Asked, 'ref' | 'actor' | 'subject'> {
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

async function eraseOnce(uses: Uses, asked: Asked): Promise<Erased> {
  const { ref, actor, subject, derived, basis, by } = asked
  const refs = ref !== null ? [ref] : await refsMeant(uses, { actor, subject })
  const plan = await planErasure(uses, refs, derived === 'erase')
  const scope = subject === null ? 'own' : 'everyone'
  const targets = await Promise.all(plan.refs.map((each) => targetOf(uses, each, scope)))
  // Names are gone with the commit: what is kept under them must go before it.
  if (actor !== null) await uses.erasing.forgetReceipts({ refs: [], actor })
  const request = { targets, shred: actor, derived, basis, ...by }
  const outcome = await uses.erasing.erase(request)
  if (outcome.type === 'changed') {
    return { ...NOTHING, derived: plan.derived, proposed: outcome.result.entry }
  }
  const left = await derivedFrom(uses, plan.refs)
  const more =
    derived === 'erase' && left.length > 0
      ? await eraseOnce(uses, { ...asked, ref: left[0] ?? null, actor: null, subject: null })
      : NOTHING
  const scrubbed = await finishErasures(uses)
  return {
    erased: [...plan.refs, ...more.erased],
    derived: derived === 'erase' ? [] : left,
    entries: [...outcome.entries, ...more.entries],
    scrubbed,
    proposed: null,
  }
}

const NOTHING: Erased = { erased: [], derived: [], entries: [], scrubbed: true, proposed: null }

async function refsMeant(
  uses: Uses,
  { actor, subject }: Pick<Asked, 'actor' | 'subject'>,
): Promise<readonly Ref[]> {
  if (actor !== null) return refsOfActor(uses, actor)
  return subject === null ? [] : refsOfSubject(uses, subject)
}

/**
 * What is left to do after the commit, and after a crash: it is told to the keyring, receipts are
 * forgotten, and the files are scrubbed. Every step may be done again.
 */
export async function finishErasures(uses: Uses): Promise<boolean> {
  const pending = await uses.read({ type: 'scrubs' })
  if (pending.length === 0) return true
  const { stack } = await uses.read({ type: 'standing' })
  const known: KnownErasure[] = []
  for (const from of pending) {
    const [row] = await uses.read({ type: 'entries', from, limit: 1 })
    if (!row) continue
    const { seq, ref, decision } = readEntry(row.bytes)
    const { basis, of = null } = decision.facts
    known.push({
      seq,
      hash: row.hash,
      basis: ERASE_BASES.find((each) => each === basis) ?? 'other',
      ref,
      of: isHash(of) ? of : null,
    })
  }
  if (stack.uid !== null) uses.erasing.note(stack.uid, known)
  try {
    const refs = known.flatMap(({ ref }) => ref ?? [])
    await uses.erasing.forgetReceipts({ refs, actor: null })
    return await uses.erasing.scrub()
  } catch (cause) {
    // What is erased is erased: bytes that could not be destroyed yet are destroyed next time.
    if (cause instanceof MunimentError && cause.code !== 'invariant') return false
    throw cause
  }
}

/**
 * A stack brought back from an older copy brings back what was erased since. What the keyring knows
 * to be erased is erased again before anybody reads it.
 */
export async function repeatErasures(uses: Uses): Promise<void> {
  const { tip, stack } = await uses.read({ type: 'standing' })
  if (stack.uid === null) return
  const known = uses.erasing.known(stack.uid)
  const last = known.at(-1)
  if (last === undefined) return
  const [row] = await uses.read({ type: 'entries', from: last.seq, limit: 1 })
  if (last.seq <= tip.head.seq && row?.hash === last.hash) return
  for (const { ref, of, basis } of known) {
    const options = { derived: 'keep', basis } as const
    if (ref !== null && (await isThere(uses, ref))) await erase(uses, ref, options)
    const actor = of === null ? null : await actorNamed(uses, of)
    if (actor !== null) await shred(uses, actor, basis)
  }
}

const isThere = async ({ read }: Uses, ref: Ref): Promise<boolean> =>
  (await read({ type: 'memory', ref }))?.state.erased === null

async function actorNamed({ read, sha256 }: Uses, pseudonym: Hash): Promise<string | null> {
  const keys = await read({ type: 'actorKeys' })
  const key = keys.find((each) => pseudonymOf(sha256, each.key, each.actor) === pseudonym)
  return key?.actor ?? null
}

async function shred(uses: Uses, actor: string, basis: EraseBasis): Promise<void> {
  const by = speakerOf(uses.stackId, 'erase')
  await uses.erasing.erase({ targets: [], shred: actor, derived: 'keep', basis, ...by })
}

/** Words that were erased or rejected: by the memory that said them, or as they would be said. */
export type ReadmitWhat =
  | string
  | { readonly kind: RecordKind; readonly body: object; readonly actor: string }

/** Lets words back in; null where nothing kept them out. */
export async function readmit(
  uses: Uses,
  what: ReadmitWhat,
  options?: ActOptions | null,
): Promise<EntryPointer | null> {
  const { caller, actor } = speakerOf(uses.stackId, 'readmit', given(options))
  const marks =
    typeof what === 'string' ? await marksOf(uses, parseRef(what)) : marksFor(uses, what)
  return uses.erasing.readmit(marks, actor, caller)
}

async function marksOf({ read }: Uses, ref: Ref): Promise<readonly Hash[]> {
  const rows = await read({ type: 'entriesAbout', ref })
  if (rows.length === 0) {
    throw new MunimentError('not_found', `${ref} does not exist in this stack.`)
  }
  return rows.flatMap(({ bytes }) => {
    const { tombstone, tombstones } = readEntry(bytes).decision.facts
    return [tombstone, ...(Array.isArray(tombstones) ? tombstones : [])].filter(isHash)
  })
}

function marksFor(
  { sha256, erasing }: Uses,
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
