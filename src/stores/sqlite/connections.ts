import { existsSync, statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Batch, Head } from '../../domain/waist.ts'
import type { Witnessed } from '../../ports/store.ts'
import { Connection, patiently, type SqlDriver } from './connection.ts'
import { scrubMemory } from './erase.ts'
import {
  dataLoss,
  entryReplaced,
  faultNamed,
  fileEmptied,
  fileLost,
  guarded,
  isUnwritable,
  schemaNewer,
  schemaOlder,
} from './faults.ts'
import {
  assertFullLength,
  fileStateOf,
  IN_MEMORY,
  inodeOf,
  isSealedOff,
  isThere,
  leftAt,
  removeAbandoned,
  Witness,
  witnessOf,
} from './files.ts'
import { KnownLines } from './known-lines.ts'
import {
  createDatabase,
  type Fitness,
  fitnessOf,
  migrate,
  PAGE_BYTES,
  versionOf,
} from './migrate.ts'
import { MIGRATIONS } from './schema.ts'
import { scrubFile } from './scrub.ts'

const CACHE_KIB = 65_536 // room for the randomly spread hash keys of 100,000 memories
const CHECKPOINT_PAGES = 8_000 // 32 MB of log before the log moves into the file
const LOG_BYTES_KEPT = 67_108_864 // size to which a larger log is cut back

const COMMON = `
  PRAGMA foreign_keys = ON;
  PRAGMA temp_store = MEMORY;
  PRAGMA trusted_schema = OFF;
  PRAGMA cell_size_check = ON;
  PRAGMA cache_size = -${CACHE_KIB};`

// secure_delete overwrites deleted bytes; normal writes delete nothing, so the setting is free.
const WRITING = `
  PRAGMA page_size = ${PAGE_BYTES};
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
  PRAGMA journal_size_limit = ${LOG_BYTES_KEPT};
  PRAGMA busy_timeout = 0;`

interface Opening {
  readonly path: string
  readonly driver: SqlDriver
  readonly busyTimeoutMs: number
}

/** Creates a missing file. Never waits: a caller who meets a lock asks again. */
function openWriter({ path, driver }: Opening): Connection {
  if (path !== IN_MEMORY) createDatabase(path, driver)
  const db = driver.open(path, { readOnly: false })
  try {
    db.exec(WRITING + COMMON)
    migrate(db, path)
    return new Connection(path, db)
  } catch (cause) {
    db.close()
    throw cause
  }
}

/** Sees the last commit and never waits for the next. */
function openReader({ path, driver, busyTimeoutMs }: Opening): Connection {
  const db = driver.open(path, { readOnly: true })
  try {
    db.exec(`PRAGMA busy_timeout = ${busyTimeoutMs};${COMMON}`)
    return new Connection(path, db)
  } catch (cause) {
    db.close()
    throw cause
  }
}

/**
 * Opens a file as immutable, where no process can write: SQLite would create side files for a log.
 * Later writes are detected afterwards through `isChanged`.
 */
function openSealedOff({ path, driver }: Opening): Connection {
  const left = leftAt(path)
  const address = pathToFileURL(path)
  address.searchParams.set('immutable', '1')
  const db = driver.open(address.href, { readOnly: true })
  try {
    db.exec(COMMON)
    return new Connection(path, db, () => left === null || leftAt(path) !== left)
  } catch (cause) {
    db.close()
    throw cause
  }
}

/** A stack without a first write is an empty database, so callers never check for a file. */
export function openEmpty({ driver, busyTimeoutMs }: Opening): Connection {
  return openWriter({ path: IN_MEMORY, driver, busyTimeoutMs })
}

const HASH_AT = 'SELECT lower(hex(entry_hash)) FROM provenance_log WHERE seq = ?'

const VACUUM = 'VACUUM; PRAGMA wal_checkpoint(TRUNCATE);'

export interface ConnectionsOptions extends Opening {
  readonly readOnly: boolean
  /** Lines of so many claims on are kept at hand between two questions. */
  readonly linesKnownFrom?: number
}

/** The result of a transaction: a batch on the expected head, or derived rows folded anew. */
export interface Commitment {
  readonly head: Head
  readonly expected: Head
  readonly batch: Batch | null
}

type Unfit = Exclude<Fitness, 'current'>

/**
 * A connection for writing, and a connection for reading that never waits for the writer; each is
 * opened when needed.
 */
export class Connections {
  readonly #options: ConnectionsOptions
  readonly #witness: Witness | null
  readonly #known: KnownLines
  #writer: Connection | null = null
  #reader: Connection | null = null
  #empty: Connection | null = null
  #inode: bigint | undefined
  /** The file as the reader was opened on it. */
  #readState = ''
  #fileState: string | null = null

  constructor(options: ConnectionsOptions) {
    this.#options = options
    this.#known = new KnownLines(options.linesKnownFrom)
    this.#witness = this.isInMemory ? null : new Witness(options.path)
  }

  get isInMemory(): boolean {
    return this.#options.path === IN_MEMORY
  }

  /**
   * The writer's cache survives its own commits; every commit empties the caches of other
   * connections.
   */
  async forGathering(): Promise<Connection> {
    return this.#writer && !this.#writer.isInTransaction ? this.#writer : this.forReading()
  }

  async forReading(): Promise<Connection> {
    if (this.isInMemory) return this.#writer ?? this.#emptyOne()
    // Pages that the reader cached may be of a file that another file replaced.
    if (this.#reader && (this.#reader.isChanged || this.#readState !== this.fileState)) {
      this.#reader.close()
      this.#reader = null
    }
    if (this.#reader) return this.#reader
    const { fileState } = this
    const opened = await this.openReader()
    if (this.#reader) opened?.close()
    else {
      this.#reader = opened
      this.#readState = fileState
    }
    this.#reader?.share(this.#known)
    return this.#reader ?? this.#emptyOne()
  }

  /** A private connection; null before the first write. */
  async openReader(): Promise<Connection | null> {
    const { path, busyTimeoutMs } = this.#options
    return patiently(busyTimeoutMs, () => guarded(path, () => this.#tryReader()))
  }

  #tryReader(): Connection | null {
    const { path, readOnly } = this.#options
    this.#assertFileStands()
    if (!isThere(path)) return null
    const reader = this.#orAsLeft(() => this.#fitting(openReader))
    if (reader === 'empty') return null
    if (reader !== 'older') return reader
    if (readOnly) throw schemaOlder(path)
    this.#writer ??= this.#openWriter() // brings the file up to date
    return openReader(this.#options)
  }

  /**
   * SQLite may need to write before reading; where no process can write, the file is opened as
   * immutable.
   */
  #orAsLeft(open: () => Connection | Unfit): Connection | Unfit {
    const { path } = this.#options
    try {
      return open()
    } catch (cause) {
      if (!isUnwritable(cause) || leftAt(path) === null || !isSealedOff(path)) throw cause
      return this.#fitting(openSealedOff)
    }
  }

  /** A reader, when the file's schema fits. */
  #fitting(open: (options: Opening) => Connection): Connection | Unfit {
    const reader = open(this.#options)
    try {
      assertFullLength(reader.db, this.#options)
      const fitness = fitnessOf(reader.db, this.#options.path)
      if (fitness === 'current') return reader
      reader.close()
      return fitness
    } catch (cause) {
      reader.close()
      throw cause
    }
  }

  #emptyOne(): Connection {
    this.#empty ??= openEmpty(this.#options)
    return this.#empty
  }

  /** Takes the write lock, waiting for other processes as long as the caller has patience. */
  async begin(): Promise<Connection> {
    const { path, readOnly, busyTimeoutMs } = this.#options
    if (readOnly) throw faultNamed('store_read_only', path)
    return patiently(busyTimeoutMs, () =>
      guarded(path, () => {
        this.#writer ??= this.#openWriter()
        const writer = this.#writer
        this.#assertSameFile()
        writer.begin('IMMEDIATE')
        const version = versionOf(writer) // prepared once, asked for every commit
        if (version === MIGRATIONS.length) return writer
        writer.rollback()
        throw schemaNewer(path, version, MIGRATIONS.length)
      }),
    )
  }

  /** State of the file, read once for all reads that begin together. */
  get fileState(): string {
    if (this.isInMemory) return ''
    if (this.#fileState === null) {
      this.#fileState = fileStateOf(this.#options.path)
      queueMicrotask(() => {
        this.#fileState = null
      })
    }
    return this.#fileState
  }

  /** The last committed entry in the witness. */
  get seen(): Witnessed {
    return this.#witness?.recall() ?? { seq: -1, hash: null, isDamaged: false }
  }

  /** Throws where the file ends before the entry that was seen, or holds another in its place. */
  assertSeen(connection: Connection, { seq, hash }: Witnessed): void {
    const { path } = this.#options
    const head = connection.head()
    if (seq > head.seq) throw dataLoss(path, seq, head.seq)
    const there = hash === null ? undefined : connection.prepare(HASH_AT).get(seq)?.[0]
    if (there === undefined || there === hash) return
    if (this.seen.hash === hash) throw entryReplaced(path, seq) // not read while it was written
  }

  /** No step of making a stack leaves an empty file: an empty file had entries and lost them. */
  get isEmptied(): boolean {
    return !this.isInMemory && isThere(this.#options.path) && sizeOf(this.#options.path) === 0
  }

  /**
   * Throws when the log or the witness exists without the file. Both are checked first, because
   * both are created after the file, and the file is never empty afterwards.
   */
  #assertFileStands(): void {
    if (this.isInMemory) return
    const { path } = this.#options
    const log = `${path}-wal`
    const { seq: seen } = this.seen
    const left = sizeOf(log) > 0 ? log : seen >= 0 ? witnessOf(path) : null
    if (left !== null && sizeOf(path) === 0) throw fileLost(path, left, seen)
  }

  #openWriter(): Connection {
    const { seen } = this
    this.#assertFileStands()
    if (this.isEmptied) throw fileEmptied(this.#options.path)
    const inode = inodeOf(this.#options.path)
    const writer = openWriter(this.#options)
    try {
      if (!this.isInMemory) assertFullLength(writer.db, this.#options)
      // A new file at this path would never receive these commits.
      if (inode !== undefined && inode !== inodeOf(this.#options.path)) {
        throw faultNamed('store_busy', this.#options.path)
      }
      this.assertSeen(writer, seen)
    } catch (cause) {
      writer.close()
      throw cause
    }
    this.#inode = inodeOf(this.#options.path)
    writer.share(this.#known)
    return writer
  }

  /** A commit into a moved, deleted or emptied file would be acknowledged and lost. */
  #assertSameFile(): void {
    const { path } = this.#options
    if (this.isEmptied) throw fileEmptied(path)
    if (this.isInMemory || inodeOf(path) === this.#inode) return
    throw faultNamed('store_unavailable', path, { facts: { moved: true } })
  }

  /** The commit is durable when this method returns. */
  commit(writer: Connection, { head, batch, expected }: Commitment): void {
    writer.commit()
    this.#witness?.note(head)
    if (batch) this.#known.committed(batch, expected)
    else this.#known.clear()
  }

  /** Resets the writer for the next transaction; a writer that cannot be reset is opened anew. */
  abandon(writer: Connection): void {
    try {
      writer.rollback()
    } catch {
      this.#writer = null
      writer.close()
    }
  }

  /** Copies the file onto itself without its gaps. Others may read meanwhile; writers wait. */
  async vacuum(): Promise<void> {
    const { path, busyTimeoutMs } = this.#options
    const writer = await this.begin()
    writer.rollback()
    await patiently(busyTimeoutMs, () => guarded(path, () => writer.db.exec(VACUUM)))
  }

  /**
   * Destroys the bytes that erasures left behind; false when another connection blocks the scrub.
   */
  async scrub(): Promise<boolean> {
    const { path, busyTimeoutMs } = this.#options
    if (this.isInMemory) return scrubMemory(this.#writer ?? this.#emptyOne())
    if (!existsSync(path)) return true
    removeAbandoned(path)
    const connection = await patiently(busyTimeoutMs, () =>
      guarded(path, () => openWriter(this.#options)),
    )
    try {
      return await scrubFile({ connection, waitMsMax: busyTimeoutMs })
    } finally {
      connection.close()
    }
  }

  /** Moves the rest of the log into the file, unless another connection blocks this. */
  close(): void {
    this.#known.clear()
    for (const idle of [this.#reader, this.#empty]) idle?.close()
    if (this.#writer) this.#closeWriter(this.#writer)
    this.#reader = null
    this.#empty = null
    this.#writer = null
  }

  #closeWriter(writer: Connection): void {
    try {
      if (!this.isInMemory) writer.db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // Another process blocks the checkpoint: the log stays, and the next opener reads it.
    }
    writer.close()
    this.#witness?.release()
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0
