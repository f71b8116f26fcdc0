import { LimitError, MunimentError } from '../domain/errors.ts'
import { readBy } from '../domain/issue-words.ts'
import { LIMITS } from '../domain/limits.ts'
import { lenientInput } from './lenient-input.ts'
import type { Tool, ToolAnswer, ToolContext } from './tool.ts'

/** Parses `unknown` into a tool's input, once, and calls the stack. */
export async function callTool(
  context: ToolContext,
  tool: Tool,
  given: unknown,
): Promise<ToolAnswer> {
  assertNesting(given)
  const lenient = lenientInput(tool, given ?? {})
  const input = readInput(tool, lenient)
  return tool.run(context, tool.makes === undefined ? input : asGiven(input, lenient))
}

/** Drops defaults filled in by parsing, so a known memory keeps its own values. */
function asGiven(input: Input, given: unknown): Input {
  const named = Object(given) as Input
  return Object.fromEntries(Object.entries(input).filter(([name]) => named[name] !== undefined))
}

type Input = Readonly<Record<string, unknown>>

function readInput(tool: Tool, given: unknown): Readonly<Record<string, unknown>> {
  const { name, input } = tool
  const unknown = `is not a field; there are ${Object.keys(input.shape).join(', ')}`
  const { data, issues } = readBy(input, given, { unknown, root: 'arguments' })
  if (data !== null) return data
  const fields = issues.map(({ path }) => path).join(', ')
  throw new MunimentError('invalid_input', `${name}: not valid: ${fields}.`, { issues })
}

/** Arguments may contain a body, one level deeper than elsewhere. */
const DEPTH_MAX = LIMITS.bodyDepthMax + 1

/** Refuses arguments nested too deep, before any code walks them by recursion. */
function assertNesting(given: unknown): void {
  let level: readonly unknown[] = [given]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) throw tooDeep()
    level = level.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    )
  }
}

const tooDeep = (): LimitError =>
  new LimitError('bodyDepthMax', LIMITS.bodyDepthMax, LIMITS.bodyDepthMax + 1, {
    hint: 'Nothing was written. Give a flatter value, or put the nested part into a text.',
    issues: [{ path: 'arguments', message: `nested deeper than ${LIMITS.bodyDepthMax}` }],
  })
