import { MunimentError } from '../domain/errors.ts'
import type { TraceLevel } from '../operations/config.ts'
import { type Trace, untraced } from '../operations/context.ts'
import { traceTo } from './trace.ts'

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
