import { once } from 'node:events'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { USES } from '../../../domain/doors.ts'
import { ScopeError } from '../../../domain/errors.ts'
import { SETTINGS, type Values } from '../../../operations/settings.ts'
import { ensureHome } from '../../access/home.ts'
import { ensureProgramToken, PROGRAM_TOKEN, programTokenFile } from '../../access/program-token.ts'
import { isExpired, readTokens } from '../../access/tokens.ts'
import { logTo } from '../../log.ts'
import { EXIT } from '../exit-codes.ts'
import { usageError } from '../failure.ts'
import type { Session } from '../session.ts'
import type { Command, CommandInput, Option } from '../spec/command.ts'

const {
  'serve.port': PORT,
  'serve.host': HOST,
  'serve.rate': RATE,
  'serve.answerSeconds': ANSWER,
} = SETTINGS
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost'])
const BURST = 2_000

const option = (flag: string, more: Pick<Option, 'field' | 'reading' | 'help'>): Option => ({
  flag,
  aliases: [],
  many: false,
  group: 'body',
  ...more,
})

export const serve: Command = {
  name: 'serve',
  group: 'first',
  summary: 'Serve memory over HTTP: explorer, interface for programs, MCP.',
  positionals: [],
  options: [
    option('port', {
      field: 'port',
      reading: { type: 'number' },
      help: `Where to listen; 0 for any that is free. Default ${PORT.usual}.`,
    }),
    option('host', {
      field: 'host',
      reading: { type: 'text' },
      help: `The address to listen on. Wider than this machine needs a token of yours. Default ${HOST.usual}.`,
    }),
    {
      ...option('allow-host', {
        field: 'allowHost',
        reading: { type: 'text' },
        help: 'Another name that this server is called by, as behind a proxy. Needs a token of yours.',
      }),
      many: true,
    },
    option('allow-anyone-on-loopback', {
      field: 'allowAnyone',
      reading: { type: 'flag', sets: true },
      help: 'Let every program of this machine in without a token, as a model.',
    }),
    option('for', {
      field: 'for',
      reading: { type: 'choice', of: USES },
      help: 'What programs and models read for, at least: chat, plan or act. Default plan.',
    }),
    option('rate', {
      field: 'rate',
      reading: { type: 'number' },
      help: `Requests a second that one caller may make. Default ${RATE.usual}.`,
    }),
    option('answer-seconds', {
      field: 'answerSeconds',
      reading: { type: 'number' },
      help: `How long an operation is waited for before its caller gets an error. Default ${ANSWER.usual}.`,
    }),
  ],
  examples: ['muniment serve', 'muniment serve --stack work --port 8080'],
  notes: [
    'With --stack that stack alone, otherwise every stack of the home. Ctrl-C ends it: what was',
    'acknowledged is on disk by then. Every caller shows a token. The token for programs lies in the file',
    'program-token of the home and writes as a model (muniment help labels).',
  ],
  takesInput: false,
  run: async (session, { input }) => {
    const { host } = session
    const asked = askedFor(input, session.values)
    const isLoopback = LOOPBACK.has(asked.host)
    // A caller by another name comes from elsewhere, through a proxy on this machine.
    const isReachedWider = !isLoopback || asked.names.length > 0
    ensureHome(session.home)
    if (isReachedWider) await assertToken(session)
    const token = await ensureProgramToken(session.home, host.now())
    const { listen } = await import('../../http/serve.ts')
    const trace = await session.trace()
    const { stacks } = host
    const isOpen = asked.allowAnyone && !isReachedWider
    let printed: (() => void) | null = null
    const serving = await listen({
      ...asked,
      home: session.home,
      version: host.version(),
      source: {
        open: (id) => stacks.open(id, session, { isServed: true }),
        exists: (id) => stacks.exists(id, session),
        list: () => stacks.list(session),
      },
      only: session.stackGiven,
      usual: session.stackId,
      guard: { names: asked.names, isLoopback },
      allowsAnyone: isOpen,
      use: USES.find((use) => use === input.for) ?? 'plan',
      rate: { perSecond: asked.rate, burst: Math.max(asked.rate, BURST) },
      explorer: explorerFolder(),
      now: host.now,
      parseJson: await host.jsonParser(),
      redact: session.redact,
      ...(trace ? { trace } : {}),
      log: logTo(host.stderr.write, session.values.log),
      onLaunch: () => printed?.(),
    })
    // Only the person at this terminal gets the secrets of sign-in (PROV-DOOR).
    const { person } = session.whoWithout()
    const ended = askedToEnd()
    const { url } = serving
    const tokenFile = programTokenFile(session.home)
    if (isOpen) host.stderr.write(OPEN)
    if (session.isJson) {
      const json = { url, stack: session.stackId, pid: process.pid, tokenFile }
      host.stdout.write(`${JSON.stringify(json)}\n`)
    } else {
      const shown = person ? { launch: serving.door.launchToken(), token } : null
      host.stdout.write(`${told(session, { url, tokenFile, shown }).join('\n')}\n`)
    }
    printed = person
      ? () => {
          const next = `${serving.url}/#token=${serving.door.launchToken()}`
          host.stdout.write(`Signed in. For another page: ${next}\n`)
        }
      : null
    await ended
    if (!session.isJson) host.stderr.write('muniment: stopping\n')
    await serving.stop()
    return { json: undefined, text: () => [], exit: EXIT.ok }
  },
}

function askedFor(input: CommandInput['input'], values: Values) {
  const { port, host, allowHost, allowAnyone, rate, answerSeconds } = input
  if (
    port !== undefined &&
    !(Number.isInteger(port) && Number(port) >= 0 && Number(port) < 65_536)
  ) {
    throw usageError('A port is a number from 0 to 65535.', 'muniment serve --port 8080')
  }
  if (rate !== undefined && !(Number(rate) >= 1)) {
    throw usageError('A rate is a number of requests a second.', 'muniment serve --rate 1000')
  }
  if (answerSeconds !== undefined && !(Number(answerSeconds) >= 1)) {
    throw usageError('A wait is a number of seconds.', 'muniment serve --answer-seconds 60')
  }
  const names = (allowHost as readonly string[] | undefined) ?? values['serve.allowHost'] // parsed as texts
  return {
    port: Number(port ?? values['serve.port']),
    host: String(host ?? values['serve.host']),
    names: names.map((name) => name.toLowerCase()),
    allowAnyone: allowAnyone === true || values['serve.allowAnyoneOnLoopback'],
    rate: Number(rate ?? values['serve.rate']),
    answerMs: Number(answerSeconds ?? values['serve.answerSeconds']) * 1000,
  }
}

/** Listening wider is a person's decision: a token made by a person is the sign. */
async function assertToken(session: Session): Promise<void> {
  const rows = await readTokens(session.home)
  const now = session.host.now()
  if (rows.some((row) => row.name !== PROGRAM_TOKEN && !isExpired(row, now))) return
  throw new ScopeError('It listens on this machine alone until there is a token to ask for.', {
    hint: 'muniment trust token create <name>, then again; and put TLS in front of it.',
  })
}

/**
 * The explorer beside the built program; in a checkout run from source, the explorer of its build.
 */
function explorerFolder(): string {
  const here = fileURLToPath(import.meta.url)
  const isSource = path.extname(here) === '.ts'
  return path.resolve(path.dirname(here), isSource ? '../../../../dist/explorer' : '../../explorer')
}

const OPEN =
  'muniment: every program and every user of this machine reads and writes here without a token, because of --allow-anyone-on-loopback\n'

interface StartNotice {
  readonly url: string
  readonly tokenFile: string
  /** Secrets for the person at this terminal; null where a program started the server. */
  readonly shown: { readonly launch: string; readonly token: string } | null
}

function told(
  { stackId, stackGiven, page: { ink } }: Session,
  { url, tokenFile, shown }: StartNotice,
): readonly string[] {
  const scope = stackGiven === null ? 'every stack here' : `the stack “${stackId}”`
  const add = `claude mcp add --transport http muniment ${url}/mcp`
  const token = shown?.token ?? `$(cat '${tokenFile.replaceAll("'", "'\\''")}')`
  return [
    `Serving ${scope}. Ctrl-C ends it.`,
    '',
    `  explorer  ${ink.strong(shown === null ? url : `${url}/#token=${shown.launch}`)}`,
    `  API       ${url}/v1/stacks   (to read: ${url}/docs)`,
    `  MCP       ${url}/mcp`,
    '',
    `In a client: ${add} --header "Authorization: Bearer ${token}"`,
    `The token is for programs, which write as a model. It lies in ${tokenFile}.`,
    ...(shown === null
      ? ['No person started this: to sign in to the explorer, show a personal token.']
      : ['The link signs you in, once, within a quarter of an hour; whoever else has it is you.']),
  ]
}

/** Resolves when the system or the person ends the program. */
async function askedToEnd(): Promise<void> {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
  await Promise.race(signals.map((signal) => once(process, signal)))
}
