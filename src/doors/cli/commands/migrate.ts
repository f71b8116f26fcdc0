import { plural } from '../../../operations/text/words.ts'
import { usageError } from '../failure.ts'
import type { Command } from '../spec/command.ts'
import { ok } from '../spec/command.ts'

/** Files migrate on opening; a database is shared, so a person decides. */
export const migrate: Command = {
  name: 'migrate',
  summary: 'Prepare a PostgreSQL database for stacks, or bring it up to date.',
  positionals: [],
  options: [
    {
      field: 'dryRun',
      flag: 'dry-run',
      aliases: [],
      reading: { type: 'flag', sets: true },
      many: false,
      group: 'body',
      help: 'Say what would be done, and do nothing.',
    },
  ],
  examples: [
    'muniment migrate --store postgres://owner@db/memories --dry-run',
    'muniment migrate --store postgres://owner@db/memories',
  ],
  notes: [
    'All the steps or none, and only forward; several that start at once take turns.',
    'Needs a login that may make schemas and roles. What works with stacks then needs neither.',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    const { store, home, host } = session
    if (store === null) {
      throw usageError('Only a database is migrated.', 'Name it: --store postgres://…')
    }
    const isDryRun = input.dryRun === true
    const onStep = (step: number, of: number): void => session.say([`Step ${step} of ${of} …`])
    const { from, to } = await host.stacks.migrate({ home, store, isDryRun, onStep })
    const steps = plural(to - from, 'step')
    const said = (): string => {
      if (from === to) return `Nothing to do: the database is at version ${to}.`
      const way = `from version ${from} to ${to}`
      return isDryRun ? `${steps} would bring it ${way}.` : `Brought it ${way} in ${steps}.`
    }
    return ok({ from, to, dryRun: isDryRun }, () => [said()])
  },
}
