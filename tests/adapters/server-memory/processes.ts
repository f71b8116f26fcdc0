import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { onTestFinished } from 'vitest'
import { COMPILED } from '../../support/compiled.ts'

const THEIRS = fileURLToPath(
  new URL(
    '../../../node_modules/@modelcontextprotocol/server-memory/dist/index.js',
    import.meta.url,
  ),
)
const BIN = fileURLToPath(new URL('../../../src/doors/cli/bin.ts', import.meta.url))

export interface GraphServer {
  readonly client: Client
  readonly call: (name: string, given?: object) => Promise<unknown>
  readonly log: () => string
}

/** The server of server-memory, in a process of its own. */
export const theirs = (file: string): Promise<GraphServer> =>
  started([THEIRS], { MEMORY_FILE_PATH: file })

/** Our server with the nine tools, in a process of its own. */
export const ours = (home: string, file?: string): Promise<GraphServer> =>
  started(
    [BIN, 'mcp', '--toolset', 'server-memory', '--home', home],
    file === undefined ? {} : { MEMORY_FILE_PATH: file },
  )

async function started(args: readonly string[], env: Record<string, string>): Promise<GraphServer> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...args],
    env: { ...COMPILED, PATH: process.env.PATH ?? '', ...env },
    stderr: 'pipe',
  })
  let log = ''
  transport.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString()
  })
  const client = new Client({ name: 'test-client', version: '1.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return {
    client,
    call: (name, given = {}) => client.callTool({ name, arguments: { ...given } }),
    log: () => log,
  }
}
