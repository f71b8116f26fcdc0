import { fileURLToPath } from 'node:url'
import { Client as NewClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { onTestFinished } from 'vitest'
import { COMPILED } from '../../support/compiled.ts'
import { unbarred } from '../../support/unbarred.ts'

const BIN = fileURLToPath(new URL('../../../src/doors/cli/bin.ts', import.meta.url))

export const GENERATIONS = ['v2', 'v2 as before', 'v1'] as const
export type Generation = (typeof GENERATIONS)[number]

export interface ToolResult {
  readonly isError: boolean
  readonly text: string
  readonly structured: Record<string, unknown>
  readonly error: { readonly code: string; readonly next: string } & Record<string, unknown>
}

/** As much of a client as the tests use, whichever generation is behind it. */
export interface TestClient {
  /** The id is what Claude Code names a call by, to the server and to its hooks. */
  call(name: string, args?: Record<string, unknown>, callId?: string): Promise<ToolResult>
  list(): Promise<readonly ListedTool[]>
  getPrompt(prompt: {
    readonly name: string
    readonly arguments: Record<string, string>
  }): Promise<{ readonly messages: readonly object[] }>
  /** What the server wrote to its log. */
  log(): string
  pid(): number
  close(): Promise<void>
}

export interface ListedTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema: Record<string, unknown>
  readonly outputSchema?: Record<string, unknown>
  readonly annotations?: Record<string, unknown>
}

interface Result {
  readonly isError?: boolean
  readonly content?: readonly { readonly type: string; readonly text?: string }[]
  readonly structuredContent?: unknown
  readonly _meta?: Record<string, unknown>
}

const resultOf = (given: unknown): ToolResult => {
  const { isError = false, content = [], structuredContent, _meta } = given as Result // both clients check it
  return {
    isError,
    text: content.map(({ text = '' }) => text).join('\n'),
    structured: unbarred((structuredContent ?? {}) as Record<string, unknown>), // an object by its schema
    error: (_meta?.['muniment/error'] ?? {}) as ToolResult['error'], // as our server makes it
  }
}

export const CLIENT_INFO = { name: 'test-client', version: '9.1' }

/** A client of either generation and a server of ours in a process of its own. */
export async function connect(
  generation: Generation,
  { home, args = [] }: { readonly home: string; readonly args?: readonly string[] },
): Promise<TestClient> {
  const server = {
    command: process.execPath,
    args: [BIN, 'mcp', '--home', home, ...args],
    env: { ...COMPILED, PATH: process.env.PATH ?? '' },
    stderr: 'pipe' as const,
  }
  const transport = generation === 'v1' ? new OldStdio(server) : new NewStdio(server)
  let log = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  const client = await connected(generation, transport)
  onTestFinished(() => client.close())
  return {
    call: async (name, given = {}, callId) => {
      const named = callId === undefined ? {} : { _meta: { 'claudecode/toolUseId': callId } }
      return resultOf(await client.callTool({ name, arguments: given, ...named }))
    },
    list: async () => (await client.listTools()).tools as unknown as readonly ListedTool[], // the wire's shape
    getPrompt: (prompt) => client.getPrompt(prompt),
    log: () => log,
    pid: () => transport.pid ?? 0,
    close: () => client.close(),
  }
}

async function connected(generation: Generation, transport: NewStdio | OldStdio) {
  if (generation === 'v1') {
    const client = new OldClient(CLIENT_INFO)
    await client.connect(transport as OldStdio)
    return client
  }
  const mode = generation === 'v2' ? { pin: '2026-07-28' } : ('legacy' as const)
  const client = new NewClient(CLIENT_INFO, { versionNegotiation: { mode } })
  await client.connect(transport as NewStdio)
  return client
}
