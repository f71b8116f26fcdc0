import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'rolldown'
import manifest from './package.json' with { type: 'json' }
import { notices } from './scripts/notices.ts'

const source = (path: string): string => fileURLToPath(new URL(`src/${path}`, import.meta.url))

/**
 * What is loaded together lies in one file: starting is mostly finding, opening and linking files.
 * Each is these modules and all they import that no file before it holds, so that files import each
 * other in this order only. What is not named here is loaded by the command that needs it alone.
 */
const FILES: Readonly<Record<string, readonly string[]>> = {
  program: [
    'doors/cli/program.ts',
    'doors/cli/node-host.ts',
    'doors/cli/commands/registry.ts',
    'compose/usual-home.ts',
  ],
  command: [
    'doors/cli/commands/run-command.ts',
    'doors/cli/spec/command.ts',
    'operations/text/table.ts',
  ],
  store: ['stores/sqlite/store.ts', 'compose/node-world.ts'],
  chain: ['engine/audit/chain.ts'],
  records: [
    'fold/fold-memory.ts',
    'domain/provenance.ts',
    'domain/kinds/content.ts',
    'gate/commands/change.ts',
    'gate/commands/clock.ts',
    'gate/quote.ts',
    'gate/quote.ts',
    'gate/words.ts',
    // Used by the audit and by every call: in the file of the audit, they would load the audit each time.
    'engine/read/memory-view.ts',
  ],
  audit: ['engine/audit/audit.ts'],
  engine: ['compose/open-stack.ts', 'doors/hook/run-hook.ts', 'doors/cli/commands/hook.ts'],
  operation: [
    'doors/cli/commands/operation.ts',
    // Used by most operations, whose files are loaded one by one.
    'operations/shapes.ts',
    'operations/change.ts',
    'operations/written.ts',
    'operations/text/memory.ts',
  ],
}

const groups = Object.entries(FILES).map(([name, paths], index, all) => {
  const modules = new Set(paths.map(source))
  for (const path of modules) if (!existsSync(path)) throw new Error(`${path} is not there.`)
  return { name, priority: all.length - index, test: (id: string) => modules.has(id) }
})

/** The file of each entry of the package, as `package.json` names it: `index`, `stores/postgres/index`, … */
const entries = Object.values(manifest.exports)
  .flatMap((entry) => (typeof entry === 'string' ? [] : [entry.default]))
  .map((file) => file.replace(/^\.\/dist\/|\.js$/g, ''))

/**
 * The library: a file for each entry, and files for what entries share or load late. They lie one
 * folder deep, as the source does, since some look for assets and the worker from where they are.
 */
const library = defineConfig({
  input: Object.fromEntries(entries.map((name) => [name, source(`${name}.ts`)])),
  platform: 'node',
  // Packages stay where they are installed, but zod would be 95 files more at each import.
  external: (id) => !/^(?:[./]|zod\b)/.test(id) && !path.isAbsolute(id),
  plugins: [notices('lib/THIRD-PARTY-NOTICES.txt')],
  output: {
    dir: '.',
    chunkFileNames: 'lib/[name]-[hash].js',
    entryFileNames: '[name].js',
    comments: false,
    minifyInternalExports: false,
  },
})

/** The program, in files of its own: it is started again and again. */
const program = defineConfig({
  input: { main: source('doors/cli/main.ts'), worker: source('compose/worker.ts') },
  platform: 'node',
  // Whoever uses these installs them: optional peers, found when a database is named or spans are asked for.
  external: [/^node:/, 'pg', '@opentelemetry/api'],
  plugins: [notices('THIRD-PARTY-NOTICES.txt')],
  preserveEntrySignatures: 'allow-extension',
  output: {
    dir: 'doors/cli',
    format: 'cjs',
    // A program that runs while it is updated finds that a file is gone, never another one's words.
    chunkFileNames: '[name]-[hash].cjs',
    entryFileNames: '[name].cjs',
    comments: false, // read at every start, by nobody; what licences ask for lies in a file of its own
    minifyInternalExports: false,
    codeSplitting: { groups },
  },
})

/** The file that is started: it looks at Node's version, and loads the program with its compiled code. */
const start = defineConfig({
  input: { bin: source('doors/cli/bin.ts') },
  platform: 'node',
  plugins: [
    {
      name: 'cached',
      resolveId: (id) => (id === './main.ts' ? source('doors/cli/cached-main.ts') : null),
    },
  ],
  // What looks at Node's version is read by an older one too: the rest is a file of its own.
  output: {
    dir: 'doors/cli',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    comments: false,
  },
})

export default [library, program, start]
