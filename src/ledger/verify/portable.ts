import * as ed25519 from '@noble/ed25519'
import { sha256 as nobleSha256, sha512 } from '@noble/hashes/sha2.js'
import type { Hash } from '../../domain/ids.ts'
import { type Hasher, type Sha256, toHex, utf8 } from '../sha256.ts'
import type { VerifyEd25519 } from '../signed-note.ts'

ed25519.hashes.sha512 = (message) => sha512(message)

/** Hashing and signatures in plain JavaScript: equal results in a browser and on a server. */
export const sha256: Sha256 = (data) =>
  toHex(nobleSha256(typeof data === 'string' ? utf8(data) : data)) as Hash // 64 hex digits

/** SHA-256 of a text too long to hold. */
export function hasher(): Hasher {
  const digest = nobleSha256.create()
  return {
    update: (text) => void digest.update(utf8(text)),
    digest: () => toHex(digest.digest()) as Hash, // 64 hex digits
  }
}

/** Strict, as RFC 8032 asks: a second spelling of a signature is refused. */
export const verifyEd25519: VerifyEd25519 = (signature, message, publicKey) => {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false })
  } catch {
    return false // an invalid point, or a wrong length
  }
}
