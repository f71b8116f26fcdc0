import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ERASE_BASES } from '../domain/erasure.ts'
import { MunimentError } from '../domain/errors.ts'
import { isHash, tryParseRef } from '../domain/ids.ts'
import { fromHex, toHex } from '../ledger/sha256.ts'
import type { VerifyEd25519 } from '../ledger/signed-note.ts'
import type { Keyring, KnownErasure, Signer, StackKeys } from '../ports/world.ts'
import { faultNamed, guarded } from '../stores/sqlite/faults.ts'
import { appendLines, linkWhole } from './private-files.ts'

/** For stacks that live and die with the process. */
export function memoryKeyring(): Keyring {
  const kept = new Map<string, StackKeys>()
  const erased = new Map<string, readonly KnownErasure[]>()
  return {
    find: (uid) => kept.get(uid) ?? null,
    keep(uid, keys) {
      const found = kept.get(uid) ?? keys
      kept.set(uid, found)
      return found
    },
    drop: (uid) => void kept.delete(uid),
    erasures: (uid) => erased.get(uid) ?? [],
    noteErasures(uid, more) {
      const known = erased.get(uid) ?? []
      erased.set(uid, [...known, ...unknownAmong(known, more)])
    },
  }
}

/** A file for each stack under `<home>/keys`, readable by its owner alone. */
export function fileKeyring(home: string): Keyring {
  const folder = join(home, 'keys')
  const pathOf = (uid: string): string => join(folder, uid)
  const listOf = (uid: string): string => join(folder, `${uid}.erasures`)
  const find = (uid: string): StackKeys | null => {
    let text: string
    try {
      text = readFileSync(pathOf(uid), 'utf8')
    } catch (cause) {
      if (isCode(cause, 'ENOENT')) return null
      throw new MunimentError('store_unavailable', 'The key file of this stack cannot be read.', {
        cause,
      })
    }
    return readKeys(text)
  }
  return {
    find,
    keep(uid, keys) {
      const kept = find(uid)
      if (kept) return kept
      guarded(folder, () => linkWhole(pathOf(uid), writeKeys(keys)))
      return find(uid) ?? keys
    },
    drop(uid) {
      try {
        rmSync(pathOf(uid), { force: true })
      } catch {
        // A key to nothing is left behind: why the stack could not be made is the thing to say.
      }
    },
    erasures: (uid) => readErasures(listOf(uid)),
    noteErasures(uid, more) {
      const fresh = unknownAmong(readErasures(listOf(uid)), more)
      if (fresh.length === 0) return
      guarded(folder, () =>
        appendLines(
          listOf(uid),
          fresh.map((each) => JSON.stringify(each)),
        ),
      )
    },
  }
}

const unknownAmong = (known: readonly KnownErasure[], more: readonly KnownErasure[]) => {
  const hashes = new Set(known.map(({ hash }) => hash))
  return more.filter(({ hash }) => !hashes.has(hash))
}

/** A line for each erasure, append-only; a line cut off by a crash is written again. */
function readErasures(path: string): readonly KnownErasure[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line) => erasureIn(line) ?? [])
  } catch (cause) {
    if (isCode(cause, 'ENOENT')) return []
    throw new MunimentError('store_unavailable', 'The list of erasures cannot be read.', { cause })
  }
}

function erasureIn(line: string): KnownErasure | null {
  try {
    const { seq, hash, basis, ref, of, tombstones = [] } = JSON.parse(line) as KnownErasure // checked next
    const isWhole =
      Number.isSafeInteger(seq) &&
      isHash(hash) &&
      ERASE_BASES.includes(basis) &&
      (ref === null || tryParseRef(ref) !== undefined) &&
      (of === null || isHash(of)) &&
      Array.isArray(tombstones) &&
      tombstones.every(isHash)
    return isWhole ? { seq, hash, basis, ref, of, tombstones } : null
  } catch {
    return null
  }
}

const isCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === code

const writeKeys = ({ replica, tombstoneKey }: StackKeys): string =>
  `${JSON.stringify({ replica, tombstoneKey: tombstoneKey && toHex(tombstoneKey) })}\n`

function readKeys(text: string): StackKeys {
  const { replica, tombstoneKey } = membersOf(text)
  const isWhole = typeof replica === 'string' && /^[0-9a-f]{32}$/.test(replica)
  const isKey = typeof tombstoneKey === 'string' && /^[0-9a-f]{64}$/.test(tombstoneKey)
  if (!isWhole || !(isKey || tombstoneKey === null)) throw unreadable()
  return { replica, tombstoneKey: isKey ? fromHex(tombstoneKey) : null }
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
  }
  throw unreadable()
}

const unreadable = (): MunimentError =>
  new MunimentError('store_corrupt', 'The key file of this stack is damaged.', {
    hint: 'Bring it back from where the stack was written last.',
  })

const NAME = 'muniment'
const RAW_KEY_BYTES = 32 // the bytes of an Ed25519 public key, at the end of the encoding

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
    return false // the bytes are no key or no signature
  }
}

/** For stacks that live and die with the process: nobody can pin the key for longer. */
export const memorySigner = (): Signer => signerOf(generateKeyPairSync('ed25519').privateKey)

/** A key for each home, made for the first signature, readable by its owner alone. */
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
