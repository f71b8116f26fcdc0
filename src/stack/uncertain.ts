import { confidenceAt } from '../belief/effective.ts'
import { MunimentError } from '../domain/errors.ts'
import type { RecordKind } from '../domain/kind-names.ts'
import { LIMITS } from '../domain/limits.ts'
import type { MemoryState } from '../domain/state.ts'
import { viewsOf } from './confidence-history.ts'
import { limitOf } from './given.ts'
import type { Memory } from './memory-view.ts'
import type { Moment, Uses } from './uses.ts'

export interface UncertainOptions {
  readonly threshold?: number
  /** By today's confidence; otherwise by the one last recorded. */
  readonly applyDecay?: boolean
  readonly limit?: number
}

export interface Uncertain {
  readonly memory: Memory
  readonly confidence: number
  /** How many memories rest on it, directly or further on. */
  readonly restingOnIt: number
}

const THRESHOLD = 0.5
const LIMIT = 50
const PAGE = 1_000
/** Records about memory are no memories to be unsure of. */
const LEFT_OUT: ReadonlySet<RecordKind> = new Set(['suggestion', 'assessment', 'epoch'])

/** Low-confidence memories, those first on which most rests. */
export async function uncertain(
  uses: Uses,
  { threshold = THRESHOLD, applyDecay = true, limit }: UncertainOptions = {},
): Promise<readonly Uncertain[]> {
  if (!(threshold >= 0 && threshold <= 1)) {
    throw new MunimentError('invalid_input', 'threshold is a number from 0 to 1.')
  }
  const count = limitOf(limit, LIMIT)
  const moment = await uses.moment()
  const found: { state: MemoryState; confidence: number; restingOnIt: number }[] = []
  for (let after = -1; ; ) {
    const page = await uses.read({ type: 'states', after, limit: PAGE })
    for (const state of page) {
      const confidence = applyDecay ? confidenceToday(state, moment) : state.confidence.value
      if (confidence >= threshold || !isHeld(state, moment)) continue
      const resting = await uses.read({
        type: 'descendants',
        ref: state.ref,
        visitMax: LIMITS.lineageVisitMax,
      })
      found.push({ state, confidence, restingOnIt: resting ?? LIMITS.lineageVisitMax })
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) break
    after = last.seq
  }
  found.sort(
    (a, b) =>
      b.restingOnIt - a.restingOnIt || a.confidence - b.confidence || a.state.seq - b.state.seq,
  )
  return Promise.all(
    found.slice(0, count).map(async ({ state, confidence, restingOnIt }) => {
      const stored = await uses.read({ type: 'memory', ref: state.ref })
      const [memory] = stored ? await viewsOf(uses, [stored], moment) : []
      if (!memory) throw new MunimentError('data_loss', `${state.ref} was there and is gone.`)
      return { memory, confidence, restingOnIt }
    }),
  )
}

const confidenceToday = (state: MemoryState, { policy, now }: Moment): number =>
  confidenceAt(state, policy, now)

const isHeld = ({ kind, disposition, strength }: MemoryState, { policy }: Moment): boolean =>
  !LEFT_OUT.has(kind) && strength.value > 0 && !policy.notBelieved.includes(disposition)
