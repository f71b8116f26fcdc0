import { assert } from '../domain/errors.ts'
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

const BLOCKS_MAX = 255 // the block number is one byte
const OUTPUT_BYTES_MAX = BLOCKS_MAX * HASH_BYTES

const FIRST = Uint8Array.of(1)

/** RFC 5869, first step: a secret of any shape becomes 32 uniform bytes. The salt may be empty. */
export const hkdfExtract = (sha256: Sha256, salt: Uint8Array, secret: Uint8Array): Uint8Array =>
  fromHex(hmacSha256(sha256, salt, secret))

/**
 * RFC 5869, second step: `length` bytes. `info` names their purpose; another purpose gives
 * unrelated bytes. Four parameters, in the order of the RFC.
 */
export function hkdfExpand(
  sha256: Sha256,
  key: Uint8Array,
  info: Uint8Array,
  length: number,
): Uint8Array {
  assert(key.length >= HASH_BYTES, 'an HKDF key has at least 32 bytes')
  assert(Number.isInteger(length) && length > 0, 'HKDF gives a whole number of bytes')
  assert(length <= OUTPUT_BYTES_MAX, 'HKDF gives at most 8160 bytes')
  if (length === HASH_BYTES) return fromHex(hmacSha256(sha256, key, info, FIRST))
  const blocks: Uint8Array[] = []
  let previous: Uint8Array = new Uint8Array()
  for (let number = 1; blocks.length * HASH_BYTES < length; number++) {
    previous = fromHex(hmacSha256(sha256, key, previous, info, Uint8Array.of(number)))
    blocks.push(previous)
  }
  return concatBytes(...blocks).slice(0, length)
}
