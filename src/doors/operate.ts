import { type RouteOptions, splitFields } from '../agent/route.ts'
import { labelAt } from '../domain/doors.ts'
import { type FieldIssue, MunimentError, ScopeError } from '../domain/errors.ts'
import { isKind, type Kind } from '../domain/ids.ts'
import type { BodyInputOf } from '../domain/kinds/table.ts'
import { labelNamed } from '../domain/labels.ts'
import type { Accepted } from '../domain/write.ts'
import { windowOf } from '../engine/claims/claim.ts'
import { type Operation, rightOf } from '../operations/operation.ts'
import { OPERATIONS, type OperationName } from '../operations/operations.ts'
import { changeHandlers } from './operate/change-handlers.ts'
import { claimHandlers } from './operate/claim-handlers.ts'
import type { DoorContext } from './operate/context.ts'
import { historyHandlers } from './operate/history-handlers.ts'
import { ledgerHandlers } from './operate/ledger-handlers.ts'
import { readHandlers } from './operate/read-handlers.ts'
import { counting, withoutSecrets } from './operate/redaction.ts'
import { upkeepHandlers } from './operate/upkeep-handlers.ts'
import { workHandlers } from './operate/work-handlers.ts'
import { untraced } from './trace.ts'

const HANDLERS = {
  ...readHandlers,
  ...historyHandlers,
  ...ledgerHandlers,
  ...claimHandlers,
  ...changeHandlers,
  ...upkeepHandlers,
  ...workHandlers,
}

/** Operations with foreign words, or with search terms: redaction must not alter them. */
const TAKEN_AS_IT_IS: ReadonlySet<OperationName> = new Set(['import', 'erase'])

export type ResultOf<N extends OperationName> = N extends keyof typeof HANDLERS
  ? Awaited<ReturnType<(typeof HANDLERS)[N]>>
  : Accepted

/** Parses `unknown` into an operation's input, once, at every door alike. */
export function operate<N extends OperationName>(
  context: DoorContext,
  name: N,
  given: unknown,
): Promise<ResultOf<N>> {
  const { caller, stack, trace = untraced } = context
  return trace({ caller, stackId: stack.stackId }, () => done(context, name, given))
}

async function done<N extends OperationName>(
  context: DoorContext,
  name: N,
  given: unknown,
): Promise<ResultOf<N>> {
  const parsed = readInput(name, given)
  const operation: Operation = OPERATIONS[name]
  assertAllowed(context, operation, parsed)
  const isSaid = operation.right === 'write' && !TAKEN_AS_IT_IS.has(name)
  const { redact, noted } = counting(context.redact)
  const input = isSaid ? withoutSecrets(parsed, redact) : parsed
  const by = { ...context, caller: noted(context.caller) }
  const handled = isKind(name)
    ? write(by, name, name === 'claim' ? input : asGiven(input, given))
    : HANDLERS[name as keyof typeof HANDLERS](by, input as never) // parsed by its own schema
  return (await handled) as ResultOf<N> // by the table's row
}

/** Drops defaults filled in by parsing, so a known memory keeps its own values. */
function asGiven(input: InputFields, given: unknown): InputFields {
  const named = Object(given) as InputFields
  return Object.fromEntries(Object.entries(input).filter(([name]) => named[name] !== undefined))
}

function readInput(name: OperationName, given: unknown): Readonly<Record<string, unknown>> {
  const parsed = OPERATIONS[name].input.safeParse(given)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.flatMap((found): readonly FieldIssue[] =>
    found.code === 'unrecognized_keys'
      ? found.keys.map((key) => ({ path: key, message: 'is not a field here' }))
      : [{ path: found.path.map(String).join('.'), message: found.message }],
  )
  const fields = issues.map(({ path }) => path).join(', ')
  throw new MunimentError('invalid_input', `${name}: not valid: ${fields}.`, { issues })
}

/** Refuses acts reserved to a person, for all doors; the host process may act too. */
function assertAllowed(
  { caller }: DoorContext,
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
): void {
  if (rightOf(operation, input) !== 'person' || caller.person || caller.door === 'lib') return
  throw new ScopeError(`${operation.name}: this is for a person to do.`)
}

/** Turns dates as people write them into the window of a claim. */
function dated({ validFrom, validUntil, validTime, ...rest }: InputFields): InputFields {
  const texts = [validFrom, validUntil].map((text) => (typeof text === 'string' ? text : undefined))
  if (texts.every((text) => text === undefined)) return { ...rest, validTime }
  const window = windowOf(texts[0], texts[1], ['validFrom', 'validUntil'])
  return { ...rest, validTime: { ...Object(validTime), ...window } }
}

type InputFields = Readonly<Record<string, unknown>>

/** A person writes as a person, a tool as a tool; every other caller at a door is a model. */
async function write(
  { entity, caller, actor, id }: DoorContext,
  kind: Kind,
  input: Readonly<Record<string, unknown>>,
): Promise<Accepted> {
  const { body, options } = splitFields(kind === 'claim' ? dated(input) : input)
  const label = labelNamed(labelAt(caller))
  const routed: RouteOptions = { ...options, ...(id === undefined ? {} : { id }), label, actor }
  return entity.write(kind, body as BodyInputOf<Kind>, { ...routed, caller }) // parsed above
}
