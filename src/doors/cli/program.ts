import { pageFor } from '../../operations/text/page.ts'
import { jsonText } from '../../operations/text/words.ts'
import { EXIT, type ExitCode, exitOf } from './exit-codes.ts'
import { failureOf, failureText, usageError } from './failure.ts'
import type { Host } from './host.ts'
import { COMMAND_NAMES, overview } from './overview.ts'
import { hasJsonFlag, type Split, splitArgs } from './spec/split-args.ts'
import { nearest } from './suggest.ts'
import { TOPICS } from './topics.ts'

/** One call of the program. Heavy code is loaded only when needed. */
export async function run(host: Host): Promise<ExitCode> {
  const isJson = hasJsonFlag(host.args)
  try {
    return await answer(host, splitArgs(host.args), isJson)
  } catch (error) {
    const failure = failureOf(error)
    if (isHook(host.args)) {
      host.stderr.write(`muniment hook: ${failure.message}\n`)
      return EXIT.ok
    }
    if (isJson) host.stdout.write(`${jsonText({ error: failure })}\n`)
    else host.stderr.write(failureText(failure, pageFor(host.stderr, host.env, host.now()).ink))
    return exitOf(error)
  }
}

/** Some clients take an exit code for a veto, and read stdout. */
const isHook = ([name]: readonly string[]): boolean => name === 'hook'

async function answer(
  host: Host,
  { name, rest, common }: Split,
  isJson: boolean,
): Promise<ExitCode> {
  const tell = (text: string, json: unknown): ExitCode => {
    host.stdout.write(isJson ? `${jsonText(json)}\n` : text)
    return EXIT.ok
  }
  if (common.version || name === 'version') {
    const version = host.version()
    return tell(`muniment ${version}\n`, { version })
  }
  const about = name === 'help' ? rest[0] : common.help ? name : undefined
  const [unknown] = rest
  if (name === undefined && unknown !== undefined && !common.help) {
    throw usageError(`There is no option “${unknown}” here.`, 'What there is: muniment help')
  }
  if (name === undefined || (name === 'help' && about === undefined)) {
    return tell(overview(), { help: overview() })
  }
  const topic = about !== undefined && Object.hasOwn(TOPICS, about) ? TOPICS[about] : undefined
  if (topic !== undefined) {
    const help = await topic()
    return tell(help, { help })
  }
  const { loadCommand } = await import('./commands/registry.ts')
  const command = await loadCommand(about ?? (isOfLine(name, rest) ? 'line' : name))
  if (!command) throw unknownCommand(about ?? name)
  if (about !== undefined) {
    const { commandHelp } = await import('./spec/help.ts')
    const help = commandHelp(command, pageFor(host.stdout, host.env, host.now()))
    return tell(help, { help })
  }
  const { runCommand } = await import('./commands/run-command.ts')
  const isLines = common.ndjson === true
  return runCommand(host, command, { args: rest, common, isJson, isLines })
}

/** `history` with two words takes a subject and a predicate; with one word, a memory. */
const isOfLine = (name: string, [first = '-', second = '-']: readonly string[]): boolean =>
  name === 'history' && !first.startsWith('-') && !second.startsWith('-')

const ALL_COMMANDS = 'All of them: muniment help'

/** Words people try first, with the right command. */
const ALSO_SAID: Readonly<Record<string, string>> = {
  accept: 'review',
  dismiss: 'review',
  reject: 'review',
  suggestions: 'review',
  tag: 'describe',
  find: 'search',
  recall: 'search',
  get: 'show',
  add: 'note',
  remember: 'claim',
  delete: 'forget',
  remove: 'forget',
}

function unknownCommand(name: string) {
  const known = Object.hasOwn(ALSO_SAID, name) ? ALSO_SAID[name] : undefined
  const meant = known ?? nearest(name, [...COMMAND_NAMES, ...Object.keys(TOPICS)])
  const line = meant !== undefined && Object.hasOwn(TOPICS, meant) ? `help ${meant}` : meant
  const guess = line === undefined ? '' : `Did you mean: muniment ${line}? `
  return usageError(`There is no command “${name}”.`, `${guess}${ALL_COMMANDS}`)
}
