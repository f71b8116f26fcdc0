import { MunimentError } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import type { ToolContext } from './context.ts'

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
