import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory'
import type { BetaMemoryTool20250818Command } from '@anthropic-ai/sdk/resources/beta'
import { LIMITS } from '../../domain/limits.ts'
import type { Stack } from '../../stack.ts'
import { type BlamedLine, blameLines } from '../common/blame.ts'
import { type Document, Documents, type Live, type Plan } from '../common/documents.ts'
import { piecesOf } from '../common/pieces.ts'
import { Seat, type SeatMessage, type SeatOptions } from '../common/seat.ts'
import {
  contentOf,
  fileKey,
  folderKey,
  keyIn,
  type MemoryPath,
  ownerKey,
  parsePath,
  pieceKey,
  textIn,
} from './memory-path.ts'

type Command<K extends BetaMemoryTool20250818Command['command']> = Extract<
  BetaMemoryTool20250818Command,
  { command: K }
>

const SEAT = 'memory_tool'
const FILE_CHARS_MAX = 10_000_000
const LINES_MAX = 999_999
const NUMBER_CHARS = String(LINES_MAX).length
const SHOWN_AROUND = 2 // lines before and after an edit
const LEVELS = 2
const FOLDER_BYTES = 4_096 // the size that a file system reports for a directory

/**
 * Handlers of Anthropic's memory tool over a stack. Answers and errors are those of the SDK's own
 * tool for a local folder, because models are trained on them. Each file is one memory.
 */
export class StackMemoryTool implements MemoryToolHandlers {
  readonly #seat: Seat
  readonly #files: Documents

  constructor(stack: Stack, options: SeatOptions = {}) {
    this.#seat = new Seat(stack, SEAT, options)
    this.#files = new Documents({ stack, seat: SEAT, actor: this.#seat.actor, keyOf: keyIn })
  }

  /** Captures a message of the conversation, so that `why` of a file leads to the message. */
  async hear(message: SeatMessage): Promise<void> {
    await this.#seat.hear(message)
  }

  /** Runs any command: the `execute` of the AI SDK's `memory_20250818`. */
  execute = async (command: BetaMemoryTool20250818Command): Promise<string> => {
    switch (command.command) {
      case 'view':
        return this.view(command)
      case 'create':
        return this.create(command)
      case 'str_replace':
        return this.str_replace(command)
      case 'insert':
        return this.insert(command)
      case 'delete':
        return this.delete(command)
      case 'rename':
        return this.rename(command)
      default:
        throw new Error(`Unknown command: ${(command as { readonly command: unknown }).command}`)
    }
  }

  async view(command: Command<'view'>): Promise<string> {
    const path = parsePath(command.path)
    const live = await this.#files.read()
    const file = fileAt(live, path)
    if (!file) return listing(live, path)
    await this.#files.serve(await this.#seat.author(), [file, ...furtherPieces(live, file)])
    return numbered(path.given, textOf(live, file), command.view_range ?? [])
  }

  async create({ path: given, file_text: text }: Command<'create'>): Promise<string> {
    const path = parsePath(given)
    return this.#change((live) => {
      const folders = missingFolders(live, path.names.slice(0, -1))
      if (isThere(live, path)) {
        return { answer: new Error(`File ${given} already exists`), create: folders }
      }
      const { create = [] } = edited(live, fileKey(path.names), text)
      return { answer: `File created successfully at: ${given}`, create: [...folders, ...create] }
    })
  }

  async str_replace(command: Command<'str_replace'>): Promise<string> {
    const { old_str: before, new_str: after } = command
    const path = parsePath(command.path)
    return this.#change((live) => {
      const document = shortFile(live, path)
      const text = textIn(document.content)
      const lines = text.split('\n').flatMap((line, at) => (line.includes(before) ? [at + 1] : []))
      const [line] = lines
      if (line === undefined) {
        throw new Error(
          `No replacement was performed, old_str \`${before}\` did not appear verbatim in ${path.given}.`,
        )
      }
      if (lines.length > 1) {
        throw new Error(
          `No replacement was performed. Multiple occurrences of old_str \`${before}\` in lines: ${lines.join(', ')}. Please ensure it is unique`,
        )
      }
      const changed = text.replace(before, () => after)
      const from = Math.max(0, line - 1 - SHOWN_AROUND)
      const shown = changed.split('\n').slice(from, line + SHOWN_AROUND)
      return {
        answer: `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${withNumbers(shown, from + 1)}`,
        revise: [{ document, content: contentOf(document.key, changed.toWellFormed()) }],
      }
    })
  }

  async insert({ path: given, insert_line, insert_text }: Command<'insert'>): Promise<string> {
    const path = parsePath(given)
    return this.#change((live) => {
      const document = shortFile(live, path)
      const lines = textIn(document.content).split('\n')
      if (insert_line < 0 || insert_line > lines.length) {
        throw new Error(
          `Invalid \`insert_line\` parameter: ${insert_line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
        )
      }
      lines.splice(insert_line, 0, insert_text.replace(/\n$/, ''))
      return {
        answer: `The file ${given} has been edited.`,
        revise: [{ document, content: contentOf(document.key, lines.join('\n').toWellFormed()) }],
      }
    })
  }

  async delete({ path: given }: Command<'delete'>): Promise<string> {
    const path = parsePath(given)
    if (path.names.length === 0) throw new Error('Cannot delete the /memories directory itself')
    return this.#change((live) => {
      const remove = [...inside(live, path)]
      if (remove.length === 0) throw missing(live, path, `The path ${given} does not exist`)
      return { answer: `Successfully deleted ${given}`, remove }
    })
  }

  async rename({ old_path, new_path }: Command<'rename'>): Promise<string> {
    const [from, to] = [parsePath(old_path), parsePath(new_path)]
    if (from.names.length === 0) throw new Error('Cannot rename the /memories directory itself')
    return this.#change((live) => {
      if (isThere(live, to)) throw new Error(`The destination ${new_path} already exists`)
      const create = missingFolders(live, to.names.slice(0, -1))
      if (
        to.names.length > from.names.length &&
        folderKey(to.names).startsWith(folderKey(from.names))
      ) {
        return { answer: new Error(`EINVAL: invalid argument, rename '${old_path}'`), create }
      }
      const moved = [...inside(live, from)]
      if (moved.length === 0) {
        return { answer: missing(live, from, `The path ${old_path} does not exist`), create }
      }
      const revise = moved.map((document) => {
        const rest = document.key.slice(fileKey(from.names).length)
        const content = contentOf(fileKey(to.names) + rest, textIn(document.content))
        return { document, content }
      })
      return { answer: `Successfully renamed ${old_path} to ${new_path}`, create, revise }
    })
  }

  /** Each line of a file with its author and time. */
  async blame(given: string): Promise<readonly BlamedLine[]> {
    const document = shortFile(await this.#files.read(), parsePath(given))
    const versions = await this.#files.versions(document)
    return blameLines(versions, (content) => textIn(content).split('\n'))
  }

  /** Every file with its text; a directory's name ends with a slash. */
  async files(): Promise<ReadonlyMap<string, string>> {
    const live = await this.#files.read()
    const whole = [...live.values()].filter(({ key }) => key === ownerKey(key))
    return new Map(whole.map((document) => [document.key, textOf(live, document)]))
  }

  /**
   * Makes the files those of a folder: a text by each name, null for a text that stayed; a directory's
   * name ends with a slash. Files that a person protects stay.
   */
  async become(found: ReadonlyMap<string, string | null>): Promise<void> {
    await this.#change((live) => {
      const plans = [...found].flatMap(([key, text]) => {
        if (text === null || (key.endsWith('/') && live.has(key))) return []
        return edited(live, key, text)
      })
      const gone = [...live.values()].filter(({ key }) => !found.has(ownerKey(key)))
      return {
        answer: '',
        create: plans.flatMap(({ create = [] }) => create),
        revise: plans.flatMap(({ revise = [] }) => revise),
        discard: [...gone, ...plans.flatMap(({ remove = [] }) => remove)],
      }
    })
  }

  /** The memory that holds a file: for `stack.history.why`. */
  async refOf(given: string): Promise<Document['ref']> {
    return existingFile(await this.#files.read(), parsePath(given)).ref
  }

  /** A failing command may still leave new directories, as in a file system. */
  async #change(plan: (live: Live) => Plan<string | Error>): Promise<string> {
    const answer = await this.#files.change(await this.#seat.author(), plan)
    if (typeof answer === 'string') return answer
    throw answer
  }
}

const fileAt = (live: Live, { names }: MemoryPath): Document | undefined => live.get(fileKey(names))

const isFolder = (live: Live, { names }: Pick<MemoryPath, 'names'>): boolean =>
  names.length === 0 || live.has(folderKey(names))

function isThere(live: Live, path: MemoryPath): boolean {
  assertNoFileAbove(live, path)
  return fileAt(live, path) !== undefined || isFolder(live, path)
}

/** A file has nothing below, and a file system says so in its own way. */
function assertNoFileAbove(live: Live, { given, names }: MemoryPath): void {
  const above = names.slice(1).some((_, at) => live.has(fileKey(names.slice(0, at + 1))))
  if (above) throw new Error(`ENOTDIR: not a directory, '${given}'`)
}

function missing(live: Live, path: MemoryPath, message: string): Error {
  assertNoFileAbove(live, path)
  return new Error(message)
}

function existingFile(live: Live, path: MemoryPath): Document {
  const file = fileAt(live, path)
  if (file) return file
  const { given } = path
  if (isThere(live, path)) throw new Error(`The path ${given} is not a file.`)
  throw new Error(`The path ${given} does not exist. Please provide a valid path.`)
}

/** Contents for directories that a new path needs. */
function missingFolders(live: Live, names: readonly string[]): readonly string[] {
  assertNoFileAbove(live, { given: fileKey(names), names: [...names, ''] })
  const folders = names.map((_, at) => names.slice(0, at + 1))
  const wanted = folders.filter((folder) => !isFolder(live, { names: folder }))
  return wanted.map((folder) => contentOf(folderKey(folder), ''))
}

/** A file, or a directory with everything below. */
function* inside(live: Live, path: MemoryPath): Generator<Document> {
  const file = fileAt(live, path)
  if (file) yield* [file, ...furtherPieces(live, file)]
  const folder = folderKey(path.names)
  if (!isFolder(live, path)) return
  for (const document of live.values()) if (document.key.startsWith(folder)) yield document
}

/** The pieces of a long file behind the first. */
function furtherPieces(live: Live, { key }: Document): readonly Document[] {
  const pieces: Document[] = []
  for (
    let piece = live.get(pieceKey(key, 2));
    piece;
    piece = live.get(pieceKey(key, pieces.length + 2))
  )
    pieces.push(piece)
  return pieces
}

const textOf = (live: Live, file: Document): string =>
  [file, ...furtherPieces(live, file)].map(({ content }) => textIn(content)).join('')

/** The changes after which a file has the text. */
function edited(
  live: Live,
  key: string,
  text: string,
): Pick<Plan<string>, 'create' | 'revise' | 'remove'> {
  if (text.length > FILE_CHARS_MAX) {
    throw new Error(`A file holds at most ${FILE_CHARS_MAX} characters.`)
  }
  const pieces = (fitsOne(key, text) ? [text] : piecesOf(text)).map((piece, at) => {
    const own = at === 0 ? key : pieceKey(key, at + 1)
    return { document: live.get(own), content: contentOf(own, piece.toWellFormed()) }
  })
  const file = live.get(key)
  return {
    create: pieces.flatMap(({ document, content }) => (document ? [] : [content])),
    revise: pieces.flatMap(({ document, content }) => (document ? [{ document, content }] : [])),
    remove: file ? furtherPieces(live, file).slice(pieces.length - 1) : [],
  }
}

/** A text in one memory is edited as one. */
const fitsOne = (key: string, text: string): boolean =>
  contentOf(key, text).length <= LIMITS.textCharsMax &&
  new TextEncoder().encode(JSON.stringify(text)).length <= LIMITS.textCharsMax

/** A file in one memory: an edit of several memories would not be one step. */
function shortFile(live: Live, path: MemoryPath): Document {
  const file = existingFile(live, path)
  if (furtherPieces(live, file).length === 0) return file
  throw new Error(`File ${path.given} is too long for this command. Create shorter files.`)
}

function numbered(given: string, text: string, range: readonly number[]): string {
  const lines = text.split('\n')
  if (lines.length > LINES_MAX) {
    throw new Error(`File ${given} has too many lines (${lines.length}). Maximum is 999,999 lines.`)
  }
  const [first, last] = range.length === 2 ? (range as [number, number]) : [1, -1] // two, as just counted
  const from = Math.max(1, first) - 1
  const shown = lines.slice(from, last === -1 ? lines.length : last)
  return `Here's the content of ${given} with line numbers:\n${withNumbers(shown, from + 1)}`
}

const withNumbers = (lines: readonly string[], first: number): string =>
  lines.map((line, at) => `${String(at + first).padStart(NUMBER_CHARS, ' ')}\t${line}`).join('\n')

function listing(live: Live, path: MemoryPath): string {
  const { given } = path
  if (!isThere(live, path)) {
    throw new Error(`The path ${given} does not exist. Please provide a valid path.`)
  }
  const lines = [
    `${sizeOf(FOLDER_BYTES)}\t${given}`,
    ...itemsBelow(live, path.names, LEVELS).map(({ size, name }) => `${size}\t${given}/${name}`),
  ]
  return `Here're the files and directories up to 2 levels deep in ${given}, excluding hidden items and node_modules:\n${lines.join('\n')}`
}

interface Item {
  readonly size: string
  readonly name: string
}

function itemsBelow(live: Live, folder: readonly string[], levels: number): readonly Item[] {
  const start = folder.length === 0 ? '' : folderKey(folder)
  const rests = [...live.keys()].flatMap((key) =>
    key.startsWith(start) && key !== start ? [key.slice(start.length)] : [],
  )
  const direct = rests.filter((rest) => /^[^/]+\/?$/.test(rest) && !isHidden(rest))
  const byName = direct.toSorted((a, b) => (bare(a) < bare(b) ? -1 : 1))
  return byName.flatMap((name) => {
    if (!name.endsWith('/')) {
      const file = live.get(start + name)
      const text = file ? textOf(live, file) : ''
      return [{ size: sizeOf(new TextEncoder().encode(text).length), name }]
    }
    const own = { size: sizeOf(FOLDER_BYTES), name }
    if (levels === 1) return [own]
    const below = itemsBelow(live, [...folder, bare(name)], levels - 1)
    return [own, ...below.map((item) => ({ ...item, name: name + item.name }))]
  })
}

const bare = (name: string): string => name.replace(/\/$/, '')
const isHidden = (name: string): boolean => name.startsWith('.') || bare(name) === 'node_modules'

const UNITS = ['B', 'K', 'M', 'G'] as const
const UNIT = 1_024

function sizeOf(bytes: number): string {
  if (bytes === 0) return '0B'
  const power = Math.floor(Math.log(bytes) / Math.log(UNIT))
  const size = bytes / UNIT ** power
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${UNITS[power]}`
}
