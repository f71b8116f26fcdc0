import { assert, MunimentError } from '../domain/errors.ts'
import type { Hash } from '../domain/ids.ts'

/**
 * SHA-256 as 64 lower-case hex digits; injected, so that this room runs in a browser too. A text is
 * hashed as its UTF-8 bytes: the platform needs no extra buffer for a text.
 */
export type Sha256 = (data: Uint8Array | string) => Hash

export const HASH_BYTES = 32

const HEX_DIGITS = '0123456789abcdef'
const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const NOT_HEX = 255

// Code unit → nibble. Capitals are not digits here: each value has a single spelling.
const NIBBLE_OF_UNIT = new Uint8Array(128).fill(NOT_HEX)
for (let nibble = 0; nibble < HEX_DIGITS.length; nibble++) {
  NIBBLE_OF_UNIT[HEX_DIGITS.charCodeAt(nibble)] = nibble
}

const encoder = new TextEncoder()

export function toHex(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += HEX_OF_BYTE[byte]
  return hex
}

export function fromHex(hex: string): Uint8Array {
  // An odd last digit forms no pair, and writeHex refuses the digit.
  const bytes = new Uint8Array(Math.ceil(hex.length / 2))
  writeHex(hex, bytes, 0)
  return bytes
}

/** Decodes into a buffer of the caller: a tree node joins two digests without a copy of each. */
export function writeHex(hex: string, into: Uint8Array, offset: number): void {
  let seen = 0
  for (let at = 0; at < hex.length; at += 2) {
    const high = NIBBLE_OF_UNIT[hex.charCodeAt(at)] ?? NOT_HEX
    const low = NIBBLE_OF_UNIT[hex.charCodeAt(at + 1)] ?? NOT_HEX
    seen |= high | low
    into[offset + at / 2] = (high << 4) | low
  }
  if (seen > 15) throw notHex()
}

// A buffer of more than 64 bytes costs as much as the hash, so short texts share a pool.
const POOL_BYTES = 65_536
const POOLED_UNITS_MAX = 4_096
export const UNIT_BYTES_MAX = 3 // UTF-8 bytes for one UTF-16 unit
let pool = new Uint8Array(POOL_BYTES)
let poolUsed = 0

/** Refuses a lone surrogate, which would become U+FFFD and give two texts an equal hash. */
export function utf8(text: string): Uint8Array {
  assertWellFormed(text)
  if (text.length > POOLED_UNITS_MAX) return encoder.encode(text)
  if (poolUsed + text.length * UNIT_BYTES_MAX > POOL_BYTES) {
    pool = new Uint8Array(POOL_BYTES)
    poolUsed = 0
  }
  const { written } = encoder.encodeInto(text, pool.subarray(poolUsed))
  const bytes = pool.subarray(poolUsed, poolUsed + written)
  poolUsed += written
  return bytes
}

function assertWellFormed(text: string): void {
  if (text.isWellFormed()) return
  throw new MunimentError('not_canonical', 'The text holds a lone surrogate.', {
    issues: [{ path: '', message: 'lone surrogate' }],
  })
}

/** Hashes two parts after a tag, in a reused buffer where the parts are short. */
export function taggedHash(
  tag: Uint8Array,
): (sha256: Sha256, first: Uint8Array, second?: Uint8Array) => Hash {
  const room = new Uint8Array(POOL_BYTES)
  room.set(tag)
  return (sha256, first, second) => {
    const middle = tag.length + first.length
    const length = second ? middle + second.length : middle
    if (length > POOL_BYTES) return sha256(concatBytes(tag, first, second ?? new Uint8Array()))
    room.set(first, tag.length)
    if (second) room.set(second, middle)
    return sha256(room.subarray(0, length))
  }
}

export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}

function notHex(): MunimentError {
  return new MunimentError('invalid_input', 'Expected pairs of lower-case hex digits.', {
    issues: [{ path: '', message: 'expected pairs of lower-case hex digits' }],
  })
}

/** SHA-256 of a text too long to hold, given piece by piece; injected, as SHA-256 itself is. */
export interface Hasher {
  update(text: string): void
  digest(): Hash
}

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
