import type { Entity } from '../../agent/entity.ts'
import type { RouteOptions } from '../../agent/route.ts'
import { isFirstHand, labelName } from '../../domain/labels.ts'
import type { Memory } from '../../engine/read/memory-view.ts'
import { cutTo } from '../../operations/text/words.ts'
import type { Stack } from '../../stack.ts'
import { keptIn } from './session-record.ts'

const PROMPTS_SHOWN = 20
const PROMPT_CHARS = 200
const SOURCES_MAX = 100
const CHECKPOINT_TIER = 1 // a list that no person typed

export const CHECKPOINT = 'checkpoint'
const TOOL_RESULT = 'hook:tool_result'

interface CheckpointRequest {
  readonly session: string
  /** The occasion, in words: `compaction (auto)`. */
  readonly until: string
  readonly options: RouteOptions
}

/**
 * Lists the captures of a session since the last checkpoint, and nothing else: no model takes part,
 * so the list may be cited as first-hand.
 */
export async function checkpoint(
  stack: Stack,
  entity: Entity,
  { session, until, options }: CheckpointRequest,
): Promise<void> {
  const since = await lastCheckpoint(stack, session)
  const raws: Memory<'raw'>[] = []
  for await (const raw of keptIn(stack, 'raw', session)) {
    if (raw.entry.seq <= since) break
    raws.push(raw)
  }
  raws.reverse()
  const prompts = raws.filter(({ provenance }) => labelName(provenance.label) === 'UserAsserted')
  const tools = raws.filter(({ provenance }) => provenance.ingestionPath === TOOL_RESULT)
  // A result that repeats its tool's input is counted, not cited: repetition is no evidence.
  const met = tools.filter(({ provenance }) => isFirstHand(labelName(provenance.label)))
  const sources = (prompts.length > 0 ? prompts : met).slice(-SOURCES_MAX)
  if (sources.length === 0) return
  await entity.note(contentOf({ session, until, prompts, tools }), {
    ...options,
    sourceType: 'observation',
    trustTier: CHECKPOINT_TIER,
    derivedFrom: sources.map(({ ref }) => ref),
    tags: [CHECKPOINT],
  })
}

async function lastCheckpoint(stack: Stack, session: string): Promise<number> {
  for await (const note of keptIn(stack, 'note', session)) {
    if (note.provenance.ingestionPath === `hook:${CHECKPOINT}`) return note.entry.seq
  }
  return -1
}

interface Content {
  readonly session: string
  readonly until: string
  readonly prompts: readonly Memory<'raw'>[]
  readonly tools: readonly Memory<'raw'>[]
}

function contentOf({ session, until, prompts, tools }: Content): string {
  const shown = prompts.slice(-PROMPTS_SHOWN)
  const counts = new Map<string, number>()
  for (const { provenance } of tools) {
    const name = provenance.document?.split(' ')[0] ?? 'a tool'
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const used = [...counts].map(([name, count]) => `${name} ${count}`).join(', ')
  return [
    `Session ${session} until its ${until}, captured anew: ${prompts.length} prompts, ${tools.length} tool results${used === '' ? '' : ` (${used})`}.`,
    ...(shown.length === 0 ? [] : ['The person asked:']),
    ...(shown.length < prompts.length ? [`(the last ${shown.length})`] : []),
    ...shown.map(({ text }) => `- ${clipped(text)}`),
  ].join('\n')
}

function clipped(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= PROMPT_CHARS ? line : `${cutTo(line, PROMPT_CHARS)}…`
}
