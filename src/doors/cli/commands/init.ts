import { Entity } from '../../../agent/entity.ts'
import type { Page } from '../../../operations/text/page.ts'
import { EXIT } from '../exit-codes.ts'
import type { Session } from '../session.ts'
import type { Answer, Command } from '../spec/command.ts'

/** Makes the home and the stack, and ends INITIALIZING: afterwards every memory needs a source. */
export const init: Command = {
  name: 'init',
  group: 'first',
  summary: 'Make the home folder and a stack, ready to be written to.',
  positionals: [],
  options: [],
  examples: ['muniment init', 'muniment init --stack work'],
  notes: ['Not needed before the first write, which does the same. Safe to repeat.'],
  takesInput: false,
  run: async (session) => {
    const { stackId, home, host } = session
    const created = !(await host.stacks.exists(stackId, session))
    const state = await session.withStack('made', async (stack) => {
      await new Entity('muniment-cli').attachStack(stack)
      return stack.state
    })
    return initAnswer(session, { stack: stackId, home, state, created })
  },
}

interface InitResult {
  readonly stack: string
  readonly home: string
  readonly state: string
  readonly created: boolean
}

function initAnswer({ which }: Session, made: InitResult): Answer {
  const text = ({ ink }: Page): readonly string[] => [
    made.created
      ? `${ink.good('Made')} the stack “${made.stack}” in ${made.home}.`
      : `The stack “${made.stack}” is in ${made.home} already, ${made.state}.`,
    '',
    'Try:',
    `  muniment note "Deploys fail when the migration runs late"${which}`,
    `  muniment belief "Migrations go first" --because "two deploys failed on locks"${which}`,
    `  muniment list${which}`,
    `  muniment why <ref>${which}      down to the words it rests on`,
    `  muniment audit${which}          nothing was changed behind its back`,
  ]
  return { json: made, text, exit: EXIT.ok }
}
