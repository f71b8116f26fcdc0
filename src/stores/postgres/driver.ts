/** Values between the store and a driver; 64-bit integers are numbers. */
export type PgValue = null | number | string | Uint8Array

/** Values in the order of the columns. */
export type PgRow = readonly PgValue[]

/** One connection while borrowed. Statements run in the order of sending. */
export interface PgClient {
  /** A statement with its values, prepared if the driver can. */
  query(sql: string, values: readonly PgValue[]): Promise<readonly PgRow[]>
  /** Statements without values, in order; their answers are not read. */
  exec(sql: string): Promise<void>
  /**
   * Ends a transaction without writes and returns the connection, before the answer if the driver
   * can: the next holder sends its statements in the same packet.
   */
  leave(end: 'COMMIT' | 'ROLLBACK'): void
  /** Returns the connection; a broken or busy connection is closed. */
  release(state: 'fit' | 'broken'): void
}

/** The store's whole interface to a PostgreSQL library. */
export interface PgDriver {
  /** The number of connections that can be held at once. */
  readonly size: number
  connect(): Promise<PgClient>
  close(): Promise<void>
}
