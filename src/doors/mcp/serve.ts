import { Console } from 'node:console'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { readLines } from '../../adapters/server-memory/memory-file.ts'
import type { Use } from '../../domain/doors.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Redactor } from '../../domain/words/secrets.ts'
import type { Trace } from '../../operations/context.ts'
import type { Toolset } from '../../operations/tool.ts'
import { toolsOf } from '../../operations/tools.ts'
import type { Stack } from '../../stack.ts'
import { takeAnnouncedCall } from '../hook/announced-call.ts'
import type { Log } from '../log.ts'
import { STOP_MS, within } from '../within.ts'
import { refusingBadParams } from './refused-lines.ts'
import { makeServer } from './server.ts'
import { Graphs, makeGraphServer } from './server-memory.ts'
import { type ContextFor, toolContexts } from './tool-contexts.ts'

export interface Serving {
  readonly stack: Stack
  /** A stack read by search, load and questions; nothing writes there. */
  readonly personal: Stack | null
  /** The place of the client's announcements by hooks. */
  readonly home: string
  readonly version: string
  /** One for each connection, which over stdio means each process. */
  readonly session: string
  /** The calling model, if named; otherwise provenance names the client. */
  readonly model: string | null
  readonly toolset: Toolset | 'server-memory'
  /** A file of server-memory to take over, with that toolset. */
  readonly memoryFile?: string | undefined
  /** The least use of the connection. */
  readonly use: Use
  readonly redact: Redactor
  readonly trace?: Trace
  /** Log lines for the operator: stdout belongs to the protocol. */
  readonly log: Log
}

/** Serves the stack on stdin and stdout until the client leaves or a signal ends the process. */
export async function serveMcp(serving: Serving): Promise<void> {
  const { stack, version, toolset, log } = serving
  // The client would read a stray line on stdout as a broken message.
  globalThis.console = new Console(process.stderr)
  const calls = new Set<Promise<unknown>>()
  const asked = askedToEnd()
  const { home } = serving
  const contextFor = toolContexts({
    ...serving,
    grant: null,
    announced: (callId) => takeAnnouncedCall({ home, stackId: stack.stackId }, callId),
  })
  const lines = refusingBadParams((line) => void process.stdout.write(line))
  const transport = new StdioServerTransport(process.stdin.pipe(lines), process.stdout, {
    maxBufferSize: LIMITS.jsonBytesMax,
  })
  const parts = {
    version,
    contextFor,
    onFault: (error: unknown) =>
      log.error(`fault: ${error instanceof Error ? error.stack : String(error)}`),
    underWay: (call: Promise<unknown>) => {
      const done = () => calls.delete(call)
      calls.add(call)
      call.then(done, done) // the caller handles failures; unhandled here, a failure would end the process
    },
  }
  const graphs = toolset === 'server-memory' ? await graphsOf(serving, contextFor) : null
  const handle = serveStdio(
    () =>
      graphs === null
        ? makeServer({ ...parts, tools: toolsOf(toolset === 'full' ? 'full' : 'default') })
        : makeGraphServer({ ...parts, graphs }),
    { transport, onerror: (error) => log.error(`protocol: ${error.message}`) },
  )
  log.info(
    `muniment ${version} serves the stack “${stack.stackId}” over stdio, session ${serving.session}`,
  )
  await Promise.race([asked, closingOf(transport)])
  // Running calls are answered first; acknowledged writes are in the ledger before the end.
  await within(STOP_MS, Promise.allSettled(calls))
  await handle.close()
  process.stdin.unpipe(lines)
  process.stdin.pause() // a flowing stream keeps the process alive
}

/** The graph of server-memory's tools, with the records of a memory file. */
async function graphsOf(
  { stack, memoryFile, log }: Serving,
  contextFor: ContextFor,
): Promise<Graphs> {
  const graphs = new Graphs(stack)
  if (memoryFile === undefined) return graphs
  const text = await readFile(memoryFile, 'utf8').catch(() => null)
  if (text === null) return graphs
  const client = { name: 'memory-file', version: '0' }
  const context = await contextFor({ name: 'take_over', client, callId: null })
  const { records, bad } = readLines(text.split('\n'))
  if (!(await graphs.for(context).takeOver(memoryFile, records))) return graphs
  for (const { line, why } of bad)
    log.error(`${memoryFile}, line ${line}: not taken over, it ${why}`)
  return graphs
}

async function askedToEnd(): Promise<void> {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
  await Promise.race(signals.map((signal) => once(process, signal)))
}

/** Resolves when the client closes stdin, or sends an overlong line. */
function closingOf(transport: StdioServerTransport): Promise<void> {
  const before = transport.onclose // the entry's own
  return new Promise((resolve) => {
    transport.onclose = () => {
      before?.()
      resolve()
    }
  })
}
