import { MunimentError } from '../../../domain/errors.ts'
import { pageFor } from '../../../operations/text/page.ts'
import { jsonText, lineText } from '../../../operations/text/words.ts'
import { settle } from '../../config/settle.ts'
import type { ExitCode } from '../exit-codes.ts'
import type { Host } from '../host.ts'
import { type CommonGiven, Session } from '../session.ts'
import type { Command } from '../spec/command.ts'
import { readArgs } from '../spec/read-args.ts'

interface Call {
  readonly args: readonly string[]
  readonly common: CommonGiven
  readonly isJson: boolean
  readonly isLines: boolean
}

/** Runs a command, from its arguments to its output. */
export async function runCommand(
  host: Host,
  command: Command,
  { args, common, isJson, isLines }: Call,
): Promise<ExitCode> {
  const page = pageFor(host.stdout, host.env, {
    now: host.now(),
    isVerbose: common.verbose === true,
  })
  const answering = async () => {
    const given = readArgs(command, args, await host.jsonParser())
    const settings = await settled(host, common, command.name)
    const session = new Session(host, { given: common, settings, page, isJson })
    if (command.name !== 'stacks') host.stderr.write(session.unagreedNotice)
    host.stderr.write(session.ignoredNotice)
    return command.run(session, given)
  }
  const { json, text, exit } = await answering().catch((error: unknown) => {
    throw isJson ? error : asTyped(error, command)
  })
  // A long-running command has printed its value by now.
  const lines = !isJson ? await text(page) : json === undefined ? [] : valuesOf(json, isLines)
  if (lines.length > 0) host.stdout.write(`${lines.join('\n')}\n`)
  return exit
}

/** With --ndjson a list is printed one value a line; any other value is printed whole. */
const valuesOf = (json: unknown, isLines: boolean): readonly string[] => {
  if (!isLines) return [jsonText(json)]
  return (Array.isArray(json) ? json : [json]).map((value) => lineText(value))
}

/** Commands that a bad file of a project must not stop: two capture and serve, one names the file. */
const UNSTOPPABLE: ReadonlySet<string> = new Set(['hook', 'mcp', 'doctor'])

function settled(
  { env, folder, defaultHome, jsonParser }: Host,
  { home, stack, store, model, token, config, project }: CommonGiven,
  command: string,
) {
  const flags = Object.fromEntries(
    Object.entries({ home, stack, store, model, token }).filter(([, value]) => value !== undefined),
  )
  return settle({
    flags,
    configFile: config,
    env,
    folder,
    project,
    // A hook runs in the agent's current folder; its client names the project folder.
    clientFolder: command === 'hook' ? env.CLAUDE_PROJECT_DIR : undefined,
    ignoresBadFile: UNSTOPPABLE.has(command),
    defaultHome,
    parseJson: jsonParser,
  })
}

/** Renames the fields of a failure to the options a person types; programs get the field names. */
function asTyped(error: unknown, command: Command): unknown {
  if (!(error instanceof MunimentError) || error.issues.length === 0) return error
  const typed = (path: string): string => typedIn(command, path) ?? path
  const issues = error.issues.map(({ path, message }) => ({ path: typed(path), message }))
  const said = error.issues.reduce(
    (text, { path }) => text.replace(wholeWord(path), typed(path)),
    error.message,
  )
  const { code, hint, facts } = error
  return new MunimentError(code, said, {
    issues,
    facts,
    cause: error,
    ...(hint === undefined ? {} : { hint }),
  })
}

function typedIn({ positionals, options }: Command, path: string): string | undefined {
  if (positionals.some(({ field }) => field === path)) return `<${path}>`
  const option = options.find(({ field }) => field === path)
  return option && `--${option.flag}`
}

const wholeWord = (path: string): RegExp =>
  new RegExp(`(?<![\\w<-])${path.replace(/[^\w]/g, '\\$&')}(?![\\w>-])`, 'g')
