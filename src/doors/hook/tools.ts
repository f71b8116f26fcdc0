import type { Tier } from '../../domain/doors.ts'
import { type Label, label } from '../../domain/labels.ts'
import { type Redactor, redacted, withoutValues } from '../../domain/words/secrets.ts'
import { FENCE } from '../../engine/read/render.ts'
import type { HookEvent } from './event.ts'
import { isRepeated } from './repeated.ts'
import { holdsOwnWords, type SessionRecord } from './session-record.ts'
import { keptName, keptText, RESULT_CHARS_MAX, resultText } from './words.ts'

/** A tool's result, ready for capture. */
export interface Captured {
  readonly content: string
  readonly label: Label
  /** The channel gives the label; nobody vouches for the words, so the tier is lower. */
  readonly tier: Tier
  readonly document: string
}

/** Evidence about the author of a result's words. */
export interface CaptureContext {
  readonly redact?: Redactor
  /** The model's writes in this session; null without a record. */
  readonly record?: SessionRecord | null
  /** The port of our own server. */
  readonly port?: number
}

const UNVOUCHED: Tier = 1

/** Tools of a model for its own notes: they observe nothing. */
const INWARD: ReadonlySet<string> = new Set([
  'TodoWrite',
  'TodoRead',
  'EnterPlanMode',
  'ExitPlanMode',
  'Skill',
  'SlashCommand',
  'ToolSearch',
])

/** Tools whose answer another model wrote. */
const BY_MODEL: ReadonlySet<string> = new Set([
  'Task',
  'TaskOutput',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskUpdate',
  'Agent',
  'AgentOutput',
  'AgentOutputTool',
  'SendMessage',
  'WebFetch',
])

/** Servers and tools with a model inside, by common names. */
const MODEL_NAME =
  /gpt|gemini|claude|openai|anthropic|llm|llama|mistral|grok|deepseek|qwen|perplexity|codex|copilot|think|(?:^|[_-])(?:ask|chat|agents?|zen)(?:$|[_-])|complet|summari/i

const isModel = (tool: string): boolean =>
  BY_MODEL.has(tool) || (tool.startsWith('mcp__') && MODEL_NAME.test(tool))

/** Tools that answer with the model's own input: captured, as the model's words. */
const WRITING: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit'])

// Our own tools by a name pattern: loading the table would take a hook too long.
const OWN_TOOL = /^(?:memory|meta)_[a-z_]+$/

/** Our own words returning through a tool would be an echo with a first-hand label. */
function isOwn({ tool, toolInput: { command } }: HookEvent): boolean {
  const [door, server = '', ...name] = (tool ?? '').split('__')
  if (door === 'mcp' && (/muniment/i.test(server) || OWN_TOOL.test(name.join('__')))) return true
  return typeof command === 'string' && /\bmuniment(?:\b|_)/i.test(command)
}

const LOOPBACK = /(?:localhost|127(?:\.\d+){1,3}|0\.0\.0\.0|\[::1?\]):(\d+)/gi
const OWN_PROGRAM = /\bdoors[\\/]cli[\\/]bin\.[jt]s\b/

/** A call of our own server or program: the reply is a model's words or served memory. */
const asksUs = ({ toolInput }: HookEvent, port: number | undefined): boolean =>
  [toolInput.command, toolInput.url].some(
    (place) =>
      typeof place === 'string' &&
      (OWN_PROGRAM.test(place) ||
        [...place.matchAll(LOOPBACK)].some(([, each]) => Number(each) === port)),
  )

/** The capture of a tool's result, or nothing. */
export function captureOf(event: HookEvent, context: CaptureContext = {}): Captured | null {
  const { tool, toolInput, toolResult } = event
  const { redact = redacted, record = null, port } = context
  if (tool === null || INWARD.has(tool) || isOwn(event)) return null
  const document = keptName(`${tool}${placeOf(event)}`, redact)
  if (WRITING.has(tool)) {
    const content = `${document}: done`
    return { content, label: label.modelDerived(), tier: UNVOUCHED, document }
  }
  const result = resultText(toolResult)
  const said = isOfSecrets(event) ? withoutValues(result) : result
  const content = keptText(said, RESULT_CHARS_MAX, redact)
  if (content.trim() === '' || content.includes(FENCE)) return null
  const isModels =
    isModel(tool) ||
    asksUs(event, port) ||
    isRepeated(result, toolInput) ||
    (record !== null && holdsOwnWords(event, result, record))
  const channel = isModels ? label.modelDerived() : label.firstHand()
  return { content, label: channel, tier: UNVOUCHED, document }
}

const SECRET_FILE = /(?:^|[\s/\\'"=:])(?:\.env[\w.-]*|[\w.-]+\.env)(?=$|[\s'";|&)>])/i

/** Files made for secrets, by path or in a command. */
const isOfSecrets = ({ toolInput }: HookEvent): boolean =>
  PLACES.some((name) => {
    const place = toolInput[name]
    return typeof place === 'string' && SECRET_FILE.test(place)
  })

const PLACES = ['file_path', 'path', 'notebook_path', 'url', 'command', 'query', 'pattern'] as const

function placeOf({ toolInput }: HookEvent): string {
  const place = PLACES.map((name) => toolInput[name]).find((value) => typeof value === 'string')
  return typeof place === 'string' ? ` ${place}` : ''
}
