import type { Hash } from '../domain/ids.ts'
import { concatBytes, fromHex, HASH_BYTES, type Sha256, writeHex } from './sha256.ts'

const BLOCK_BYTES = 64 // of SHA-256
const INNER_PAD = 0x36
const OUTER_PAD = 0x5c

// Shared scratch buffers, rewritten on every use: each memory needs five of these hashes.
const inside = new Uint8Array(4_096)
const outside = new Uint8Array(BLOCK_BYTES + HASH_BYTES)

/** RFC 2104 over SHA-256; the message may come in parts. */
export function hmacSha256(
  sha256: Sha256,
  key: Uint8Array,
  ...message: readonly Uint8Array[]
): Hash {
  const blockKey = key.length > BLOCK_BYTES ? fromHex(sha256(key)) : key
  writePadded(blockKey, INNER_PAD, inside)
  let length = BLOCK_BYTES
  for (const part of message) {
    if (length + part.length <= inside.length) inside.set(part, length)
    length += part.length
  }
  const isShort = length <= inside.length
  const inner = inside.subarray(0, isShort ? length : BLOCK_BYTES)
  const hash = sha256(isShort ? inner : concatBytes(inner, ...message))
  writePadded(blockKey, OUTER_PAD, outside)
  writeHex(hash, outside, BLOCK_BYTES)
  return sha256(outside)
}

function writePadded(key: Uint8Array, pad: number, into: Uint8Array): void {
  for (let at = 0; at < key.length; at += 1) into[at] = (key[at] ?? 0) ^ pad
  into.fill(pad, key.length, BLOCK_BYTES)
}
