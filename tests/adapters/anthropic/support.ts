import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BetaMemoryTool20250818Command } from '@anthropic-ai/sdk/resources/beta'
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node'

export type Command = BetaMemoryTool20250818Command

/** The SDK's own tool over a folder of its own. */
export async function localTool() {
  const folder = await mkdtemp(join(tmpdir(), 'memory-tool-'))
  const tool = await BetaLocalFilesystemMemoryTool.init(folder)
  const run = (command: Command): Promise<string> =>
    (tool[command.command] as (given: Command) => Promise<string>).call(tool, command)
  return { run, close: () => rm(folder, { recursive: true, force: true }) }
}

/** An answer, or the error in its place; of the system's own errors only the code. */
export async function answerOf(run: (command: Command) => Promise<string>, command: Command) {
  try {
    return await run(command)
  } catch (error) {
    const { message } = error as Error
    return `error: ${/^(E[A-Z]+):/.exec(message)?.[1] ?? message}`
  }
}
