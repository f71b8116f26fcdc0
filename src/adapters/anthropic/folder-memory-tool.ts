import { mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory'
import type { BetaMemoryTool20250818Command } from '@anthropic-ai/sdk/resources/beta'
import { openStack } from '../../compose/open-stack.ts'
import type { Stack } from '../../stack.ts'
import type { SeatOptions } from '../common/seat.ts'
import { parsePath } from './memory-path.ts'
import { StackMemoryTool } from './memory-tool.ts'

type Command<K extends BetaMemoryTool20250818Command['command']> = Extract<
  BetaMemoryTool20250818Command,
  { command: K }
>

/**
 * Stands for `BetaLocalFilesystemMemoryTool`: the files lie in a stack beside the folder, and the
 * folder stays a copy for people to read. Files that are there at the first start are taken over.
 */
export class FolderMemoryTool implements MemoryToolHandlers {
  readonly stack: Stack
  readonly memory: StackMemoryTool
  readonly #root: string
  #written: ReadonlyMap<string, string> = new Map()
  #queue: Promise<unknown> = Promise.resolve()

  private constructor(stack: Stack, root: string, options: SeatOptions) {
    this.stack = stack
    this.memory = new StackMemoryTool(stack, options)
    this.#root = root
  }

  static async init(basePath = './memory', options: SeatOptions = {}): Promise<FolderMemoryTool> {
    const root = path.resolve(basePath, 'memories')
    await mkdir(root, { recursive: true, mode: 0o700 })
    const stack = await openStack('memory_tool', { home: `${path.resolve(basePath)}.muniment` })
    const tool = new FolderMemoryTool(stack, root, options)
    await tool.#takeOver()
    await tool.#copy()
    return tool
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

  #run(command: BetaMemoryTool20250818Command, ...paths: readonly string[]): Promise<string> {
    const done = this.#queue.then(async () => {
      for (const each of paths) await this.#assertNoWayOut(parsePath(each).names)
      try {
        return await this.memory.execute(command)
      } finally {
        if (command.command !== 'view') await this.#copy()
      }
    })
    this.#queue = done.catch(() => undefined)
    return done
  }

  /** A link inside the folder must not lead a copy to a place outside. */
  async #assertNoWayOut(names: readonly string[]): Promise<void> {
    const root = await realpath(this.#root)
    for (let depth = names.length; depth >= 0; depth -= 1) {
      const real = await realpath(path.join(this.#root, ...names.slice(0, depth))).catch(() => null)
      if (real === null) continue
      if (real === root || real.startsWith(root + path.sep)) return
      throw new Error('Path would escape /memories directory via symlink')
    }
  }

  async #takeOver(): Promise<void> {
    const known = await this.memory.files()
    for (const name of await readdir(this.#root, { recursive: true })) {
      const text = known.has(name)
        ? null
        : await readFile(path.join(this.#root, name), 'utf8').catch(() => null)
      if (text === null) continue
      const at = `/memories/${name.split(path.sep).join('/')}`
      await this.memory.create({ command: 'create', path: at, file_text: text })
    }
  }

  /** Brings the folder to the state of the stack; a reader sees an old file or a new one. */
  async #copy(): Promise<void> {
    const files = await this.memory.files()
    const gone = [...this.#written.keys()].filter((name) => !files.has(name))
    for (const name of gone) await rm(this.#at(name), { recursive: true, force: true })
    for (const [name, text] of files) {
      if (this.#written.get(name) === text) continue
      const target = this.#at(name)
      const isFolder = name.endsWith('/')
      await mkdir(isFolder ? target : path.dirname(target), { recursive: true, mode: 0o700 })
      if (isFolder) continue
      await writeFile(`${target}.tmp`, text, { mode: 0o600 })
      await rename(`${target}.tmp`, target)
    }
    this.#written = files
  }

  #at(name: string): string {
    return path.join(this.#root, ...name.split('/'))
  }
}
