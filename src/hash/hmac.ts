import type { Hash } from '../domain/ids.ts'
import { fromHex, type Sha256, sha256Of } from './sha256.ts'

const BLOCK_BYTES = 64 // of SHA-256
const INNER_PAD = 0x36
const OUTER_PAD = 0x5c

/** RFC 2104 over SHA-256; the message may come in parts. */
export function hmacSha256(
  sha256: Sha256,
  key: Uint8Array,
  ...message: readonly Uint8Array[]
): Hash {
  const blockKey = key.length > BLOCK_BYTES ? fromHex(sha256(key)) : key
  const inner = sha256Of(sha256, padded(blockKey, INNER_PAD), ...message)
  return sha256Of(sha256, padded(blockKey, OUTER_PAD), fromHex(inner))
}

function padded(key: Uint8Array, pad: number): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES).fill(pad)
  for (let at = 0; at < key.length; at += 1) block[at] = (key[at] ?? 0) ^ pad
  return block
}
