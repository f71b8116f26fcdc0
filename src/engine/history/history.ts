import { isBelieved } from '../../domain/distrust.ts'
import { LimitError } from '../../domain/errors.ts'
import { parseRef, type Ref } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import { tierNow } from '../../fold/effective.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { Receipt } from '../../ports/receipts.ts'
import type { Engine } from '../engine.ts'
import { type AsOf, memoryAsOf, momentAsOf, type Past } from '../read/as-of.ts'
import {
  type Annotation,
  type LineageStep,
  type Memory,
  type NumberChange,
  viewOf,
} from '../read/memory-view.ts'
import { type Uncertain, type UncertainOptions, uncertain, ungrounded } from '../read/overview.ts'
import type { ReadBy, Served } from '../read/served.ts'
import {
  gated,
  gatedAll,
  gatedIn,
  isBounded,
  memoriesIn,
  tierMinOf,
  type UseOptions,
  unwithheld,
  wordsFor,
} from '../read/use-gate.ts'
import { assertWritten } from '../read/written-words.ts'
import { given } from '../write/arguments.ts'
import {
  type BeliefVersion,
  beliefHistory,
  numberHistory,
  type RelationshipEvent,
  relationshipHistory,
} from './histories.ts'
import { type ExplainOptions, impact, impactCount, trace, type Why, why } from './why.ts'
import { gatedTurn, type WriteTurn } from './write-turn.ts'

/** The difference of one memory between two moments. */
export interface Difference {
  readonly ref: Ref
  readonly before: Memory | null
  readonly after: Memory | null
  readonly members: readonly string[]
}

/** Memories added, lost and changed between two moments. */
export interface Diff {
  readonly from: { readonly seq: number; readonly time: string }
  readonly to: { readonly seq: number; readonly time: string }
  /** Saved between the two moments. */
  readonly added: readonly Difference[]
  /** No longer recalled or believed: forgotten, superseded, rejected. */
  readonly lost: readonly Difference[]
  readonly changed: readonly Difference[]
}

const PAGE = 500
/** Compared fields, without fields that follow from time alone. */
const COMPARED = [
  'version',
  'disposition',
  'tier',
  'stored',
  'isProtected',
  'tags',
  'status',
  'annotations',
  'verificationCount',
  'timesReinforced',
  'evidence',
  'flags',
] as const satisfies readonly (keyof Memory)[]

/** Added, lost and changed memories between two moments; linear in the entries between them. */
async function diff(engine: Engine, a: AsOf, b: AsOf): Promise<Diff> {
  const [one, two] = [await momentAsOf(engine, a), await momentAsOf(engine, b)]
  const [from, to] = one.seq <= two.seq ? [one, two] : [two, one]
  const differences: Difference[] = []
  for (const ref of await touched(engine, from.seq, to.seq)) {
    const before = await viewAsOf(engine, ref, from)
    const after = await viewAsOf(engine, ref, to)
    const members = COMPARED.filter((name) => text(before?.[name]) !== text(after?.[name]))
    if (members.length > 0) differences.push({ ref, before, after, members })
  }
  const isAdded = ({ before }: Difference): boolean => before === null
  const isLost = ({ before, after }: Difference): boolean =>
    before !== null && isHeld(before, from) && !(after && isHeld(after, to))
  return {
    from: { seq: from.seq, time: from.now },
    to: { seq: to.seq, time: to.now },
    added: differences.filter(isAdded),
    lost: differences.filter(isLost),
    changed: differences.filter((each) => !isAdded(each) && !isLost(each)),
  }
}

const text = (value: unknown): string => JSON.stringify(value ?? null)

const isHeld = (memory: Memory, { policy }: Past): boolean =>
  memory.stored.strength > 0 && isBelieved(memory.disposition, policy)

async function viewAsOf(engine: Engine, ref: Ref, past: Past): Promise<Memory | null> {
  const stored = await memoryAsOf(engine, ref, past)
  return stored && viewOf(stored, past)
}

async function touched({ read }: Engine, from: number, to: number): Promise<ReadonlySet<Ref>> {
  const refs = new Set<Ref>()
  for (let at = from + 1; at <= to; at += PAGE) {
    const limit = Math.min(PAGE, to - at + 1)
    for (const { bytes } of await read({ type: 'entries', from: at, limit })) {
      const { ref } = readEntry(bytes)
      if (ref !== null) refs.add(ref)
    }
    if (refs.size > LIMITS.lineageVisitMax) {
      throw new LimitError('lineageVisitMax', LIMITS.lineageVisitMax, refs.size)
    }
  }
  return refs
}

/** Sources of a memory, memories derived from a memory, and changes. */
export class History {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /**
   * The sources of a memory, roots first and the memory last; now, or as of any moment.
   * @example for (const { memory } of await stack.history.trace(belief)) console.log(memory.text)
   */
  async trace(ref: string, options?: ExplainOptions): Promise<readonly LineageStep[]> {
    const walked = await trace(this.#engine, parseRef(ref), options)
    const steps = await this.#gatedSteps(walked, options)
    await this.#engine.serving.serve('trace', options, servedByTrace(steps))
    return steps
  }

  /**
   * Memories derived from a memory, nearest first.
   * @example const derived = await stack.history.impact(note)
   */
  async impact(
    ref: string,
    reader?: (ReadBy & UseOptions) | null,
  ): Promise<readonly LineageStep[]> {
    const walked = await impact(this.#engine, parseRef(ref))
    const steps = await this.#gatedSteps(walked, reader ?? {})
    await this.#engine.serving.serve('impact', reader, servedByTrace(steps))
    return steps
  }

  /**
   * The number of memories derived from a memory, counted without reading them.
   * @example const count = await stack.history.impactCount(note)
   */
  async impactCount(ref: string): Promise<number> {
    return impactCount(this.#engine, parseRef(ref))
  }

  /** @internal Throws where the words of a memory are not those that its entry was written with. */
  assertWritten({ entry }: Pick<Memory, 'entry'>): Promise<void> {
    return assertWritten(this.#engine, [entry.seq])
  }

  /**
   * Everything that explains a memory: lineage, evidence, changes, turn and admitting rule.
   * @example const { memory, lineage, changes, letInBy } = await stack.history.why(belief)
   */
  async why(ref: string, options?: ExplainOptions): Promise<Why> {
    const found = await why(this.#engine, parseRef(ref), options)
    const { policy } = await this.#engine.moment()
    const memory = gated(found.memory, policy, options ?? {})
    const needed = tierMinOf(policy, options ?? {}, 0)
    const shown = <T extends Annotation>(annotations: readonly T[]): readonly T[] =>
      wordsFor(annotations, memory, needed)
    const answer = {
      ...found,
      memory,
      lineage: await this.#gatedSteps(found.lineage, options),
      evidence: found.evidence.map((each) => gated(each, policy, options ?? {})),
      disagreeing: found.disagreeing.map((each) => gated(each, policy, options ?? {})),
      changes: shown(found.changes),
      confidenceHistory: shown(found.confidenceHistory),
      strengthHistory: shown(found.strengthHistory),
      turn: gatedTurn(found.turn, memory.withheld === undefined ? needed : null),
    }
    await this.#engine.serving.serve('why', options, servedByWhy(answer))
    return answer
  }

  /**
   * Memories that were learnt, lost and changed between two moments.
   * @example const { added, lost } = await stack.history.diff(0, 3)
   */
  async diff(from: AsOf, to: AsOf, reader?: ReadBy | null): Promise<Diff> {
    const found = await this.#gatedDiff(await diff(this.#engine, from, to), reader)
    await this.#engine.serving.serve('diff', reader, servedByDiff(found))
    return found
  }

  /**
   * Every change of strength, oldest first.
   * @example const changes = await stack.history.strength(belief)
   */
  async strength(ref: string, reader?: ReadBy | null): Promise<readonly NumberChange[]> {
    const of = parseRef(ref)
    const all = await numberHistory(this.#engine, of, 'strength')
    return this.#readable(of, all, reader)
  }

  /**
   * The chain of beliefs around a belief, oldest first.
   * @example const versions = await stack.history.belief(belief)
   */
  async belief(ref: string, reader?: ReadBy | null): Promise<readonly BeliefVersion[]> {
    const versions = await beliefHistory(this.#engine, parseRef(ref))
    const shown = await gatedIn(this.#engine, versions, reader)
    await this.#engine.serving.serve('history', reader, memoriesIn(shown))
    return shown
  }

  /**
   * Every change of trust, type, notes and interactions, oldest first.
   * @example const events = await stack.history.relationship(relationship)
   */
  async relationship(ref: string, reader?: ReadBy | null): Promise<readonly RelationshipEvent[]> {
    const { caller } = given(reader)
    const { policy } = await this.#engine.moment()
    const needed = caller === undefined ? 0 : tierMinOf(policy, { caller }, 0)
    const of = parseRef(ref)
    const { events, words } = await relationshipHistory(this.#engine, of, needed)
    await this.#engine.serving.serve('history', reader, words)
    return events
  }

  /**
   * Beliefs that have lost every source.
   * @example const beliefs = await stack.history.ungrounded()
   */
  async ungrounded(reader?: ReadBy | null): Promise<readonly Memory<'belief'>[]> {
    const beliefs = await gatedAll(this.#engine, await ungrounded(this.#engine), reader)
    await this.#engine.serving.serve('ungrounded', reader, beliefs)
    return beliefs
  }

  /**
   * Low-confidence memories, first the memories on which most others rest.
   * @example const unsure = await stack.history.uncertain({ limit: 5 })
   */
  async uncertain(options?: UncertainOptions & ReadBy): Promise<readonly Uncertain[]> {
    const all = await uncertain(this.#engine, options)
    const found = await gatedIn(this.#engine, all, options)
    await this.#engine.serving.serve('uncertain', options, memoriesIn(found))
    return found
  }

  /**
   * Memories that were served in a session, oldest first; receipts expire after some weeks.
   * @example const served = await stack.history.receipts('session-1')
   */
  async receipts(session: string): Promise<readonly Receipt[]> {
    this.#engine.assertOpen()
    return this.#engine.serving.of(session)
  }

  async #gatedSteps(
    steps: readonly LineageStep[],
    options: UseOptions = {},
  ): Promise<readonly LineageStep[]> {
    if (!isBounded(options)) return steps
    const { policy } = await this.#engine.moment()
    return steps.map((step) => ({ ...step, memory: gated(step.memory, policy, options) }))
  }

  async #readable(
    ref: Ref,
    changes: readonly NumberChange[],
    reader: ReadBy | null | undefined,
  ): Promise<readonly NumberChange[]> {
    const { caller } = given(reader)
    const isFree = caller?.use === undefined
    const stored = isFree ? null : await this.#engine.read({ type: 'memory', ref })
    if (caller === undefined || stored === null) return changes
    const { policy } = await this.#engine.moment()
    return wordsFor(changes, { tier: tierNow(stored.state) }, tierMinOf(policy, { caller }, 0))
  }

  async #gatedDiff(found: Diff, reader: ReadBy | null | undefined): Promise<Diff> {
    const { caller } = given(reader)
    if (caller?.use === undefined) return found
    const { policy } = await this.#engine.moment()
    const shown = (memory: Memory | null): Memory | null =>
      memory && gated(memory, policy, { caller })
    const gatedEach = (all: readonly Difference[]): readonly Difference[] =>
      all.map((each) => ({ ...each, before: shown(each.before), after: shown(each.after) }))
    return {
      ...found,
      added: gatedEach(found.added),
      lost: gatedEach(found.lost),
      changed: gatedEach(found.changed),
    }
  }
}

function* servedByTrace(steps: readonly LineageStep[]): Iterable<Served> {
  for (const { memory } of steps) if (memory.withheld === undefined) yield memory
}

/** Each memory at both moments, because the words may differ. */
const servedByDiff = ({ added, lost, changed }: Diff): readonly Served[] =>
  [...added, ...lost, ...changed].flatMap(({ before, after }) => [before ?? [], after ?? []].flat())

const servedByWhy = (why: Why): readonly Served[] => [
  ...servedByTrace(why.lineage),
  ...unwithheld(why.evidence),
  ...unwithheld(why.disagreeing),
  ...servedByTurn(why.turn),
]

/** The nearest words are a part of a prompt, and count by the tier of the prompt. */
function servedByTurn(turn: WriteTurn | null): readonly Served[] {
  const nearestWords = turn?.nearestWords ?? null
  if (nearestWords === null || nearestWords.prompt === null) return []
  const { ref, tier, prompt } = nearestWords
  return [{ ref, tier, text: prompt }]
}
