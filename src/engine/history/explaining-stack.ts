import { MunimentError } from '../../domain/errors.ts'
import { parseMemoryId, parseRef, type Ref, toRef } from '../../domain/ids.ts'
import { isRecordKind, type RecordKind } from '../../domain/kind-names.ts'
import { StackCore } from '../core.ts'
import { memoryAsOf, momentAsOf } from '../read/as-of.ts'
import { type FindOptions, find } from '../read/list.ts'
import type { Memory } from '../read/memory-view.ts'
import { resolveRef } from '../read/resolve-ref.ts'
import { type ReadBy, type Served, servedByTrace, servedByWhy } from '../read/served.ts'
import {
  gated,
  isBounded,
  tierMinOf,
  type UseOptions,
  unwithheld,
  wordsFor,
} from '../read/use-gate.ts'
import type { Beside } from '../write/annotations.ts'
import { gatedTurn } from '../write/turn.ts'
import { viewsOf } from './confidence-history.ts'
import type { LineageStep } from './lineage-step.ts'
import { type ExplainOptions, impact, impactCount, trace, type Why, why } from './why.ts'

/** Any memory, and the answers to where from, from what, and how changed. */
export class ExplainingStack extends StackCore {
  /** One memory with its papers and its numbers, today or as of any moment. */
  async getMemory<K extends RecordKind>(
    kind: K,
    id: string,
    options: ExplainOptions = {},
  ): Promise<Memory<K> | null> {
    assertKind(kind)
    const { asOf } = options
    const ref = toRef(kind, parseMemoryId(id))
    const past = asOf === undefined ? null : await momentAsOf(this.uses, asOf)
    const stored = past
      ? await memoryAsOf(this.uses, ref, past)
      : await this.uses.read({ type: 'memory', ref })
    if (!stored) return null
    const [memory] = await viewsOf<K>(this.uses, [stored], past ?? (await this.uses.moment()))
    if (!memory) return null
    const shown = gated(memory, (await this.uses.moment()).policy, options)
    await this.noteServed('get_memory', options, unwithheld([shown]))
    return shown
  }

  /** All there are of a kind, set aside or not unless narrowed, newest first. */
  async list<K extends RecordKind>(
    kind: K,
    options: FindOptions = {},
  ): Promise<readonly Memory<K>[]> {
    assertKind(kind)
    const all = { includeForgotten: true, includeSetAside: true }
    return this.listed('list', options, await find(this.uses, kind, { ...all, ...options }))
  }

  /** What a list gave, with a receipt for each where the reader named a session. */
  protected async listed<K extends RecordKind>(
    operation: string,
    reader: ReadBy | null | undefined,
    found: readonly Memory<K>[],
  ): Promise<readonly Memory<K>[]> {
    await this.noteServed(operation, reader, unwithheld(found))
    return found
  }

  /** Leaves receipts for what a door shows of what it has read. */
  async noteServed(
    operation: string,
    reader: ReadBy | null | undefined,
    memories: readonly Served[],
  ): Promise<void> {
    await this.serving.serve(operation, reader, memories)
  }

  /** The ref that is meant by `kind:part` or `part`, where part starts or ends exactly one id. */
  async resolveRef(text: string): Promise<Ref> {
    return resolveRef(this.uses, text)
  }

  /** What it was made from, roots first, itself last; now, or as of any moment. */
  async trace(ref: string, options?: ExplainOptions): Promise<readonly LineageStep[]> {
    const steps = await this.#gated(await trace(this.uses, parseRef(ref), options), options)
    await this.serving.serve('trace', options, servedByTrace(steps))
    return steps
  }

  /** What was made from it, nearest first. */
  async impact(
    ref: string,
    reader?: (ReadBy & UseOptions) | null,
  ): Promise<readonly LineageStep[]> {
    const steps = await this.#gated(await impact(this.uses, parseRef(ref)), reader ?? {})
    await this.serving.serve('impact', reader, servedByTrace(steps))
    return steps
  }

  /** How many were made from it, counted before anybody walks there. */
  async impactCount(ref: string): Promise<number> {
    return impactCount(this.uses, parseRef(ref))
  }

  async why(ref: string, options?: ExplainOptions): Promise<Why> {
    const found = await why(this.uses, parseRef(ref), options)
    const { policy } = await this.uses.moment()
    const memory = gated(found.memory, policy, options ?? {})
    const needed = tierMinOf(policy, options ?? {}, 0)
    const shown = <T extends Beside>(told: readonly T[]): readonly T[] =>
      wordsFor(told, memory, needed)
    const answer = {
      ...found,
      memory,
      lineage: await this.#gated(found.lineage, options),
      evidence: found.evidence.map((each) => gated(each, policy, options ?? {})),
      disagreeing: found.disagreeing.map((each) => gated(each, policy, options ?? {})),
      changes: shown(found.changes),
      confidenceHistory: shown(found.confidenceHistory),
      strengthHistory: shown(found.strengthHistory),
      turn: gatedTurn(found.turn, memory.withheld === undefined ? needed : null),
    }
    await this.serving.serve('why', options, servedByWhy(answer))
    return answer
  }

  async #gated(
    steps: readonly LineageStep[],
    options: UseOptions = {},
  ): Promise<readonly LineageStep[]> {
    if (!isBounded(options)) return steps
    const { policy } = await this.uses.moment()
    return steps.map((step) => ({ ...step, memory: gated(step.memory, policy, options) }))
  }
}

function assertKind(kind: unknown): void {
  if (!isRecordKind(kind)) throw new MunimentError('invalid_input', 'There is no such kind.')
}
