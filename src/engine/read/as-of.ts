import type { Entry, SealedRow } from '../../domain/entry.ts'
import { MunimentError } from '../../domain/errors.ts'
import type { Hash, Ref } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import type { MemoryState } from '../../domain/state.ts'
import { type Instant, isInstant } from '../../domain/time.ts'
import { foldMemory, hollow } from '../../fold/fold-memory.ts'
import { foldMerged, type MergedStep } from '../../fold/merged-order.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import type { Moment } from '../world.ts'
import { stepsIn } from './merged-steps.ts'

/** A moment of the past: the number of an entry, or a time. */
export type AsOf = number | string

/** A past state: the last entry, the policy in force and the time. */
export interface Past extends Moment {
  readonly seq: number
}

/**
 * A time stands for the last entry at or before the time; a number stands for the state just after
 * the entry.
 */
export async function momentAsOf(engine: Engine, asOf: AsOf): Promise<Past> {
  const { tip, stack } = await engine.read({ type: 'standing' })
  const head = tip.head.seq
  const byOrigin = stack.received > 0
  if (typeof asOf === 'number') {
    if (!Number.isInteger(asOf) || asOf < 0) throw notAMoment()
    const seq = Math.min(asOf, head)
    const entry = await entryAt(engine, seq)
    const policy = await policyAfter(engine, entry)
    return { seq, now: entry?.time ?? engine.now(), policy, byOrigin }
  }
  if (!isInstant(asOf)) throw notAMoment()
  const seq = await lastUntil(engine, asOf, { head, corrections: stack.corrections })
  const policy = await policyAfter(engine, await entryAt(engine, seq))
  return { seq, now: asOf, policy, byOrigin }
}

const notAMoment = (): MunimentError =>
  new MunimentError('invalid_input', 'asOf is the number of an entry, or a time.', {
    hint: 'A time is written 2026-01-31T12:00:00.000Z.',
    issues: [{ path: 'asOf', message: 'expected the number of an entry, or a time' }],
  })

async function entryAt({ read }: Pick<Engine, 'read'>, seq: number): Promise<Entry | null> {
  if (seq < 0) return null
  const [row] = await read({ type: 'entries', from: seq, limit: 1 })
  return row ? readEntry(row.bytes) : null
}

/**
 * The last entry at or before a time, by position in the ledger. Times fall only at a clock
 * correction, so each stretch between two corrections is searched by halving, the newest stretch
 * first.
 */
async function lastUntil(engine: Engine, time: Instant, { head, corrections }: Ledger) {
  let end = head
  for (const start of corrections.toReversed()) {
    if (start > end) continue
    const found = await lastWithin(engine, time, { start, end })
    if (found >= start) return found
    end = start - 1
  }
  return lastWithin(engine, time, { start: 0, end })
}

interface Ledger {
  readonly head: number
  readonly corrections: readonly number[]
}

interface Stretch {
  readonly start: number
  readonly end: number
}

async function lastWithin(engine: Engine, time: Instant, { start, end }: Stretch): Promise<number> {
  let low = start - 1
  let high = end
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const entry = await entryAt(engine, middle)
    if (entry && entry.time <= time) low = middle
    else high = middle - 1
  }
  return low
}

async function policyAfter(engine: Engine, entry: Entry | null) {
  const hash =
    entry?.op === 'policy' ? (entry.decision.facts.hash as Hash) : (entry?.policy ?? null)
  const policy = hash === null ? null : await engine.read({ type: 'policy', hash })
  return policy ?? (await engine.moment()).policy
}

/** A memory just after an entry; null before its birth. */
export async function memoryAsOf(
  engine: Engine,
  ref: Ref,
  past: Past,
): Promise<StoredMemory | null> {
  const rows = await engine.read({ type: 'entries', about: ref })
  const steps = await stepsIn(
    engine,
    rows.filter(({ seq }) => seq <= past.seq),
  )
  const state = steps.some(isReceived)
    ? foldMerged(steps, past.policy)
    : await foldInTurn(engine, steps)
  if (!state) return null
  const rowAt = async (seq: number): Promise<readonly SealedRow[]> =>
    engine.read({ type: 'table', name: 'sealed', from: seq, to: seq })
  const notes = (await Promise.all(Object.values(state.notes).map(rowAt))).flat()
  const [sealed = null] = await rowAt(state.revisionSeq)
  if (sealed !== null) return { state, sealed, notes }
  // Erasure removes content from the past too, so a past read has no erased words.
  const today = await engine.read({ type: 'memory', ref })
  return { state: { ...state, erased: today?.state.erased ?? null }, sealed, notes }
}

const isReceived = ({ stored }: MergedStep): boolean => stored.entry.op === 'memory.received'

/** Folds with the gate's own function: the past is computed as the present was. */
async function foldInTurn(
  engine: Engine,
  steps: readonly MergedStep[],
): Promise<MemoryState | undefined> {
  let state: MemoryState | undefined
  const policies = new Map<Hash | null, Policy>()
  for (const { stored, sealed, note } of steps) {
    const { entry } = stored
    const policy = policies.get(entry.policy) ?? (await policyAfter(engine, entry))
    policies.set(entry.policy, policy)
    const isHollow = sealed === null && entry.revision !== null
    state =
      (isHollow
        ? hollow(state, stored, policy)
        : foldMemory(state, stored, { sealed, note, policy })) ?? state
  }
  return state
}
