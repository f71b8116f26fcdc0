import type { RecordKind, Ref } from '../../../domain/ids.ts'
import type { JsonObject } from '../../../domain/kinds/json-value.ts'
import { toMs } from '../../../domain/time.ts'
import type { TransitionName } from '../../../domain/vocabulary.ts'
import type { Narrowed, StoredMemory } from '../../../ports/store.ts'
import { latestReport } from '../../components/reports.ts'
import type { Engine } from '../../engine.ts'
import { narrowing } from '../../read/list.ts'
import { type Memory, viewOf } from '../../read/memory-view.ts'
import type { Moment } from '../../world.ts'
import type { Source, Transition } from '../transitions.ts'

/** A memory for processing, with its view as a source. */
export interface Waiting {
  readonly seq: number
  readonly memory: Memory
  readonly source: Source
}

/** The progress of a transition, from its last report. */
export interface Reached {
  /** The last examined memory, by the entry of its birth. */
  readonly upto: number
  /** Examined protected beliefs, by entry: an old belief may become protected later. */
  readonly looked: readonly number[]
  /** Bad answers in a row. */
  readonly failures: number
}

export const reportName = (name: TransitionName, by: 'model' | 'rule'): string =>
  by === 'model' ? name : `${name}:rule`

export async function reachedBy(engine: Engine, about: string): Promise<Reached> {
  const fields: JsonObject = (await latestReport(engine, { topic: 'processing', about })) ?? {}
  const numberOr = (value: unknown, otherwise: number): number =>
    typeof value === 'number' ? value : otherwise
  return {
    upto: numberOr(fields.upto, -1),
    looked: Array.isArray(fields.looked) ? fields.looked.map(Number) : [],
    failures: numberOr(fields.failures, 0),
  }
}

const LOOKED_AT_MAX = 50 // memories read to decide if a step is due …
const RULED_MAX = 500 // … or to draft by rule, which is free
const PAGE = 1_000

/** Memories that wait for a transition, oldest first, up to a limit. */
export async function waitingFor(
  engine: Engine,
  transition: Transition,
  { upto, looked, by }: Pick<Reached, 'upto' | 'looked'> & { readonly by: 'model' | 'rule' },
): Promise<readonly Waiting[]> {
  if (transition.protectedOnly) return protectedIn(engine, transition, looked)
  const moment = await engine.moment()
  const { from } = transition
  const limit = by === 'rule' ? RULED_MAX : LOOKED_AT_MAX
  const where = { ...narrowing({}, moment), untouched: true as const }
  const found = await engine.read({
    type: 'memories',
    where: { ...where, kind: from, present: true },
    order: 'oldest',
    after: upto,
    limit,
  })
  return found.map((stored) => waitingOf(stored, moment))
}

/**
 * All protected memories while at least one is unexamined: unexamined ones first, then the newest,
 * so that every batch has new memories and enough sources.
 */
async function protectedIn(
  engine: Engine,
  { from }: Transition,
  looked: readonly number[],
): Promise<readonly Waiting[]> {
  const moment = await engine.moment()
  const known = new Set(looked)
  const fresh: Waiting[] = []
  const seen: Waiting[] = []
  for await (const stored of allOf(engine, from, narrowing({}, moment))) {
    if (!stored.state.isProtected) continue
    const shelf = known.has(stored.state.seq) ? seen : fresh
    shelf.push(waitingOf(stored, moment))
  }
  return fresh.length === 0 ? [] : [...fresh, ...seen.reverse()]
}

/** Every episode with lessons, oldest first, because lessons recur across batches. */
export async function taughtIn(engine: Engine, { from }: Transition): Promise<readonly Waiting[]> {
  const moment = await engine.moment()
  const taught: Waiting[] = []
  for await (const stored of allOf(engine, from, { ...narrowing({}, moment), untouched: true })) {
    const waiting = waitingOf(stored, moment)
    if (waiting.source.lessons.length > 0) taught.push(waiting)
  }
  return taught
}

/** The newest waiting memory: a step over all memories finishes with this one. */
export async function newestSeq(engine: Engine, { from }: Transition): Promise<number> {
  const where = { ...narrowing({}, await engine.moment()), untouched: true as const }
  const [last] = await engine.read({
    type: 'memories',
    where: { ...where, kind: from, present: true },
    limit: 1,
  })
  return last?.state.seq ?? -1
}

async function* allOf(
  { read }: Engine,
  kind: RecordKind,
  where: Narrowed,
): AsyncGenerator<StoredMemory> {
  for (let after = -1; ; ) {
    const page: readonly StoredMemory[] = await read({
      type: 'memories',
      where: { ...where, kind, present: true },
      order: 'oldest',
      after,
      limit: PAGE,
    })
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = last.state.seq
  }
}

function waitingOf(stored: StoredMemory, moment: Moment): Waiting {
  const memory = viewOf(stored, moment)
  const { ref, text, confidence, isProtected, createdAt } = memory
  const body = memory.body as { readonly lessons?: readonly string[] } // only episodes have lessons
  return {
    seq: stored.state.seq,
    memory,
    source: {
      ref: ref satisfies Ref,
      text,
      lessons: body.lessons ?? [],
      confidence,
      isProtected,
      arousal: arousalOf(memory),
      ageMs: toMs(moment.now) - toMs(createdAt),
    },
  }
}

/** The author's own arousal, or else a component's reading. */
function arousalOf({ body, annotations }: Memory): number {
  const own = (body as { readonly emotionalArousal?: number }).emotionalArousal ?? 0
  const read = annotations.emotions?.arousal
  return own > 0 ? own : typeof read === 'number' ? read : 0
}
