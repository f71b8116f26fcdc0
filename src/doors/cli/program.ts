import { pageFor } from '../../operations/text/page.ts'
import { jsonText } from '../../operations/text/words.ts'
import { EXIT, type ExitCode, exitOf } from './exit-codes.ts'
import { failureOf, failureText, usageError } from './failure.ts'
import type { Host } from './host.ts'
import { overview } from './overview.ts'
import { hasJsonFlag, type Split, splitArgs } from './spec/split-args.ts'
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
    else
      host.stderr.write(
        failureText(failure, pageFor(host.stderr, host.env, { now: host.now() }).ink),
      )
    return exitOf(error)
  }
}

/** Some clients take an exit code for a veto, and read stdout. */
const isHook = ([name]: readonly string[]): boolean => name === 'hook'

async function answer(host: Host, split: Split, isJson: boolean): Promise<ExitCode> {
  const { name, rest, common } = split
  const tell = (text: string, json: unknown): ExitCode => {
    host.stdout.write(isJson ? `${jsonText(json)}\n` : text)
    return EXIT.ok
  }
  if (common.version || name === 'version') {
    const version = host.version()
    return tell(`muniment ${version}\n`, { version })
  }
  const [unknown] = rest
  if (name === undefined && unknown !== undefined && !common.help) {
    throw usageError(`There is no option “${unknown}” here.`, 'What there is: muniment help')
  }
  const isHelp = name === 'help' || common.help === true
  const words = name === undefined || name === 'help' ? rest : [name, ...rest]
  if (words.length === 0 || name === undefined) return tell(overview(), { help: overview() })
  const help = isHelp ? await TOPICS[topicIn(words)]?.() : undefined
  if (help !== undefined) return tell(help, { help })
  const { findCommand } = await import('./commands/registry.ts')
  const found = await findCommand(words)
  const page = pageFor(host.stdout, host.env, { now: host.now() })
  if ('group' in found || isHelp) {
    const { commandHelp, groupHelp } = await import('./spec/help.ts')
    const { commandsIn } = await import('./commands/registry.ts')
    const text =
      'group' in found
        ? groupHelp(found.group, await commandsIn(found.group), page)
        : commandHelp(found.command, page)
    return tell(text, { help: text })
  }
  const { runCommand } = await import('./commands/run-command.ts')
  const isLines = common.ndjson === true
  return runCommand(host, found.command, { args: found.args, common, isJson, isLines })
}

/** The topic of help that is asked for; empty for a command. */
const topicIn = ([about = '']: readonly string[]): string =>
  Object.hasOwn(TOPICS, about) ? about : ''
