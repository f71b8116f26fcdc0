import { Console } from 'node:console'
import { once } from 'node:events'
import process from 'node:process'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { LIMITS } from '../../domain/limits.ts'
import type { Redactor } from '../../domain/secrets.ts'
import type { Use } from '../../domain/use.ts'
import type { Toolset } from '../../operations/tool.ts'
import { toolsOf } from '../../operations/tools.ts'
import type { Stack } from '../../stack.ts'
import { takeAnnouncedCall } from '../hook/announced-call.ts'
import type { Log } from '../log.ts'
import type { Trace } from '../trace.ts'
import { STOP_MS, within } from '../within.ts'
import { refusingBadParams } from './refused-lines.ts'
import { makeServer } from './server.ts'
import { toolContexts } from './tool-contexts.ts'

export interface Serving {
  readonly stack: Stack
  /** A stack that searches, loads and questions read too, and nothing writes to. */
  readonly personal: Stack | null
  /** Where the hooks of the client announce its calls. */
  readonly home: string
  readonly version: string
  /** One for each connection, which over stdio is one for the process. */
  readonly session: string
  /** The model on the other side, where somebody says; otherwise the client is named. */
  readonly model: string | null
  readonly toolset: Toolset
  /** The least use of the connection. */
  readonly use: Use
  readonly redact: Redactor
  readonly trace?: Trace
  /** Lines for whoever reads the log: stdout belongs to the protocol. */
  readonly log: Log
}

/** Serves the stack on stdin and stdout until the client leaves or the process is told to end. */
export async function serveMcp(serving: Serving): Promise<void> {
  const { stack, version, toolset, log } = serving
  // A stray line from anywhere in the process would be read by the client as a broken message.
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
  const handle = serveStdio(
    () =>
      makeServer({
        version,
        tools: toolsOf(toolset),
        contextFor,
        onFault: (error) =>
          log.error(`fault: ${error instanceof Error ? error.stack : String(error)}`),
        underWay: (call) => {
          const done = () => calls.delete(call)
          calls.add(call)
          call.then(done, done) // whoever asked is told of a failure; unheard here, it would end us
        },
      }),
    { transport, onerror: (error) => log.error(`protocol: ${error.message}`) },
  )
  log.info(
    `muniment ${version} serves the stack “${stack.stackId}” over stdio, session ${serving.session}`,
  )
  await Promise.race([asked, closingOf(transport)])
  // What is under way is answered first; what was acknowledged is in the ledger before we go.
  await within(STOP_MS, Promise.allSettled(calls))
  await handle.close()
  process.stdin.unpipe(lines)
  process.stdin.pause() // a stream that flows keeps the process alive
}

/** The system asks us to go. */
async function askedToEnd(): Promise<void> {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
  await Promise.race(signals.map((signal) => once(process, signal)))
}

/** The client closed our stdin, or said something too long to be read. */
function closingOf(transport: StdioServerTransport): Promise<void> {
  const before = transport.onclose // the entry's own
  return new Promise((resolve) => {
    transport.onclose = () => {
      before?.()
      resolve()
    }
  })
}
