/** What passes between the store and a driver; 64-bit integers come as numbers. */
export type PgValue = null | number | string | Uint8Array

/** Values in the order of the columns. */
export type PgRow = readonly PgValue[]

/** One connection, for as long as it is held. Statements run in the order in which they are sent. */
export interface PgClient {
  /** One statement with its values, prepared where the driver can. */
  query(sql: string, values: readonly PgValue[]): Promise<readonly PgRow[]>
  /** Statements without values, one after the other; their answers are not read. */
  exec(sql: string): Promise<void>
  /**
   * Ends a transaction that wrote nothing and gives the connection back, where the driver can before
   * that was answered: whoever takes it next sends his own in the same breath.
   */
  leave(end: 'COMMIT' | 'ROLLBACK'): void
  /** Gives it back; one that is broken, or may be in the middle of something, is thrown away. */
  release(state: 'fit' | 'broken'): void
}

/** All that the store asks of a library for PostgreSQL. */
export interface PgDriver {
  /** Connections that can be held at once. */
  readonly size: number
  connect(): Promise<PgClient>
  close(): Promise<void>
}
