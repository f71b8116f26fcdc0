import type { Tier } from '../domain/doors.ts'
import type { Entry } from '../domain/entry.ts'
import { MunimentError } from '../domain/errors.ts'
import { parseRef, type Ref } from '../domain/ids.ts'
import type { RecordKind } from '../domain/kind-names.ts'
import { contentText } from '../domain/kinds/table.ts'
import type { EntryPointer, OverruleResult } from '../domain/outcome.ts'
import type { MemoryState } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import { draftKept, isKeptDraft } from '../gate/kept-draft.ts'
import { readEntry } from '../hash/ledger.ts'
import { memoryAsOf, momentAsOf } from './as-of.ts'
import { given, textOf } from './given.ts'
import { openNote } from './memory-view.ts'
import { type ActOptions, speakerOf } from './speaker.ts'
import type { OverruleRequest, Uses } from './uses.ts'

export interface OverruleOptions extends ActOptions {
  /** Why, in words; sealed with the entry. */
  readonly reason?: string
}

/** What became of a word against what was recognised as an echo. */
export interface Overruled extends Omit<OverruleResult, 'written'> {
  /** The wish of somebody who may not say so, kept for a person to decide. */
  readonly proposed: EntryPointer | null
}

/**
 * Says that something was no echo. An entry's number means what that entry folded away, which comes
 * in as itself; a memory means the link that says it is another phrasing, or the one rewording that
 * was folded into it.
 */
export async function overrule(
  uses: Uses,
  what: string | number,
  options?: OverruleOptions | null,
): Promise<Overruled> {
  const { reason, ...by } = given(options)
  const speaker = speakerOf(uses.stackId, 'overrule', by)
  const text = reason === undefined ? null : textOf('reason', reason)
  const meant = await meantBy(uses, what)
  const outcome = await uses.overrule({ ...meant, text, ...speaker })
  if (outcome.type === 'changed') {
    return { entry: null, ref: null, disposition: null, proposed: outcome.result.entry }
  }
  const { entry, ref, disposition } = outcome.result
  if (entry === null) await assertTold(uses, meant)
  return { entry, ref, disposition, proposed: null }
}

/** Nothing to overrule: also a row of before would say so, of what the ledger knows as an echo. */
async function assertTold(uses: Uses, { ref, kept }: Meant): Promise<void> {
  const { tip } = await uses.read({ type: 'standing' })
  const stored = await memoryAsOf(uses, ref, await momentAsOf(uses, tip.head.seq))
  const { of = null, folded = [] } = stored?.state.echo ?? {}
  const isEcho = kept === null ? of !== null || folded.length > 0 : folded.includes(kept.seq)
  if (!isEcho) return
  throw new MunimentError('store_corrupt', `${ref} was an echo, and its row does not know of it.`, {
    hint: 'The ledger does: muniment rebuild folds the rows from it anew.',
    facts: { ref, remedy: 'rebuild' },
  })
}

type Meant = Pick<OverruleRequest, 'ref' | 'kept'>

async function meantBy(uses: Uses, what: string | number): Promise<Meant> {
  if (typeof what === 'number') return foldedBy(uses, what)
  const ref = parseRef(what)
  const stored = await uses.read({ type: 'memory', ref })
  if (!stored) throw new MunimentError('not_found', `${ref} does not exist in this stack.`)
  const { echo } = stored.state
  const [only, ...more] = echo?.folded ?? []
  // What is nothing of both is told by the gate: it was so already.
  if (only === undefined || (echo !== null && echo.of !== null)) return { ref, kept: null }
  if (more.length === 0) return foldedBy(uses, only)
  throw new MunimentError('invalid_input', `Several rewordings were folded into ${ref}.`, {
    hint: `Say which, by the number of its entry: ${[only, ...more].join(', ')}.`,
    facts: { ref, entries: [only, ...more] },
  })
}

/** The draft that an entry folded away and kept. */
async function foldedBy(uses: Uses, seq: number): Promise<Meant> {
  if (!Number.isSafeInteger(seq) || seq < 0) {
    throw new MunimentError('invalid_input', 'An entry is a whole number.')
  }
  const entry = await entryAt(uses, seq)
  const kept = entry?.op === 'memory.collapsed' ? await keptBy(uses, seq) : null
  if (!entry?.ref || !entry.actor || kept === null) {
    throw new MunimentError('not_found', `Entry ${seq} folded nothing away that is still kept.`, {
      hint: 'Only rewordings are kept, not what was said again to the letter.',
    })
  }
  return { ref: entry.ref, kept: { seq, pseudonym: entry.actor, draft: draftKept(kept) } }
}

async function entryAt({ read }: Pick<Uses, 'read'>, seq: number): Promise<Entry | null> {
  const [row] = await read({ type: 'entries', from: seq, limit: 1 })
  return row?.seq === seq ? readEntry(row.bytes) : null
}

async function keptBy({ read }: Pick<Uses, 'read'>, seq: number) {
  const [sealed] = await read({ type: 'sealed', from: seq, to: seq })
  const fields = sealed ? openNote(sealed).fields : null
  return fields !== null && isKeptDraft(fields) ? fields : null
}

/** A rewording that was folded away, as a person is shown it. */
export interface Rewording {
  /** The entry that folded it away, by which it is meant. */
  readonly entry: number
  readonly kind: RecordKind
  readonly text: string
  /** Who handed it in. */
  readonly by: string
  readonly at: Instant
  /** The tier that it would have had. */
  readonly tier: Tier
  /** How like it was, as the entry says. */
  readonly score: number
}

/** What was folded into a memory since somebody last looked; without what was erased since. */
export async function rewordingsOf(
  uses: Pick<Uses, 'read'>,
  { echo }: Pick<MemoryState, 'echo'>,
): Promise<readonly Rewording[]> {
  if (echo === null) return []
  const found: Rewording[] = []
  for (const seq of echo.folded.filter((each) => each > echo.leftAt)) {
    const [entry, kept] = [await entryAt(uses, seq), await keptBy(uses, seq)]
    if (entry === null || kept === null) continue
    const { kind, body, origin, tier } = kept
    const text = contentText(kind, body)
    const score = Number(entry.decision.facts.score)
    found.push({ entry: seq, kind, text, by: origin.sourceId, at: entry.time, tier, score })
  }
  return found
}

export const phrasedRef = ({ echo }: Pick<MemoryState, 'echo'>): Ref | null => echo?.of ?? null
