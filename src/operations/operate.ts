import { MunimentError, ScopeError } from '../domain/errors.ts'
import { isKind } from '../domain/ids.ts'
import { readBy } from '../domain/issue-words.ts'
import { loadOperation } from './catalog.ts'
import { type DoorContext, untraced } from './context.ts'
import { type Operation, rightOf } from './operation.ts'
import type { OperationName, ResultOf } from './operations.ts'
import { counting, withoutSecrets } from './redaction.ts'

type Fields = Readonly<Record<string, unknown>>

/** Parses `unknown` into an operation's input, once, at every door alike, and runs it. */
export function operate<N extends OperationName>(
  context: DoorContext,
  name: N,
  given: unknown,
): Promise<ResultOf<N>> {
  const { caller, stack, trace = untraced } = context
  return trace({ caller, stackId: stack.stackId }, async () => {
    const operation = await loadOperation(name)
    return (await done(context, operation, given)) as ResultOf<N> // by the table's row
  })
}

async function done(context: DoorContext, operation: Operation, given: unknown): Promise<unknown> {
  const { name, right, isTakenAsIs = false } = operation
  const parsed = readInput(operation, given)
  assertAllowed(context, operation, parsed)
  const { redact, noted } = counting(context.redact)
  const input = right === 'write' && !isTakenAsIs ? withoutSecrets(parsed, redact) : parsed
  const isBody = isKind(name) && name !== 'claim'
  const by = { ...context, caller: noted(context.caller) }
  return operation.run(by, isBody ? asGiven(input, given) : input)
}

/** Drops defaults filled in by parsing, so a known memory keeps its own values. */
function asGiven(input: Fields, given: unknown): Fields {
  const named = Object(given) as Fields
  return Object.fromEntries(Object.entries(input).filter(([name]) => named[name] !== undefined))
}

function readInput({ name, input }: Operation, given: unknown): Fields {
  const { data, issues } = readBy(input, given, { unknown: 'is not a field here', root: 'input' })
  if (data !== null) return data
  const fields = issues.map(({ path }) => path).join(', ')
  throw new MunimentError('invalid_input', `${name}: not valid: ${fields}.`, { issues })
}

/** Refuses acts reserved to a person, for all doors; the host process may act too. */
function assertAllowed({ caller }: DoorContext, operation: Operation, input: Fields): void {
  if (rightOf(operation, input) !== 'person' || caller.person || caller.door === 'lib') return
  throw new ScopeError(`${operation.name}: this is for a person to do.`)
}
