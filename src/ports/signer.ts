/** Signs heads of the log. The key never leaves it. */
export interface Signer {
  /** The name that stands beside the signature: no spaces, no plus. */
  readonly name: string
  /** 32 bytes, Ed25519. */
  readonly publicKey: Uint8Array
  sign(message: Uint8Array): Uint8Array
}

/** Where signed heads are kept, beside the stack and wherever else one wants. */
export interface CheckpointShelf {
  /** Adds one; a head is never taken back. */
  put(note: string): Promise<void>
  /** Oldest first. */
  all(): Promise<readonly string[]>
  /** Heads of other ledgers may lie there too: of those that share a name, each in a database of its own. */
  readonly isShared?: boolean
}
