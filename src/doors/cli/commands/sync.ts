import { setTimeout as pause } from 'node:timers/promises'
import { label } from '../../../domain/labels.ts'
import type { SyncResult, SyncStatus } from '../../../engine/sync/replication.ts'
import type { Lines } from '../../../operations/operation.ts'
import { oneLine, plural } from '../../../operations/text/words.ts'
import type { Stack } from '../../../stack.ts'
import { assertPerson } from '../caller.ts'
import { usageError } from '../failure.ts'
import type { Session } from '../session.ts'
import { type Answer, type Command, type CommandInput, type Option, ok } from '../spec/command.ts'
import { kebab } from '../spec/names.ts'

const WATCH_MS = 10_000 // between two rounds

const option = (field: string, help: string, reading: Option['reading']): Option => ({
  ...{ field, flag: kebab(field), aliases: [], reading, many: false, group: 'body', help },
})

const TEXT = { type: 'text' } as const
const FLAG = { type: 'flag', sets: true } as const

export const sync: Command = {
  name: 'sync',
  group: 'first',
  summary: 'Keep this stack alike on several machines, through a folder that they share.',
  positionals: [
    {
      field: 'remote',
      reading: TEXT,
      required: false,
      help: 'The folder. Otherwise the setting sync.',
    },
  ],
  options: [
    option('code', 'The code of a remote that another machine began. Needed once.', TEXT),
    option('showCode', 'Show the code for another machine, and do nothing else.', FLAG),
    option('trust', 'Pair with the replica of these six words, after comparing them.', TEXT),
    option('distrust', 'Believe the replica of these words no longer, nor what it brought.', TEXT),
    option('status', 'Show replicas, what waits, and who confirmed erasures.', FLAG),
    option('watch', 'Go on until interrupted, a round every ten seconds.', FLAG),
  ],
  examples: [
    'muniment sync /mnt/shared/memory',
    'muniment sync /mnt/shared/memory --show-code',
    'muniment sync /mnt/shared/memory --code <code>',
    'muniment sync --status',
    'muniment sync --trust guzug-lahag-dalif-fujam-narip-fubus',
    'muniment sync --watch',
  ],
  notes: [
    'Everything in the folder is encrypted; the code is the key, and lies in keys of the home folder.',
    'Another replica is unknown until you compared its words: what it says counts for tier 1 at most.',
  ],
  takesInput: false,
  run: async (session, given) => {
    const { showCode, trust, distrust, status, watch } = given.input
    if (showCode) return codeAnswer(session, given)
    if (typeof trust === 'string') return turned(session, given, { trust })
    if (typeof distrust === 'string') return turned(session, given, { distrust })
    if (status) return statusAnswer(session, given)
    return watch ? watched(session, given) : roundAnswer(session, given)
  },
}

/** The remote of this call; a person or the settings name it, never a file of a project. */
function remoteOf(session: Session, { input }: CommandInput): string {
  const { remote } = input
  const named = typeof remote === 'string' && remote !== '' ? remote : session.values.sync
  if (named !== null) return named
  throw usageError('Which remote?', 'muniment sync <folder>, or the setting sync')
}

async function withSynced<T>(
  session: Session,
  given: CommandInput,
  work: (stack: Stack) => Promise<T>,
): Promise<T> {
  const { code } = given.input
  const remote = remoteOf(session, given)
  const sync = { remote, ...(typeof code === 'string' ? { code } : {}) }
  return session.withStack('made', work, { sync })
}

async function roundAnswer(session: Session, given: CommandInput): Promise<Answer> {
  const result = await withSynced(session, given, (stack) => stack.sync())
  return ok(result, () => linesOf(result))
}

const linesOf = ({ pulled, pushed, conflicts, errors, remote }: SyncResult): Lines => [
  `Synced with ${oneLine(remote ?? '')}: ${plural(pushed, 'entry', 'entries')} sent, ${pulled} taken in.`,
  ...(conflicts > 0
    ? [
        `${plural(conflicts, 'memory was', 'memories were')} revised on two machines: both revisions are kept.`,
      ]
    : []),
  ...errors.map((error) => `Not believed: ${oneLine(error)}`),
]

async function codeAnswer(session: Session, given: CommandInput): Promise<Answer> {
  assertPerson(session, 'is shown the code of a remote')
  await withSynced(session, given, (stack) => stack.isOnline())
  const code = await session.host.stacks.syncCode(session.stackId, session)
  return ok({ code }, () => [
    `${code}`,
    'On the other machine: muniment sync <folder> --code <this line>. Whoever has it can read the remote.',
  ])
}

async function turned(
  session: Session,
  given: CommandInput,
  { trust, distrust }: { readonly trust?: string; readonly distrust?: string },
): Promise<Answer> {
  assertPerson(session, 'says which replicas to trust')
  return withSynced(session, given, async ({ replication }) => {
    if (trust !== undefined) {
      const peer = await replication.trust(trust)
      return ok(peer, () => [`Paired with ${peer.words}. The next round brings what waited.`])
    }
    const memories = await replication.distrust(distrust ?? '', { label: label.userAsserted() })
    return ok({ memories }, () => [
      `Believed no longer, with ${plural(memories.length, 'memory', 'memories')} that it brought.`,
    ])
  })
}

async function statusAnswer(session: Session, given: CommandInput): Promise<Answer> {
  const status = await withSynced(session, given, (stack) => stack.replication.status())
  return ok(status, () => statusLines(status))
}

const statusLines = ({ words, pending, isOnline, peers, erasures }: SyncStatus): Lines => [
  `This replica: ${words ?? 'nothing is written yet'}`,
  isOnline
    ? `${plural(pending, 'entry waits', 'entries wait')} to be sent.`
    : 'The remote cannot be reached.',
  ...peers.map(
    ({ words: of, trust, entries, waiting, problem }) =>
      `  ${of}  ${trust}, ${plural(entries, 'entry', 'entries')}, ${waiting} waiting` +
      (problem === null ? '' : `\n    ${oneLine(problem)}`),
  ),
  ...(erasures.erased === 0
    ? []
    : [
        erasures.missing.length === 0
          ? 'Every replica has confirmed what was erased here.'
          : `${plural(erasures.missing.length, 'replica has', 'replicas have')} not confirmed what was erased here.`,
      ]),
]

async function watched(session: Session, given: CommandInput): Promise<Answer> {
  const remote = remoteOf(session, given)
  session.say([session.page.ink.hint(`Syncing with ${oneLine(remote)}. Ctrl-C ends it.`)])
  const done = session.host.onInterrupt(() => '\nNo longer syncing. What was taken in stays.\n')
  try {
    for (;;) {
      // Opened anew each time, so that the file is free for others in between.
      const result = await withSynced(session, given, (stack) => stack.sync())
      if (result.pulled + result.pushed + result.errors.length > 0) session.say(linesOf(result))
      await pause(WATCH_MS)
    }
  } finally {
    done()
  }
}
