import { type Label, label } from '../../domain/labels.ts'
import { type Redactor, redacted, withoutValues } from '../../domain/secrets.ts'
import { FENCE } from '../../stack/fence.ts'
import type { HookEvent } from './event.ts'
import { isRepeated } from './repeated.ts'
import { keptName, keptText, RESULT_CHARS_MAX, resultText } from './words.ts'

/** A tool's result as it is captured. */
export interface Captured {
  readonly content: string
  readonly label: Label
  readonly document: string
}

/** Tools by which a model talks to itself: they meet with nothing. */
const INWARD: ReadonlySet<string> = new Set([
  'TodoWrite',
  'TodoRead',
  'EnterPlanMode',
  'ExitPlanMode',
  'Skill',
  'ToolSearch',
])

/** Tools whose answer another model wrote. */
const BY_MODEL: ReadonlySet<string> = new Set(['Task', 'Agent', 'WebFetch'])

/** Tools whose answer is what the model gave them: that it was done is kept, as the model's. */
const WRITING: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit'])

// By the pattern of their names: the table would have to be loaded, and a hook has no time.
const OWN_TOOL = /^(?:memory|meta)_[a-z_]+$/

/** Our own words coming back through a tool would be an echo with a witness's label. */
function isOwn({ tool, toolInput: { command } }: HookEvent): boolean {
  const [door, server = '', ...name] = (tool ?? '').split('__')
  if (door === 'mcp' && (/muniment/i.test(server) || OWN_TOOL.test(name.join('__')))) return true
  return typeof command === 'string' && /\bmuniment\b/.test(command)
}

/** What to keep of a tool's result, or nothing. */
export function captureOf(event: HookEvent, redact: Redactor = redacted): Captured | null {
  const { tool, toolInput, toolResult } = event
  if (tool === null || INWARD.has(tool) || isOwn(event)) return null
  const document = keptName(`${tool}${placeOf(event)}`, redact)
  if (WRITING.has(tool)) {
    return { content: `${document}: done`, label: label.modelDerived(), document }
  }
  const result = resultText(toolResult)
  const said = isOfSecrets(event) ? withoutValues(result) : result
  const content = keptText(said, RESULT_CHARS_MAX, redact)
  if (content.trim() === '' || content.includes(FENCE)) return null
  const isModels = BY_MODEL.has(tool) || isRepeated(said, toolInput)
  return { content, label: isModels ? label.modelDerived() : label.firstHand(), document }
}

const SECRET_FILE = /(?:^|[\s/\\'"=:])(?:\.env[\w.-]*|[\w.-]+\.env)(?=$|[\s'";|&)>])/i

/** Files that are there to hold secrets, by path or in a command. */
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
