import { existsSync } from 'node:fs'
import { assert } from '../../domain/errors.ts'
import { DAY_MS, type Instant, toInstant, toMs } from '../../domain/time.ts'
import {
  type Forgotten,
  type IdempotentRequest,
  type KeptReceipt,
  RECEIPT_LIMITS,
  type Receipt,
  type Receipts,
  type ServedPrint,
} from '../../ports/receipts.ts'
import type { SqlRow } from '../sql/dialect.ts'
import {
  askedOf,
  keptOf,
  printBytes,
  RECEIPT_COLUMNS,
  receiptOf,
  toldOf,
} from '../sql/entry-rows.ts'
import { nodeDriver, type SqlDatabase, type SqlDriver, type SqlStatement } from './connection.ts'
import { faultNamed, guarded, isBusy, notOurs } from './faults.ts'
import { createPrivately } from './files.ts'

const APPLICATION_ID = 0x4d756e72 // not a stack's, so that neither file is taken for the other
const BUSY_TIMEOUT_MS = 250 // a receipt may be lost: no longer wait is worth it
const ASKED_TIMEOUT_MS = 5_000 // a lost idempotency key means a second execution, so the wait is longer

// Without waiting for the disk: a crash of the machine may cost the latest receipts and no more.
const PRAGMAS = `
  PRAGMA synchronous = OFF;
  PRAGMA secure_delete = ON;
  PRAGMA trusted_schema = OFF;`

const waitingFor = (ms: number): string => `PRAGMA busy_timeout = ${ms}`

const VERSION = 6

/** Receipts may be lost: a file of another version begins anew. */
const SCHEMA = `
  DROP TABLE IF EXISTS receipts;
  DROP TABLE IF EXISTS asked;
  CREATE TABLE receipts (
    id INTEGER PRIMARY KEY,
    time TEXT NOT NULL,
    session TEXT NOT NULL,
    turn TEXT,
    actor TEXT NOT NULL,
    door TEXT NOT NULL,
    operation TEXT NOT NULL,
    ref TEXT NOT NULL,
    tier INTEGER NOT NULL,
    print BLOB
  ) STRICT;
  CREATE INDEX receipts_session ON receipts (session, id);
  CREATE INDEX receipts_time ON receipts (time);
  CREATE TABLE asked (
    key TEXT PRIMARY KEY,
    print TEXT NOT NULL,
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    answer TEXT
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX asked_at ON asked (at);
  PRAGMA user_version = ${VERSION};
  PRAGMA application_id = ${APPLICATION_ID};`

const COLUMNS = RECEIPT_COLUMNS.join(', ')

const INSERT = `
  INSERT INTO receipts (${COLUMNS}, print) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`

const OF_SESSION = `
  SELECT ${COLUMNS} FROM receipts WHERE session = ? AND time >= ? ORDER BY id`

const TOLD = `
  SELECT ref, print FROM receipts
  WHERE session = ? AND time >= ? AND print IS NOT NULL
  GROUP BY ref, print ORDER BY max(id) DESC LIMIT +?`

const EXPIRE = 'DELETE FROM receipts WHERE time < ?'
const MAKE_ROOM = 'DELETE FROM receipts WHERE id <= (SELECT max(id) FROM receipts) - ?'

const ALL = `SELECT ${COLUMNS}, print FROM receipts ORDER BY id`

const BEGIN = 'INSERT INTO asked (key, print, id, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'
const ASKED = 'SELECT key, print, id, at, answer FROM asked WHERE key = ?'
const ANSWERED = 'UPDATE asked SET answer = ? WHERE key = ?'
const DROP = 'DELETE FROM asked WHERE key = ?'
const EXPIRE_ASKED = 'DELETE FROM asked WHERE at < ?'

const FORGET = `
  DELETE FROM receipts WHERE ref IN (SELECT value FROM json_each(?)) OR actor = ?`

export interface SqliteReceiptsOptions {
  readonly path: string
  readonly driver?: SqlDriver
  readonly rowsMax?: number
}

/** Receipts in their own file beside the stack's file, created with the first receipt. */
export class SqliteReceipts implements Receipts {
  readonly #path: string
  readonly #options: Required<SqliteReceiptsOptions>
  #db: SqlDatabase | null = null
  /** Prepared once, because they run for every read. */
  readonly #statements = new Map<string, SqlStatement>()

  constructor(options: SqliteReceiptsOptions) {
    this.#path = options.path
    this.#options = { driver: nodeDriver, rowsMax: RECEIPT_LIMITS.rowsMax, ...options }
  }

  async record(receipts: readonly KeptReceipt[]): Promise<void> {
    const latest = receipts.at(-1)
    if (!latest) return
    guarded(this.#path, () => {
      const db = this.#open()
      this.#inside(db, () => {
        const insert = this.#prepared(db, INSERT)
        for (const { receipt, print } of receipts) {
          insert.run(...RECEIPT_COLUMNS.map((name) => receipt[name]), print && printBytes(print))
        }
        const oldest = toMs(latest.receipt.time) - RECEIPT_LIMITS.daysKept * DAY_MS
        this.#prepared(db, EXPIRE).run(toInstant(oldest))
        this.#prepared(db, MAKE_ROOM).run(this.#options.rowsMax)
      })
    })
  }

  async of(session: string, since: Instant): Promise<readonly Receipt[]> {
    return this.#read(OF_SESSION, session, since).map(receiptOf)
  }

  async told(session: string, since: Instant): Promise<readonly ServedPrint[]> {
    return this.#read(TOLD, session, since, RECEIPT_LIMITS.toldMax).flatMap(toldOf)
  }

  foreignChanges(): number {
    if (this.#db === null && !existsSync(this.#path)) return 0
    const [version] = guarded(this.#path, () => {
      const db = this.#open()
      return this.#prepared(db, 'PRAGMA data_version').get() ?? []
    })
    return Number(version)
  }

  async all(): Promise<readonly KeptReceipt[]> {
    return this.#read(ALL).map(keptOf)
  }

  /** Reading makes no file. */
  #read(sql: string, ...values: readonly (string | number)[]): readonly SqlRow[] {
    if (this.#db === null && !existsSync(this.#path)) return []
    return guarded(this.#path, () => this.#prepared(this.#open(), sql).all(...values))
  }

  /** Copied without gaps and with an empty log, because deletion alone leaves the bytes. */
  async forget({ refs, actor }: Forgotten): Promise<void> {
    if (this.#db === null && !existsSync(this.#path)) return
    guarded(this.#path, () => {
      const db = this.#open()
      db.prepare(FORGET).run(JSON.stringify(refs), actor)
      db.exec('DELETE FROM asked')
      db.exec('VACUUM')
      const [busy] = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? []
      if (Number(busy) !== 0) throw faultNamed('store_busy', this.#path)
    })
  }

  /** On the disk when this returns, with all earlier writes. */
  async begin(
    { key, print, id, at }: Omit<IdempotentRequest, 'answer'>,
    since: Instant,
  ): Promise<IdempotentRequest> {
    return guarded(this.#path, () => {
      const db = this.#open()
      db.exec(`PRAGMA synchronous = FULL; ${waitingFor(ASKED_TIMEOUT_MS)}`)
      try {
        return this.#inside(db, () => {
          this.#prepared(db, EXPIRE_ASKED).run(since)
          this.#prepared(db, BEGIN).run(key, print, id, at)
          const row = this.#prepared(db, ASKED).get(key)
          assert(row, 'what was begun is there')
          return askedOf(row)
        })
      } finally {
        db.exec(`PRAGMA synchronous = OFF; ${waitingFor(BUSY_TIMEOUT_MS)}`)
      }
    })
  }

  async answered(key: string, answer: string): Promise<void> {
    guarded(this.#path, () => this.#prepared(this.#open(), ANSWERED).run(answer, key))
  }

  async drop(key: string): Promise<void> {
    guarded(this.#path, () => this.#prepared(this.#open(), DROP).run(key))
  }

  #inside<T>(db: SqlDatabase, work: () => T): T {
    db.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      db.exec('COMMIT')
      return result
    } catch (cause) {
      db.exec('ROLLBACK')
      throw cause
    }
  }

  #prepared(db: SqlDatabase, sql: string): SqlStatement {
    const statement = this.#statements.get(sql) ?? db.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }

  async close(): Promise<void> {
    this.#statements.clear()
    this.#db?.close()
    this.#db = null
  }

  #open(): SqlDatabase {
    if (this.#db) return this.#db
    createPrivately(this.#path)
    const db = this.#options.driver.open(this.#path, { readOnly: false })
    try {
      db.exec(waitingFor(ASKED_TIMEOUT_MS))
      const application = db.prepare('PRAGMA application_id').get()?.[0]
      if (application !== 0 && application !== APPLICATION_ID) throw notOurs(this.#path)
      db.exec(PRAGMAS)
      inWal(db)
      // Two processes may create the schema at once: the second finds the first's tables.
      this.#inside(db, () => {
        const [version] = db.prepare('PRAGMA user_version').get() ?? []
        if (Number(version) !== VERSION) db.exec(SCHEMA)
      })
      db.exec(waitingFor(BUSY_TIMEOUT_MS))
    } catch (cause) {
      db.close()
      throw cause
    }
    this.#db = db
    return db
  }
}

const WAL_TRIES = 50
const WAL_PAUSE_MS = 20

/**
 * The switch to WAL ignores the busy timeout, so the switch is retried; other users finish soon.
 */
function inWal(db: SqlDatabase): void {
  for (let tries = 1; ; tries += 1) {
    try {
      db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (cause) {
      if (!isBusy(cause) || tries === WAL_TRIES) throw cause
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAL_PAUSE_MS)
    }
  }
}
