import { MunimentError } from '../../domain/errors.ts'
import { type Ref, splitRef } from '../../domain/ids.ts'
import type { JsonObject } from '../../domain/kinds/json-value.ts'
import { isAccepted } from '../../domain/write.ts'
import type { InferencePort, Inferred } from '../../ports/models.ts'
import type { Timer } from '../../ports/world.ts'
import { revise } from '../change/revision.ts'
import type { Engine } from '../engine.ts'
import { type Budget, type Purse, tokensAtMost } from '../processing/prompt.ts'
import { libCaller } from '../write/arguments.ts'
import { refusalError } from '../write/outcomes.ts'
import { fieldsOf, reportRequest, reportsOf } from './reports.ts'

/** A question to a model with a schema for the answer. */
export interface Question {
  /** The purpose, recorded in the entry. */
  readonly task: string
  readonly system: string
  readonly prompt: string
  readonly schema: JsonObject
  readonly outputTokensMax: number
}

export interface Answered {
  readonly text: string
  readonly model: string
  readonly tokens: number
}

interface CallParts {
  readonly engine: Engine
  readonly timer: Timer
  readonly model: () => InferencePort | null
  readonly perDay: Budget
}

export const BUDGET_PER_DAY: Budget = { calls: 200, tokens: 500_000 }

const CALL_MS_MAX = 60_000 // longest wait for an answer
const RETRIES_MAX = 2 // of a call that failed in transit; each is paid for
const RETRY_MS = 250 // before the first retry, then four times as long
const RETRY_GROWTH = 4
const DAY_CHARS = '2026-01-01'.length

/**
 * Every call to a model. The ledger records the highest price before a call and the cost after: no
 * day exceeds its budget, despite crashes and parallel processes.
 */
export class ModelCalls {
  readonly #parts: CallParts

  constructor(parts: CallParts) {
    this.#parts = parts
  }

  get model(): InferencePort | null {
    return this.#parts.model()
  }

  async ask(question: Question, purse: Purse): Promise<Answered> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#once(question, purse)
      } catch (cause) {
        if (attempt === RETRIES_MAX || !isWorthRetrying(cause)) throw cause
        await this.#pause(RETRY_MS * RETRY_GROWTH ** attempt)
      }
    }
  }

  async #once(question: Question, purse: Purse): Promise<Answered> {
    const model = this.#parts.model()
    if (model === null) {
      throw new MunimentError('model_unavailable', 'No model is attached.', {
        hint: 'await entity.setModel(model)',
      })
    }
    const { task, system, prompt, schema, outputTokensMax } = question
    const price = tokensAtMost(system, prompt, JSON.stringify(schema)) + outputTokensMax
    if (!purse.take(price)) throw overBudget('run', purse.budget)
    const call = await this.#begin(task, { model: model.modelId, price }).catch((cause) => {
      purse.giveBack(price)
      throw cause
    })
    try {
      const { text, inputTokens, outputTokens } = await this.#answer(model, question)
      const isKnown = inputTokens !== null && outputTokens !== null
      const tokens = isKnown ? inputTokens + outputTokens : price
      purse.settle(price, tokens)
      await this.#end(call, { outcome: 'answered', tokens, inputTokens, outputTokens })
      return { text, model: model.modelId, tokens }
    } catch (cause) {
      // A failed call may still be billed, unless the provider reported otherwise.
      const tokens = isFree(cause) ? 0 : price
      purse.settle(price, tokens)
      await this.#end(call, { outcome: isTimeout(cause) ? 'timed_out' : 'failed', tokens })
      throw cause
    }
  }

  async #begin(task: string, { model, price }: { model: string; price: number }): Promise<Call> {
    const { engine, perDay } = this.#parts
    const fields = { model, outcome: 'asked', tokens: price, calls: 1 }
    const request = reportRequest(engine, { topic: 'model_call', about: task }, fields)
    const result = await engine.write(request as never, libCaller('model_call')) // of its own kind
    if (!isAccepted(result)) throw refusalError(result)
    const call = { ref: result.ref, task, model }
    const day = await this.#spentToday(result.entry.seq)
    if (day.calls > perDay.calls || day.tokens > perDay.tokens) {
      await this.#end(call, { outcome: 'over_budget', tokens: 0, calls: 0 })
      throw overBudget('day', perDay)
    }
    return call
  }

  async #end({ ref, task, model }: Call, fields: JsonObject): Promise<void> {
    const { engine } = this.#parts
    const body = {
      topic: 'model_call',
      about: task,
      fields: { calls: 1, model, ...fields },
    } as const
    const record = { id: splitRef(ref).id, ...body }
    await revise(engine, 'report', record, { expectedVersion: null, options: {} })
  }

  /** The cost of the day up to an entry; unfinished calls count in full. */
  async #spentToday(upto: number): Promise<Budget> {
    const { engine } = this.#parts
    let [calls, tokens] = [0, 0]
    let day: string | null = null // day of the call in the ledger, because a clock may be set back
    for await (const stored of reportsOf(engine, 'model_call')) {
      if (stored.state.seq > upto) continue
      day ??= stored.state.bornAt.slice(0, DAY_CHARS)
      if (!stored.state.bornAt.startsWith(day)) break
      const { calls: counted, tokens: cost } = fieldsOf(stored)
      calls += Number(counted ?? 1)
      tokens += Number(cost ?? 0)
    }
    return { calls, tokens }
  }

  async #answer(model: InferencePort, question: Question): Promise<Inferred> {
    const { system, prompt, schema, outputTokensMax } = question
    const ending = new AbortController()
    let callOff = (): void => {}
    const late = new Promise<never>((_, reject) => {
      callOff = this.#parts.timer(CALL_MS_MAX, () => {
        ending.abort()
        reject(timedOut(model.modelId))
      })
    })
    try {
      const options = { system, schema, outputTokensMax, temperature: 0, signal: ending.signal }
      return inferredOf(await Promise.race([model.infer(prompt, options), late]), model.modelId)
    } catch (cause) {
      if (cause instanceof MunimentError) throw cause
      throw new MunimentError('model_unavailable', `The model ${model.modelId} failed.`, {
        cause,
        facts: { model: model.modelId },
      })
    } finally {
      callOff()
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#parts.timer(ms, resolve)
    })
  }
}

interface Call {
  readonly ref: Ref
  readonly task: string
  readonly model: string
}

/** Validates the answer: a model may return any value. */
function inferredOf(value: string | Inferred, model: string): Inferred {
  if (typeof value === 'string') return { text: value, inputTokens: null, outputTokens: null }
  const text: unknown = value?.text
  if (typeof text !== 'string') throw badAnswer(model)
  return {
    text,
    inputTokens: countOr(value.inputTokens),
    outputTokens: countOr(value.outputTokens),
  }
}

const countOr = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null

export const badAnswer = (model: string): MunimentError =>
  new MunimentError('model_answer', `The model ${model} did not answer in the shape asked for.`, {
    hint: 'Nothing of it was taken. A larger model, or one that takes a JSON Schema, may do better.',
    facts: { model },
  })

const timedOut = (model: string): MunimentError =>
  new MunimentError('model_unavailable', `The model ${model} took longer than ${CALL_MS_MAX} ms.`, {
    facts: { model, reason: 'timed_out' },
  })

const overBudget = (span: 'run' | 'day', budget: Budget): MunimentError =>
  new MunimentError('model_budget', `Another call would cost more than the ${span} may.`, {
    hint: 'Give a larger budget, or go on tomorrow.',
    facts: { span, ...budget },
  })

const isTimeout = (cause: unknown): boolean =>
  cause instanceof MunimentError && cause.facts.reason === 'timed_out'

const isFree = (cause: unknown): boolean =>
  cause instanceof MunimentError && cause.facts.isBilled === false

/** A failure in transit is worth a retry; an answer or a refusal is final. */
const isWorthRetrying = (cause: unknown): boolean =>
  cause instanceof MunimentError &&
  cause.code === 'model_unavailable' &&
  cause.facts.isRetryable !== false &&
  cause.facts.model !== undefined &&
  !isTimeout(cause)
