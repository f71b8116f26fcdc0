import path from 'node:path'
import { listBatches } from '../../../adopt/batches.ts'
import { findSources } from '../../../adopt/find.ts'
import { FORMATS, formatNamed } from '../../../adopt/formats/table.ts'
import { type Source, sourcesAt } from '../../../adopt/source.ts'
import { type Counts, countSource, type Taken, takeSource } from '../../../adopt/take.ts'
import { undoBatch } from '../../../adopt/undo.ts'
import { ScopeError } from '../../../domain/errors.ts'
import { identityKey } from '../../access/identity-key.ts'
import { cliCaller } from '../caller.ts'
import { EXIT } from '../exit-codes.ts'
import { usageError } from '../failure.ts'
import type { Session } from '../session.ts'
import { type Answer, type Command, type CommandInput, type Option, ok } from '../spec/command.ts'
import { batchesPage, planPage, takenPage, undonePage } from './adopt-page.ts'
import { putBackAnswer, watchAnswer } from './adopt-watch.ts'
import { progressOn } from './progress.ts'

const flag = (name: string, help: string, field = name): Option => ({
  field,
  flag: name,
  aliases: [],
  reading: { type: 'flag', sets: true },
  many: false,
  group: 'body',
  help,
})

const text = (name: string, help: string, field = name): Option => ({
  ...flag(name, help, field),
  reading: { type: 'text' },
})

/** Reads files of this machine, so only the command line offers this command. */
export const adopt: Command = {
  name: 'adopt',
  group: 'first',
  summary: 'Bring the memory of other tools, with its provenance, and take it out again.',
  positionals: [
    {
      field: 'place',
      reading: { type: 'text' },
      required: false,
      help: 'A file or a folder. Without it: what is found in your home folder and in this one.',
    },
  ],
  options: [
    flag('yes', 'Take what is shown, without a question.'),
    flag('dry-run', 'Only show what would be taken.', 'dryRun'),
    {
      field: 'format',
      flag: 'format',
      aliases: [],
      reading: { type: 'choice', of: FORMATS.map(({ name }) => name) },
      many: false,
      group: 'body',
      help: 'Read the place as this, where the files do not show what they are.',
    },
    flag(
      'vouch',
      'You stand behind the source: what people said in it is yours. Only a person can.',
    ),
    flag('batches', 'List what was adopted into this stack.'),
    text('undo', 'Believe nothing of this batch any longer.'),
    flag('erase', 'With --undo: destroy the batch for good.'),
    flag('watch', 'Keep each edit of a memory file or folder, until you stop it.'),
    flag('once', 'With --watch: look once and end.'),
    text('by', 'With --watch: who edits, where no hook reports it.', 'who'),
    text('put-back', 'Write the version before the last edit of a watched file back.', 'putBack'),
    { ...text('version', 'With --put-back: this version.'), reading: { type: 'number' } },
  ],
  examples: [
    'muniment adopt',
    'muniment adopt conversations.json --dry-run',
    'muniment adopt ~/notes --format obsidian --yes',
    'muniment adopt --undo mem0-0a1b2c3d4e5f',
    'muniment adopt CLAUDE.md --watch',
    'muniment adopt --put-back CLAUDE.md',
  ],
  notes: [
    'Everything passes the gate, at tier 1 unless you vouch, and cites its file, its place and its time.',
    'A second run takes only what is new; an interrupted run goes on. Links are not followed.',
    'What cannot be read is listed with its place, the rest is taken, and the command ends with 1.',
    'muniment blame <file> says who brought each line of a file that --watch keeps.',
    `Formats: ${FORMATS.map(({ name }) => name).join(', ')}. See docs/adopt.md.`,
  ],
  takesInput: false,
  run,
}

async function run(session: Session, { input }: CommandInput): Promise<Answer> {
  const { undo, batches, erase } = input
  if (erase === true && typeof undo !== 'string') {
    throw usageError('--erase needs a batch.', 'muniment adopt --undo <batch> --erase')
  }
  if (typeof undo === 'string') return undone(session, undo, erase === true)
  if (batches === true) return listed(session)
  if (typeof input.putBack === 'string') {
    const { putBack, version } = input
    return putBackAnswer(session, {
      place: putBack,
      version: typeof version === 'number' ? version : null,
    })
  }
  if (input.watch === true) return watched(session, input)
  return adopted(session, input)
}

function watched(session: Session, { place, who, once }: Input): Promise<Answer> {
  if (typeof place !== 'string') {
    throw usageError('--watch needs a file or a folder.', 'muniment adopt CLAUDE.md --watch')
  }
  return watchAnswer(session, {
    place,
    who: typeof who === 'string' ? who : null,
    isOnce: once === true,
  })
}

async function listed(session: Session): Promise<Answer> {
  const batches = await session.withStack('existing', listBatches)
  return ok({ batches }, (page) => batchesPage(batches, page))
}

async function undone(session: Session, batch: string, isErased: boolean): Promise<Answer> {
  const who = await session.who()
  if (isErased && !who.person) {
    throw new ScopeError(
      `Only a person erases a batch, and this call is a program’s: ${who.because}.`,
    )
  }
  const by = {
    caller: cliCaller('adopt', { ...who, session: session.sessionId }),
    actor: `${session.stackId}:${who.person ? 'user' : 'model'}`,
  }
  const result = await session.withStack('existing', (stack) =>
    undoBatch(stack, batch, { isErased, by }),
  )
  return ok(result, (page) => undonePage(result, page))
}

type Input = CommandInput['input']

/** One source with its counts, before and after. */
export interface SourceAnswer {
  readonly format: string
  readonly place: string
  readonly files: number
  readonly bytes: number
  /** Null where the source was taken without a look before. */
  readonly found: Counts | null
  /** Null where nothing was taken. */
  readonly taken: Taken | null
}

async function adopted(session: Session, input: Input): Promise<Answer> {
  const { place, yes = false, dryRun = false, vouch = false } = input
  const who = await session.who()
  if (vouch === true && !who.person) {
    throw new ScopeError(`Only a person vouches, and this call is a program’s: ${who.because}.`, {
      hint: 'Without --vouch everything comes in at tier 1.',
    })
  }
  const { sources, passed } = await planned(session, input)
  const isSettled = yes === true && dryRun !== true
  const found = await counted(session, sources, isSettled)
  const isAsked = sources.length > 0 && yes !== true && dryRun !== true
  const plan = { found, passed, isFound: typeof place !== 'string' }
  const isTaken =
    sources.length > 0 &&
    dryRun !== true &&
    (yes === true || (isAsked && (await agreed(session, plan))))
  if (!isTaken) {
    return ok({ sources: found, passed, taken: false }, (page) => planPage(plan, page))
  }
  const taken = await taking(session, found, sources, vouch === true)
  const isWhole = taken.every((each) => each.taken?.refused === 0 && each.taken.bad === 0)
  return {
    json: { sources: taken, passed, taken: true },
    text: (page) => takenPage(taken, page),
    exit: isWhole ? EXIT.ok : EXIT.refused,
  }
}

async function planned(session: Session, { place, format }: Input) {
  const { host } = session
  const named = typeof format === 'string' ? formatNamed(format) : undefined
  if (typeof place === 'string') return sourcesAt(path.resolve(host.folder, place), named)
  const sources = await findSources({ home: host.userFolder(), folder: host.folder })
  const isWanted = ({ format: own }: Source) => named === undefined || own === named
  return { sources: sources.filter(isWanted), passed: [] }
}

/** Counts the records of each source. Counting reads a large file twice, so a settled call does not count. */
async function counted(
  session: Session,
  sources: readonly Source[],
  isSettled: boolean,
): Promise<SourceAnswer[]> {
  const counted: SourceAnswer[] = []
  const onBytes = bytesRead(session, sources)
  for (const source of sources) {
    const { format, place, files, bytes } = source
    const found = isSettled ? null : await countSource(source, onBytes)
    counted.push({ format: format.name, place, files: files.length, bytes, found, taken: null })
  }
  return counted
}

/** Shows how many bytes of all sources were read. */
function bytesRead(session: Session, sources: readonly Source[]): (bytes: number) => void {
  const total = sources.reduce((sum, { bytes }) => sum + bytes, 0)
  const progress = progressOn(session, 'bytes read')
  let done = 0
  return (bytes) => {
    done += bytes
    progress({ done: Math.min(done, total), total })
  }
}

/** Asks at a terminal; a program answers with --yes. */
async function agreed(session: Session, plan: Parameters<typeof planPage>[0]): Promise<boolean> {
  const { host, page, isJson } = session
  if (isJson || !host.stdin.isTerminal || !host.stdout.isTerminal) return false
  session.say(planPage({ ...plan, isAsking: true }, page))
  host.stdout.write('Take them? [y/N] ')
  return /^y(?:es)?$/i.test((await host.stdin.line()).trim())
}

async function taking(
  session: Session,
  found: readonly SourceAnswer[],
  sources: readonly Source[],
  isVouched: boolean,
): Promise<readonly SourceAnswer[]> {
  const who = await session.who()
  const by = cliCaller('adopt', { ...who, session: session.sessionId })
  const onBytes = bytesRead(session, sources)
  return session.withStack('made', async (stack) => {
    const key = await identityKey(session.home)
    const taken: SourceAnswer[] = []
    for (const [index, source] of sources.entries()) {
      const options = { key, by, isVouched, redact: session.redact, onBytes }
      const before = found[index]
      if (before) taken.push({ ...before, taken: await takeSource(stack, source, options) })
    }
    return taken
  })
}
