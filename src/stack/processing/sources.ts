import type { Ref } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/kinds/json-value.ts'
import { toMs } from '../../domain/time.ts'
import type { TransitionName } from '../../domain/transition-names.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Source, Transition } from '../../processing/transitions.ts'
import { narrowing } from '../finding.ts'
import { type Memory, viewOf } from '../memory-view.ts'
import { latestReport } from '../reports.ts'
import type { Moment, Uses } from '../uses.ts'

/** A memory that something may be made of, as both sides see it. */
export interface Waiting {
  readonly seq: number
  readonly memory: Memory
  readonly source: Source
}

/** How far a transition has come, as its last report says. */
export interface Reached {
  /** The last memory that was looked at, by the entry of its birth. */
  readonly upto: number
  /** Protected beliefs that were looked at; what is protected later may be old. */
  readonly seen: number
  /** Answers in a row that could not be taken. */
  readonly failures: number
}

export const reportName = (name: TransitionName, by: 'model' | 'rule'): string =>
  by === 'model' ? name : `${name}:rule`

export async function reachedBy(uses: Uses, about: string): Promise<Reached> {
  const fields: JsonObject = (await latestReport(uses, { topic: 'processing', about })) ?? {}
  const numberOr = (value: unknown, otherwise: number): number =>
    typeof value === 'number' ? value : otherwise
  return {
    upto: numberOr(fields.upto, -1),
    seen: numberOr(fields.seen, 0),
    failures: numberOr(fields.failures, 0),
  }
}

const LOOKED_AT_MAX = 50 // that wait are looked at to tell whether it is due …
const RULED_MAX = 500 // … or gone through by rule, which costs nothing
const PROTECTED_MAX = 200 // beliefs that are gone through for those that are protected

/** What waits for a transition, oldest first, and no more of it than is needed to decide. */
export async function waitingFor(
  uses: Uses,
  { from, protectedOnly }: Transition,
  { upto, by }: Pick<Reached, 'upto'> & { readonly by: 'model' | 'rule' },
): Promise<readonly Waiting[]> {
  const moment = await uses.moment()
  const where = {
    ...narrowing({}, moment),
    ...(from === 'belief' ? {} : { untouched: true as const }),
  }
  const after = protectedOnly ? -1 : upto
  const limit = protectedOnly ? PROTECTED_MAX : by === 'rule' ? RULED_MAX : LOOKED_AT_MAX
  const found = await uses.read({ type: 'onward', kind: from, after, limit, where })
  const waiting = found.map((stored) => waitingOf(stored, moment))
  return protectedOnly ? waiting.filter(({ source }) => source.isProtected) : waiting
}

/** The newest of a kind, oldest first: what recurs does not recur within one batch. */
export async function newestOf(
  uses: Uses,
  { from }: Transition,
  limit: number,
): Promise<readonly Waiting[]> {
  const moment = await uses.moment()
  const where = { ...narrowing({}, moment), untouched: true as const }
  const found = await uses.read({ type: 'list', kind: from, before: null, limit, where })
  return found.map((stored) => waitingOf(stored, moment)).reverse()
}

function waitingOf(stored: StoredMemory, moment: Moment): Waiting {
  const memory = viewOf(stored, moment)
  const { ref, text, confidence, isProtected, createdAt } = memory
  const body = memory.body as { readonly lessons?: readonly string[] } // only episodes have them
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

/** As its author felt it, or else as a component read it. */
function arousalOf({ body, annotations }: Memory): number {
  const own = (body as { readonly emotionalArousal?: number }).emotionalArousal ?? 0
  const read = annotations.emotions?.arousal
  return own > 0 ? own : typeof read === 'number' ? read : 0
}
