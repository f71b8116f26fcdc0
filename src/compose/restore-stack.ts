import {
  chmodSync,
  closeSync,
  copyFileSync,
  createReadStream,
  existsSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs'
import { basename } from 'node:path'
import { MunimentError } from '../domain/errors.ts'
import { parseStackId, type StackId } from '../domain/ids.ts'
import { LIMITS } from '../domain/limits.ts'
import { LossCheck } from '../engine/proofs/signed-heads.ts'
import type { RestoreOptions } from '../engine/transfer/bundle/restore.ts'
import { badLine, type TextLines, tooLong } from '../ledger/bundle/format.ts'
import { originOf, parseCheckpoint, parseNote } from '../ledger/signed-note.ts'
import type { Store } from '../ports/store.ts'
import type { Stack } from '../stack.ts'
import { fileShelf } from './checkpoint-shelf.ts'
import { elsewhere } from './elsewhere.ts'
import { nodeHasher, nodeSha256 } from './node-world.ts'
import {
  fileFor,
  headsBeside,
  type OpenOptions,
  openAt,
  type Place,
  placeOf,
  receiptsFile,
  stackFile,
  waitingBeside,
} from './open-stack.ts'
import { appendLines } from './private-files.ts'

const MAGIC = 'SQLite format 3\0'

/** True for a copy that `backup` made; false for the text of a bundle. */
export function isBackup(file: string): boolean {
  if (!existsSync(file)) return false
  const handle = openSync(file, 'r')
  try {
    const start = Buffer.alloc(MAGIC.length)
    readSync(handle, start)
    return start.toString('latin1') === MAGIC
  } finally {
    closeSync(handle)
  }
}

interface BackupCopy {
  readonly from: string
  readonly to: string
  readonly stackId: StackId
  readonly onProgress?: ((progress: { done: number; total: number }) => void) | undefined
}

/** Copies a backup of the stack into a new file, and audits the copy: a backup that was edited is refused. */
export async function copyBackup({ from, to, stackId, onProgress }: BackupCopy): Promise<void> {
  const { SqliteStore } = await import('../stores/sqlite/store.ts')
  const backup = new SqliteStore({ path: from, readOnly: true })
  try {
    await backup.read(stackId, { type: 'standing' }) // refuses the file of another stack
    await backup.backup(to)
  } finally {
    await backup.close()
  }
  const { problems } = await elsewhere({ work: 'audit', path: to, stackId, range: {} }, onProgress)
  const [first] = problems
  if (first === undefined) return
  throw new MunimentError(
    'audit_failed',
    `${basename(from)} was not restored, because it is not as it was written: ${first.code} at entry ${first.seq}, ${first.detail}.`,
    {
      hint: 'Nothing here was changed. Restore an older backup, or a bundle.',
      facts: { problems: problems.length, first },
    },
  )
}

interface SideFilesCopy {
  /** The restored file, with its side files where the source was a stack. */
  readonly from: string
  readonly to: string
  readonly stackId: StackId
  /** The restored stack. */
  readonly store: Pick<Store, 'read'>
}

/**
 * Copies the side files of a restored stack: receipts, and signed heads up to the restored ledger's
 * end. A later head stays behind, because a later head would report missing entries.
 */
export async function copySideFiles({ from, to, stackId, store }: SideFilesCopy): Promise<void> {
  for (const end of ['', '-wal']) {
    const receipts = receiptsFile(from) + end
    if (!existsSync(receipts)) continue
    copyFileSync(receipts, receiptsFile(to) + end)
    chmodSync(receiptsFile(to) + end, 0o600)
  }
  const { stack, tip } = await store.read(stackId, { type: 'standing' })
  if (stack.uid === null) return
  const origin = originOf(stack.uid, stackId)
  for (const place of [headsBeside, waitingBeside]) {
    const notes = await fileShelf(place(from)).all()
    const reached = notes.filter((note) => {
      const head = parseCheckpoint(parseNote(note)?.text ?? '')
      return head !== null && head.origin === origin && head.size <= tip.head.seq + 1
    })
    if (reached.length > 0) {
      appendLines(
        place(to),
        reached.map((note) => JSON.stringify(note)),
      )
    }
  }
}

/** The file or the lines to restore from, and the place of the stack. */
export interface RestoreStackOptions extends OpenOptions {
  /** A bundle, as a file or as the lines that `exportBundle` gives; or the file of a backup. */
  readonly from: string | TextLines
  readonly replace?: boolean
  /** Receives the folder that now holds the replaced stack. */
  readonly onSetAside?: ((folder: string) => void) | undefined
  readonly onProgress?: RestoreOptions['onProgress'] | undefined
}

/**
 * Restores a stack from a bundle or a backup, and opens the stack.
 * @example
 * const from = `${folder}/demo.bundle`
 * await stack.export(from, { format: 'bundle' })
 * const restored = await restoreStack(stack.stackId, { from, home: folder })
 * await restored.close()
 */
export async function restoreStack(id: string, options: RestoreStackOptions): Promise<Stack> {
  const stackId = parseStackId(id)
  const { from, onProgress, onSetAside, replace = false, ...open } = options
  const file = fileFor(stackId, open)
  if (typeof from === 'string') assertFile(from) // before the present stack is touched
  if (file === null) {
    if (typeof from === 'string' && isBackup(from)) throw notAFile()
    const place = await placeOf(stackId, open)
    await orRelease(place, () => bringBack(place.store, stackId, { from, onProgress }))
    return openAt(place, stackId, open)
  }
  const { assertReplaceable } = await import('./stack-swap.ts')
  assertReplaceable(file, { replace })
  const place = await placeOf(stackId, open)
  const aside = await orRelease(place, () => intoFile(file, stackId, { from, onProgress }))
  if (aside !== null) onSetAside?.(aside)
  if (typeof from === 'string' && isBackup(from)) {
    await orRelease(place, () => copySideFiles({ from, to: file, stackId, store: place.store }))
  }
  return openAt(place, stackId, open)
}

type Source = Pick<RestoreStackOptions, 'from' | 'onProgress'>

/** Verifies the restored stack in a separate file first; a rename replaces the present stack last. */
async function intoFile(file: string, stackId: StackId, source: Source): Promise<string | null> {
  const { incomingFile, removeIncoming, swapIn } = await import('./stack-swap.ts')
  const { from, onProgress } = source
  const incoming = incomingFile(file)
  removeIncoming(incoming)
  try {
    if (typeof from === 'string' && isBackup(from)) {
      await copyBackup({ from, to: incoming, stackId, onProgress })
    } else {
      const { SqliteStore } = await import('../stores/sqlite/store.ts')
      const store = new SqliteStore({ path: incoming })
      await bringBack(store, stackId, source).finally(() => store.close())
    }
    return swapIn(incoming, file)
  } finally {
    removeIncoming(incoming)
  }
}

async function bringBack(
  store: Store,
  stackId: StackId,
  { from, onProgress }: Source,
): Promise<void> {
  const { restoreBundle } = await import('../engine/transfer/bundle/restore.ts')
  const lines = typeof from === 'string' ? linesOfFile(from) : from
  await restoreBundle(store, lines, {
    ...{ stackId, sha256: nodeSha256, hasher: nodeHasher },
    ...(onProgress === undefined ? {} : { onProgress }),
  })
}

async function orRelease<T>({ release }: Place, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    await release()
    throw cause
  }
}

const notAFile = (): MunimentError =>
  new MunimentError('invalid_input', 'A backup comes back as a file.', {
    hint: 'Restore it in a home folder, then: muniment stack move --to postgres://…',
  })

const LINE_FEED = 0x0a

/**
 * Split at line feeds and nothing else: other characters that some readers take for the end of a
 * line may stand inside one. No more is held than a line may be long.
 */
export async function* linesOfFile(path: string): AsyncGenerator<string, void, undefined> {
  let parts: Buffer[] = []
  let length = 0
  let line = 1
  for await (const chunk of chunksOf(path)) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      yield textOf([...parts, chunk.subarray(start, end)], line)
      line += 1
      start = end + 1
      parts = []
      length = 0
    }
    const rest = chunk.subarray(start)
    length += rest.length
    if (length > LIMITS.jsonBytesMax) throw tooLong(line, length)
    if (rest.length > 0) parts.push(rest)
  }
  if (parts.length > 0) yield textOf(parts, line)
}

async function* chunksOf(path: string): AsyncGenerator<Buffer, void, undefined> {
  const stream: AsyncIterable<Buffer> = createReadStream(path)
  try {
    yield* stream
  } catch (cause) {
    const isThere = !(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')
    throw isThere
      ? new MunimentError('store_unavailable', 'The bundle cannot be read.', { cause })
      : new MunimentError('not_found', `Nothing was restored: there is no file at ${path}.`, {
          hint: 'Name what muniment stack backup or muniment stack export wrote.',
          cause,
        })
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(parts: readonly Buffer[], line: number): string {
  try {
    return decoder.decode(parts.length === 1 ? parts[0] : Buffer.concat(parts))
  } catch (cause) {
    throw badLine(line, 'is not text in UTF-8', { cause })
  }
}

/** A folder cannot be restored, and reading a pipe may wait for ever. */
function assertFile(from: string): void {
  const found = statSync(from, { throwIfNoEntry: false })
  if (found?.isFile()) return
  const hint =
    'Nothing was changed. Name a copy that muniment stack backup made, or a bundle (muniment stack export whole.bundle).'
  throw found === undefined
    ? new MunimentError('not_found', `There is no file at ${from}.`, { hint })
    : new MunimentError(
        'invalid_input',
        `${from} is not a file: nothing can be restored from it.`,
        {
          hint,
        },
      )
}

interface BackupTarget {
  readonly home: string
  /** The path of a file yet to be created. */
  readonly to: string
}

/** Copies a stack's file while others use the stack. A ledger that lost entries is not copied. */
export async function backUpStack(id: string, { home, to }: BackupTarget): Promise<void> {
  const stackId = parseStackId(id)
  const path = stackFile(home, stackId)
  const { SqliteStore } = await import('../stores/sqlite/store.ts')
  const store = new SqliteStore({ path })
  try {
    const shelf = fileShelf(headsBeside(path))
    await new LossCheck({ stackId, store, shelf }, false).assertWhole()
    await store.backup(to)
  } finally {
    await store.close()
  }
}
