import type { Script } from 'node:vm'
import type * as Program from './main.ts'

// Stands for `main.ts` in the built program. Most of what a start takes is reading and compiling
// functions: Node keeps what a file is when it was loaded, and compiles each function again when it
// is called. So the program's files are loaded here, and what was compiled is kept when it ends.

const fs = process.getBuiltinModule('node:fs')
const { homedir } = process.getBuiltinModule('node:os')
const path = process.getBuiltinModule('node:path')
const { fileURLToPath } = process.getBuiltinModule('node:url')
const vm = process.getBuiltinModule('node:vm')

/** What is started again and again: each gets what it calls itself, and not what came first. */
const STARTED_OFTEN = 'hook mcp serve raw note claim ask search load list'.split(' ')

const DIGEST_CHARS = 64
const SECOND = 1_000
const AFRESH_AFTER_MS = 10 * SECOND // at first; then after as long again, and so on, up to a day
const DAY = 86_400 * SECOND
const LEFT_AFTER_MS = 30 * DAY // what a version of the program kept that is started no more
const SETTLED_AFTER_MS = 10 * SECOND // what runs on has begun by then, and forgets what it no longer calls

/** Loaded where it is called: telling the version takes no hash. */
const sha256 = (bytes: Buffer): string =>
  process.getBuiltinModule('node:crypto').hash('sha256', bytes)

const here = path.dirname(fileURLToPath(import.meta.url))

/** The program, with what earlier calls compiled of it. */
export async function main(): Promise<number> {
  const kept = new KeptCode(keptFile())
  const files = new Files(kept)
  const { main: begin } = files.load('main.cjs') as typeof Program // what the build made of it
  let isKept = false
  const keep = (): void => {
    if (!isKept) kept.keep(files.scripts)
    isKept = true
  }
  process.once('exit', keep)
  setTimeout(keep, SETTLED_AFTER_MS).unref()
  return begin()
}

/**
 * In the home folder, which is nobody else's, and only where something was written already. The name
 * tells builds apart: `main.cjs` holds the names of all other files, and those a digest of each.
 */
function keptFile(): string | null {
  const [, , command = '-'] = process.argv
  const home = process.env.MUNIMENT_HOME || path.join(homedir(), '.muniment')
  if (command.startsWith('-') || !fs.existsSync(path.join(home, 'stacks'))) return null
  const build = sha256(fs.readFileSync(path.join(here, 'main.cjs'))).slice(0, 16)
  const folder = STARTED_OFTEN.includes(command) ? command : 'command'
  // Another V8, or other options of it, take nothing of what this one compiled.
  const v8 = process.getBuiltinModule('node:v8').cachedDataVersionTag().toString(16)
  const name = `${process.version}-${process.arch}-${v8}-${build}`
  return path.join(home, 'cache', folder, name)
}

/** The files of the program, each loaded once, as `require` would. */
class Files {
  readonly scripts = new Map<string, Script>()
  readonly #kept: KeptCode
  readonly #exports = new Map<string, object>()

  constructor(kept: KeptCode) {
    this.#kept = kept
  }

  load(name: string): object {
    const loaded = this.#exports.get(name)
    if (loaded) return loaded
    const filename = path.join(here, name)
    const source = `(function (exports, require, __filename) {${fs.readFileSync(filename, 'utf8')}\n})`
    const script = new vm.Script(source, { filename, ...this.#kept.of(name) })
    this.#kept.note(name, script)
    const exported = {}
    this.#exports.set(name, exported)
    this.scripts.set(name, script)
    script.runInThisContext()(exported, (id: string) => this.#required(id), filename)
    return exported
  }

  #required(id: string): unknown {
    if (id.startsWith('node:')) return process.getBuiltinModule(id)
    if (id.startsWith('./') && id !== './import.cjs') return this.load(id.slice(2))
    return process.getBuiltinModule('node:module').createRequire(import.meta.url)(id)
  }
}

interface Header {
  /** When this was kept for the first time, and when it was written. */
  readonly began: number
  readonly at: number
  readonly parts: readonly (readonly [name: string, bytes: number])[]
}

/**
 * What V8 compiled of each file, in one file with its digest: V8 itself would run what is damaged.
 * Whatever goes wrong here is no failure of the program, which compiles what it does not find.
 */
class KeptCode {
  readonly #file: string | null
  readonly #parts = new Map<string, Buffer>()
  #header: Header | null = null
  #isWhole = true

  constructor(file: string | null) {
    this.#file = file
    if (file !== null) this.#read(file)
  }

  of(name: string): { readonly cachedData?: Buffer } {
    const cachedData = this.#parts.get(name)
    return cachedData === undefined ? {} : { cachedData }
  }

  /** Another V8, or other options of it, take nothing of what this one compiled. */
  note(name: string, { cachedDataRejected }: Script): void {
    if (cachedDataRejected || !this.#parts.has(name)) this.#isWhole = false
  }

  #read(file: string): void {
    try {
      if (process.getuid && fs.statSync(file).uid !== process.getuid()) return // another user's is not run
      const bytes = fs.readFileSync(file)
      const rest = bytes.subarray(DIGEST_CHARS)
      if (sha256(rest) !== bytes.toString('latin1', 0, DIGEST_CHARS)) return
      const end = rest.indexOf('\n')
      const header = JSON.parse(rest.toString('utf8', 0, end)) as Header // its digest is ours
      let offset = end + 1
      for (const [name, length] of header.parts) {
        this.#parts.set(name, rest.subarray(offset, offset + length))
        offset += length
      }
      this.#header = header
    } catch {
      // Nothing is kept yet.
    }
  }

  /** Written where something is missing, and now and then: later calls call what no earlier one did. */
  keep(scripts: ReadonlyMap<string, Script>): void {
    if (this.#file === null || !this.#isDue(Date.now())) return
    try {
      this.#write(this.#file, scripts)
    } catch {
      // A folder that cannot be written to keeps nothing.
    }
  }

  #isDue(now: number): boolean {
    if (!this.#isWhole || this.#header === null) return true
    const { began, at } = this.#header
    return now - at > Math.min(at - began + AFRESH_AFTER_MS, DAY)
  }

  #write(file: string, scripts: ReadonlyMap<string, Script>): void {
    const folder = path.dirname(file)
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const fresh = `${file}.${process.pid}`
    fs.writeFileSync(fresh, '', { mode: 0o600 }) // before anything is made that could not be kept
    try {
      fs.writeFileSync(fresh, this.#made(scripts))
      fs.renameSync(fresh, file)
    } catch {
      fs.rmSync(fresh, { force: true })
    }
    const now = Date.now()
    for (const name of fs.readdirSync(folder)) this.#drop(path.join(folder, name), now)
  }

  #made(scripts: ReadonlyMap<string, Script>): Buffer {
    for (const [name, script] of scripts) this.#parts.set(name, script.createCachedData())
    const now = Date.now()
    const parts = [...this.#parts].map(([name, { length }]) => [name, length] as const)
    const header: Header = {
      began: this.#header === null ? now : this.#header.began,
      at: now,
      parts,
    }
    const told = Buffer.from(`${JSON.stringify(header)}\n`)
    const rest = Buffer.concat([told, ...this.#parts.values()])
    return Buffer.concat([Buffer.from(sha256(rest), 'latin1'), rest])
  }

  #drop(file: string, now: number): void {
    if (now - fs.statSync(file).mtimeMs > LEFT_AFTER_MS) fs.rmSync(file, { force: true })
  }
}
