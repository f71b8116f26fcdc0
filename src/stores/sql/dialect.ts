import { GROUNDLESS } from '../../domain/vocabulary.ts'
import type { BurstKey } from '../../domain/waist.ts'
import type { HeldTerm } from '../../domain/words/search.ts'
import type { MemoryFilter } from '../../ports/queries.ts'

export type SqlValue = null | number | string | Uint8Array

/** Values in the order of the columns: half the cost of an object with names. */
export type SqlRow = readonly SqlValue[]

interface Statement {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

/**
 * A query as a sequence of statements, so that synchronous and asynchronous drivers run the same
 * code. Statements of one step are independent and may be sent together.
 */
export type Steps<T> = Generator<readonly Statement[], T, readonly (readonly SqlRow[])[]>

export function* rowsOf(sql: string, ...values: readonly SqlValue[]): Steps<readonly SqlRow[]> {
  const [rows = []] = yield [{ sql, values }]
  return rows
}

export function* rowOf(sql: string, ...values: readonly SqlValue[]): Steps<SqlRow | undefined> {
  const [row] = yield* rowsOf(sql, ...values)
  return row
}

export const numbersOf = (rows: readonly SqlRow[]): readonly number[] =>
  rows.map(([number]) => Number(number))

/**
 * Part of a statement's text with the values for its question marks. No text from outside becomes
 * SQL.
 */
export interface Fragment {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

type ListType = 'bigint' | 'text' | 'bytea' | 'uuid'

/**
 * SQL where SQLite and PostgreSQL differ; shared statements are written once around these parts. A
 * PostgreSQL statement has the stack as its first value; `?` stands for each value after the stack.
 */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** A condition: the row of this table belongs to the stack. */
  inStack(alias: string): string
  hex(bytes: string): string
  unhex(text: string): string
  /** A value by its position, counted from 1, in a statement without question marks. */
  nth(place: number): string
  /** Equality that holds between two NULLs, and its opposite. */
  readonly is: string
  readonly isNot: string
  /** A limit hidden from the planner, so one plan serves every value. */
  readonly limit: string
  /** The type of bytes, for a cast. */
  readonly bytes: string
  /** Bytes of UTF-8 text, so that `textIn` can read them. */
  text(bytes: string): string
  /** A condition: the bytes hold this text somewhere. */
  holdsBytes(bytes: string, text: string): string
  /** The position of one text in another, counted from 1; zero when absent. */
  readonly find: string
  /** A list as one value, read as rows of `j`. */
  list(type: ListType): string
  /** An element of such a list, as text and as a hash. */
  readonly item: string
  readonly hashItem: string
  /** Orders rows as the list is; SQLite reads lists in their order anyway. */
  readonly inListOrder: string
  listValue(items: readonly SqlValue[]): SqlValue
  /** All values of a column as one list, in the order of SQLite's index; then their numbers. */
  joined(column: string, order?: string): string
  joinedBytes(column: string, order: string): string
  numbersIn(list: SqlValue | undefined): readonly number[]
  /** A recursive query returns nearest rows first, without a sort. */
  readonly walksInOrder: boolean
  hashesValue(hashes: readonly string[]): SqlValue
  /** A condition: the column is one of a list of texts. */
  isAmong(column: string): string
  /** Joins the row with this value, or many such rows, or NULLs when no row matches. */
  one(table: string, column: string, value: string, as: string): string
  many(table: string, column: string, value: string, as: string): string
  oneOrNone(table: string, column: string, value: string, as: string): string
  /** Refs of a memory's parents in their order, with spaces between. */
  readonly parents: string
  /** A long text is looked up by an index: the column in the index, and the value to compare. */
  keyColumn(column: 'name' | 'session' | 'source_id' | 'actor'): string
  keyValue(text: string): string
  keysValue(texts: readonly string[]): SqlValue
  readonly keyType: ListType
  /** The requested keys of bursts, joined with their rows `b`, and the values for the statement. */
  readonly askedBursts: string
  burstsValues(keys: readonly BurstKey[]): readonly SqlValue[]
  /** A list column, kept as JSON, that holds at least one of the texts. */
  holdsAny(column: 'tags' | 'context_tags', texts: readonly string[]): Fragment
  /** The best index for a list, where the planner needs a hint. */
  indexFor(where: MemoryFilter): string
  /** Added to `SAYS` when the memory is found through the identity index. */
  readonly isIndexedByIdentity: string
  /** Columns in which few memories differ from most, behind all others; read by `seldomIn`. */
  readonly seldomColumns: string
  seldomIn(row: SqlRow, at: number): SqlRow | null
  /** The marks of a memory; NULL when a claim has only the marks of every claim. */
  readonly marksOfFew: string
  /**
   * The claims of a timeline that did not give way, and the claims that did, each found by an
   * index.
   */
  readonly stands: string
  readonly gaveWay: string
  /**
   * True when an index counts the claims that gave way; else they are all claims except the
   * standing ones.
   */
  readonly countsGaveWay: boolean
  /** The oldest claim of a timeline that meets a condition on `f`. */
  oldestOf(line: string, which: string): string
  /** The number of memories of each kind, ordered by the first memory of the kind. */
  readonly counts: string
  /** Memories with search terms: the table, its key, and its terms. */
  readonly words: { readonly table: string; readonly key: string; readonly terms: string }
  readonly ranking: Ranking
}

export type Hit = readonly [seq: number, score: number]

export interface CountedTerms {
  readonly documents: number
  readonly held: readonly HeldTerm[]
}

export interface RankRequest {
  readonly terms: readonly string[]
  readonly count: number
  /** The number of memories that hold a term, for terms counted one by one. */
  readonly held?: ReadonlyMap<string, number>
}

/** Search in the index of words, which SQLite brings along and PostgreSQL keeps as a table. */
export interface Ranking {
  /** The best by bm25, then the oldest, whatever they are. */
  best(asked: RankRequest): Steps<readonly Hit[]>
  counted(terms: readonly string[]): Steps<CountedTerms>
  /** The newest memories that hold all of the terms, or any. */
  newest(terms: readonly string[], which: 'all' | 'any', count: number): Steps<readonly number[]>
}

/** A statement is written once for each dialect. */
export function written(write: (d: Dialect) => string): (d: Dialect) => string {
  const known = new Map<Dialect, string>()
  return (d) => {
    let sql = known.get(d)
    if (sql === undefined) {
      sql = write(d)
      known.set(d, sql)
    }
    return sql
  }
}

/** Columns that hold hashes: 32 bytes in a store, hex outside. */
const HASHES: ReadonlySet<string> = new Set([
  'content_hash',
  'entry_hash',
  'hash',
  'identity',
  'line',
  'mark',
  'policy_hash',
  'prev_hash',
  'pseudonym',
])

/**
 * Columns as a statement selects them, each under its own name, since some drivers read columns
 * only by name. SQLite returns a NULL hash as the empty text.
 */
export const selected = (d: Dialect, columns: readonly string[], of: string): string =>
  columns
    .map((column) => {
      const value = HASHES.has(column) ? d.hex(`${of}.${column}`) : `${of}.${column}`
      return `${value} AS ${of}_${column}`
    })
    .join(', ')

/** Values computed from the given values stand behind them. */
export function insertInto(
  table: string,
  columns: readonly string[],
  workedOut: Readonly<Record<string, string>> = {},
): string {
  const given = columns.map((column) => (HASHES.has(column) ? 'unhex(?)' : '?'))
  const names = [...columns, ...Object.keys(workedOut)]
  const values = [...given, ...Object.values(workedOut)]
  return `INSERT INTO ${table} (${names.join(', ')}) VALUES (${values.join(', ')})`
}

/** Replaces the row of the same key in place, so rows keep their order. */
export function upsertInto(
  table: string,
  columns: readonly string[],
  key: readonly string[],
): string {
  const rest = columns.filter((column) => !key.includes(column))
  const replaced = rest.map((column) => `${column} = excluded.${column}`).join(', ')
  return `${insertInto(table, columns)} ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${replaced}`
}

/** Distinct, and nothing but terms. */
export const askable = (terms: readonly string[]): readonly string[] =>
  [...new Set(terms)].filter((term) => TERM.test(term))

/** ASCII that a term may hold; a text with other ASCII is no term and matches nothing. */
export const TERM = /^[a-z0-9\u0080-\u{10ffff}]+$/u

export const texts = (words: readonly string[]): string =>
  words.map((word) => `'${word}'`).join(', ')

// Conditions that indexes repeat word for word: the planner uses an index only for equal wording.

/** A memory that can be found by its identity. */
export const SAYS = (alias: string): string => `NOT (${alias}captured = 1 AND ${alias}kind = 'raw')`

/** A memory without words to stand on. */
export const GONE = (alias: string): string =>
  `(${alias}strength = 0 OR ${alias}disposition IN (${texts(GROUNDLESS)}))`

export const BY_PERSON = (alias: string): string => `${alias}label = 'UserAsserted'`

/** Runs the writers of one process one at a time, in order of arrival. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(work)
    this.#last = mine.catch(() => undefined)
    return mine
  }

  /** Settles when all work queued so far is done. */
  async idle(): Promise<void> {
    await this.#last
  }
}
