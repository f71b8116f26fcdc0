import { Entity } from '../../../agent/entity.ts'
import { MunimentError } from '../../../domain/errors.ts'
import { loadOperation } from '../../../operations/catalog.ts'
import type { DoorContext } from '../../../operations/context.ts'
import { operate } from '../../../operations/operate.ts'
import type { OperationName, ResultOf } from '../../../operations/operations.ts'
import { resolveRefs } from '../../../operations/refs.ts'
import { PERSONAL_HEADING } from '../../../operations/text/withheld.ts'
import type { Stack } from '../../../stack.ts'
import { CORE, readerAt, type Who } from '../caller.ts'
import type { Session } from '../session.ts'
import type { Answer } from '../spec/command.ts'
import { answerOf } from './answer.ts'

type Input = Readonly<Record<string, unknown>>

interface OperationRun {
  readonly name: OperationName
  readonly session: Session
  readonly input: Input
  readonly who: Who
  readonly result: unknown
}

/** Adds memories of the personal stack to reads, in a project that may read the personal stack. */
export async function withPersonal(answer: Answer, asked: OperationRun): Promise<Answer> {
  const { name, session, input } = asked
  const isIncluded = name === 'load' || name === 'ask' || name === 'search'
  if (!isIncluded || !session.readsPersonal || input.whyNot !== undefined) return answer
  return session.withPersonal(async (personal) => {
    if (personal === null) return answer
    const context: DoorContext = {
      entity: new Entity(CORE),
      stack: personal,
      ...readerAt(name, session),
    }
    switch (name) {
      case 'search':
        return withResults(answer, { ...asked, personal }, await operate(context, 'search', input))
      case 'load':
        return withLoaded(answer, asked, await operate(context, 'load', input))
      case 'ask':
        return withAnswer(answer, asked, await operate(context, 'ask', input))
    }
  })
}

const ofOneMemory = (name: OperationName): name is 'show' | 'why' =>
  name === 'show' || name === 'why'

/** The personal stack's answer for a ref the project lacks; null where both lack the ref. */
export async function answerFromPersonal(
  error: unknown,
  { name, session, input, who }: Omit<OperationRun, 'result'>,
): Promise<Answer | null> {
  if (!ofOneMemory(name) || !session.readsPersonal || !isNotFound(error)) return null
  return session.withPersonal(async (personal) => {
    if (personal === null) return null
    const context = { entity: new Entity(CORE), stack: personal, ...readerAt(name, session) }
    try {
      const resolved = await resolveRefs(personal, name, input)
      const result = await operate(context, name, resolved)
      const stack = personal.stackId
      return together(null, answerOf(await loadOperation(name), result, { input: resolved, who }), {
        ...result,
        stack,
      })
    } catch (other) {
      if (isNotFound(other)) return null
      throw other
    }
  })
}

const isNotFound = (error: unknown): boolean =>
  error instanceof MunimentError && error.code === 'not_found'

const LIMIT = 10 // default of the operation

/** A single list, sorted by score; results of the personal stack are marked. */
async function withResults(
  answer: Answer,
  { input, who, result, personal }: OperationRun & { readonly personal: Stack },
  found: ResultOf<'search'>,
): Promise<Answer> {
  if (!Array.isArray(found) || !Array.isArray(result) || found.length === 0) return answer
  const own = result as typeof found // the same operation's answer
  const marked = found.map((each) => ({ ...each, stack: personal.stackId }))
  const json = [...own, ...marked]
    .sort((a, b) => b.score - a.score)
    .slice(0, Number(input.limit ?? LIMIT))
  const theirs = json.filter((each) => 'stack' in each)
  if (theirs.length === 0) return answer
  const kept = json.filter((each) => !('stack' in each))
  const shown = { input, who }
  const above = kept.length === 0 ? null : answerOf(await loadOperation('search'), kept, shown)
  return together(above, answerOf(await loadOperation('search'), theirs, shown), json)
}

async function withLoaded(
  answer: Answer,
  { input, who, result }: OperationRun,
  loaded: ResultOf<'load'>,
): Promise<Answer> {
  if (loaded._meta.included === 0) return answer
  const json = { ...Object(result), personal: loaded }
  return together(answer, answerOf(await loadOperation('load'), loaded, { input, who }), json)
}

async function withAnswer(
  answer: Answer,
  { input, who, result }: OperationRun,
  theirs: ResultOf<'ask'>,
): Promise<Answer> {
  const isSaid = 'standing' in theirs ? theirs.standing !== 'unknown' : theirs.length > 0
  if (!isSaid) return answer
  const json = Array.isArray(result)
    ? { answers: result, personal: theirs }
    : { ...Object(result), personal: theirs }
  return together(answer, answerOf(await loadOperation('ask'), theirs, { input, who }), json)
}

/** Shows two pages below each other, or only the personal page; programs get one value. */
const together = (own: Answer | null, personal: Answer, json: unknown): Answer => ({
  json,
  text: async (page) => [
    ...(own === null ? [] : [...(await own.text(page)), '']),
    page.ink.strong(PERSONAL_HEADING),
    ...(await personal.text(page)),
  ],
  exit: personal.exit,
})
