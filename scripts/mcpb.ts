// Packs the program as a desktop extension, `muniment-<version>.mcpb`, with Anthropic's own packer, and
// starts what was packed with a client: `npm run mcpb`. The packer comes from npm for this one run.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const PACKER = '@anthropic-ai/mcpb@2.1.2'
const ENTRY = 'dist/doors/cli/bin.js'
const KEPT = ['dist/doors', 'dist/explorer', 'assets', 'package.json', 'LICENSE', 'NOTICE'] as const

interface Package {
  readonly version: string
  readonly description: string
  readonly license: string
  readonly keywords: readonly string[]
  readonly engines: { readonly node: string }
}

const own = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as Package // ours

/** Words that the client fills in when it starts the server. */
const filledIn = (name: string): string => `$${`{${name}}`}`

const manifest = {
  manifest_version: '0.4',
  name: 'muniment',
  display_name: 'Muniment',
  version: own.version,
  description: own.description,
  author: { name: 'Muniment' },
  license: own.license,
  keywords: own.keywords,
  server: {
    type: 'node',
    entry_point: ENTRY,
    mcp_config: {
      command: 'node',
      args: [`${filledIn('__dirname')}/${ENTRY}`, 'mcp', '--stack', filledIn('user_config.stack')],
    },
  },
  tools_generated: true,
  prompts_generated: true,
  compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: own.engines.node } },
  user_config: {
    stack: {
      type: 'string',
      title: 'Stack',
      description: 'The name of the stack that this client reads and writes.',
      default: 'default',
      required: true,
    },
  },
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${status}`)
}

const packer = (...args: readonly string[]): void => run('npx', ['--yes', PACKER, ...args])

/** The tools that the unpacked server lists, started as a client starts it. */
async function toolsIn(folder: string): Promise<readonly string[]> {
  const { server } = JSON.parse(
    readFileSync(path.join(folder, 'manifest.json'), 'utf8'),
  ) as typeof manifest // packed a moment ago
  const args = server.mcp_config.args.map((word) =>
    word
      .replace(filledIn('__dirname'), folder)
      .replace(filledIn('user_config.stack'), manifest.user_config.stack.default),
  )
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    MUNIMENT_HOME: path.join(folder, 'home'),
  }
  const transport = new StdioClientTransport({ command: process.execPath, args, env })
  const client = new Client({ name: 'mcpb-check', version: '1' })
  await client.connect(transport)
  const { tools } = await client.listTools()
  await client.callTool({ name: 'memory_note', arguments: { content: 'Packed and started.' } })
  await client.close()
  return tools.map(({ name }) => name)
}

const work = mkdtempSync(path.join(tmpdir(), 'muniment-mcpb-'))
try {
  const [staged, unpacked] = [path.join(work, 'staged'), path.join(work, 'unpacked')]
  mkdirSync(staged)
  for (const name of KEPT) {
    cpSync(path.join(ROOT, name), path.join(staged, name), { recursive: true })
  }
  writeFileSync(path.join(staged, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const file = path.join(ROOT, `muniment-${own.version}.mcpb`)
  packer('validate', path.join(staged, 'manifest.json'))
  packer('pack', staged, file)
  packer('unpack', file, unpacked)
  const tools = await toolsIn(unpacked)
  console.log(`${path.basename(file)} starts and lists ${tools.length} tools.`)
} finally {
  rmSync(work, { recursive: true, force: true })
}
