import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MunimentError } from '../domain/errors.ts'
import type { Signer } from '../ports/signer.ts'

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

/** For stacks that live and die with the process: nobody can pin its key for longer. */
export const memorySigner = (): Signer => signerOf(generateKeyPairSync('ed25519').privateKey)

/** One key a home, made when something is signed for the first time, readable by its owner alone. */
export function fileSigner(home: string): Signer {
  const folder = join(home, 'keys')
  const path = join(folder, 'signing.pem')
  let known: Signer | null = null
  const open = (): Signer => {
    known ??= signerOf(readKey(path) ?? makeKey(folder, path))
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
  try {
    return createPrivateKey(readFileSync(path, 'utf8'))
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null
    throw new MunimentError('store_corrupt', 'The signing key cannot be read.', {
      hint: 'Bring it back from a copy: heads that it signed can be checked by its public key only.',
    })
  }
}

/** A link appears whole or not at all, and never replaces the key another process made. */
function makeKey(folder: string, path: string): KeyObject {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { privateKey } = generateKeyPairSync('ed25519')
  const draft = join(folder, `.signing.${process.pid}`)
  writeFileSync(draft, privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: 0o600,
    flush: true,
  })
  try {
    linkSync(draft, path)
    return privateKey
  } catch (cause) {
    const made = readKey(path)
    if (made) return made
    throw cause
  } finally {
    unlinkSync(draft)
  }
}
