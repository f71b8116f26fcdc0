import { assert } from '../../domain/errors.ts'
import type { StackId } from '../../domain/ids.ts'
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
import {
  askedOf,
  keptOf,
  printBytes,
  RECEIPT_COLUMNS,
  receiptOf,
  toldOf,
} from '../sql/entry-rows.ts'
import type { Connection } from './connection.ts'
import type { Database } from './database.ts'
import { keyOf, listOf } from './dialect.ts'
import type { PgRow } from './drivers.ts'

const COLUMNS = RECEIPT_COLUMNS.join(', ')

const INSERT = `
  INSERT INTO receipts (stack_id, session_key, ${COLUMNS}, print)
  SELECT $1, * FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
    ?::text[], ?::smallint[], ?::bytea[])`

const OF_SESSION = `
  SELECT ${COLUMNS} FROM receipts
  WHERE stack_id = $1 AND session_key = ? AND time >= ? ORDER BY id`

const TOLD = `
  SELECT ref, print FROM (
    SELECT DISTINCT ON (r.ref, r.print) r.ref, r.print, r.id FROM receipts r
    WHERE r.stack_id = $1 AND r.session_key = ? AND r.time >= ? AND r.print IS NOT NULL
    ORDER BY r.ref, r.print, r.id DESC) latest
  ORDER BY id DESC LIMIT ?`

const EXPIRE = 'DELETE FROM receipts WHERE stack_id = $1 AND time < ?'
const MAKE_ROOM = `
  DELETE FROM receipts WHERE stack_id = $1 AND id <= (
    SELECT r.id FROM receipts r WHERE r.stack_id = $1 ORDER BY r.id DESC OFFSET ? LIMIT 1)`

const ALL = `
  SELECT ${COLUMNS}, print FROM receipts WHERE stack_id = $1 ORDER BY id`

const FORGET = `
  DELETE FROM receipts WHERE stack_id = $1 AND (ref = ANY (?::text[]) OR actor = ?)`

const BEGIN = `
  INSERT INTO asked (stack_id, key, print, id, at) VALUES ($1, ?, ?, ?, ?) ON CONFLICT DO NOTHING`
const ASKED = `
  SELECT a.key, a.print, a.id, a.at, a.answer FROM asked a WHERE a.stack_id = $1 AND a.key = ?`
const ANSWERED = 'UPDATE asked SET answer = ? WHERE stack_id = $1 AND key = ?'
const DROP = 'DELETE FROM asked WHERE stack_id = $1 AND key = ?'
const EXPIRE_ASKED = 'DELETE FROM asked WHERE stack_id = $1 AND at < ?'
const FORGET_ASKED = 'DELETE FROM asked WHERE stack_id = $1'

const EXPIRE_EVERY = 256 // batches of receipts between two deletions of old receipts

/**
 * Receipts beside the stacks, in an unlogged table: a server crash may lose them, and a logged
 * table would make reads slow.
 */
export class PostgresReceipts implements Receipts {
  readonly #database: Database
  readonly #stack: StackId
  readonly #rowsMax: number
  #recorded = 0

  constructor(database: Database, stack: StackId, rowsMax: number = RECEIPT_LIMITS.rowsMax) {
    this.#database = database
    this.#stack = stack
    this.#rowsMax = rowsMax
  }

  async record(kept: readonly KeptReceipt[]): Promise<void> {
    const receipts = kept.map(({ receipt }) => receipt)
    const latest = receipts.at(-1)
    if (!latest) return
    const lists = [
      receipts.map(({ session }) => keyOf(session)),
      ...RECEIPT_COLUMNS.map((name) => receipts.map((receipt) => receipt[name])),
      kept.map(({ print }) => print && printBytes(print)),
    ]
    const isTime = this.#recorded % EXPIRE_EVERY === 0
    this.#recorded += 1
    await this.#database.change(this.#stack, async (connection) => {
      await connection.rows(INSERT, ...lists.map(listOf))
      if (isTime) await this.#letGo(connection, latest.time)
    })
  }

  async #letGo(connection: Connection, now: Instant): Promise<void> {
    const oldest = toInstant(toMs(now) - RECEIPT_LIMITS.daysKept * DAY_MS)
    await connection.rows(EXPIRE, oldest)
    await connection.rows(MAKE_ROOM, this.#rowsMax)
  }

  async of(session: string, since: Instant): Promise<readonly Receipt[]> {
    return this.#database.read(this.#stack, async (connection) =>
      (await connection.rows(OF_SESSION, keyOf(session), since)).map(receiptOf),
    )
  }

  async told(session: string, since: Instant): Promise<readonly ServedPrint[]> {
    return this.#database.read(this.#stack, async (connection) => {
      const { toldMax } = RECEIPT_LIMITS
      return (await connection.rows(TOLD, keyOf(session), since, toldMax)).flatMap(toldOf)
    })
  }

  async all(): Promise<readonly KeptReceipt[]> {
    return this.#database.read(this.#stack, async (connection) =>
      (await connection.rows(ALL)).map(keptOf),
    )
  }

  async forget({ refs, actor }: Forgotten): Promise<void> {
    await this.#database.change(this.#stack, async (connection) => {
      await connection.rows(FORGET, listOf(refs), actor)
      await connection.rows(FORGET_ASKED)
    })
  }

  async begin(
    { key, print, id, at }: Omit<IdempotentRequest, 'answer'>,
    since: Instant,
  ): Promise<IdempotentRequest> {
    let row: PgRow | undefined
    await this.#database.change(this.#stack, async (connection) => {
      await connection.rows(EXPIRE_ASKED, since)
      await connection.rows(BEGIN, key, print, id, at)
      row = (await connection.rows(ASKED, key))[0]
    })
    assert(row, 'what was begun is there')
    return askedOf(row)
  }

  async answered(key: string, answer: string): Promise<void> {
    await this.#database.change(this.#stack, async (connection) => {
      await connection.rows(ANSWERED, answer, key)
    })
  }

  async drop(key: string): Promise<void> {
    await this.#database.change(this.#stack, async (connection) => {
      await connection.rows(DROP, key)
    })
  }

  /** The database is closed by whoever opened the store. */
  async close(): Promise<void> {}
}
