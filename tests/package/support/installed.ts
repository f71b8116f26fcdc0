import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Ran } from '../../cli/support/program.ts'
import { ROOT, readProjectFile } from '../../support/project-files.ts'

const LISTING = fileURLToPath(new URL('./list-loaded.ts', import.meta.url))
const PUBLISHED_BESIDE_DIST = [
  'package.json',
  'README.md',
  'LICENSE',
  'NOTICE',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'assets',
  'docs',
]

export interface LoadedFile {
  readonly url: string
  readonly bytes: number
}

interface Calling {
  readonly home: string
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string>>
  readonly node?: readonly string[]
}

/** The package as a stranger gets it: built, packed, unpacked elsewhere, its dependencies beside it. */
export class Installed {
  readonly #root = mkdtempSync(path.join(tmpdir(), 'muniment-package-'))
  readonly folder = path.join(this.#root, 'node_modules/muniment')
  /** What was packed, by path. */
  readonly files: readonly string[]

  constructor() {
    const staged = path.join(this.#root, 'staged')
    for (const name of PUBLISHED_BESIDE_DIST)
      cpSync(path.join(ROOT, name), path.join(staged, name), { recursive: true })
    const build = path.join(ROOT, 'scripts/build.mjs')
    run(process.execPath, [build, '--out', path.join(staged, 'dist')], ROOT)
    const [packed] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts'], staged)) as [
      { readonly filename: string; readonly files: readonly { readonly path: string }[] },
    ] // as npm documents it
    this.files = packed.files.map((file) => file.path)
    mkdirSync(this.folder, { recursive: true })
    run('tar', ['-xzf', packed.filename, '-C', this.folder, '--strip-components=1'], staged)
    this.#linkDependencies()
  }

  read(relative: string): string {
    return readFileSync(path.join(this.folder, relative), 'utf8')
  }

  mode(relative: string): number {
    return statSync(path.join(this.folder, relative)).mode
  }

  get #program(): string {
    const { bin } = JSON.parse(this.read('package.json')) as { bin: { muniment: string } }
    return path.join(this.folder, bin.muniment)
  }

  /** The program, as the link that npm makes would start it. */
  muniment(args: readonly string[], calling: Calling): Ran {
    return this.node([this.#program, ...args], calling)
  }

  node(args: readonly string[], { home, stdin = '', env = {}, node = [] }: Calling): Ran {
    const { status, stdout, stderr, error } = spawnSync(process.execPath, [...node, ...args], {
      cwd: this.#root,
      env: { PATH: process.env.PATH, MUNIMENT_HOME: home, ...env },
      input: stdin,
      encoding: 'utf8',
    })
    if (error) throw error
    return { code: status, out: stdout, err: stderr }
  }

  /** The files that one call of the program loads in all its threads; what Node brings itself is not among them. */
  loadedBy(args: readonly string[], calling: Calling): readonly LoadedFile[] {
    return this.#loaded([this.#program, ...args], calling)
  }

  /** The files that importing an entry of the package loads. */
  loadedByImport(entry: string, calling: Calling): readonly LoadedFile[] {
    return this.#loaded(['--input-type=module', '-e', `await import('${entry}')`], calling)
  }

  #loaded(args: readonly string[], calling: Calling): readonly LoadedFile[] {
    const list = path.join(this.#root, 'loaded.jsonl')
    rmSync(list, { force: true })
    const env = { ...calling.env, LOADED_LIST: list }
    const ran = this.node(args, { ...calling, env, node: ['--import', LISTING] })
    if (ran.code !== 0) throw new Error(`${args.join(' ')}: ${ran.err}`)
    const lines = readFileSync(list, 'utf8').trim().split('\n')
    return lines.map((line) => JSON.parse(line) as LoadedFile) // written by list-loaded.ts
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true })
  }

  #linkDependencies(): void {
    const { dependencies } = JSON.parse(readProjectFile('package.json')) as {
      dependencies: Readonly<Record<string, string>>
    } // our own file
    for (const name of Object.keys(dependencies)) {
      const link = path.join(this.#root, 'node_modules', name)
      mkdirSync(path.dirname(link), { recursive: true })
      symlinkSync(path.join(ROOT, 'node_modules', name), link, 'junction')
    }
  }
}

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (error) throw error
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}
