import { randomUUID } from 'node:crypto'
import { Entity } from '../../agent/entity.ts'
import type { RouteOptions } from '../../agent/route.ts'
import type { Caller } from '../../domain/doors.ts'
import { type Label, label, labelName } from '../../domain/labels.ts'
import { splitPrompt } from '../../domain/words/pasted-text.ts'
import type { Redactor } from '../../domain/words/secrets.ts'
import { rendered } from '../../engine/read/render.ts'
import { type Trace, untraced } from '../../operations/context.ts'
import { counting } from '../../operations/redaction.ts'
import { PERSONAL_HEADING, PERSONAL_SHARE } from '../../operations/text/withheld.ts'
import type { Stack } from '../../stack.ts'
import type { TrustedTool } from './capture-settings.ts'
import { CHECKPOINT, checkpoint } from './checkpoint.ts'
import type { Hook, HookEvent } from './event.ts'
import { readSessionRecord, turnOf } from './session-record.ts'
import { captureOf } from './tools.ts'
import { isVouched } from './vouched-file.ts'
import { keptText, PROMPT_CHARS_MAX, RESULT_CHARS_MAX, resultText } from './words.ts'

const CORE = 'muniment-hook'
export const CLIENT = 'claude-code'
const VOUCHED = 2
const NOT_TYPED = 1
const START_TOKENS = 2_000
const START_CHARS_MAX = 9_500 // clients cut longer output, and a cut fence protects nothing

/** A hook's event, with the session's settings. */
export type Reported = HookEvent & {
  readonly redact?: Redactor
  /** The person's home, with the records of sessions. */
  readonly home?: string
  /** The port of our own server. */
  readonly port?: number
  /** Tools and folders that the person trusts. */
  readonly trusted?: readonly TrustedTool[]
  /** A program sent the prompt: no person typed any of the words. */
  readonly isUnattended?: boolean
  /** The person's own stack, where this project may read the stack. */
  readonly personal?: Stack | null
  readonly trace?: Trace | undefined
}

/** Hooks that work on the stack; a call is announced without opening the stack. */
type StackHook = Exclude<Hook, 'call'>

type Handler = (stack: Stack, event: Reported) => Promise<object | null>

/** The handler of each hook; the returned value goes to the client's stdout. */
const HANDLERS: Readonly<Record<StackHook, Handler>> = { prompt, tool, start, compact, end }

/** Hooks that write, and so may make a missing stack. */
export const writes = (hook: StackHook): boolean => hook === 'prompt' || hook === 'tool'

export function runHook(hook: StackHook, stack: Stack, event: Reported): Promise<object | null> {
  const { trace = untraced, session, turn } = event
  const about = { operation: hook, label: label.firstHand(), session, turn }
  const { caller } = optionsFor(stack, about)
  return trace({ caller, stackId: stack.stackId }, () => HANDLERS[hook](stack, event))
}

interface Said {
  readonly operation: string
  readonly label: Label
  readonly session: string | null
  readonly turn: string | null
  /** Notes on the caller how many secrets were removed, and if a person vouches for the words. */
  readonly noted?: (caller: Caller) => Caller
}

/** The door assigns the label from its own observation; no words can change the label. */
function optionsFor(stack: Stack, said: Said): RouteOptions & { readonly caller: Caller } {
  const { operation, label, session, turn, noted = (caller) => caller } = said
  const name = labelName(label)
  const caller: Caller = {
    door: 'hook',
    operation,
    person: name === 'UserAsserted',
    grant: null,
    session,
    turn,
  }
  const role = { UserAsserted: 'user', ExternalFirstHand: 'tool', ModelDerived: 'model' } as const
  const actor = `${stack.stackId}:${name === 'RecallReEntry' ? 'model' : role[name]}`
  return { label, actor, caller: noted(caller) }
}

async function entityOf(stack: Stack): Promise<Entity> {
  const entity = new Entity(CORE, { modelId: `unknown:${CLIENT}` })
  await entity.attachStack(stack)
  return entity
}

/** The person's own words begin a turn; pasted words are kept apart. */
async function prompt(
  stack: Stack,
  { prompt: said, session, turn, redact, isUnattended = false }: Reported,
): Promise<null> {
  if (said !== null) {
    const of = { session, turn: turn ?? randomUUID(), redact, isUnattended }
    await capturePrompt(stack, await entityOf(stack), said, of)
  }
  return null
}

interface PromptOf {
  readonly session: string | null
  readonly turn: string | null
  readonly redact: Redactor | undefined
  readonly isUnattended: boolean
}

/** The label marks words from a person's prompt; without the label they are a document. */
async function capturePrompt(
  stack: Stack,
  entity: Entity,
  said: string,
  { session, turn, redact, isUnattended }: PromptOf,
): Promise<void> {
  const { own, pasted } = isUnattended ? { own: '', pasted: said } : splitPrompt(said)
  const operation = isUnattended ? 'user_prompt' : 'pasted'
  const document = isUnattended ? 'a prompt that no person typed' : 'pasted by the person'
  const keep = async (words: string, about: Pick<Said, 'operation' | 'label'>, more: object) => {
    const taking = counting(redact)
    const content = keptText(words, PROMPT_CHARS_MAX, taking.redact)
    const options = optionsFor(stack, { ...about, session, turn, noted: taking.noted })
    await entity.raw(content, { ...options, capturedFrom: CLIENT, ...more })
  }
  if (own !== '') await keep(own, { operation: 'user_prompt', label: label.userAsserted() }, {})
  if (pasted === null) return
  const more = { document, trustTier: NOT_TYPED, actor: `${stack.stackId}:pasted` }
  await keep(pasted, { operation, label: label.firstHand() }, more)
}

async function tool(stack: Stack, event: Reported): Promise<null> {
  const { redact, noted } = counting(event.redact)
  const { session, home, port, trusted = [] } = event
  const record =
    home === undefined || session === null ? null : await readSessionRecord({ home, session })
  const found = captureOf(event, { redact, record, ...(port === undefined ? {} : { port }) })
  if (!found) return null
  const result = resultText(event.toolResult)
  const isWhole = found.content.length <= RESULT_CHARS_MAX
  const isTrusted =
    isWhole &&
    home !== undefined &&
    (await isVouched(trusted, { client: CLIENT, event, result, record, home }))
  const turn = event.turn ?? (session === null ? null : await turnOf(stack, session))
  const as = isTrusted ? label.firstHand() : found.label
  const vouching = (caller: Caller): Caller =>
    isTrusted ? { ...noted(caller), vouched: true } : noted(caller)
  const about = { operation: 'tool_result', label: as, session, turn, noted: vouching }
  const trustTier = isTrusted ? VOUCHED : found.tier
  const options = { ...optionsFor(stack, about), document: found.document, trustTier }
  const entity = await entityOf(stack)
  await entity.raw(found.content, { ...options, sourceType: 'observation', capturedFrom: CLIENT })
  return null
}

/** Working memory as data for a new session. */
async function start(stack: Stack, { session, personal = null }: Reported): Promise<object | null> {
  const about = { operation: 'session_start', label: label.modelDerived(), session, turn: null }
  const { actor, caller } = optionsFor(stack, about)
  const by = actor === undefined || caller === undefined ? {} : { actor, caller }
  const own = await personalWords(personal, by)
  const loaded = await stack.load({ tokenBudget: START_TOKENS, ...by })
  const charsMax = START_CHARS_MAX - (own === null ? 0 : own.length + 1)
  const words =
    loaded._meta.included === 0 ? null : rendered(loaded, { for: 'prompt', charsMax }).text
  if (words === null && own === null) return null
  const text = [words, own].filter((part) => part !== null).join('\n')
  return { hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: text } }
}

/** At most a quarter of the room: the project comes first. */
async function personalWords(
  personal: Stack | null,
  by: Parameters<Stack['load']>[0],
): Promise<string | null> {
  if (personal === null) return null
  const loaded = await personal.load({ ...by, tokenBudget: START_TOKENS / PERSONAL_SHARE })
  if (loaded._meta.included === 0) return null
  const charsMax = Math.floor(START_CHARS_MAX / PERSONAL_SHARE)
  return `${PERSONAL_HEADING}\n${rendered(loaded, { for: 'prompt', charsMax }).text}`
}

async function compact(stack: Stack, event: Reported): Promise<null> {
  const { session, instructions, reason } = event
  if (session === null) return null
  const turn = event.turn ?? (await turnOf(stack, session))
  const entity = await entityOf(stack)
  if (instructions !== null) {
    const { redact, isUnattended = false } = event
    await capturePrompt(stack, entity, instructions, { session, turn, redact, isUnattended })
  }
  const about = { operation: CHECKPOINT, label: label.firstHand(), session, turn }
  const until = `compaction${reason === null ? '' : ` (${reason})`}`
  await checkpoint(stack, entity, { session, until, options: optionsFor(stack, about) })
  return null
}

/** A client that stops after every answer has not ended its session. */
const NOT_THE_END: ReadonlySet<string> = new Set(['Stop', 'SubagentStop'])

async function end(stack: Stack, { name, session, reason }: HookEvent): Promise<null> {
  if (session === null || NOT_THE_END.has(name ?? '')) return null
  const turn = await turnOf(stack, session)
  const about = { operation: CHECKPOINT, label: label.firstHand(), session, turn }
  const until = `end${reason === null ? '' : ` (${reason})`}`
  const options = optionsFor(stack, about)
  await checkpoint(stack, await entityOf(stack), { session, until, options })
  return null
}
