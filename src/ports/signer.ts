/** Signs heads of the log. The key never leaves the signer. */
export interface Signer {
  /** Name beside the signature: no spaces, no plus. */
  readonly name: string
  /** 32 bytes, Ed25519. */
  readonly publicKey: Uint8Array
  sign(message: Uint8Array): Uint8Array
}

/** Storage for signed heads, beside the stack and at any other place. */
export interface CheckpointShelf {
  /** Adds a head; heads are never removed. */
  put(note: string): Promise<void>
  /** Oldest first. */
  all(): Promise<readonly string[]>
  /**
   * Heads of other ledgers may lie here too: ledgers with equal names, each in a database of its
   * own.
   */
  readonly isShared?: boolean
}
