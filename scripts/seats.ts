// Runs the examples whose frameworks are too heavy for this repository against the real packages, and
// checks the types of the adapters against theirs: `npm run seats`, or `npm run seats -- mastra`.
// The packages come from npm into a temporary folder, without their install scripts.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

interface Seat {
  readonly packages: readonly string[]
  readonly prints: readonly string[]
  /** Code that compiles only while our types fit theirs, where the example imports nothing of theirs. */
  readonly fits?: string
}

const SEATS: Readonly<Record<string, Seat>> = {
  'google-adk': {
    packages: ['@google/adk@2.0.0'],
    prints: ['user: I live in Berlin.', 'tier 3: I live in Berlin.'],
  },
  mastra: {
    packages: ['@mastra/core@1.71.0', 'zod@4.6.7'],
    prints: [
      'tier 1: Noted: Berlin.',
      'tier 3: Where do I live?',
      'tier 1: Noted: Berlin.',
      'tier 3: I live in Berlin.',
    ],
  },
  mem0: {
    packages: ['mem0ai@3.3.1'],
    prints: [
      'Ann lives in Berlin.',
      'UPDATE: Ann lives in Berlin.',
      'ADD: I live in Berlin.',
      'from: I live in Berlin.',
    ],
    fits: `import type { Memory as Theirs } from 'mem0ai/oss'
import type { Memory } from 'muniment/mem0'
type Method = 'add' | 'get' | 'search' | 'update' | 'delete' | 'deleteAll' | 'getAll' | 'history' | 'reset'
export const fits = (ours: Memory): Pick<Theirs, Method> => ours
`,
  },
  strands: {
    packages: ['@strands-agents/sdk@1.19.0', 'zod@4.6.7'],
    prints: [
      'notes: The user lives in Berlin.',
      'notes: I live in Berlin.',
      'tier 1: The user lives in Berlin.',
      'tier 3: I live in Berlin.',
    ],
  },
}

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const PREFIX = 'muniment-seat-'

const TYPES = {
  extends: path.join(ROOT, 'tsconfig.json'),
  compilerOptions: {
    paths: {},
    typeRoots: [path.join(ROOT, 'node_modules/@types')],
    exactOptionalPropertyTypes: false, // as most projects have it
  },
  include: ['*.ts'],
}

function run(folder: string, command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' })
  if (status === 0) return stdout
  throw new Error(`${[command, ...args].join(' ')} ended with ${status}:\n${stdout}${stderr}`)
}

function check(name: string, { packages, prints, fits }: Seat): void {
  const folder = mkdtempSync(path.join(tmpdir(), PREFIX))
  try {
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
    const quiet = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund']
    run(folder, 'npm', ['install', ...quiet, ...packages])
    symlinkSync(ROOT, path.join(folder, 'node_modules/muniment'))
    const example = `${name}.ts`
    copyFileSync(path.join(ROOT, 'examples', example), path.join(folder, example))
    const printed = run(folder, process.execPath, [example])
    if (printed !== `${prints.join('\n')}\n`) throw new Error(`${example} printed:\n${printed}`)
    if (fits !== undefined) writeFileSync(path.join(folder, 'fits.ts'), fits)
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(TYPES))
    run(folder, process.execPath, [path.join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'])
    console.log(`${name}: the example runs with ${packages[0]}, and the types fit.`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const asked = process.argv.slice(2)
for (const [name, seat] of Object.entries(SEATS)) {
  if (asked.length === 0 || asked.includes(name)) check(name, seat)
}
