import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { ScopeError } from '../../../domain/errors.ts'
import { plural } from '../../../operations/text/words.ts'
import { EXIT } from '../exit-codes.ts'
import { usageError } from '../failure.ts'
import { type Command, ok, typed } from '../spec/command.ts'
import { notGiven } from './input.ts'
import { progressOn } from './progress.ts'

export const backup: Command = {
  name: 'backup',
  group: 'stack',
  summary: 'Copy the stack into a file of its own, also while it is in use.',
  positionals: [
    {
      field: 'file',
      reading: { type: 'text' },
      required: true,
      help: 'A file that is not there yet, in a folder that is.',
    },
  ],
  options: [],
  examples: ['muniment stack backup muniment-2026-01-31.db'],
  notes: [
    'A stack from which something was erased needs its key file too, keys/<uid>, to be written to.',
    'The copy holds every word of the stack in the clear: keep it as private as the home folder.',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    if (typeof input.file !== 'string' || input.file === '') {
      throw notGiven(typed(backup), backup.positionals)
    }
    const { stacks } = session.host
    await session.assertMayOpen()
    if (!(await stacks.exists(session.stackId, session))) throw await session.noStack()
    const file = newFile(input.file)
    await stacks.backup(session.stackId, {
      home: session.home,
      store: session.store,
      to: file,
    })
    const bytes = (await stat(file)).size
    return {
      json: { stack: session.stackId, file, bytes },
      text: ({ ink }) => [
        `${ink.good('Copied')} “${session.stackId}” to ${file}, ${plural(bytes, 'byte')}.`,
      ],
      exit: EXIT.ok,
    }
  },
}

/** The full path of a file to write: a new name, in an existing folder. */
export function newFile(given: string): string {
  const file = path.resolve(given)
  if (existsSync(file)) {
    throw usageError(`${file} exists already and is left alone.`, 'Give a new name.')
  }
  // A mistyped folder would hide the file where nobody looks.
  const folder = path.dirname(file)
  if (existsSync(folder)) return file
  throw usageError(
    `Nothing was written: there is no folder ${folder}.`,
    `Make the folder first: mkdir -p ${folder}. Or name a file in a folder that exists.`,
  )
}

const HOME = 'home'

/** Commits a whole ledger without the gate, so a person must ask, as for `restore`. */
export const move: Command = {
  name: 'move',
  group: 'stack',
  summary: 'Copy the stack to another store, ledger and all, and compare the heads.',
  positionals: [],
  options: [
    {
      field: 'to',
      flag: 'to',
      aliases: [],
      reading: { type: 'text' },
      many: false,
      group: 'body',
      help: 'postgres://… for a database, “home” for a file in the home folder.',
    },
  ],
  examples: [
    'muniment stack move --stack work --to postgres://muniment@db/memories',
    'muniment stack move --stack work --store postgres://muniment@db/memories --to home',
  ],
  notes: [
    'Only a person can, and only to where there is no stack of that name. It is audited before it is kept.',
    'What is moved stays where it was: write to one of them only, and remove the other yourself.',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    const { host, stackId, home, store } = session
    if (typeof input.to !== 'string' || input.to === '') {
      throw usageError('Where to?', 'muniment stack move --to postgres://…, or: --to home')
    }
    const { person, because } = await session.who()
    if (!person) {
      throw new ScopeError(
        `Moving is for a person to do, and this call is a program’s: ${because}.`,
      )
    }
    await session.assertMayOpen()
    if (!(await session.hasStack())) throw await session.noStack()
    const to = { home, store: input.to === HOME ? null : input.to }
    const moved = await host.stacks.move(stackId, {
      ...{ home, store, to },
      onProgress: progressOn(session, 'looks at entries'),
    })
    const { head, entries, memories } = moved
    return ok({ stack: stackId, ...moved }, ({ ink }) => [
      `${ink.good('Copied')} “${stackId}”: ${plural(memories, 'memory', 'memories')}, ${plural(entries, 'entry', 'entries')}.`,
      `Both heads are entry ${head.seq}, ${head.hash.slice(0, 16)}…`,
      'The old one is still there: write to the new one only.',
    ])
  },
}

/** Files migrate on opening; a database is shared, so a person decides. */
export const migrate: Command = {
  name: 'migrate',
  group: 'stack',
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
    'muniment stack migrate --store postgres://owner@db/memories --dry-run',
    'muniment stack migrate --store postgres://owner@db/memories',
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

/** Rows and indexes are folded from the ledger, so they can be folded again. */
export const rebuild: Command = {
  name: 'rebuild',
  group: 'stack',
  summary: 'Rebuild all rows and indexes from the ledger.',
  positionals: [],
  options: [],
  examples: ['muniment stack rebuild', 'muniment stack rebuild --stack work'],
  notes: ['A ledger that is damaged itself is not built upon. Afterwards: muniment stack vacuum'],
  takesInput: false,
  run: async (session) => {
    const { stackId } = session
    const rebuilt = await session.withStack('existing', (stack) =>
      stack.ledger.rebuild({ onProgress: progressOn(session, 'entries') }),
    )
    const { memories, entries } = rebuilt
    return ok({ stack: stackId, ...rebuilt }, ({ ink }) => [
      `${ink.good('Rebuilt')} “${stackId}”: ${plural(memories, 'memory', 'memories')} from ` +
        `${plural(entries, 'entry', 'entries')}.`,
    ])
  },
}

/** Deleted rows leave gaps in the file, and a rebuild leaves many. */
export const vacuum: Command = {
  name: 'vacuum',
  group: 'stack',
  summary: 'Shrink the file: give unused space back.',
  positionals: [],
  options: [],
  examples: ['muniment stack vacuum', 'muniment stack vacuum --stack work'],
  notes: ['Needs as much room again while it works. Others can read meanwhile; writers wait.'],
  takesInput: false,
  run: async (session) => {
    const { stacks } = session.host
    const { stackId } = session
    await session.assertMayOpen()
    if (!(await stacks.exists(stackId, session))) throw await session.noStack()
    const { before, after } = await stacks.vacuum(stackId, session)
    return {
      json: { stack: stackId, before, after },
      text: ({ ink }) => [
        `${ink.good('Vacuumed')} “${stackId}”: ${plural(after, 'byte')} now, ${before - after} given back.`,
      ],
      exit: EXIT.ok,
    }
  },
}
