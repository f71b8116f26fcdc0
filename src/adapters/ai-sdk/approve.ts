import type { FlexibleSchema, ToolApprovalStatus, ToolSet } from 'ai'
import type { Tier } from '../../domain/doors.ts'
import type { Memory } from '../../engine/read/memory-view.ts'
import { toolsOf } from '../../operations/tools.ts'
import type { Stack } from '../../stack.ts'

export interface ApproveOptions {
  /** Tools that change nothing: they run without a question. */
  readonly harmless?: readonly string[]
}

type Approve = (asked: {
  readonly toolCall: { readonly toolName: string; readonly input: unknown }
  /** The tools of the model: their schemas say which names of an input are the tool's own. */
  readonly tools?: ToolSet | undefined
}) => Promise<ToolApprovalStatus>
type Answer = { readonly type: 'approved' | 'denied' | 'user-approval'; readonly reason: string }

const TIER_TO_ACT: Tier = 2
const FOUND = 50
const SHOWN_CHARS = 80

/**
 * Approves a call only when each of its values stands in words that a person said or vouches for. Other
 * calls ask the user and name the value with its origin. A value of tier 0 is denied; distrusted
 * words are not read, as if nobody had said the value.
 */
export function approveByProvenance(stack: Stack, { harmless = [] }: ApproveOptions = {}): Approve {
  const free = new Set([...harmless, ...toolsOf('full').map(({ name }) => name)])
  return async ({ toolCall: { toolName, input }, tools }) => {
    if (free.has(toolName)) return 'not-applicable'
    const isDeclared = await declaredBy(tools?.[toolName])
    const values = [...new Set(valuesIn(input, isDeclared))]
    if (values.length === 0) return ask('The call has no value that a person could have said.')
    const answers = await Promise.all(values.map((value) => judge(stack, value)))
    return (
      answers.find(({ type }) => type === 'denied') ??
      answers.find(({ type }) => type === 'user-approval') ?? {
        type: 'approved',
        reason: answers.map(({ reason }) => reason).join(' '),
      }
    )
  }
}

const ask = (reason: string): Answer => ({ type: 'user-approval', reason })

/** The best origin of a value counts: a page that repeats a person's words takes nothing away. */
async function judge(stack: Stack, value: string | null): Promise<Answer> {
  if (value === null) return ask('The call has a value that is no text and no number.')
  const named = JSON.stringify(value.slice(0, SHOWN_CHARS))
  const origins = await originsOf(stack, value)
  const best = origins.reduce<Memory | null>(
    (found, each) => (found === null || each.tier > found.tier ? each : found),
    null,
  )
  if (best === null) return ask(`Nobody but the model says ${named}.`)
  const { ref, tier, provenance } = best
  const origin = `${ref}, tier ${tier}, by ${provenance.sourceId}`
  if (tier >= TIER_TO_ACT) return { type: 'approved', reason: `${named}: ${origin}.` }
  if (tier === 0)
    return { type: 'denied', reason: `${named} comes from words of the least trust: ${origin}.` }
  return ask(`${named} comes from words that nobody vouches for: ${origin}.`)
}

async function originsOf(stack: Stack, value: string): Promise<readonly Memory[]> {
  const found = await stack.search(value, { for: 'chat', limit: FOUND, expand: true })
  const origins: Memory[] = []
  for (const { memoryType, memoryId } of found) {
    const memory = await stack.getMemory(memoryType, memoryId)
    if (memory && standsIn(value, memory.text)) origins.push(memory)
  }
  return origins
}

/**
 * As a whole value: "10" does not stand in "100", nor "/srv" in "/srv/data" or "500" in "1,500". A
 * full stop or a comma before a space ends the value.
 */
function standsIn(value: string, text: string): boolean {
  const [within, wanted] = [text.toLowerCase(), value.toLowerCase()]
  const [canFollow, canGoOn] = [STARTS_VALUE.test(wanted), ENDS_VALUE.test(wanted)]
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + 1)) {
    const before = within.slice(Math.max(0, at - NEAR_CHARS), at)
    const after = within.slice(at + wanted.length, at + wanted.length + NEAR_CHARS)
    if (!(canFollow && GOES_ON.test(before)) && !(canGoOn && FOLLOWS.test(after))) return true
  }
  return false
}

/** Characters that join words to one value: of addresses, paths, numbers and ranges. */
const JOINING = String.raw`[/\\\-–−_,.@:#+%=&?~]`
const LETTER = String.raw`[\p{L}\p{N}_]`
const STARTS_VALUE = new RegExp(`^(?:${JOINING}|${LETTER})`, 'u')
const ENDS_VALUE = new RegExp(`(?:${JOINING}|${LETTER})$`, 'u')
/** A text behind a value that belongs to the value, and a text before it: a sign or a slash too. */
const FOLLOWS = new RegExp(`^${JOINING}*${LETTER}`, 'u')
const GOES_ON = new RegExp(`(?:${LETTER}${JOINING}*|[/\\\\\\-–−.+~])$`, 'u')
const NEAR_CHARS = 64

/**
 * Texts and numbers of a call, at any depth, and names that the tool does not declare; null for
 * everything that JSON does not have. True and false stand in nobody's words.
 */
function* valuesIn(input: unknown, isDeclared: IsDeclared): Generator<string | null> {
  if (typeof input === 'number') yield String(input)
  else if (typeof input === 'string') {
    if (input.trim() !== '') yield input.trim()
  } else if (Array.isArray(input)) {
    for (const each of input) yield* valuesIn(each, isDeclared)
  } else if (isRecord(input)) {
    for (const [name, each] of Object.entries(input)) {
      if (!isDeclared(name)) yield name
      yield* valuesIn(each, isDeclared)
    }
  } else if (typeof input !== 'boolean' && input !== null && input !== undefined) yield null
}

function isRecord(input: unknown): input is Readonly<Record<string, unknown>> {
  if (typeof input !== 'object' || input === null) return false
  const prototype: unknown = Object.getPrototypeOf(input)
  return prototype === null || prototype === Object.prototype
}

type IsDeclared = (name: string) => boolean

const PLAIN_NAME = /^[\w-]+$/

/** The names in the schema of a tool; without a schema, each name that is a plain identifier. */
async function declaredBy(tool: ToolSet[string] | undefined): Promise<IsDeclared> {
  if (tool?.inputSchema === undefined) return (name) => PLAIN_NAME.test(name)
  const { asSchema } = await import('ai')
  const names = new Set(propertiesIn(await asSchema(tool.inputSchema as FlexibleSchema).jsonSchema))
  return (name) => names.has(name)
}

function* propertiesIn(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  for (const [name, each] of Object.entries(schema)) {
    if (name === 'properties') yield* Object.keys(Object(each))
    yield* propertiesIn(each)
  }
}
