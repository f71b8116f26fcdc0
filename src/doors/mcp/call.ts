import { type FieldIssue, MunimentError } from '../../domain/errors.ts'
import { CLAIM_TOOLS } from '../../operations/claim-tools.ts'
import type { Tool } from '../../operations/tool.ts'
import { READ_TOOLS } from '../../operations/tools.ts'
import { assertNesting } from './argument-depth.ts'
import { ask, claim, history } from './claims.ts'
import type { ToolAnswer, ToolContext } from './context.ts'
import { forget } from './forget.ts'
import { lenientInput } from './lenient-input.ts'
import { lineage, review, uncertain, verify } from './meta.ts'
import { runOperation } from './operation.ts'
import { load, search } from './read.ts'
import { write } from './write.ts'

type Run = (context: ToolContext, input: never) => Promise<ToolAnswer>

const RUNS: Readonly<Record<string, Run>> = {
  [READ_TOOLS.search.name]: search,
  [READ_TOOLS.load.name]: load,
  [CLAIM_TOOLS.claim.name]: claim,
  [CLAIM_TOOLS.ask.name]: ask,
  [CLAIM_TOOLS.history.name]: history,
  [READ_TOOLS.lineage.name]: lineage,
  [READ_TOOLS.verify.name]: verify,
  [READ_TOOLS.forget.name]: forget,
  [READ_TOOLS.uncertain.name]: uncertain,
  [READ_TOOLS.review.name]: review,
}

/** Parses `unknown` into a tool's input, once, and calls the stack. */
export async function callTool(
  context: ToolContext,
  tool: Tool,
  given: unknown,
): Promise<ToolAnswer> {
  assertNesting(given)
  const lenient = lenientInput(tool, given ?? {})
  const input = readInput(tool, lenient)
  if (tool.makes !== undefined) return write(context, tool.makes, asGiven(input, lenient))
  if (tool.operation !== undefined) return runOperation(context, tool.operation, input)
  const run = RUNS[tool.name]
  if (!run) throw new TypeError(`${tool.name} is in the table and does nothing.`)
  return run(context, input as never) // parsed by the tool's own schema
}

/** Drops defaults filled in by parsing, so a known memory keeps its own values. */
function asGiven(input: Input, given: unknown): Input {
  const named = Object(given) as Input
  return Object.fromEntries(Object.entries(input).filter(([name]) => named[name] !== undefined))
}

type Input = Readonly<Record<string, unknown>>

function readInput(tool: Tool, given: unknown): Readonly<Record<string, unknown>> {
  const { name, input } = tool
  const parsed = input.safeParse(given)
  if (parsed.success) return parsed.data
  const known = Object.keys(input.shape).join(', ')
  const issues = parsed.error.issues.flatMap((found): readonly FieldIssue[] =>
    found.code === 'unrecognized_keys'
      ? found.keys.map((key) => ({ path: key, message: `is not a field; there are ${known}` }))
      : [{ path: found.path.map(String).join('.') || 'arguments', message: found.message }],
  )
  const fields = issues.map(({ path }) => path).join(', ')
  throw new MunimentError('invalid_input', `${name}: not valid: ${fields}.`, { issues })
}
