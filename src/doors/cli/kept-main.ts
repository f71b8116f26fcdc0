import type { Stats } from 'node:fs'
import type { Script } from 'node:vm'
import { userFolder } from '../../compose/usual-home.ts'
import type * as Program from './main.ts'

// Stands for `main.ts` in the built program. Reading and compiling functions takes most of a start:
// Node caches a file as loaded, and compiles each function again at its call. So this file loads
// the program's files, and stores V8's compiled code when the program ends.

const fs = process.getBuiltinModule('node:fs')
const path = process.getBuiltinModule('node:path')
const { fileURLToPath } = process.getBuiltinModule('node:url')
const vm = process.getBuiltinModule('node:vm')

/** Frequent commands get a cache each, with the functions of that command only. */
const STARTED_OFTEN = 'hook mcp serve raw note claim ask search load list'.split(' ')

const DIGEST_CHARS = 64
const OTHERS_WRITE = 0o022
const SECOND = 1_000
const AFRESH_AFTER_MS = 10 * SECOND // the first refresh; the age doubles up to a day
const DAY = 86_400 * SECOND
const LEFT_AFTER_MS = 30 * DAY // for caches of versions no longer started
const SETTLED_AFTER_MS = 10 * SECOND // a long-running command has started by then, and drops unused code

/** Loaded on call: printing the version needs no hash. */
const sha256 = (bytes: Buffer): string =>
  process.getBuiltinModule('node:crypto').hash('sha256', bytes)

const here = path.dirname(fileURLToPath(import.meta.url))

/** Runs the program with the code compiled by earlier calls. */
export async function main(): Promise<number> {
  const kept = new KeptCode(keptFile())
  const files = new Files(kept)
  const { main: begin } = files.load('main.cjs') as typeof Program // made by the build
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
 * The home folder is private; a cache is stored only after a first write made the home. The file's
 * name identifies the build: `main.cjs` holds the names of all other files, with digests.
 */
function keptFile(): string | null {
  const [, , command = '-'] = process.argv
  const home = homeFolder()
  if (command.startsWith('-') || home === null || !fs.existsSync(path.join(home, 'stacks')))
    return null
  const build = sha256(fs.readFileSync(path.join(here, 'main.cjs'))).slice(0, 16)
  const folder = STARTED_OFTEN.includes(command) ? command : 'command'
  // Another V8, or other V8 options, reject this compiled code.
  const v8 = process.getBuiltinModule('node:v8').cachedDataVersionTag().toString(16)
  const name = `${process.version}-${process.arch}-${v8}-${build}`
  return path.join(home, 'cache', folder, name)
}

/**
 * Null where the environment names none: nothing is cached, and commands that need a home fail with
 * a message.
 */
function homeFolder(): string | null {
  if (process.env.MUNIMENT_HOME) return path.resolve(process.env.MUNIMENT_HOME)
  const folder = userFolder()
  return folder && path.join(folder, '.muniment')
}

/** Code writable by others is never run; Windows has no modes. */
function isOurs({ uid, mode }: Stats): boolean {
  if (!process.getuid) return true
  return uid === process.getuid() && (mode & OTHERS_WRITE) === 0
}

/** The files of the program, each loaded once, as by `require`. */
class Files {
  readonly scripts = new Map<string, Loaded>()
  readonly #kept: KeptCode
  readonly #exports = new Map<string, object>()

  constructor(kept: KeptCode) {
    this.#kept = kept
  }

  load(name: string): object {
    const loaded = this.#exports.get(name)
    if (loaded) return loaded
    const filename = path.join(here, name)
    const bytes = fs.readFileSync(filename)
    const source = `(function (exports, require, __filename) {${bytes.toString('utf8')}\n})`
    const { cachedData, ...of } = this.#kept.of(name, bytes)
    const script = new vm.Script(source, { filename, ...(cachedData && { cachedData }) })
    this.#kept.note(script, cachedData !== undefined)
    const exported = {}
    this.#exports.set(name, exported)
    this.scripts.set(name, { script, ...of })
    script.runInThisContext()(exported, (id: string) => this.#required(id), filename)
    return exported
  }

  #required(id: string): unknown {
    if (id.startsWith('node:')) return process.getBuiltinModule(id)
    if (id.startsWith('./') && id !== './import.cjs') return this.load(id.slice(2))
    return process.getBuiltinModule('node:module').createRequire(import.meta.url)(id)
  }
}

interface Loaded {
  readonly script: Script
  readonly digest: string
}

interface Part {
  readonly code: Buffer
  /** Digest of the source text: V8 itself compares only the length. */
  readonly digest: string
}

interface Header {
  /** Time of the first caching, and of the last write. */
  readonly began: number
  readonly at: number
  readonly parts: readonly (readonly [name: string, bytes: number, digest: string])[]
}

/**
 * V8's compiled code of each file, in a single file with a digest: V8 would run damaged code.
 * Failures here never fail the program, which compiles missing code.
 */
class KeptCode {
  readonly #file: string | null
  readonly #parts = new Map<string, Part>()
  #header: Header | null = null
  #isWhole = true

  constructor(file: string | null) {
    this.#file = file
    if (file !== null) this.#read(file)
  }

  /** The compiled code of exactly this text. */
  of(name: string, text: Buffer): { readonly digest: string; readonly cachedData?: Buffer } {
    if (this.#file === null) return { digest: '' }
    const digest = sha256(text)
    const part = this.#parts.get(name)
    return part?.digest === digest ? { digest, cachedData: part.code } : { digest }
  }

  /** Another V8, or other V8 options, reject this compiled code. */
  note({ cachedDataRejected }: Script, wasKept: boolean): void {
    if (cachedDataRejected || !wasKept) this.#isWhole = false
  }

  #read(file: string): void {
    try {
      if (!this.#isSafe(file)) return
      const bytes = this.#bytesOf(file)
      if (bytes === null) return
      const rest = bytes.subarray(DIGEST_CHARS)
      if (sha256(rest) !== bytes.toString('latin1', 0, DIGEST_CHARS)) return
      const end = rest.indexOf('\n')
      const header = JSON.parse(rest.toString('utf8', 0, end)) as Header // its digest is ours
      let offset = end + 1
      for (const [name, length, digest] of header.parts) {
        this.#parts.set(name, { code: rest.subarray(offset, offset + length), digest })
        offset += length
      }
      this.#header = header
    } catch {
      // Nothing is cached yet.
    }
  }

  /** A user with write access to the folder could replace our file with another. */
  #isSafe(file: string): boolean {
    const folder = path.dirname(file)
    const cache = path.dirname(folder)
    return [path.dirname(cache), cache, folder].every((each) => isOurs(fs.statSync(each)))
  }

  /** Checks and reads through the same descriptor, so the checked file is the file read. */
  #bytesOf(file: string): Buffer | null {
    const handle = fs.openSync(file, 'r')
    try {
      const stats = fs.fstatSync(handle)
      return stats.isFile() && isOurs(stats) ? fs.readFileSync(handle) : null
    } finally {
      fs.closeSync(handle)
    }
  }

  /**
   * Writes missing code, and refreshes now and then: later calls use functions no earlier call
   * used.
   */
  keep(scripts: ReadonlyMap<string, Loaded>): void {
    if (this.#file === null || !this.#isDue(Date.now())) return
    try {
      this.#write(this.#file, scripts)
    } catch {
      // A read-only folder keeps nothing.
    }
  }

  #isDue(now: number): boolean {
    if (!this.#isWhole || this.#header === null) return true
    const { began, at } = this.#header
    return now - at > Math.min(at - began + AFRESH_AFTER_MS, DAY)
  }

  #write(file: string, scripts: ReadonlyMap<string, Loaded>): void {
    const folder = path.dirname(file)
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (!this.#isSafe(file)) return
    const fresh = `${file}.${process.pid}`
    fs.rmSync(fresh, { force: true }) // left by a stopped process
    fs.writeFileSync(fresh, '', { mode: 0o600, flag: 'wx' }) // tests write access before the costly part
    try {
      fs.writeFileSync(fresh, this.#made(scripts))
      fs.renameSync(fresh, file)
    } catch {
      fs.rmSync(fresh, { force: true })
    }
    const now = Date.now()
    for (const name of fs.readdirSync(folder)) this.#drop(path.join(folder, name), now)
  }

  #made(scripts: ReadonlyMap<string, Loaded>): Buffer {
    for (const [name, { script, digest }] of scripts)
      this.#parts.set(name, { code: script.createCachedData(), digest })
    const now = Date.now()
    const parts = [...this.#parts].map(
      ([name, { code, digest }]) => [name, code.length, digest] as const,
    )
    const header: Header = {
      began: this.#header === null ? now : this.#header.began,
      at: now,
      parts,
    }
    const told = Buffer.from(`${JSON.stringify(header)}\n`)
    const rest = Buffer.concat([told, ...[...this.#parts.values()].map(({ code }) => code)])
    return Buffer.concat([Buffer.from(sha256(rest), 'latin1'), rest])
  }

  #drop(file: string, now: number): void {
    if (now - fs.statSync(file).mtimeMs > LEFT_AFTER_MS) fs.rmSync(file, { force: true })
  }
}
