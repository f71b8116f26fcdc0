import { isBelieved } from '../../domain/distrust.ts'
import { LimitError, MunimentError } from '../../domain/errors.ts'
import type { RecordKind, Ref } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { MemoryState } from '../../domain/state.ts'
import { confidenceAt } from '../../fold/effective.ts'
import type { Engine } from '../engine.ts'
import { viewsOf } from '../history/confidence-history.ts'
import type { Moment } from '../world.ts'
import { limitOf } from '../write/arguments.ts'
import type { Memory } from './memory-view.ts'

export interface UncertainOptions {
  readonly threshold?: number
  /** Uses today's confidence; false uses the last recorded confidence. */
  readonly applyDecay?: boolean
  readonly limit?: number
}

export interface Uncertain {
  readonly memory: Memory
  readonly confidence: number
  /** Number of memories that rest on this memory, directly or indirectly. */
  readonly restingOnIt: number
}

const THRESHOLD = 0.5
const LIMIT = 50
const PAGE = 1_000
/** Records about memories cannot be uncertain memories. */
const LEFT_OUT: ReadonlySet<RecordKind> = new Set(['suggestion', 'assessment', 'report', 'epoch'])

/** Memories of low confidence; first the memories with the most dependents. */
export async function uncertain(
  engine: Engine,
  { threshold = THRESHOLD, applyDecay = true, limit }: UncertainOptions = {},
): Promise<readonly Uncertain[]> {
  if (!(threshold >= 0 && threshold <= 1)) {
    throw new MunimentError('invalid_input', 'threshold is a number from 0 to 1.')
  }
  const count = limitOf(limit, LIMIT)
  const moment = await engine.moment()
  const all: MemoryState[] = []
  for (let after = -1; ; ) {
    const page = await engine.read({
      type: 'memories',
      as: 'state',
      order: 'oldest',
      after,
      limit: PAGE,
    })
    all.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) break
    after = last.seq
  }
  const load = loadsOf(all)
  const found = all
    .map((state) => ({
      state,
      confidence: applyDecay ? confidenceToday(state, moment) : state.confidence.value,
    }))
    .filter(({ state, confidence }) => confidence < threshold && isHeld(state, moment))
    .sort(
      (a, b) =>
        (load.get(b.state.ref) ?? 0) - (load.get(a.state.ref) ?? 0) ||
        a.confidence - b.confidence ||
        a.state.seq - b.state.seq,
    )
  const shown: Uncertain[] = []
  for (const { state, confidence } of found.slice(0, count)) {
    shown.push(await uncertainOf(engine, { state, confidence, moment }))
  }
  return shown
}

/**
 * An estimate of each memory's dependents: every path counts, so a single walk over all memories
 * suffices. The estimate only sorts; the shown memories get exact counts.
 */
function loadsOf(all: readonly MemoryState[]): ReadonlyMap<Ref, number> {
  const loads = new Map<Ref, number>()
  // Parents are older: going from the youngest, a memory's own load is complete before its parents
  // need it.
  for (const { ref, parents } of all.toReversed()) {
    const passed = Math.min((loads.get(ref) ?? 0) + 1, Number.MAX_SAFE_INTEGER / 1_024)
    for (const parent of parents) loads.set(parent, (loads.get(parent) ?? 0) + passed)
  }
  return loads
}

async function uncertainOf(
  engine: Engine,
  found: { readonly state: MemoryState; readonly confidence: number; readonly moment: Moment },
): Promise<Uncertain> {
  const { ref } = found.state
  const visitMax = LIMITS.lineageVisitMax
  const resting = await engine.read({
    type: 'lineage',
    ref,
    direction: 'down',
    visitMax,
    as: 'count',
  })
  const stored = await engine.read({ type: 'memory', ref })
  const [memory] = stored ? await viewsOf(engine, [stored], found.moment) : []
  if (!memory) throw new MunimentError('data_loss', `${ref} was there and is gone.`)
  if (resting === null) throw new LimitError('lineageVisitMax', visitMax, visitMax + 1)
  return { memory, confidence: found.confidence, restingOnIt: resting }
}

const confidenceToday = (state: MemoryState, { policy, now }: Moment): number =>
  confidenceAt(state, policy, now)

const isHeld = ({ kind, disposition, strength }: MemoryState, { policy }: Moment): boolean =>
  !LEFT_OUT.has(kind) && strength.value > 0 && isBelieved(disposition, policy)
