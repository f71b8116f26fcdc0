import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import process from 'node:process'
import { type FileChange, setUp } from '../../setup/apply.ts'
import { SCOPES, type Scope } from '../../setup/claude-code.ts'
import { launcherFor } from '../../setup/launcher.ts'
import { EXIT } from '../exit-codes.ts'
import type { Page } from '../render/page.ts'
import type { Answer, Command, Option } from '../spec/command.ts'
import { notGiven } from './input.ts'

const CLIENTS = ['claude-code'] as const

const flag = (field: string, name: string, help: string): Option => ({
  field,
  flag: name,
  aliases: [],
  reading: { type: 'flag', sets: true },
  many: false,
  group: 'body',
  help,
})

/** Registers the server, and the hooks if they are wanted, where a client looks for them. */
export const setup: Command = {
  name: 'setup',
  summary: 'Register muniment in a client, beside what is there already.',
  positionals: [
    {
      field: 'client',
      reading: { type: 'choice', of: CLIENTS },
      required: true,
      help: 'The client.',
    },
  ],
  options: [
    flag('hooks', 'hooks', 'Also capture prompts and tool results through the client’s hooks.'),
    flag('dryRun', 'dry-run', 'Say what would be done, and do nothing.'),
    flag('force', 'force', 'Take the place of a server “muniment” that is not of our making.'),
    flag('undo', 'undo', 'Take out what is ours and leave the rest.'),
    {
      ...flag('scope', 'scope', 'For this folder, or for all of yours. Default project.'),
      reading: { type: 'choice', of: SCOPES },
    },
  ],
  examples: ['muniment setup claude-code --hooks', 'muniment setup claude-code --undo'],
  notes: [
    'What a file held before is kept beside it, as <file>.muniment-backup.',
    'A stack or home of this call, by option or variable, is what the client will use.',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    if (input.client === undefined) throw notGiven('setup', setup.positionals)
    const { host } = session
    const { command, args } = launcherFor({
      searchPath: host.env.PATH ?? '',
      node: process.execPath,
      // Where npx links it from is gone with its cache; where it lies is not.
      script: realpathSync(process.argv[1] ?? ''),
    })
    const dryRun = input.dryRun === true
    const undo = input.undo === true
    const changes = await setUp({
      parseJson: await host.jsonParser(),
      scope: (input.scope ?? 'project') as Scope, // one of the choices
      places: { home: host.env.HOME || homedir(), folder: process.cwd() },
      launcher: { command, args, options: session.placeGiven },
      hooks: input.hooks === true,
      undo,
      dryRun,
      force: input.force === true,
    })
    return answerOf(changes, { dryRun, undo })
  },
}

interface How {
  readonly dryRun: boolean
  readonly undo: boolean
}

const SAYS: Readonly<Record<FileChange['action'], string>> = {
  create: 'make',
  change: 'change',
  restore: 'put back as it was',
  remove: 'remove',
  none: 'leave, nothing to do',
}

function answerOf(changes: readonly FileChange[], how: How): Answer {
  const shown = changes.map(({ text, ...change }) => (how.dryRun ? { ...change, text } : change))
  const json = { ...how, changes: shown }
  return { json, text: (page) => pageOf(changes, how, page), exit: EXIT.ok }
}

function pageOf(
  changes: readonly FileChange[],
  { dryRun, undo }: How,
  { ink }: Page,
): readonly string[] {
  const lines = changes.flatMap(({ file, what, action, backup, text }) => [
    `${ink.strong(what)}  ${file}: ${SAYS[action]}`,
    ...(backup !== null && action === 'change' ? [`  before that kept as ${backup}`] : []),
    ...(dryRun && text !== null && action !== 'none'
      ? text
          .trimEnd()
          .split('\n')
          .map((line) => `  | ${line}`)
      : []),
  ])
  if (dryRun) return [...lines, '', 'Nothing was done: this was a dry run.']
  const isDone = changes.some(({ action }) => action !== 'none')
  const next = undo
    ? 'Restart the client.'
    : 'Restart the client, then ask it: why do you think that?'
  return isDone ? [...lines, '', next] : lines
}
