import { existsSync, realpathSync } from 'node:fs'
import process from 'node:process'
import { MunimentError } from '../../../domain/errors.ts'
import type { Page } from '../../../operations/text/page.ts'
import { readProgramToken } from '../../access/program-token.ts'
import { type FileChange, setUp } from '../../setup/apply.ts'
import {
  CLIENT_NAMES,
  CLIENTS,
  type ClientName,
  type Places,
  SCOPES,
  type Scope,
  serverFile,
} from '../../setup/clients.ts'
import { launcherFor } from '../../setup/server-entry.ts'
import { assertPerson } from '../caller.ts'
import { EXIT } from '../exit-codes.ts'
import { usageError } from '../failure.ts'
import type { Host } from '../host.ts'
import type { Session } from '../session.ts'
import type { Answer, Command, CommandInput, Option } from '../spec/command.ts'
import { trustReads } from './captures.ts'
import { notGiven } from './input.ts'
import {
  boundProject,
  type LeftBehind,
  leftBehind,
  leftLines,
  projectLines,
  projectPlan,
  type SetUpProject,
} from './setup-project.ts'

const flag = (field: string, name: string, help: string): Option => ({
  field,
  flag: name,
  aliases: [],
  reading: { type: 'flag', sets: true },
  many: false,
  group: 'body',
  help,
})

/** Registers the server, and on request the hooks, in the settings of a client. */
export const setup: Command = {
  name: 'setup',
  group: 'first',
  summary: 'Register muniment in a client, in addition to what is there already.',
  positionals: [
    {
      field: 'client',
      reading: { type: 'choice', of: [...CLIENT_NAMES, 'all'] },
      required: true,
      help: 'The client, or all that are found here.',
    },
  ],
  options: [
    flag('hooks', 'hooks', 'Also capture prompts and tool results through hooks: claude-code.'),
    flag(
      'trustReads',
      'trust-reads',
      'With --hooks: vouch for the committed files of this folder.',
    ),
    flag('dryRun', 'dry-run', 'Say what would be done, and do nothing.'),
    flag('force', 'force', 'Take the place of a server “muniment” that is not of our making.'),
    flag('undo', 'undo', 'Take out what is ours and leave the rest; says what stays.'),
    {
      ...flag('name', 'name', 'The name of the project’s stack. Default: the folder’s name.'),
      reading: { type: 'text' },
    },
    {
      ...flag(
        'scope',
        'scope',
        'For this folder, or for all of yours. Default project where the client knows one.',
      ),
      reading: { type: 'choice', of: SCOPES },
    },
  ],
  examples: [
    'muniment setup claude-code --hooks',
    'muniment setup claude-code --name shop',
    'muniment setup cursor --dry-run',
    'muniment setup all',
    'muniment setup claude-code --undo',
  ],
  notes: [
    'The earlier content of a file is kept next to the file, as <file>.muniment-backup.',
    'A client that reaches muniment serve over HTTP (--scope user) keeps its entry and gets the token.',
    'A project gets a stack of its own, bound to its folder in your home: muniment stacks shows it.',
    'With --stack that stack is bound instead. For all projects (--scope user) each project uses its',
    'own stack, and a folder that is not bound uses “default”, or the stack given with --stack.',
    'Written are paths of this machine: a .mcp.json that others get is theirs to set up, or --scope user.',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    if (input.client === undefined)
      throw notGiven('setup', setup.positionals, {
        otherwise: `A client is one of ${[...CLIENT_NAMES, 'all'].join(', ')}.`,
      })
    const { host } = session
    const trustsReads = input.trustReads === true
    if (trustsReads) assertTrustable(session, input)
    const { command, args } = launcherFor({
      searchPath: host.env.PATH ?? '',
      node: process.execPath,
      // The link made by npx disappears with its cache; the real file stays.
      script: realpathSync(process.argv[1] ?? ''),
    })
    const dryRun = input.dryRun === true
    const undo = input.undo === true
    const places = placesFor(host)
    if (places === null) throw noUserFolder()
    const asked = askedFor(input, places)
    const isProject = asked.some(({ scope }) => scope === 'project')
    const binds = isProject && !undo
    const plan = binds ? await projectPlan(session, input, places) : null
    const programToken = await readProgramToken(session.home, host.now())
    const changes: FileChange[] = []
    for (const { client, scope } of asked) {
      changes.push(
        ...(await setUp({
          client,
          parseJson: await host.jsonParser(),
          scope,
          places,
          launcher: { command, args, options: session.homeGiven, stack: session.stackOfCall },
          hooks: input.hooks === true,
          undo,
          dryRun,
          force: input.force === true,
          programToken,
        })),
      )
    }
    const project = plan === null ? null : await boundProject(session, plan, dryRun)
    const left = undo ? await leftBehind(session, changes) : null
    const isHooked = changes.some(({ what }) => what === 'hooks') && !undo
    if (trustsReads && !dryRun) await trustReads(session, host.folder)
    const reads = isHooked ? (trustsReads ? 'trusted' : 'offered') : null
    return answerOf(changes, { dryRun, undo, project, left, reads })
  },
}

/** Only hooks read files, and only a person vouches. */
function assertTrustable(session: Session, { hooks, undo }: CommandInput['input']): void {
  if (hooks !== true || undo === true) {
    throw usageError(
      '--trust-reads goes with --hooks.',
      'muniment setup claude-code --hooks --trust-reads',
    )
  }
  assertPerson(session, 'says which files to trust')
}

/** Null where the environment names no user folder. */
export function placesFor({ env, folder, userFolder }: Host): Places | null {
  const home = userFolder()
  if (home === null) return null
  return { home, folder, platform: process.platform, appData: env.APPDATA }
}

const noUserFolder = (): MunimentError =>
  new MunimentError('store_unavailable', 'Nobody says which the user’s own folder is.', {
    hint: 'Clients keep their settings there: set HOME to it.',
  })

interface SetupTarget {
  readonly client: ClientName
  readonly scope: Scope
}

/** The named client in a scope; or, for `all`, every client found here in user scope. */
function askedFor(
  { client, scope }: CommandInput['input'],
  places: Places,
): readonly SetupTarget[] {
  const given = scope as Scope | undefined // parsed as a choice
  if (client !== 'all') {
    const name = client as ClientName // parsed as a choice
    return [{ client: name, scope: given ?? CLIENTS[name].usual }]
  }
  const found = CLIENT_NAMES.filter((name) => existsSync(CLIENTS[name].sign(places)))
  const all = found.map((name): SetupTarget => ({ client: name, scope: given ?? 'user' }))
  const known = all.filter((each) => serverFile(each.client, each.scope, places) !== null)
  if (known.length > 0) return known
  throw new MunimentError('not_found', 'No client that muniment knows is found here.', {
    hint: `Name one: muniment setup ${CLIENT_NAMES.join(' | ')}`,
  })
}

interface How {
  readonly dryRun: boolean
  readonly undo: boolean
  /** The stack of this project, if bound. */
  readonly project: SetUpProject | null
  /** Everything undo leaves in place. */
  readonly left: LeftBehind | null
  /** Tells if the person vouches for committed files; null without hooks. */
  readonly reads: 'trusted' | 'offered' | null
}

const READS: Readonly<Record<'trusted' | 'offered', readonly string[]>> = {
  trusted: [
    'You vouch for the committed files of this folder: muniment trust captures lists what you trust.',
  ],
  offered: [
    'Results of tools are captured at tier 1, and act is never served them. To vouch for committed',
    'files of this folder that the client reads: muniment trust captures trust Read',
  ],
}

const SAYS: Readonly<Record<FileChange['action'], string>> = {
  create: 'make',
  change: 'change',
  restore: 'put back as it was',
  remove: 'remove',
  none: 'leave, nothing to do',
}

function answerOf(changes: readonly FileChange[], how: How): Answer {
  const { dryRun, undo, project, left } = how
  const shown = changes.map(({ text, ...change }) => (dryRun ? { ...change, text } : change))
  const json = {
    ...{ dryRun, undo, changes: shown },
    ...(project === null ? {} : { project }),
    ...(left === null ? {} : { left }),
  }
  return { json, text: (page) => pageOf(changes, how, page), exit: EXIT.ok }
}

function pageOf(
  changes: readonly FileChange[],
  { dryRun, undo, project, left, reads }: How,
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
  const bound = project === null ? [] : projectLines(project, ink)
  const stays = left === null ? [] : ['', ...leftLines(left)]
  if (dryRun) return [...lines, ...bound, ...stays, '', 'Nothing was done: this was a dry run.']
  const isDone = changes.some(({ action }) => action !== 'none')
  const next = undo
    ? 'Restart the client.'
    : 'Restart the client, then ask it: why do you think that?'
  const vouched = reads === null ? [] : ['', ...READS[reads]]
  return [...lines, ...bound, ...vouched, ...(isDone ? ['', next] : []), ...stays]
}
