import type { Hash } from '../domain/ids.ts'
import { concatBytes, fromHex, type Sha256 } from './sha256.ts'

const BLOCK_BYTES = 64 // of SHA-256
const INNER_PAD = 0x36
const OUTER_PAD = 0x5c

/** RFC 2104 over SHA-256. */
export function hmacSha256(sha256: Sha256, key: Uint8Array, message: Uint8Array): Hash {
  const blockKey = key.length > BLOCK_BYTES ? fromHex(sha256(key)) : key
  const inner = sha256(concatBytes(padded(blockKey, INNER_PAD), message))
  return sha256(concatBytes(padded(blockKey, OUTER_PAD), fromHex(inner)))
}

function padded(key: Uint8Array, pad: number): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES).fill(pad)
  for (const [at, byte] of key.entries()) block[at] = byte ^ pad
  return block
}
