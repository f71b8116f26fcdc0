import { MunimentError } from '../domain/errors.ts'
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

export function assertWellFormed(text: string): void {
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
