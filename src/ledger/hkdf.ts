import { assert } from '../domain/errors.ts'
import { hmacSha256 } from './hmac.ts'
import { concatBytes, fromHex, HASH_BYTES, type Sha256 } from './sha256.ts'

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
