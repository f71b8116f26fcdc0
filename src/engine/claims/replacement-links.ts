import { KEPT_OUT } from '../../domain/claims.ts'
import { type RecordKind, type Ref, splitRef } from '../../domain/ids.ts'
import { isGone, type MemoryState } from '../../domain/state.ts'
import { queryTerms } from '../../domain/words/terms.ts'
import type { WriteResult } from '../../domain/write.ts'
import { hasAuthority } from '../../fold/authority.ts'
import type { StoredMemory } from '../../ports/store.ts'
import { type Replacement, replacementsBy, saysChange } from '../../recall/replacement.ts'
import type { Engine } from '../engine.ts'
import { narrowing } from '../read/list.ts'
import { openNote, viewOf } from '../read/memory-view.ts'
import { speakerOf } from '../write/arguments.ts'

/** Name under which a link between a replaced statement and its replacement is annotated. */
const CURRENCY = 'currency'
/** Kinds whose statements replace each other. Claims have timelines, goals have a status. */
const REPLACEABLE: readonly RecordKind[] = ['belief', 'note', 'raw']
const CANDIDATES = 24 // earlier memories that are compared, best by words
const LINKED_MAX = 3 // earlier statements that one statement replaces

/** The links of a memory: the earlier statements that it replaces, and the later one. */
export interface CurrencyLinks {
  readonly replaces: readonly Ref[]
  readonly replacedBy: Ref | null
  /** A later statement that contradicts this one, while a person has not decided. */
  readonly doubtedBy: Ref | null
}

const NO_LINKS: CurrencyLinks = { replaces: [], replacedBy: null, doubtedBy: null }

/** A memory, as far as its links depend on the memory. */
interface Noted {
  readonly state: Pick<MemoryState, 'notes'>
  readonly notes: StoredMemory['notes']
}

export function currencyOf({ state, notes }: Noted): CurrencyLinks {
  const seq = state.notes[CURRENCY]
  const row = seq === undefined ? undefined : notes.find((note) => note.seq === seq)
  const fields = row === undefined ? null : openNote(row).fields
  return fields === null ? NO_LINKS : { ...NO_LINKS, ...(fields as Partial<CurrencyLinks>) } // written below
}

/**
 * Rule 5 of the firewall: a statement replaces those that its speaker could change. Any other
 * replacement is a question to a person.
 */
export function mayReplace(later: MemoryState, earlier: MemoryState): boolean {
  const caller = {
    label: later.label,
    tier: later.tier,
    actsForOthers: later.label === 'UserAsserted' && later.tier === 3,
    keepsHouse: false,
    owns: ({ sourceId }: { readonly sourceId: string }) => sourceId === later.sourceId,
  }
  return later.tier >= earlier.tier && hasAuthority(caller, earlier)
}

const CHAIN_MAX = 8 // replacements of replacements that a read follows

/** The statement that holds now instead of an earlier one; null while the earlier one holds. */
export async function standingReplacement(
  { read }: Pick<Engine, 'read'>,
  earlier: StoredMemory,
  isShown: (state: MemoryState) => boolean = () => true,
): Promise<StoredMemory | null> {
  let standing: StoredMemory | null = null
  let { replacedBy } = currencyOf(earlier)
  for (let step = 0; replacedBy !== null && step < CHAIN_MAX; step += 1) {
    const later = await read({ type: 'memory', ref: replacedBy })
    if (later === null || isGone(later.state) || !isShown(later.state)) break
    if (!mayReplace(later.state, earlier.state)) break
    standing = later
    replacedBy = currencyOf(later).replacedBy
  }
  return standing
}

/**
 * The later statement that contradicts an earlier one and waits for a person, where its speaker
 * could change the earlier one.
 */
export async function doubtOf(
  { read }: Pick<Engine, 'read'>,
  earlier: StoredMemory,
  isShown: (state: MemoryState) => boolean,
): Promise<StoredMemory | null> {
  const { doubtedBy } = currencyOf(earlier)
  const later = doubtedBy === null ? null : await read({ type: 'memory', ref: doubtedBy })
  if (later === null || isGone(later.state) || !isShown(later.state)) return null
  const isOpen = later.state.flags.some(
    ({ code, by }) => code === 'contradicts' && by === earlier.state.ref,
  )
  return isOpen && mayReplace(later.state, earlier.state) ? later : null
}

/** Notes at the earlier statement that a later one contradicts it, for searches. */
export async function linkDoubt(engine: Engine, later: MemoryState, earlier: Ref): Promise<void> {
  const stored = await engine.read({ type: 'memory', ref: earlier })
  if (stored === null || !mayReplace(later, stored.state)) return
  await annotate(engine, stored, { ...currencyOf(stored), doubtedBy: later.ref })
}

/** An earlier memory that a later one replaces. */
export interface Replaced extends Replacement {
  readonly stored: StoredMemory
  /** The link stands; otherwise a person decides. */
  readonly isLinked: boolean
}

/**
 * Links a memory to the earlier statements that it replaces; each link is one entry on each side.
 * With `onlyChanges`, a note or prompt without a word of change is not compared: most state no
 * fact, and each comparison costs a search.
 */
export async function linkReplaced(
  engine: Engine,
  ref: Ref,
  { onlyChanges = false } = {},
): Promise<readonly Replaced[]> {
  const later = await engine.read({ type: 'memory', ref })
  if (later === null || !isStatement(later)) return []
  const moment = await engine.moment()
  if (moment.policy.notBelieved.includes(later.state.disposition)) return []
  const { text } = viewOf(later, moment)
  if (onlyChanges && later.state.kind !== 'belief' && !saysChange(text)) return []
  const replacing = replacementsBy(text)
  if (replacing === null) return []
  const found = (await earlierThan(engine, later, text)).flatMap((stored) => {
    const replacement = replacing(viewOf(stored, moment).text)
    return replacement === null ? [] : [{ ...replacement, stored }]
  })
  const best = found.sort((a, b) => b.fit - a.fit).slice(0, LINKED_MAX)
  const replaced = best.map((each) => ({
    ...each,
    isLinked: each.isClear && mayReplace(later.state, each.stored.state),
  }))
  const linked = replaced.filter(({ isLinked }) => isLinked)
  const known = currencyOf(later)
  const added = linked.filter(({ stored }) => !known.replaces.includes(stored.state.ref))
  for (const { stored } of added)
    await annotate(engine, stored, { ...currencyOf(stored), replacedBy: ref })
  const replaces = [...known.replaces, ...added.map(({ stored }) => stored.state.ref)]
  if (added.length > 0) await annotate(engine, later, { ...known, replaces })
  return replaced
}

const isStatement = ({ state, sealed }: StoredMemory): boolean =>
  sealed !== null && REPLACEABLE.includes(state.kind) && !state.captured && state.strength.value > 0

async function earlierThan(
  engine: Engine,
  { state }: StoredMemory,
  text: string,
): Promise<readonly StoredMemory[]> {
  const moment = await engine.moment()
  const { rows } = await engine.read({
    type: 'recall',
    terms: queryTerms(text),
    near: [],
    kinds: REPLACEABLE,
    hits: CANDIDATES,
    where: { ...narrowing({ includeWeak: true }, moment), withoutCaptures: true },
  })
  const seqs = rows.flatMap(({ seq }) => (seq < state.seq ? seq : []))
  const stored = await engine.read({ type: 'memories', where: { seqs }, order: 'given' })
  return stored.filter(isStatement)
}

async function annotate(engine: Engine, { state }: StoredMemory, links: CurrencyLinks) {
  const fields = { ...links, replaces: [...links.replaces] }
  const change = { type: 'annotate', by: CURRENCY, fields } as const
  const speaker = speakerOf(engine.stackId, 'link_replacement')
  await engine.change({ ref: state.ref, change, ...speaker })
}

/** New memories among the results of a write that may replace an earlier statement. */
export const replacingAmong = (results: readonly WriteResult[]): readonly Ref[] =>
  results.flatMap(({ ref, reasons, disposition }) => {
    if (ref === null || reasons.includes('already_saved')) return []
    if (KEPT_OUT.includes(disposition)) return []
    return REPLACEABLE.includes(splitRef(ref).kind) ? ref : []
  })
