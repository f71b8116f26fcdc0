import type { Hash } from '../domain/ids.ts'

/** SHA-256 of a text too long to hold, given piece by piece; injected, as SHA-256 itself is. */
export interface Hasher {
  update(text: string): void
  digest(): Hash
}
