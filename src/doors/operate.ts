import type { Entity } from '../core/entity.ts'
import { type RouteOptions, splitFields } from '../core/route.ts'
import type { Caller } from '../domain/doors.ts'
import { type FieldIssue, MunimentError } from '../domain/errors.ts'
import { parseRef, splitRef } from '../domain/ids.ts'
import { isKind, type Kind } from '../domain/kind-names.ts'
import type { BodyInputOf } from '../domain/kinds/table.ts'
import { label } from '../domain/labels.ts'
import { type InputOf, OPERATIONS, type OperationName } from '../protocol/operations.ts'
import type { Stack } from '../stack/stack.ts'

/** What a door brings to every call. */
export interface DoorContext {
  readonly entity: Entity
  readonly stack: Stack
  readonly caller: Caller
  /** The person or program on the other side, as provenance shall name it. */
  readonly actor: string
}

type Reader = (context: DoorContext, input: never) => Promise<unknown>

const readers: { readonly [N in Exclude<OperationName, Kind>]: Reader } = {
  show: async ({ stack }, { ref }: InputOf<'show'>) => {
    const { kind, id } = splitRef(parseRef(ref))
    const memory = await stack.getMemory(kind, id)
    if (!memory) throw new MunimentError('not_found', `${ref} does not exist in this stack.`)
    return memory
  },
  list: ({ stack }, { kind, limit, after }: InputOf<'list'>) =>
    stack.list(kind, { limit, ...(after === undefined ? {} : { after }) }),
  why: ({ stack, caller, actor }, { ref }: InputOf<'why'>) => stack.why(ref, { caller, actor }),
  trace: ({ stack, caller, actor }, { ref }: InputOf<'trace'>) =>
    stack.trace(ref, { caller, actor }),
  impact: ({ stack }, { ref }: InputOf<'impact'>) => stack.impact(ref),
  audit: ({ stack }) => stack.audit(),
  stats: ({ stack }) => stack.getStats(),
  state: async ({ stack, caller }, { to }: InputOf<'state'>) =>
    to === undefined ? { state: stack.state, entry: null } : stack.setState(to, caller),
  reject: ({ stack, caller }, { ref }: InputOf<'reject'>) => stack.rejectQuarantined(ref, caller),
}

/** `unknown` becomes an operation's input here, once, at every door alike. */
export async function operate(
  context: DoorContext,
  name: OperationName,
  given: unknown,
): Promise<unknown> {
  const input = readInput(name, given)
  if (isKind(name)) return write(context, name, input)
  return readers[name](context, input as never) // parsed by the operation's own schema
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

/** A person's own words are a person's; everything else at a door is a model's until proven. */
async function write(
  { entity, caller, actor }: DoorContext,
  kind: Kind,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { body, options } = splitFields(input)
  const asPerson = { label: label.userAsserted(), actor }
  const asModel = { label: label.modelDerived(), actor }
  const routed: RouteOptions = { ...options, ...(caller.person ? asPerson : asModel) }
  return entity.write(kind, body as BodyInputOf<Kind>, { ...routed, caller }) // parsed above
}
