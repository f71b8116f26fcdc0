import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { Entity } from '../../agent/entity.ts'
import { type FieldIssue, MunimentError } from '../../domain/errors.ts'
import { isKind } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Redactor } from '../../domain/words/secrets.ts'
import { isOperation } from '../../operations/catalog.ts'
import type { DoorContext, Trace } from '../../operations/context.ts'
import { operate } from '../../operations/operate.ts'
import { type Operation, rightOf } from '../../operations/operation.ts'
import { OPERATIONS, type OperationName } from '../../operations/operations.ts'
import { resolveRefs } from '../../operations/refs.ts'
import { inputSchema, isMany, readingFor } from '../cli/spec/arguments.ts'
import type { Reading } from '../cli/spec/command.ts'
import { readValue } from '../cli/spec/read-args.ts'
import { type Access, callerOf } from './access.ts'
import { assertJson, readBody } from './guard.ts'
import { HttpError } from './problem.ts'
import type { OpenStack, OpenStacks } from './stacks.ts'
import type { WriteBatcher } from './write-batcher.ts'

type ParseJson = (text: string) => unknown

type Input = Readonly<Record<string, unknown>>

export interface OperationParts {
  readonly redact: Redactor
  readonly trace: Trace
  readonly stacks: OpenStacks
  readonly writeBatcher: WriteBatcher
  readonly parseJson: ParseJson
  readonly now: () => number
}

/** The operation of a path: `self-narrative` is called `self_narrative` in the table. */
export function operationNamed(text: string): OperationName {
  const name = text.replaceAll('-', '_')
  if (isOperation(name) && !text.includes('_')) return name
  throw new MunimentError('not_found', 'There is no such operation.', {
    hint: 'All of them: /docs, or /openapi.json',
  })
}

export interface OperationRequest {
  readonly access: Access
  readonly stackId: string
  /** Aborted when the caller no longer waits. */
  readonly late: AbortSignal
  readonly name: OperationName
}

/** Reads by GET; an unchanged answer is not sent again. */
export async function answerGet(
  c: Context,
  asked: OperationRequest,
  parts: OperationParts,
): Promise<Response> {
  const { stackId, name } = asked
  const operation: Operation = OPERATIONS[name]
  const input = readQuery(operation, new URL(c.req.url).searchParams, parts.parseJson)
  if (rightOf(operation, input) !== 'read') throw notByGet()
  return parts.stacks.use(stackId, async (held) => {
    const tag = UNTAGGED.has(name) ? null : await tagOf(c, asked, { held, now: parts.now() })
    if (tag !== null && c.req.header('if-none-match') === tag) {
      return new Response(null, { status: 304, headers: cacheHeaders(tag) })
    }
    const result = await run(c, asked, { ...parts, held, input })
    return new Response(JSON.stringify(result ?? null), {
      headers: { 'content-type': 'application/json', ...cacheHeaders(tag) },
    })
  })
}

/** Operations whose answers depend on more than the ledger. */
const UNTAGGED: ReadonlySet<OperationName> = new Set(['receipts', 'heads', 'checkpoint', 'audit'])

const cacheHeaders = (tag: string | null): Readonly<Record<string, string>> => ({
  'cache-control': tag === null ? 'no-store' : 'private, no-cache',
  vary: 'authorization, muniment-session',
  ...(tag === null ? {} : { etag: tag }),
})

const MINUTE_MS = 60_000 // numbers decay: an answer is never older than this

async function tagOf(
  c: Context,
  { access }: OperationRequest,
  { held, now }: { readonly held: OpenStack; readonly now: number },
): Promise<string> {
  const { seq, hash, rev } = await held.stack.ledger.head()
  const { session, turn } = namedIn(c)
  const minute = Math.floor(now / MINUTE_MS)
  // The session is part of the tag: a new session must get its own answer and receipt.
  const of = JSON.stringify([c.req.url, seq, hash, rev, minute, access.id, session, turn])
  return `W/"${createHash('sha256').update(of).digest('base64url').slice(0, 27)}"`
}

const notByGet = (): HttpError =>
  new HttpError(
    405,
    new MunimentError('invalid_input', 'What writes is asked by POST.', {
      hint: 'POST the same fields as JSON.',
    }),
    { allow: 'POST' },
  )

/** Any operation by POST; an idempotency key prevents repeats. */
export async function answerPost(
  c: Context,
  asked: OperationRequest,
  parts: OperationParts,
): Promise<Response> {
  const text =
    asked.name === 'import'
      ? await readBody(c.req.raw, LIMITS.importBytesMax, 'importBytesMax')
      : await readBody(c.req.raw, LIMITS.jsonBytesMax)
  if (text !== '') assertJson(c.req.header('content-type'))
  const input = objectOf(text === '' ? {} : parts.parseJson(text))
  const isRead = rightOf(OPERATIONS[asked.name], input) === 'read'
  // Reads are not stored: a memory may be erased meanwhile, and each session needs its own receipt.
  const key = isRead ? null : keyIn(c)
  const { access, stackId, name } = asked
  if (!isRead) await parts.writeBatcher.turn()
  const done = await parts.stacks.use(stackId, async (held) => {
    const work = async (id?: string): Promise<string> =>
      JSON.stringify((await run(c, asked, { ...parts, held, input, id })) ?? null)
    if (key === null) return { answer: await work(), isReplay: false }
    // Keys hold within a session: another session's answer would leave no receipt here.
    const { session, turn } = namedIn(c)
    const under = JSON.stringify([access.id, name, key, session, turn])
    return held.stack.control.once({ key: under, request: text }, work)
  })
  return new Response(done.answer, {
    status: isKind(name) ? 201 : 200,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...(done.isReplay ? { 'idempotency-replayed': 'true' } : {}),
    },
  })
}

function objectOf(value: unknown): Input {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Input
  throw new MunimentError('invalid_input', 'The body is one JSON object.', {
    hint: 'For example: {"content": "…"}',
  })
}

const KEY = /^[\x21-\x7e]{1,200}$/

function keyIn(c: Context): string | null {
  const key = c.req.header('idempotency-key')
  if (key === undefined) return null
  if (KEY.test(key)) return key
  throw new MunimentError('invalid_input', 'An idempotency key is 1 to 200 visible characters.')
}

const NAME = /^[\x20-\x7e]{1,200}$/

/** The caller's session and turn; they bound writes, and widen no right. */
function namedIn(c: Context): {
  readonly session: string | null
  readonly turn: string | null
} {
  return { session: headerOf(c, 'muniment-session'), turn: headerOf(c, 'muniment-turn') }
}

function headerOf(c: Context, name: string): string | null {
  const value = c.req.header(name)
  if (value === undefined) return null
  if (NAME.test(value) && value.trim() !== '') return value
  throw new MunimentError('invalid_input', `${name} is 1 to 200 printable characters.`)
}

interface Running extends Pick<OperationParts, 'redact' | 'trace'> {
  readonly held: OpenStack
  readonly input: Input
  /** A fixed id, where the request may be repeated. */
  readonly id?: string | undefined
}

async function run(c: Context, asked: OperationRequest, running: Running): Promise<unknown> {
  const { name } = asked
  const { held, input, redact, trace, id } = running
  const resolved = await resolveRefs(held.stack, name, input)
  const isRead = rightOf(OPERATIONS[name], input) === 'read'
  const told = isRead ? { onProgress: () => asked.late.throwIfAborted() } : {}
  const context = { ...(await contextOf(c, asked, held)), redact, trace, id, ...told }
  return operate(context, name, resolved)
}

const CORE = 'muniment-http'

async function contextOf(
  c: Context,
  { access, name }: OperationRequest,
  held: OpenStack,
): Promise<DoorContext> {
  const { stack } = held
  const model = headerOf(c, 'muniment-model') ?? `unknown:${access.role}`
  const caller = callerOf(access, name, namedIn(c))
  const entity = isKind(name) ? await held.entity(model) : new Entity(CORE, { modelId: model })
  return { entity, stack, caller, actor: `${stack.stackId}:${access.role}`, model }
}

/** A query as an input: texts become the fields' types; the schemas check the rest. */
function readQuery(
  operation: Operation,
  query: URLSearchParams,
  parseJson: ParseJson,
): Readonly<Record<string, unknown>> {
  const { properties = {} } = inputSchema(operation)
  const issues: FieldIssue[] = []
  const input: [string, unknown][] = []
  for (const field of new Set(query.keys())) {
    const node = Object.hasOwn(properties, field) ? properties[field] : undefined
    const texts = query.getAll(field)
    if (node === undefined) {
      issues.push({ path: field, message: 'is not a field here' })
      continue
    }
    if (!isMany(node) && texts.length > 1) {
      issues.push({ path: field, message: 'is given more than once' })
      continue
    }
    const read = texts.map((text) => one(readingFor(field, node), text, parseJson))
    const values = read.flatMap((each) => (each.ok ? [each.value] : []))
    issues.push(
      ...read.flatMap((each) => (each.ok ? [] : [{ path: field, message: each.problem }])),
    )
    input.push([field, isMany(node) ? values : values[0]])
  }
  if (issues.length === 0) return Object.fromEntries(input)
  const fields = issues.map(({ path }) => path).join(', ')
  throw new MunimentError('invalid_input', `${operation.name}: not valid: ${fields}.`, { issues })
}

/** A switch takes true or false; other texts are read as on a command line. */
function one(reading: Reading, text: string, parseJson: ParseJson): ReturnType<typeof readValue> {
  if (reading.type !== 'flag') return readValue(reading, text, parseJson)
  return text === 'true' || text === 'false'
    ? { ok: true, value: text === 'true' }
    : { ok: false, problem: 'expected true or false' }
}
