import { MunimentError } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import { labelName } from '../../domain/labels.ts'
import type { Memory } from '../../engine/read/memory-view.ts'
import type { Recalled } from '../../engine/read/render.ts'
import type { Stack } from '../../stack.ts'
import type { ToolContext } from '../tool.ts'

/** Resolves short refs; an unknown ref is reported with its field. */
export async function resolved(
  stack: Stack,
  field: string,
  given: readonly string[],
): Promise<readonly Ref[]> {
  return Promise.all(given.map((text, index) => resolveOne(stack, `${field}.${index}`, text)))
}

export async function resolveOne(stack: Stack, field: string, text: string): Promise<Ref> {
  try {
    return await stack.lookup.resolveRef(text)
  } catch (error) {
    if (!(error instanceof MunimentError)) throw error
    const { code, message, hint, facts } = error
    const issues = [{ path: field, message }]
    throw new MunimentError(code, message, { issues, facts, ...(hint ? { hint } : {}) })
  }
}

export interface Shown extends Recalled {
  readonly kind: string
  readonly created_at: string
  readonly source?: string
  readonly status?: string
}

export function shown(memory: Memory, text: string = memory.text): Shown {
  const { ref, kind, tier, confidence, createdAt, provenance, status } = memory
  const { sourceEntity } = provenance
  return {
    ref,
    kind,
    text,
    label: labelName(provenance.label),
    tier,
    confidence: rounded(confidence),
    created_at: createdAt,
    ...(sourceEntity === null ? {} : { source: sourceEntity }),
    ...(kind === 'goal' && status !== null ? { status } : {}),
  }
}

/** Decaying numbers have many digits and few that matter. */
export const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

type Calling = Pick<ToolContext, 'stack' | 'caller'>

/** The prompt of the caller's turn, where a write was refused for citing no source. */
export async function citableFor(error: unknown, context: Calling): Promise<Ref | null> {
  if (!(error instanceof MunimentError)) return null
  const { rule, reasons } = error.facts
  if (rule !== 'lineage' || !Array.isArray(reasons) || !reasons.includes('source_needed'))
    return null
  return promptOfTurn(context)
}

/** The captured prompt of the caller's turn; null where hooks captured none. */
export async function promptOfTurn({ stack, caller }: Calling): Promise<Ref | null> {
  const { session, turn } = caller
  if (session === null || turn === null) return null
  const asked = { inSession: session, byPerson: true, withoutCaptures: true, limit: 1 } as const
  const [last] = await stack.list('raw', { ...asked, includeSetAside: false })
  return last?.provenance.turn === turn ? last.ref : null
}
