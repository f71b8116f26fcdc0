import { Entity } from '../../../core/entity.ts'
import { isKind } from '../../../domain/kind-names.ts'
import { labelNamed } from '../../../domain/labels.ts'
import type { WriteResult } from '../../../domain/outcome.ts'
import type { Operation } from '../../../protocol/operation.ts'
import { isOperation, OPERATIONS, type OperationName } from '../../../protocol/operations.ts'
import type { Stack } from '../../../stack/stack.ts'
import { operate } from '../../operate.ts'
import { cliCaller, type Who } from '../caller.ts'
import { EXIT } from '../exit-codes.ts'
import { writtenPage } from '../render/written.ts'
import type { Session } from '../session.ts'
import type { Answer, Command, Given } from '../spec/command.ts'
import { exampleLine } from '../spec/example.ts'
import { argumentsOf } from '../spec/from-operation.ts'
import { kebab } from '../spec/names.ts'
import { typedHint } from './hints.ts'
import { readInput } from './input.ts'
import { listAll } from './list-all.ts'
import { answerOf } from './reading.ts'
import { resolveRefs } from './refs.ts'

const CORE = 'muniment-cli'

type Input = Readonly<Record<string, unknown>>

/** The command of one operation: its arguments, help and examples all come from the table. */
export function operationCommand(typed: string): Command | undefined {
  const name = typed.replaceAll('-', '_')
  if (!isOperation(name)) return undefined
  const operation: Operation = OPERATIONS[name]
  const { positionals, options } = argumentsOf(operation)
  const shown = kebab(name)
  return {
    name: shown,
    summary: operation.summary,
    positionals,
    options,
    examples: [exampleLine(shown, { positionals, options, example: operation.example })],
    notes: NOTES[name] ?? [],
    takesInput: true,
    run: (session, given) => runOperation(name, { session, given, command: shown }),
  }
}

const NOTES: Readonly<Partial<Record<OperationName, readonly string[]>>> = {
  list: ['Without a kind: the newest of every kind.'],
  claim: ['The value is JSON where it reads as JSON (42, true, ["a"]), otherwise text.'],
  audit: ['Ends with 4 when something is not as it was written.'],
  state: ['Only a person can change it; anyone may look.'],
  reject: ['Only a person can.'],
}

interface Run {
  readonly session: Session
  readonly given: Given
  readonly command: string
}

async function runOperation(name: OperationName, run: Run): Promise<Answer> {
  const { session } = run
  const input = await readInput(name, run)
  const { right } = OPERATIONS[name]
  try {
    // A token that is not ours is refused before anything is opened or made.
    const who = right === 'read' ? null : await session.who()
    return await session.withStack(right === 'write' ? 'made' : 'existing', async (stack) => {
      if (name === 'list' && input.kind === undefined) return listAll(stack, input)
      const resolved = await resolveRefs(stack, name, input)
      if (who === null) {
        return answerOf(name, resolved, await read(stack, name, { session, input: resolved }))
      }
      return act(stack, name, { session, who, input: resolved })
    })
  } catch (error) {
    throw typedHint(error, { name, command: run.command, session })
  }
}

/** Reading writes nothing, not even that a core was attached; a session it names gets receipts. */
const read = (
  stack: Stack,
  name: OperationName,
  { session, input }: { readonly session: Session; readonly input: Input },
): Promise<unknown> =>
  operate(
    {
      entity: new Entity(CORE),
      stack,
      caller: cliCaller(name, { person: false, session: session.sessionId }),
      actor: CORE,
    },
    name,
    input,
  )

async function act(
  stack: Stack,
  name: OperationName,
  { session, who, input }: { readonly session: Session; readonly who: Who; readonly input: Input },
): Promise<Answer> {
  const entity = new Entity(CORE, { modelId: session.modelFor(who) })
  if (isKind(name)) await entity.attachStack(stack)
  const caller = cliCaller(name, { person: who.person, session: session.sessionId })
  const actor = `${stack.stackId}:${who.person ? 'user' : 'model'}`
  const result = await operate({ entity, stack, caller, actor }, name, input)
  return isKind(name)
    ? written(result as WriteResult, who) // what the core answers every write with
    : answerOf(name, input, result)
}

const written = (result: WriteResult, who: Who): Answer => ({
  json: { ...result, label: labelNamed(who.label), labelBecause: who.because },
  text: (page) => writtenPage(result, who, page),
  exit: EXIT.ok,
})
