import { MunimentError } from '../domain/errors.ts'
import { parseMemoryId, parseRef, type Ref, toRef } from '../domain/ids.ts'
import { isRecordKind, type RecordKind } from '../domain/kind-names.ts'
import { memoryAsOf, momentAsOf } from './as-of.ts'
import { viewsOf } from './confidence-history.ts'
import { StackCore } from './core.ts'
import {
  type ExplainOptions,
  impact,
  impactCount,
  type LineageStep,
  trace,
  type Why,
  why,
} from './explain.ts'
import { type FindOptions, find } from './finding.ts'
import type { Memory } from './memory-view.ts'
import { resolveRef } from './resolve-ref.ts'
import { type ReadBy, type Served, servedByTrace, servedByWhy } from './serving.ts'

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
    await this.noteServed('get_memory', options, [memory])
    return memory
  }

  /** All there are of a kind, set aside or not unless narrowed, newest first. */
  async list<K extends RecordKind>(
    kind: K,
    options: FindOptions = {},
  ): Promise<readonly Memory<K>[]> {
    assertKind(kind)
    return find(this.uses, kind, { includeForgotten: true, includeSetAside: true, ...options })
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
    const steps = await trace(this.uses, parseRef(ref), options)
    await this.serving.serve('trace', options, servedByTrace(steps))
    return steps
  }

  /** What was made from it, nearest first. */
  async impact(ref: string, reader?: ReadBy | null): Promise<readonly LineageStep[]> {
    const steps = await impact(this.uses, parseRef(ref))
    await this.serving.serve('impact', reader, servedByTrace(steps))
    return steps
  }

  /** How many were made from it, counted before anybody walks there. */
  async impactCount(ref: string): Promise<number> {
    return impactCount(this.uses, parseRef(ref))
  }

  async why(ref: string, options?: ExplainOptions): Promise<Why> {
    const answer = await why(this.uses, parseRef(ref), options)
    await this.serving.serve('why', options, servedByWhy(answer))
    return answer
  }
}

function assertKind(kind: unknown): void {
  if (!isRecordKind(kind)) throw new MunimentError('invalid_input', 'There is no such kind.')
}
