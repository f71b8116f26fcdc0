import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MunimentError } from '../domain/errors.ts'
import type { VerifyEd25519 } from '../ledger/signed-note.ts'
import type { Signer } from '../ports/signer.ts'
import { faultNamed, guarded } from '../stores/sqlite/faults.ts'
import { linkWhole } from './link-whole.ts'

const NAME = 'muniment'
const RAW_KEY_BYTES = 32 // what an Ed25519 public key ends in, whatever stands before it

const signerOf = (key: KeyObject): Signer => {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' })
  return {
    name: NAME,
    publicKey: new Uint8Array(spki.subarray(-RAW_KEY_BYTES)),
    sign: (message) => new Uint8Array(sign(null, message, key)),
  }
}

/** Checks a signature with the platform's own cryptography. */
export const verifySignature: VerifyEd25519 = (signature, message, publicKey) => {
  const x = Buffer.from(publicKey).toString('base64url')
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, message, key, signature)
  } catch {
    return false // bytes that are no key or no signature
  }
}

/** For stacks that live and die with the process: nobody can pin its key for longer. */
export const memorySigner = (): Signer => signerOf(generateKeyPairSync('ed25519').privateKey)

/** One key a home, made when something is signed for the first time, readable by its owner alone. */
export function fileSigner(home: string): Signer {
  const path = join(home, 'keys', 'signing.pem')
  let known: Signer | null = null
  const open = (): Signer => {
    known ??= signerOf(readKey(path) ?? makeKey(path))
    return known
  }
  return {
    name: NAME,
    get publicKey() {
      return open().publicKey
    },
    sign: (message) => open().sign(message),
  }
}

function readKey(path: string): KeyObject | null {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null
    throw faultNamed('store_unavailable', path, { cause })
  }
  try {
    return createPrivateKey(text)
  } catch {
    throw new MunimentError('store_corrupt', 'The signing key cannot be read.', {
      hint: 'Bring it back from a copy: heads that it signed can be checked by its public key only.',
    })
  }
}

/** The key that another process made at the same moment is the key. */
function makeKey(path: string): KeyObject {
  const { privateKey } = generateKeyPairSync('ed25519')
  const text = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const isOurs = guarded(dirname(path), () => linkWhole(path, text))
  return (isOurs ? null : readKey(path)) ?? privateKey
}
