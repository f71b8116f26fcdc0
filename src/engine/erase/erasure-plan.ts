import type { Entry } from '../../domain/entry.ts'
import { ERASURE_LIMITS, type ErasedLine, type ErasureTarget } from '../../domain/erasure.ts'
import { LimitError, MunimentError } from '../../domain/errors.ts'
import {
  type Hash,
  KINDS,
  type RecordKind,
  type Ref,
  splitRef,
  toRef,
  tryParseRef,
} from '../../domain/ids.ts'
import { identityParts, normaliseText } from '../../domain/kinds/content.ts'
import type { SuggestionBody } from '../../domain/kinds/suggestion.ts'
import { definitionOf, keptOutAs, parseBody } from '../../domain/kinds/table.ts'
import { LIMITS } from '../../domain/limits.ts'
import { EVERYONE } from '../../domain/provenance.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import { isLineClaim, tellerOf } from '../../fold/line-claims.ts'
import { placesKept } from '../../gate/erased-place.ts'
import { contentHash, repeatMarkOf, tombstoneOf } from '../../ledger/ledger.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import { openSealed } from '../read/memory-view.ts'
import { toldEntry } from '../read/merged-steps.ts'

export interface ErasurePlan {
  /** Oldest first; a single requested memory comes first. */
  readonly refs: readonly Ref[]
  readonly derived: readonly Ref[]
}

const PAGE = 500

/**
 * Collects all memories that must be erased together: captures, the claim of a captured utterance,
 * and the suggestion behind a memory. With `derived: 'erase'`, also all derived memories.
 */
export async function planErasure(
  engine: Pick<Engine, 'read'>,
  asked: readonly Ref[],
  withDerived: boolean,
): Promise<ErasurePlan> {
  const going = new Map<Ref, MemoryState>()
  const around = await suggestionsAround(engine)
  let waiting = asked
  for (;;) {
    await closureOf(engine, around, { asked: waiting, going })
    const derived = await derivedFrom(engine, [...going.keys()], around)
    if (!withDerived || derived.length === 0) {
      const first = asked.length === 1 ? asked[0] : undefined
      const rank = ({ ref, seq }: MemoryState): number => (ref === first ? -1 : seq)
      const states = [...going.values()].sort((a, b) => rank(a) - rank(b))
      return { refs: states.map(({ ref }) => ref), derived }
    }
    waiting = derived
  }
}

/** Follows units until no more memories are added. */
async function closureOf(
  engine: Pick<Engine, 'read'>,
  around: SuggestionsAround,
  { asked, going }: { readonly asked: readonly Ref[]; readonly going: Map<Ref, MemoryState> },
): Promise<void> {
  const seen = new Set(asked)
  for (const ref of seen) {
    const stored = await engine.read({ type: 'memory', ref })
    if (!stored) throw new MunimentError('not_found', `${ref} does not exist in this stack.`)
    if (stored.state.erased !== null) continue
    going.set(ref, stored.state)
    const { eraseMemoriesMax } = ERASURE_LIMITS
    if (going.size > eraseMemoriesMax) {
      throw new LimitError('eraseMemoriesMax', eraseMemoriesMax, going.size, {
        hint: 'Erase in several steps: by memory, by actor or by subject.',
      })
    }
    for (const other of await unitsOf(engine, stored.state)) seen.add(other)
    for (const other of around.origins(ref)) seen.add(other)
  }
}

/** Memories of the same unit as the birth or a revision of a memory (18.10). */
async function unitsOf(engine: Pick<Engine, 'read'>, memory: MemoryState): Promise<readonly Ref[]> {
  const rows = await engine.read({ type: 'entries', about: memory.ref })
  const told = rows.map(({ bytes }) => toldEntry(bytes)).filter(({ revision }) => revision !== null)
  const others: Ref[] = []
  for (const unit of new Set(told.map((entry) => entry.unit))) {
    const members = await unitFrom(engine, unit)
    const main = members.at(-1)
    for (const { ref } of members.slice(0, -1)) if (ref !== null) others.push(ref)
    const isUtterance = memory.captured && main?.ref?.startsWith('claim:') === true
    if (isUtterance && main?.ref) others.push(main.ref)
  }
  return others.filter((ref) => ref !== memory.ref)
}

/** A memory and all memories of its units, captures included. */
export async function bornWith(engine: Pick<Engine, 'read'>, ref: Ref): Promise<readonly Ref[]> {
  const rows = await engine.read({ type: 'entries', about: ref })
  const told = rows.map(({ bytes }) => toldEntry(bytes)).filter(({ revision }) => revision !== null)
  const found = new Set([ref])
  for (const unit of new Set(told.map((entry) => entry.unit))) {
    for (const { ref: each } of await unitFrom(engine, unit)) if (each !== null) found.add(each)
  }
  return [...found]
}

/** Births of one draft are consecutive, the main memory last. */
async function unitFrom(engine: Pick<Engine, 'read'>, unit: number): Promise<readonly Entry[]> {
  const found: Entry[] = []
  for (let from = unit; ; from += PAGE) {
    const rows = await engine.read({ type: 'entries', from, limit: PAGE })
    for (const { bytes } of rows) {
      const entry = toldEntry(bytes)
      if (entry.unit !== unit) return found
      if (entry.revision !== null) found.push(entry)
    }
    if (rows.length < PAGE) return found
  }
}

/** Remaining derived memories, oldest first, also through suggestions without lineage. */
export async function derivedFrom(
  engine: Pick<Engine, 'read'>,
  refs: readonly Ref[],
  given?: SuggestionsAround,
): Promise<readonly Ref[]> {
  const around = given ?? (await suggestionsAround(engine))
  const going = new Set(refs)
  const found = new Map<Ref, Instant>()
  const walked = new Set<Ref>()
  const waiting = new Set(refs)
  for (const ref of waiting) {
    if (walked.has(ref)) continue
    const visitMax = LIMITS.lineageVisitMax
    const met = await engine.read({ type: 'lineage', ref, direction: 'down', visitMax })
    if (met === null) throw new LimitError('lineageVisitMax', visitMax, visitMax + 1)
    for (const { state } of met) {
      walked.add(state.ref)
      if (state.erased === null && !going.has(state.ref)) found.set(state.ref, state.bornAt)
      for (const other of await around.following(state.ref)) waiting.add(other)
    }
  }
  for (const { ref, bornAt } of await rewordingsOf(engine, [...refs, ...found.keys()]))
    if (!going.has(ref)) found.set(ref, bornAt)
  return [...found].sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([ref]) => ref)
}

/** Memories that say the same in other words, and so keep the words of an erased memory. */
async function rewordingsOf(
  engine: Pick<Engine, 'read'>,
  refs: readonly Ref[],
): Promise<readonly MemoryState[]> {
  const named = new Set<Ref | null>(refs)
  const originals = new Map<RecordKind, number>()
  for (const ref of refs) {
    const { kind } = splitRef(ref)
    if (!definitionOf(kind).asserts) continue
    const { state } = (await engine.read({ type: 'memory', ref })) ?? {}
    if (state) originals.set(kind, Math.min(state.seq, originals.get(kind) ?? state.seq))
  }
  const found: MemoryState[] = []
  // A rewording is younger than its original, and of the same kind.
  for (const [kind, oldest] of originals) {
    for (let after = oldest; ; ) {
      const where = { kind, present: true } as const
      const asked = { type: 'memories', as: 'state', where, order: 'oldest', limit: PAGE } as const
      const page: readonly MemoryState[] = await engine.read({ ...asked, after })
      found.push(...page.filter(({ rewordingOf }) => named.has(rewordingOf)))
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) break
      after = last.seq
    }
  }
  return found
}

export async function refsOfActor(
  engine: Pick<Engine, 'read'>,
  actor: string,
): Promise<readonly Ref[]> {
  const found: Ref[] = []
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const page: readonly MemoryState[] = await engine.read({
      type: 'memories',
      as: 'state',
      order: 'oldest',
      after,
      limit: PAGE,
    })
    for (const { ref, sourceId, erased } of page) {
      if (sourceId === actor && erased === null) found.push(ref)
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return found
    after = last.seq
  }
}

/** Every claim about a subject, and memories under its name: relationships, assessments. */
export async function refsOfSubject(
  engine: Pick<Engine, 'read'>,
  subject: string,
): Promise<readonly Ref[]> {
  const wanted = normaliseText(subject)
  const found: Ref[] = []
  for (const kind of KINDS.filter((each) => NAMES_SUBJECT.has(each))) {
    for (let before: number | null = null; ; ) {
      const page: readonly StoredMemory[] = await engine.read({
        type: 'memories',
        where: { kind, present: true },
        after: before,
        limit: PAGE,
      })
      for (const stored of page) {
        if (normaliseText(subjectIn(stored)) === wanted) found.push(stored.state.ref)
      }
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) break
      before = last.state.seq
    }
  }
  return found
}

const NAMES_SUBJECT: ReadonlySet<string> = new Set(['claim', 'relationship', 'assessment'])

function subjectIn({ state, sealed }: StoredMemory): string {
  if (state.kind !== 'claim' || sealed === null) return state.facets.name ?? ''
  const { subject } = openSealed(sealed).body as { readonly subject?: unknown } // of kind claim
  return typeof subject === 'string' ? subject : ''
}

/** The tombstones and identities of every revision of a memory, for the gate. */
export async function targetOf(
  engine: Pick<Engine, 'read' | 'sha256' | 'erasing'>,
  ref: Ref,
  scope: 'own' | 'everyone',
): Promise<ErasureTarget> {
  const key = engine.erasing.tombstoneKey()
  if (key === null) {
    throw new MunimentError('tombstone_key_missing', 'The key that makes tombstones is not here.', {
      hint: 'Bring the key file from where the stack was last written.',
    })
  }
  // Read before the entries: a revision that comes in between conflicts with the number.
  const revision = (await engine.read({ type: 'memory', ref }))?.state.revision ?? 0
  const rows = await engine.read({ type: 'entries', about: ref })
  const marks = new Set<Hash>()
  const identities = new Set<Hash>()
  const repeated = (parts: readonly unknown[]): Hash =>
    repeatMarkOf(engine.sha256, key, contentHash(engine.sha256, parts))
  const { kind } = splitRef(ref)
  for (const entry of rows.map(({ bytes }) => toldEntry(bytes))) {
    if (entry.revision === null) continue
    const [sealed] = await engine.read({
      type: 'table',
      name: 'sealed',
      from: entry.seq,
      to: entry.seq,
    })
    if (!sealed) continue
    const { body, provenance } = openSealed(sealed)
    const identity = identityParts(kind, body)
    identities.add(repeated(identity))
    const suggested = kind === 'suggestion' ? suggestedIdentity(body) : null
    if (suggested !== null) identities.add(repeated(suggested))
    const actor = scope === 'everyone' ? EVERYONE : provenance.sourceId
    marks.add(tombstoneOf(engine.sha256, key, { kind: keptOutAs(kind), actor, identity }))
  }
  return { ref, revision, marks: [...marks].sort(), identities: [...identities] }
}

/** A refused memory is saved as a suggestion, so its own identity counts; noise may fit no kind. */
function suggestedIdentity(body: object): ReturnType<typeof identityParts> | null {
  const { memoryType, content } = body as SuggestionBody // of kind suggestion
  try {
    return identityParts(memoryType, parseBody(memoryType, content))
  } catch (cause) {
    if (cause instanceof MunimentError) return null
    throw cause
  }
}

/** Timelines of erased claims, with other claims for the gate. */
export async function linesLosing(
  { read, moment }: Pick<Engine, 'read' | 'moment'>,
  refs: readonly Ref[],
): Promise<readonly ErasedLine[]> {
  const going = new Set(refs)
  const lines = new Set<Hash>()
  for (const ref of refs.filter((each) => splitRef(each).kind === 'claim')) {
    const line = (await read({ type: 'memory', ref }))?.state.line ?? null
    if (line !== null) lines.add(line)
  }
  const found: ErasedLine[] = []
  for (const line of lines) {
    const { claims } = await read({ type: 'line', line, which: 'all' })
    const states = claims.map(({ state }) => state).filter(isLineClaim)
    const leaving = new Set(
      states.filter(({ ref }) => going.has(ref)).map(({ identity }) => identity),
    )
    const staying = states.filter(({ ref }) => !going.has(ref))
    const alike = staying.filter(({ identity }) => leaving.has(identity))
    const teller = tellerOf(staying)
    const { policy, now } = await moment()
    const places = placesKept(states, going, { policy, time: now })
    const others = [...(teller ? [teller] : []), ...alike, ...places].map(({ ref }) => ref)
    found.push({ line, others: [...new Set(others)] })
  }
  return found
}

/** A suggestion for an erasure: its body quotes sources without lineage. */
interface Suggested {
  readonly ref: Ref
  readonly sources: readonly Ref[]
  /** Memories from the accepted suggestion. */
  readonly into: readonly Ref[]
}

/** Links between suggestions and memories in both directions. */
export interface SuggestionsAround {
  /** Suggestions that became this memory: they hold its words and are erased too. */
  origins(ref: Ref): readonly Ref[]
  /** Suggestions from this memory, and for a suggestion the memory from its acceptance. */
  following(ref: Ref): Promise<readonly Ref[]>
}

/** Reads all remaining suggestions once for a plan, answered or not. */
export async function suggestionsAround(engine: Pick<Engine, 'read'>): Promise<SuggestionsAround> {
  const madeFrom = new Map<Ref, Ref[]>()
  const became = new Map<Ref, Ref[]>()
  for await (const { ref, sources, into } of suggestionsIn(engine)) {
    for (const source of sources) madeFrom.set(source, [...(madeFrom.get(source) ?? []), ref])
    for (const memory of into) became.set(memory, [...(became.get(memory) ?? []), ref])
  }
  return {
    origins: (ref) => became.get(ref) ?? [],
    following: async (ref) => [...(madeFrom.get(ref) ?? []), ...(await intoOf(engine, ref))],
  }
}

async function* suggestionsIn(engine: Pick<Engine, 'read'>): AsyncGenerator<Suggested> {
  for (let before: number | null = null; ; ) {
    const page: readonly StoredMemory[] = await engine.read({
      type: 'memories',
      where: { kind: 'suggestion', present: true },
      after: before,
      limit: PAGE,
    })
    for (const { state, sealed } of page) {
      const into = ANSWERED.has(state.facets.status ?? '') ? await intoOf(engine, state.ref) : []
      yield { ref: state.ref, sources: sourcesIn(sealed), into }
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    before = last.state.seq
  }
}

const ANSWERED: ReadonlySet<string> = new Set(['promoted', 'modified'])

function sourcesIn(sealed: StoredMemory['sealed']): readonly Ref[] {
  if (sealed === null) return []
  const { sourceRefs } = openSealed(sealed).body as { readonly sourceRefs?: unknown } // checked below
  return Array.isArray(sourceRefs) ? sourceRefs.flatMap(refIn) : []
}

/** Reads entries, which stay after an erasure of the suggestion. */
async function intoOf({ read }: Pick<Engine, 'read'>, ref: Ref): Promise<readonly Ref[]> {
  if (splitRef(ref).kind !== 'suggestion') return []
  const rows = await read({ type: 'entries', about: ref })
  return rows.flatMap(({ bytes }) => {
    const { op, decision } = toldEntry(bytes)
    return op === 'suggestion.resolved' ? refIn(decision.facts.into) : []
  })
}

function refIn(value: unknown): readonly Ref[] {
  const parts = tryParseRef(value)
  return parts ? [toRef(parts.kind, parts.id)] : []
}
