import { type ErrorCode, type FieldIssue, MunimentError } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import { definitionOf } from '../../domain/kinds/table.ts'
import { snake, type Tool } from '../../operations/tool.ts'
import { GROUND } from '../ground.ts'

/** Facts a model needs to do better the next time. */
export interface ToolFailure {
  readonly code: ErrorCode
  readonly message: string
  readonly fields: readonly { readonly field: string; readonly problem: string }[]
  /** Kinds allowed in derived_from, where the source was the problem. */
  readonly may_cite?: readonly string[]
  readonly next: string
}

const FAULT: ToolFailure = {
  code: 'invariant',
  message: 'This is a fault in muniment, not in the call.',
  fields: [],
  next: 'Go on without it, and tell the user to look at the log of the server.',
}

/** The failure of a call. `said` is the prompt of this turn, if citable. */
export function failureOf(error: unknown, tool: Tool, said: Ref | null = null): ToolFailure {
  if (!(error instanceof MunimentError) || error.code === 'invariant') return FAULT
  const { code, message, issues, facts } = error
  const ground = GROUND[code]
  if (ground !== undefined) {
    return {
      code,
      message: ground,
      fields: [],
      next: nextFor(new MunimentError(code, ground), tool),
    }
  }
  const isLineage = facts.rule === 'lineage'
  return {
    code,
    message,
    fields: isLineage && issues.length === 0 ? [citesOf(error)] : issues.map(fieldOf),
    ...(isLineage && tool.makes ? { may_cite: definitionOf(tool.makes).sources.from } : {}),
    next: said === null ? nextFor(error, tool) : citeSaid(tool, said),
  }
}

/** A captured prompt of this turn can be cited; the model judges if the prompt states the claim. */
function citeSaid(tool: Tool, said: Ref): string {
  const mayCiteRaw =
    tool.makes !== undefined && definitionOf(tool.makes).sources.from.includes('raw')
  const how = mayCiteRaw
    ? `cite ${said} in derived_from.`
    : `keep that as memory_note with derived_from ["${said}"], then cite the note.`
  return `If ${said} (what the user said in this turn) states it: ${how} Otherwise give because: the reason in words.`
}

function citesOf({ facts: { reasons } }: MunimentError) {
  const isMissing = Array.isArray(reasons) && reasons.includes('source_needed')
  const problem = isMissing ? 'is missing' : 'names what this kind may not rest on'
  return { field: 'derived_from', problem }
}

/** `derivedFrom.0` of the engine is `derived_from.0` here. */
const fieldOf = ({ path, message }: FieldIssue) => ({ field: snake(path), problem: message })

function nextFor({ code, facts, hint }: MunimentError, tool: Tool): string {
  if (facts.rule === 'lineage') return citeNext(tool)
  switch (code) {
    case 'invalid_input':
    case 'invalid_provenance':
    case 'limit_exceeded':
      return `Mend the fields that are named and call ${tool.name} again.`
    case 'not_found':
    case 'invalid_ref':
    case 'invalid_id':
      return 'Find its ref with memory_search, and give it whole: kind:id.'
    case 'maintenance_mode':
      return 'Nothing is taken until a person ends maintenance: muniment stack state ACTIVE. Tell the user.'
    case 'store_busy':
    case 'backpressure':
      return `Call ${tool.name} again in a moment.`
    case 'refused':
      return hint ?? 'Do not repeat it; say it with another source, or leave it.'
    default:
      return hint ?? 'Go on without it, and tell the user.'
  }
}

function citeNext({ makes }: Tool): string {
  if (makes === 'raw') return 'Leave derived_from out: raw is where lineage begins.'
  if (makes === 'belief') {
    return 'Cite an episode or note in derived_from (memory_note or memory_episode makes one, memory_search finds one), or give because: the reason in words.'
  }
  return 'Cite a raw in derived_from (memory_raw makes one), or leave derived_from out: its own words are then captured.'
}

export function failureText({ code, message, fields, may_cite, next }: ToolFailure): string {
  const lines = [`${code}: ${message}`]
  for (const { field, problem } of fields) lines.push(`field ${field}: ${problem}`)
  if (may_cite) lines.push(`may cite: ${may_cite.length === 0 ? 'nothing' : may_cite.join(', ')}`)
  return [...lines, `next: ${next}`].join('\n')
}
