import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'rolldown'
import { notices } from './scripts/notices.ts'

const source = (path: string): string => fileURLToPath(new URL(`src/${path}`, import.meta.url))

/**
 * What is loaded together lies in one file: starting is mostly finding, opening and linking files.
 * Each is these modules and all they import that no file before it holds, so that files import each
 * other in this order only. What is not named here is loaded by the command that needs it alone.
 */
const FILES: Readonly<Record<string, readonly string[]>> = {
  program: ['doors/cli/program.ts', 'doors/cli/node-host.ts', 'doors/cli/commands/registry.ts'],
  command: ['doors/cli/commands/run-command.ts', 'doors/cli/commands/hook.ts'],
  store: ['stores/sqlite/store.ts', 'compose/node-world.ts'],
  chain: ['stack/audit-chain.ts'],
  records: ['stack/audit.ts', 'stack/rebuild.ts'],
  engine: ['compose/open-stack.ts', 'doors/hook/run-hook.ts'],
  operation: ['doors/cli/commands/operation.ts'],
}

const groups = Object.entries(FILES).map(([name, paths], index, all) => {
  const modules = new Set(paths.map(source))
  for (const path of modules) if (!existsSync(path)) throw new Error(`${path} is not there.`)
  return { name, priority: all.length - index, test: (id: string) => modules.has(id) }
})

/** The program; the library is not bundled, and is what `tsc` makes of it. */
export default defineConfig({
  input: { bin: source('doors/cli/bin.ts'), worker: source('compose/worker.ts') },
  platform: 'node',
  // Whoever uses these installs them: optional peers, found when a database is named or spans are asked for.
  external: [/^node:/, 'pg', '@opentelemetry/api'],
  plugins: [notices('THIRD-PARTY-NOTICES.txt')],
  preserveEntrySignatures: 'allow-extension',
  output: {
    // A program that runs while it is updated finds that a file is gone, never another one's words.
    chunkFileNames: '[name]-[hash].js',
    entryFileNames: '[name].js',
    comments: false, // read at every start, by nobody; what licences ask for lies in a file of its own
    minifyInternalExports: false,
    codeSplitting: { groups },
  },
})
