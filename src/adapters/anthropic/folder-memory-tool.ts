import { lstat, mkdir, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory'
import type { BetaMemoryTool20250818Command } from '@anthropic-ai/sdk/resources/beta'
import { inTurn } from '../../compose/in-turn.ts'
import { openStack } from '../../compose/open-stack.ts'
import { replaceFile } from '../../compose/private-files.ts'
import type { Stack } from '../../stack.ts'
import type { SeatOptions } from '../common/seat.ts'
import { parsePath } from './memory-path.ts'
import { StackMemoryTool } from './memory-tool.ts'

type Command<K extends BetaMemoryTool20250818Command['command']> = Extract<
  BetaMemoryTool20250818Command,
  { command: K }
>

/** A file of the folder as it was last read or written. */
interface Copy {
  readonly state: string
  /** Null for a file that is too long, or that nobody here may read. */
  readonly text: string | null
}

const BYTES_MAX = 40_000_000n // the longest file of the tool, where each character takes four bytes

/**
 * Stands for `BetaLocalFilesystemMemoryTool`. The folder says which files there are, so people may
 * edit, add and delete files; the stack beside the folder keeps every version with its origin.
 */
export class FolderMemoryTool implements MemoryToolHandlers {
  readonly stack: Stack
  readonly memory: StackMemoryTool
  readonly #base: string
  readonly #root: string
  #copies: ReadonlyMap<string, Copy> = new Map()

  private constructor(stack: Stack, base: string, options: SeatOptions) {
    this.stack = stack
    this.memory = new StackMemoryTool(stack, options)
    this.#base = base
    this.#root = path.join(base, 'memories')
  }

  static async init(basePath = './memory', options: SeatOptions = {}): Promise<FolderMemoryTool> {
    const base = path.resolve(basePath)
    await mkdir(path.join(base, 'memories'), { recursive: true, mode: 0o700 })
    const stack = await openStack('memory_tool', { home: `${base}.muniment` })
    return new FolderMemoryTool(stack, base, options)
  }

  view = (command: Command<'view'>) => this.#run(command, command.path)
  create = (command: Command<'create'>) => this.#run(command, command.path)
  str_replace = (command: Command<'str_replace'>) => this.#run(command, command.path)
  insert = (command: Command<'insert'>) => this.#run(command, command.path)
  delete = (command: Command<'delete'>) => this.#run(command, command.path)
  rename = (command: Command<'rename'>) => this.#run(command, command.old_path, command.new_path)

  async close(): Promise<void> {
    await this.stack.close()
  }

  /** A failure to write leaves the old files, and the next call brings the stack back to the folder. */
  #run(command: BetaMemoryTool20250818Command, ...paths: readonly string[]): Promise<string> {
    return inTurn(`${this.#base}.muniment/turn`, async () => {
      for (const each of paths) await this.#assertNoWayOut(parsePath(each).names)
      await this.#takeOver()
      const before = await this.memory.files()
      try {
        return await this.memory.execute(command)
      } finally {
        await this.#copy(before)
      }
    })
  }

  /** A link inside the folder, or in place of the folder, must not lead to a place outside. */
  async #assertNoWayOut(names: readonly string[]): Promise<void> {
    const root = path.join(await realpath(this.#base), path.basename(this.#root))
    for (let depth = names.length; depth >= 0; depth -= 1) {
      const at = path.join(this.#root, ...names.slice(0, depth))
      const real = await realpath(at).catch(() => null)
      const isDangling = real === null && (await lstat(at).catch(() => null)) !== null
      if (real === null && !isDangling) continue
      if (real === root || real?.startsWith(root + path.sep)) return
      throw new Error('Path would escape /memories directory via symlink')
    }
  }

  /** Brings the stack to the state of the folder. Links are followed nowhere. */
  async #takeOver(): Promise<void> {
    const found = new Map<string, string | null>()
    const copies = new Map<string, Copy>()
    for (const entry of await readdir(this.#root, { recursive: true, withFileTypes: true })) {
      const file = path.join(entry.parentPath, entry.name)
      const name = path.relative(this.#root, file).split(path.sep).join('/')
      if (entry.isDirectory()) found.set(`${name}/`, '')
      if (!entry.isFile()) continue
      const { state, size } = await stateOf(file)
      const known = this.#copies.get(name)
      const isKnown = known?.state === state
      const text =
        isKnown || size > BYTES_MAX ? null : await readFile(file, 'utf8').catch(() => null)
      found.set(name, text)
      copies.set(name, isKnown ? known : { state, text })
    }
    await this.memory.become(found)
    this.#copies = copies
  }

  /** Brings the folder to the state of the stack; a reader sees an old file or a new one. */
  async #copy(before: ReadonlyMap<string, string>): Promise<void> {
    const files = await this.memory.files()
    const copies = new Map(this.#copies)
    for (const name of before.keys()) {
      if (!files.has(name)) await rm(this.#at(name), { recursive: true, force: true })
    }
    for (const [name, text] of files) {
      const target = this.#at(name)
      const isFolder = name.endsWith('/')
      await mkdir(isFolder ? target : path.dirname(target), { recursive: true, mode: 0o700 })
      const copy = copies.get(name)
      const isLeft = copy?.text === null && before.get(name) === text
      if (isFolder || isLeft || copy?.text === text) continue
      await replaceFile(target, [text], { draftIn: this.#base }) // no draft is taken for a file
      copies.set(name, { text, state: (await stateOf(target)).state })
    }
    this.#copies = copies
  }

  #at(name: string): string {
    return path.join(this.#root, ...name.split('/'))
  }
}

/** Another text for every other file under a name. */
async function stateOf(file: string): Promise<{ readonly state: string; readonly size: bigint }> {
  const { ino, size, mtimeNs } = await stat(file, { bigint: true })
  return { state: [ino, size, mtimeNs].join(' '), size }
}
