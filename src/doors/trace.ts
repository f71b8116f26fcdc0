import type { Tracer } from '@opentelemetry/api'
import { MunimentError } from '../domain/errors.ts'
import { isKind } from '../domain/ids.ts'
import { CHANGE_RULE_NAMES, DISPOSITIONS, RULE_NAMES } from '../domain/vocabulary.ts'
import { type Trace, untraced } from '../operations/context.ts'
import type { TraceLevel } from '../operations/settings.ts'

const INTERNAL = 0 // SpanKind.INTERNAL

const FAILED = 2 // SpanStatusCode.ERROR

/**
 * A span for each call, at every door: the operation, its outcome and counts; never words, refs,
 * names of people, nor error messages, which may quote the input.
 */
const traceTo =
  (
    tracer: Pick<Tracer, 'startActiveSpan'>,
    { namesStack }: { readonly namesStack: boolean },
  ): Trace =>
  ({ caller, stackId }, work) => {
    const attributes = {
      'muniment.operation': caller.operation,
      'muniment.door': caller.door,
      'muniment.person': caller.person,
      ...(namesStack ? { 'muniment.stack': stackId } : {}),
    }
    const options = { kind: INTERNAL, attributes }
    return tracer.startActiveSpan(`muniment ${caller.operation}`, options, async (span) => {
      try {
        const result = await work()
        span.setAttributes(saidOf(result, caller.operation))
        return result
      } catch (error) {
        const code = error instanceof MunimentError ? error.code : 'invariant'
        span.setAttribute('error.type', code)
        span.setStatus({ code: FAILED, message: code })
        throw error
      } finally {
        span.end()
      }
    })
  }

const words: ReadonlySet<unknown> = new Set(DISPOSITIONS)

const rules: ReadonlySet<unknown> = new Set([...RULE_NAMES, ...CHANGE_RULE_NAMES])

/** Members of answers with lists. */
const LISTS = ['results', 'items', 'memories', 'entries', 'steps', 'values'] as const

/** Only codes of closed lists, and counts, leave an answer. */
function saidOf(result: unknown, operation: string): Record<string, string | number> {
  const { structured } = Object(result) // a tool's answer wraps the same members
  const told: unknown = structured?.result ?? structured ?? result
  const answer = { ...Object(told) } as Readonly<Record<string, unknown>> // anything
  const { disposition, rule, ref, captures, captured } = answer
  const list = Array.isArray(told) ? told : LISTS.map((name) => answer[name]).find(Array.isArray)
  const kind = typeof ref === 'string' ? ref.slice(0, Math.max(0, ref.indexOf(':'))) : operation
  const made = [captures, captured].find(Array.isArray)
  return {
    ...(isKind(kind) ? { 'muniment.kind': kind } : {}),
    ...(words.has(disposition) ? { 'muniment.disposition': String(disposition) } : {}),
    ...(rules.has(rule) ? { 'muniment.rule': String(rule) } : {}),
    ...(list === undefined ? {} : { 'muniment.count': list.length }),
    ...(made === undefined ? {} : { 'muniment.captures': made.length }),
  }
}

/**
 * Spans go to the provider registered with OpenTelemetry, and nowhere without a provider. The
 * package is loaded only on request: OpenTelemetry is an optional peer.
 */
export async function loadTrace(level: TraceLevel, version: string): Promise<Trace> {
  if (level === 'off') return untraced
  const { trace } = await import('@opentelemetry/api').catch((cause: unknown) => {
    throw new MunimentError(
      'invalid_input',
      'Spans are asked for, and OpenTelemetry is not there.',
      {
        hint: 'npm install @opentelemetry/api, or set traces (MUNIMENT_TRACES) to off.',
        cause,
      },
    )
  })
  return traceTo(trace.getTracer('muniment', version), { namesStack: level === 'stacks' })
}
