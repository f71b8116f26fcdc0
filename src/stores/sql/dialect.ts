import type { BurstKey } from '../../domain/waist.ts'
import type { HeldTerm } from '../../domain/words/search.ts'
import type { MemoryFilter } from '../../ports/memory-query.ts'
import type { Steps } from './steps.ts'
import type { SqlRow, SqlValue } from './values.ts'

/**
 * Part of a statement's text with the values for its question marks. No text from outside becomes
 * SQL.
 */
export interface Fragment {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

export type ListType = 'bigint' | 'text' | 'bytea' | 'uuid'

/**
 * SQL where SQLite and PostgreSQL differ; shared statements are written once around these parts. A
 * PostgreSQL statement has the stack as its first value; `?` stands for each value after the stack.
 */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** A condition: the row of this table belongs to the stack. */
  inStack(alias: string): string
  /** Bytes as hex text, and hex text as bytes. */
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
  /** The number of memories in the search index, and the number that hold each term. */
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
