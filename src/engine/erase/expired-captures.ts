import { LIMITS_OF_RETENTION } from '../../domain/erasure.ts'
import type { Ref } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import { toInstant, toMs } from '../../domain/time.ts'
import type { Engine } from '../engine.ts'
import { wrong } from '../write/arguments.ts'
import { expire } from './erase.ts'
import { planErasure } from './erasure-plan.ts'

const PAGE = 500
const DAY_MS = 86_400_000

/** The result of one retention run over captures of hooks. */
export interface CapturesExpired {
  readonly erased: number
  /** Remaining expired captures, because a run erases a bounded number. */
  readonly waiting: number
}

/**
 * Captures of hooks past their retention, oldest first. Captures that a memory cites, quotes or
 * counts as evidence stay, and so do memories of other doors.
 */
export async function expiredCaptures(engine: Engine, days: number): Promise<readonly Ref[]> {
  if (!Number.isSafeInteger(days) || days < 1 || days > LIMITS_OF_RETENTION.daysMax) {
    throw wrong(
      'capturesKeptDays',
      `a whole number of days from 1 to ${LIMITS_OF_RETENTION.daysMax}`,
    )
  }
  const { now } = await engine.moment()
  const before = toInstant(toMs(now) - days * DAY_MS)
  const found: Ref[] = []
  const cited = new Set<Ref>()
  for await (const state of statesOf(engine)) {
    if (state.erased !== null) continue
    for (const ref of citedBy(state)) cited.add(ref)
    if (isCapture(state) && state.bornAt < before) found.push(state.ref)
  }
  return found.filter((ref) => !cited.has(ref))
}

/** Erases a bounded number of expired captures, an entry each; the caller cleans the files. */
export async function expireCaptures(engine: Engine, days: number): Promise<CapturesExpired> {
  const refs = await expiredCaptures(engine, days)
  let erased = 0
  for (const ref of refs.slice(0, LIMITS_OF_RETENTION.perRunMax)) {
    // A capture stays when its erasure would touch any other memory.
    const plan = await planErasure(engine, [ref], false)
    if (plan.refs.length !== 1 || plan.derived.length > 0) continue
    await expire(engine, ref)
    erased += 1
  }
  return { erased, waiting: refs.length - erased }
}

const isCapture = ({ kind, door, isProtected }: MemoryState): boolean =>
  kind === 'raw' && door === 'hook' && !isProtected

const citedBy = ({
  parents,
  evidence,
  anchors,
  claim,
  rewordingOf,
}: MemoryState): readonly Ref[] => [
  ...parents,
  ...evidence,
  ...anchors,
  ...(claim?.quotes === undefined ? [] : [claim.quotes]),
  ...(rewordingOf === null ? [] : [rewordingOf]),
]

async function* statesOf({ read }: Engine): AsyncGenerator<MemoryState> {
  for (let after = -1; ; ) {
    const page = await read({ type: 'memories', as: 'state', order: 'oldest', after, limit: PAGE })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.seq
  }
}
