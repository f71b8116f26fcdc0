import type { HeldTerm } from '../../domain/term-pool.ts'
import type { BurstKey } from '../../domain/waist.ts'
import type { MemoryFilter } from '../../ports/memory-query.ts'
import type { Steps } from './steps.ts'
import type { SqlRow, SqlValue } from './values.ts'

/** A part of a statement's text with the values for its question marks; no text from outside is SQL. */
export interface Fragment {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

export type ListType = 'bigint' | 'text' | 'bytea' | 'uuid'

/**
 * SQL where SQLite and PostgreSQL differ; statements that both run are written once, around these parts.
 * A PostgreSQL statement has the stack as its first value, and `?` stands for each value behind the stack.
 */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** A condition: the row of this table belongs to the stack. */
  inStack(alias: string): string
  /** Bytes as hex text, and hex text as bytes. */
  hex(bytes: string): string
  unhex(text: string): string
  /** A value by its place, counted from one, in a statement that has no question mark. */
  nth(place: number): string
  /** Equality that holds between two NULLs, and its opposite. */
  readonly is: string
  readonly isNot: string
  /** A limit that the planner does not look at, so that one plan serves every value. */
  readonly limit: string
  /** The type of bytes, for a cast. */
  readonly bytes: string
  /** Bytes that hold UTF-8, so that `textIn` reads them. */
  text(bytes: string): string
  /** A condition: the bytes hold this text somewhere. */
  holdsBytes(bytes: string, text: string): string
  /** The position of one text in another, counted from one; zero where there is none. */
  readonly find: string
  /** A list as one value, read as rows of `j`. */
  list(type: ListType): string
  /** An element of such a list, and one that is a hash. */
  readonly item: string
  readonly hashItem: string
  /** Orders rows as the list is; SQLite reads lists in their order anyway. */
  readonly inListOrder: string
  listValue(items: readonly SqlValue[]): SqlValue
  /** All values of a column as one list, in an order that indexes give SQLite anyway; and its numbers. */
  joined(column: string, order?: string): string
  joinedBytes(column: string, order: string): string
  numbersIn(list: SqlValue | undefined): readonly number[]
  /** A walk meets what is nearest first, with no need to sort. */
  readonly walksInOrder: boolean
  hashesValue(hashes: readonly string[]): SqlValue
  /** A condition: the column is one of a list of texts. */
  isAmong(column: string): string
  /** Joins the row whose column has the value, or each of many such rows, or NULLs where there is none. */
  one(table: string, column: string, value: string, as: string): string
  many(table: string, column: string, value: string, as: string): string
  oneOrNone(table: string, column: string, value: string, as: string): string
  /** Refs of a memory's parents in their order, with spaces between. */
  readonly parents: string
  /** A long text that is looked up by an index: the column that the index holds, and its value. */
  keyColumn(column: 'name' | 'session' | 'source_id' | 'actor'): string
  keyValue(text: string): string
  keysValue(texts: readonly string[]): SqlValue
  readonly keyType: ListType
  /** Asked keys of bursts, joined with their rows `b`; and the values that this takes. */
  readonly askedBursts: string
  burstsValues(keys: readonly BurstKey[]): readonly SqlValue[]
  /** A list column, kept as JSON, that holds one of the texts. */
  holdsAny(column: 'tags' | 'context_tags', texts: readonly string[]): Fragment
  /** The index that serves a list best, where the planner has to be told. */
  indexFor(where: MemoryFilter): string
  /** Beside `SAYS`: the memory is found by its identity's index. */
  readonly isIndexedByIdentity: string
  /** Columns in which few memories differ from most, behind all others; read by `seldomIn`. */
  readonly seldomColumns: string
  seldomIn(row: SqlRow, at: number): SqlRow | null
  /** The marks of a memory, without those of a claim that has no others. */
  readonly marksOfFew: string
  /** The claims of a line that did not give way, and the others, each found by an index. */
  readonly stands: string
  readonly gaveWay: string
  /** Whether an index counts those that gave way; else they are all but those that stand. */
  readonly countsGaveWay: boolean
  /** The oldest claim of a line that meets a condition on `f`. */
  oldestOf(line: string, which: string): string
  /** How many memories of each kind are there, in the order of their first ones. */
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

export interface Asked {
  readonly terms: readonly string[]
  readonly count: number
  /** How many memories hold a term, of terms that were counted one by one. */
  readonly held?: ReadonlyMap<string, number>
}

/** Search in the index of words, which SQLite brings along and PostgreSQL keeps as a table. */
export interface Ranking {
  /** The best by bm25, then the oldest, whatever they are. */
  best(asked: Asked): Steps<readonly Hit[]>
  /** How many memories search knows, and how many of them hold each term. */
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
