import type { ExitCode } from '../exit-codes.ts'
import type { Host } from '../host.ts'
import { pageFor } from '../render/page.ts'
import { jsonText } from '../render/words.ts'
import { type CommonGiven, Session } from '../session.ts'
import type { Command } from '../spec/command.ts'
import { readArgs } from '../spec/read-args.ts'

interface Call {
  readonly args: readonly string[]
  readonly common: CommonGiven
  readonly isJson: boolean
}

/** One command from its arguments to what it prints. */
export async function runCommand(
  host: Host,
  command: Command,
  { args, common, isJson }: Call,
): Promise<ExitCode> {
  const given = readArgs(command, args, await host.jsonParser())
  const page = pageFor(host.stdout, host.env, host.now())
  const { json, text, exit } = await command.run(new Session(host, common, { page, isJson }), given)
  // A command that goes on for long has told its value by then.
  const lines = !isJson ? text(page) : json === undefined ? [] : [jsonText(json)]
  if (lines.length > 0) host.stdout.write(`${lines.join('\n')}\n`)
  return exit
}
