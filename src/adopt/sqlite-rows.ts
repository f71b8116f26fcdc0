import { DatabaseSync } from 'node:sqlite'
import type { Fields } from './fields.ts'
import type { SourceFile } from './source-file.ts'

export const SQLITE_HEAD = 'SQLite format 3\0'

/** A database of another tool, opened for reading alone. */
export class ForeignDatabase {
  readonly #db: DatabaseSync

  constructor({ path }: SourceFile) {
    this.#db = new DatabaseSync(path, { readOnly: true, allowExtension: false })
  }

  hasTable(name: string): boolean {
    const found = this.#db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
    return found.get(name) !== undefined
  }

  /** Rows of a statement of our own, one after the other. */
  *rows(sql: string): Generator<Fields, void> {
    for (const row of this.#db.prepare(sql).iterate()) yield row as Fields // columns by name
  }

  close(): void {
    this.#db.close()
  }
}
