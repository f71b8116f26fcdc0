import type { ToolApprovalStatus } from 'ai'
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
}) => Promise<ToolApprovalStatus>
type Answer = { readonly type: 'approved' | 'denied' | 'user-approval'; readonly reason: string }

const TIER_TO_ACT: Tier = 2
const FOUND = 50
const SHOWN_CHARS = 80

/**
 * Approves a call only when each of its values stands in words that a person said or vouches for. Other
 * calls ask the user and name the value with its origin. A value from distrusted words is denied.
 */
export function approveByProvenance(stack: Stack, { harmless = [] }: ApproveOptions = {}): Approve {
  const free = new Set([...harmless, ...toolsOf('full').map(({ name }) => name)])
  return async ({ toolCall }) => {
    if (free.has(toolCall.toolName)) return 'not-applicable'
    const values = [...new Set(valuesIn(toolCall.input))]
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
async function judge(stack: Stack, value: string): Promise<Answer> {
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
    return { type: 'denied', reason: `${named} comes from distrusted words: ${origin}.` }
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

/** As whole words: "10" does not stand in "100". */
function standsIn(value: string, text: string): boolean {
  const [within, wanted] = [text.toLowerCase(), value.toLowerCase()]
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + 1)) {
    const before = within.slice(0, at).at(-1) ?? ''
    const after = within.at(at + wanted.length) ?? ''
    if (!isJoined(before, wanted.at(0)) && !isJoined(after, wanted.at(-1))) return true
  }
  return false
}

const LETTER = /[\p{L}\p{N}_]/u
const isJoined = (outside: string, inside = ''): boolean =>
  LETTER.test(outside) && LETTER.test(inside)

/** Texts and numbers of a call, at any depth. True and false stand in nobody's words. */
function valuesIn(input: unknown): readonly string[] {
  if (typeof input === 'number') return [String(input)]
  if (typeof input === 'string') return input.trim() === '' ? [] : [input.trim()]
  if (typeof input !== 'object' || input === null) return []
  return Object.values(input).flatMap(valuesIn)
}
