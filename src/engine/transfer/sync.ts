/** The result of a replication round. */
export interface SyncResult {
  readonly pushed: number
  readonly pulled: number
  readonly conflicts: number
  readonly errors: readonly string[]
  /** The remote address; null where the stack has no remote. */
  readonly remote: string | null
}

export interface PullOptions {
  /** Only changes at this moment or later. */
  readonly since?: string
}

export const NO_REMOTE: SyncResult = {
  pushed: 0,
  pulled: 0,
  conflicts: 0,
  errors: [],
  remote: null,
}
