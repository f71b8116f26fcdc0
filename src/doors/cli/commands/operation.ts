import { Entity } from '../../../agent/entity.ts'
import { isKind } from '../../../domain/ids.ts'
import { sinceIn } from '../../../engine/audit/codes.ts'
import { REVIEW_LIMIT } from '../../../engine/review/review.ts'
import { isOperation, loadOperation } from '../../../operations/catalog.ts'
import { typedAs } from '../../../operations/command-groups.ts'
import type { DoorContext } from '../../../operations/context.ts'
import { operate } from '../../../operations/operate.ts'
import { rightOf, type WaitingCount } from '../../../operations/operation.ts'
import type { OperationName } from '../../../operations/operations.ts'
import { resolveRefs } from '../../../operations/refs.ts'
import type { Stack } from '../../../stack.ts'
import { readCaptureSettings } from '../../hook/capture-settings.ts'
import { CORE, cliCaller, readerAt, type Who } from '../caller.ts'
import type { Need, Session } from '../session.ts'
import { argumentsOf, exampleLine } from '../spec/arguments.ts'
import type { Answer, Command, CommandInput, Positional } from '../spec/command.ts'
import { kebab } from '../spec/names.ts'
import { answerOf } from './answer.ts'
import { typedHint } from './hints.ts'
import { fileText, readInput, stdinText } from './input.ts'
import { answerFromPersonal, withPersonal } from './personal-answer.ts'
import { Place, progressOn } from './progress.ts'

type Input = Readonly<Record<string, unknown>>

/** The command of an operation: arguments, help and examples all come from the table. */
export async function operationCommand(typed: string): Promise<Command | undefined> {
  const name = typed.replaceAll('-', '_')
  if (!isOperation(name)) return undefined
  const operation = await loadOperation(name)
  const { positionals, options } = argumentsOf(operation)
  const shown = typedAs(kebab(name), operation.group)
  const { example, summary, examples = [], notes = [] } = operation
  return {
    name: kebab(name),
    group: operation.group,
    summary,
    positionals,
    options,
    examples: [exampleLine(shown, { positionals, options, example }), ...examples],
    notes,
    takesInput: true,
    run: (session, given) => runOperation(name, { session, given, command: shown, positionals }),
  }
}

interface Run {
  readonly session: Session
  readonly given: CommandInput
  readonly command: string
  readonly positionals: readonly Positional[]
}

async function runOperation(typed: OperationName, run: Run): Promise<Answer> {
  const { session } = run
  const [name, read] = byRef(typed, await readInput(run))
  const input = await withHead(name, withJson(name, read, session), session)
  const need = isKind(name) ? 'made' : 'existing'
  const { progress } = await loadOperation(name)
  const onProgress = progress === undefined ? undefined : progressOn(session, progress)
  if (onProgress === undefined) return operateOn(name, { ...run, input, need })
  const place = new Place(onProgress)
  const release = name === 'audit' ? session.host.onInterrupt(place.lastWords) : () => {}
  try {
    return await operateOn(name, { ...run, input, need, onProgress: place.note })
  } finally {
    release()
  }
}

/** A goal named by its ref is changed: `muniment memory goal goal:… --status completed`. */
function byRef(name: OperationName, input: Input): readonly [OperationName, Input] {
  const { title, ...rest } = input
  const isRef = name === 'goal' && typeof title === 'string' && GOAL_REF.test(title)
  return isRef ? ['update_goal', { ref: title, ...rest }] : [name, input]
}

const GOAL_REF = /^goal:[0-9a-f-]{4,}$/

/** A program gets the JSON dump, unless the other format is asked for. */
const withJson = (name: OperationName, input: Input, { isJson }: Session): Input =>
  name === 'dump' && isJson ? { format: 'json', ...input } : input

/** An external head lies in a file; a text with line ends is the head itself. */
async function withHead(name: OperationName, input: Input, session: Session): Promise<Input> {
  if (name !== 'audit') return input
  const read = async (text: unknown): Promise<unknown> => {
    if (typeof text !== 'string' || text.includes('\n')) return text
    return text === '-' ? stdinText(session) : fileText(text)
  }
  const { against, since } = input
  const isWord = typeof since === 'string' && sinceIn(since) !== null
  return {
    ...input,
    ...(against === undefined ? {} : { against: await read(against) }),
    ...(since === undefined || isWord ? {} : { since: await read(since) }),
  }
}

interface Operating {
  readonly session: Session
  readonly command: string
  readonly input: Input
  readonly need: Need
  readonly onProgress?: DoorContext['onProgress']
}

/** Days the person keeps captures of hooks; no member where captures stay for ever. */
async function keptDaysOf({ home }: Session): Promise<Pick<DoorContext, 'capturesKeptDays'>> {
  const { keepDays } = await readCaptureSettings(home)
  return keepDays === null ? {} : { capturesKeptDays: keepDays }
}

/** Runs an operation on the stack of this session; errors get the command to type. */
export async function operateOn(name: OperationName, operating: Operating): Promise<Answer> {
  const { session, command, input, need, onProgress } = operating
  const operation = await loadOperation(name)
  const isRead = rightOf(operation, input) === 'read'
  // An unknown token is refused before a stack is opened or made.
  const who = isRead && session.values.token === null ? session.whoWithout() : await session.who()
  const where = { name, command, session }
  const work = async (stack: Stack): Promise<Answer> => {
    try {
      const resolved = await resolveRefs(stack, name, input)
      const context = isRead
        ? readerOf(stack, name, session)
        : await actorOf(stack, name, { session, who })
      const trace = await session.trace()
      const kept = name === 'maintain' ? await keptDaysOf(session) : {}
      const told = {
        ...context,
        trace,
        ...kept,
        ...(onProgress === undefined ? {} : { onProgress }),
      }
      const result = await operate(told, name, resolved)
      const waiting = await waitingBehind(stack, result, { name, input: resolved })
      const answer = answerOf(operation, result, { input: resolved, who, ...waiting })
      return await withPersonal(answer, { name, session, input: resolved, who, result })
    } catch (error) {
      const personal = await answerFromPersonal(error, { name, session, input, who })
      if (personal !== null) return personal
      throw await typedHint(error, { ...where, stack }) // hints read the open stack
    }
  }
  try {
    const isNew = need === 'made' && !(await session.hasStack())
    const answer = await session.withStack(need, work)
    return isNew && (await session.hasStack()) ? madeFor(answer, session) : answer
  } catch (error) {
    throw await typedHint(error, { ...where, stack: null })
  }
}

/** A full page of the queue does not show the length of the queue. */
async function waitingBehind(
  stack: Stack,
  result: unknown,
  { name, input }: { readonly name: OperationName; readonly input: Input },
): Promise<{ readonly waiting?: WaitingCount }> {
  const { limit, after, ref, kinds } = input
  const isFull = Array.isArray(result) && result.length >= Number(limit ?? REVIEW_LIMIT)
  if (name !== 'review' || !isFull || after !== undefined || ref !== undefined) return {}
  const { review } = await stack.health.overview()
  if (!Array.isArray(kinds)) return { waiting: review }
  const total = kinds.reduce((sum, kind) => sum + (review.kinds[kind] ?? 0), 0)
  return { waiting: { total, hasMore: review.hasMore } }
}

/** A first write makes its stack: a person with a mistyped name should notice. */
const madeFor = (answer: Answer, { stackId }: Session): Answer => ({
  ...answer,
  text: async (page) => [
    ...(await answer.text(page)),
    page.ink.faint(`  a new stack was made for it: ${stackId}`),
  ],
})

/** Reading writes nothing, not even the attachment of a core; a named session gets receipts. */
const readerOf = (stack: Stack, name: OperationName, session: Session): DoorContext => ({
  entity: new Entity(CORE),
  stack,
  ...readerAt(name, session),
})

async function actorOf(
  stack: Stack,
  name: OperationName,
  { session, who }: { readonly session: Session; readonly who: Who },
): Promise<DoorContext> {
  const model = session.modelFor(who)
  const entity = new Entity(CORE, { modelId: model })
  if (isKind(name)) await entity.attachStack(stack)
  const caller = cliCaller(name, {
    person: who.person,
    grant: who.grant,
    session: session.sessionId,
  })
  const actor = `${stack.stackId}:${who.person ? 'user' : 'model'}`
  return { entity, stack, caller, actor, model, redact: session.redact }
}
