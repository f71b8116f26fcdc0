import type { Hash } from '../../../domain/ids.ts'
import { canonicalize } from '../../../ledger/canonical.ts'
import type { Hasher } from '../../../ledger/sha256.ts'

const SEAL_FORMAT = 'muniment/export-seal/1'

/** The statement that a machine signs about an export file: the digest of the whole content. */
export const sealText = (digest: Hash): string => `${SEAL_FORMAT}\n${digest}\n`

/**
 * Hashes the content of an export file, independent of its white space. The last ledger line is the
 * digest of all ledger lines, and so stands for the whole ledger, its header and its uid.
 */
export class SealDigest {
  readonly #hasher: Hasher

  constructor(hasher: Hasher) {
    this.#hasher = hasher
  }

  /** Adds a memory as parsed JSON. */
  memory(value: unknown): void {
    this.#hasher.update(`${canonicalize(value)}\n`)
  }

  /** Ends the digest with the last line of the ledger. */
  end(lastLine: string): Hash {
    this.#hasher.update(`${lastLine}\n`)
    return this.#hasher.digest()
  }
}
