import { existsSync } from 'node:fs'
import path from 'node:path'
import { Entity } from '../../../agent/entity.ts'
import { MunimentError } from '../../../domain/errors.ts'
import { label } from '../../../domain/labels.ts'
import { toInstant } from '../../../domain/time.ts'
import { oneLine, plural } from '../../../operations/text/words.ts'
import {
  type CaptureSettings,
  changeCaptureSettings,
  isDays,
  readCaptureSettings,
  type TrustedTool,
} from '../../hook/capture-settings.ts'
import { realFolder } from '../../projects/project-folder.ts'
import { assertPerson, CORE, cliCaller } from '../caller.ts'
import { usageError } from '../failure.ts'
import type { Session } from '../session.ts'
import type { Answer, Command, CommandInput, Option } from '../spec/command.ts'
import { ok } from '../spec/command.ts'

type Act = 'list' | 'trust' | 'keep' | 'pause' | 'resume'

const ACTS: Readonly<
  Record<Act, (session: Session, input: CommandInput['input']) => Promise<Answer>>
> = {
  list,
  trust,
  keep,
  pause: (session) => pause(session, true),
  resume: (session) => pause(session, false),
}

const CLIENT = 'claude-code'
/** Tools that print one file and nothing else: the file's commit can be checked. */
const TRUSTABLE = ['Read'] as const

const option = (field: string, help: string, reading: Option['reading']): Option => ({
  ...{ field, flag: field, aliases: [], reading, many: false, group: 'body', help },
})

export const captures: Command = {
  name: 'captures',
  group: 'trust',
  summary: 'What hooks capture: pause it, keep it for so long, vouch for files.',
  positionals: [
    {
      field: 'act',
      reading: { type: 'choice', of: Object.keys(ACTS) },
      required: false,
      help: 'Without one, list.',
    },
    {
      field: 'what',
      reading: { type: 'text' },
      required: false,
      help: 'trust: the client’s tool, by its exact name (Read). keep: days, such as 90d, or forever.',
    },
  ],
  options: [
    option('path', 'trust: the folder. Default: this folder.', { type: 'text' }),
    option('client', `trust: the client. Default ${CLIENT}.`, { type: 'choice', of: [CLIENT] }),
    option('undo', 'trust: take it back.', { type: 'flag', sets: true }),
  ],
  examples: [
    'muniment trust captures',
    'muniment trust captures trust Read --path docs',
    'muniment trust captures trust Read --path docs --undo',
    'muniment trust captures keep 90d',
    'muniment trust captures keep forever',
    'muniment trust captures pause',
    'muniment trust captures resume',
  ],
  notes: [
    'What a tool said is captured at tier 1, and act is never served it. A file that you vouch for is',
    'captured at tier 2 if it is as git had it committed when the session began. Only a person at a',
    'terminal changes this; it lies in your home folder, never in a project.',
  ],
  takesInput: false,
  run: async (session, { input }) => ACTS[(input.act ?? 'list') as Act](session, input), // parsed as a choice
}

async function list({ home }: Session): Promise<Answer> {
  const settings = await readCaptureSettings(home)
  return ok({ ...settings }, () => pageOf(settings))
}

function pageOf({ isPaused, trusted, keepDays }: CaptureSettings): readonly string[] {
  const rows = trusted.map(({ client, tool, root }) => `  ${client} ${tool}  ${oneLine(root)}`)
  return [
    isPaused
      ? 'Hooks capture nothing: paused. To go on: muniment trust captures resume'
      : 'Hooks capture.',
    keepDays === null
      ? 'Captures are kept for ever.'
      : `Captures that nothing cites are erased after ${plural(keepDays, 'day')}, by muniment stack maintain.`,
    ...(rows.length === 0
      ? ['You vouch for no files: whatever a tool says is captured at tier 1.']
      : ['You vouch for committed files that are read by', ...rows]),
  ]
}

async function trust(session: Session, input: CommandInput['input']): Promise<Answer> {
  assertPerson(session, 'says which files to trust')
  const { what, undo } = input
  const tool = TRUSTABLE.find((each) => each === what)
  if (tool === undefined) {
    throw usageError('Which tool?', 'muniment trust captures trust Read --path docs')
  }
  const given = typeof input.path === 'string' ? input.path : '.'
  const root = realFolder(path.resolve(session.host.folder, given))
  const isUndo = undo === true
  if (!isUndo) assertFolder(root)
  const added = { client: CLIENT, tool, root, trustedAt: toInstant(session.host.now()) }
  const settings = await changeTrust(session, added, isUndo)
  return ok({ ...settings }, ({ ink }) => [
    isUndo
      ? `${oneLine(root)} is no longer trusted for ${tool}.`
      : `${ink.good('Trusted')}: committed files in ${oneLine(root)} that ${CLIENT} reads by ${tool}. Sessions that begin from now on capture them at tier 2.`,
    ...(isUndo
      ? []
      : [`To take this back: muniment trust captures trust ${tool} --path ${given} --undo`]),
  ])
}

/** Vouches for files in a folder, as the client's Read tool prints them. */
export async function trustReads(session: Session, folder: string): Promise<void> {
  const [tool] = TRUSTABLE
  const trustedAt = toInstant(session.host.now())
  await changeTrust(session, { client: CLIENT, tool, root: realFolder(folder), trustedAt }, false)
}

function assertFolder(root: string): void {
  if (path.dirname(root) === root) {
    throw new MunimentError('invalid_input', 'The whole disk cannot be trusted.', {
      hint: 'Give the folder of a project: --path docs',
    })
  }
  if (existsSync(root)) return
  throw new MunimentError('not_found', `There is no folder ${root}.`, {
    hint: 'Give a folder that is there: --path docs',
  })
}

/** Changes the list, and records the change in the ledger of the stack in use. */
async function changeTrust(
  session: Session,
  added: TrustedTool,
  isUndo: boolean,
): Promise<CaptureSettings> {
  const { client, tool, root } = added
  const settings = await changeCaptureSettings(session.home, (before) => {
    const others = before.trusted.filter(
      (each) => each.client !== client || each.tool !== tool || each.root !== root,
    )
    return { ...before, trusted: isUndo ? others : [...others, added] }
  })
  const act = isUndo ? 'no longer trusts' : 'trusts'
  const said = `The person ${act} committed files in ${root} that ${client} reads by ${tool}.`
  await recordChange(session, 'captures_trust', said)
  return settings
}

/** Records a person's setting in the ledger of the stack in use. */
async function recordChange(session: Session, operation: string, said: string): Promise<void> {
  if (session.settings.isUnbound || !(await session.hasStack())) return
  await session.withStack('existing', async (stack) => {
    const entity = new Entity(CORE)
    await entity.attachStack(stack)
    const by = { person: true, grant: null, session: session.sessionId }
    await entity.raw(said, { label: label.userAsserted(), caller: cliCaller(operation, by) })
  })
}

const DAYS = /^([1-9]\d{0,4})d$/

/** Days until captures are erased, as a person types them; null for ever. */
function daysIn(what: unknown): number | null {
  const days = Number(DAYS.exec(String(what))?.[1])
  if (what === 'forever') return null
  if (isDays(days)) return days
  throw usageError(
    'Keep captures for how long? Give whole days, or forever.',
    'muniment trust captures keep 90d',
  )
}

async function keep(session: Session, { what }: CommandInput['input']): Promise<Answer> {
  assertPerson(session, 'says how long captures are kept')
  const keepDays = daysIn(what)
  const settings = await changeCaptureSettings(session.home, (before) => ({ ...before, keepDays }))
  const time = keepDays === null ? 'for ever' : `for ${plural(keepDays, 'day')}`
  await recordChange(session, 'captures_keep', `The person keeps captures of hooks ${time}.`)
  return ok({ ...settings }, () => pageOf(settings))
}

async function pause(session: Session, isPaused: boolean): Promise<Answer> {
  assertPerson(session, isPaused ? 'pauses captures' : 'resumes captures')
  const settings = await changeCaptureSettings(session.home, (before) => ({ ...before, isPaused }))
  const said = `The person ${isPaused ? 'pauses' : 'resumes'} captures of hooks.`
  await recordChange(session, 'captures_pause', said)
  return ok({ ...settings }, () => pageOf(settings))
}
