import { type Hash, isHash } from '../domain/ids.ts'
import { fromHex, type Sha256, toHex, utf8 } from './sha256.ts'

// C2SP signed-note: a text, an empty line, and one line for each signature. Other tools for the
// format can check Muniment's signatures without Muniment.

const ED25519 = 0x01
const KEY_ID_BYTES = 4
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
const DASH = '\u2014'
const NAME = /^[^\s+]+$/u
const LINE = /^\u2014 (\S+) (\S+)$/u
const SIGNATURES_MAX = 100
const CONTROL = /\p{Cc}/u

/** True where 64 bytes are an Ed25519 signature of a message under a key. */
export type VerifyEd25519 = (
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
) => boolean

export interface VerifierKey {
  readonly name: string
  readonly publicKey: Uint8Array
}

export interface NoteSignature {
  readonly name: string
  readonly keyId: string
  readonly signature: Uint8Array
}

export interface SignedNote {
  readonly text: string
  readonly signatures: readonly NoteSignature[]
}

/** The first four bytes of SHA-256(name ‖ newline ‖ type ‖ key), as hex. */
export function keyIdOf(sha256: Sha256, { name, publicKey }: VerifierKey): string {
  const head = utf8(`${name}\n`)
  const bytes = new Uint8Array(head.length + 1 + publicKey.length)
  bytes.set(head)
  bytes[head.length] = ED25519
  bytes.set(publicKey, head.length + 1)
  return sha256(bytes).slice(0, KEY_ID_BYTES * 2)
}

/** `name+hex(id)+base64(type ‖ key)`, the form that clients pin. */
export function formatVerifierKey(sha256: Sha256, key: VerifierKey): string {
  const typed = Uint8Array.of(ED25519, ...key.publicKey)
  return `${key.name}+${keyIdOf(sha256, key)}+${toBase64(typed)}`
}

export function parseVerifierKey(sha256: Sha256, text: string): VerifierKey | null {
  const [name = '', id = '', encoded = '', ...more] = splitKey(text)
  const typed = fromBase64(encoded)
  if (more.length > 0 || !NAME.test(name) || typed === null) return null
  if (typed.length !== KEY_BYTES + 1 || typed[0] !== ED25519) return null
  const key = { name, publicKey: typed.slice(1) }
  return keyIdOf(sha256, key) === id ? key : null
}

/** Base64 may contain a plus, so only the first two plus signs split the key. */
function splitKey(text: string): readonly string[] {
  const first = text.indexOf('+')
  const second = text.indexOf('+', first + 1)
  if (first < 0 || second < 0) return []
  return [text.slice(0, first), text.slice(first + 1, second), text.slice(second + 1)]
}

export function formatNote({ text, signatures }: SignedNote): string {
  const lines = signatures.map(({ name, keyId, signature }) => {
    const bytes = Uint8Array.of(...fromHex(keyId), ...signature)
    return `${DASH} ${name} ${toBase64(bytes)}\n`
  })
  return `${text}\n${lines.join('')}`
}

/**
 * Null for text other than a note: control characters, no empty line, a malformed signature line.
 */
export function parseNote(note: string): SignedNote | null {
  if (!note.isWellFormed() || CONTROL.test(note.replaceAll('\n', ''))) return null
  const split = note.lastIndexOf('\n\n')
  if (split < 0 || !note.endsWith('\n')) return null
  const lines = note.slice(split + 2, -1).split('\n')
  if (lines.length > SIGNATURES_MAX) return null
  const signatures = lines.map(signatureIn)
  if (signatures.some((signature) => signature === null)) return null
  return {
    text: note.slice(0, split + 1),
    signatures: signatures.flatMap((signature) => signature ?? []),
  }
}

function signatureIn(line: string): NoteSignature | null {
  const [, name, encoded] = LINE.exec(line) ?? []
  const bytes = encoded === undefined ? null : fromBase64(encoded)
  if (name === undefined || !NAME.test(name) || bytes === null || bytes.length <= KEY_ID_BYTES) {
    return null
  }
  const keyId = toHex(bytes.slice(0, KEY_ID_BYTES))
  return { name, keyId, signature: bytes.slice(KEY_ID_BYTES) }
}

export type Opened =
  | { readonly ok: true; readonly text: string; readonly by: readonly string[] }
  | {
      readonly ok: false
      readonly code: 'note.malformed' | 'signature.unknown' | 'signature.invalid'
    }

/**
 * Unknown keys are skipped; a bad signature of a known key fails the note; a good one is required.
 */
export function openNote(
  note: string,
  keys: readonly VerifierKey[],
  { sha256, verify }: { readonly sha256: Sha256; readonly verify: VerifyEd25519 },
): Opened {
  const parsed = parseNote(note)
  if (parsed === null) return { ok: false, code: 'note.malformed' }
  const message = utf8(parsed.text)
  const by: string[] = []
  for (const { name, keyId, signature } of parsed.signatures) {
    const key = keys.find((each) => each.name === name && keyIdOf(sha256, each) === keyId)
    if (!key) continue
    const isGood = signature.length === SIGNATURE_BYTES && verify(signature, message, key.publicKey)
    if (!isGood) return { ok: false, code: 'signature.invalid' }
    by.push(name)
  }
  return by.length > 0
    ? { ok: true, text: parsed.text, by }
    : { ok: false, code: 'signature.unknown' }
}

/** Standard base64 with padding, as the C2SP formats write bytes; every browser has btoa. */
export const toBase64 = (bytes: Uint8Array): string => {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

const CANONICAL = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Null for any text except the canonical spelling of some bytes. */
export function fromBase64(text: string): Uint8Array | null {
  if (!CANONICAL.test(text)) return null
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  // Bits behind the last byte could be anything: two spellings of the same signature.
  return toBase64(bytes) === text ? bytes : null
}

/** The content of a checkpoint: a log's name, the number of entries, and their root. */
export interface Checkpoint {
  readonly origin: string
  readonly size: number
  readonly root: Hash
}

const SIZE = /^(?:0|[1-9]\d{0,15})$/

/** The stack's own uid names the log, so that two stacks of equal name are two logs. */
export const originOf = (uid: string, stackId: string): string => `muniment/${uid}/${stackId}`

/** True for a head of any stack with the given name. */
export const isOfStack = ({ origin }: Checkpoint, stackId: string): boolean =>
  origin.split('/').slice(2).join('/') === stackId

/** C2SP tlog-checkpoint: origin, size in decimal, root in base64, each on a line. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${toBase64(fromHex(root))}\n`

/** Null for text other than a checkpoint; no extension lines after the third are known. */
export function parseCheckpoint(text: string): Checkpoint | null {
  const [origin = '', size = '', root = '', end, ...more] = text.split('\n')
  if (origin === '' || end !== '' || more.length > 0 || !SIZE.test(size)) return null
  const bytes = fromBase64(root)
  const hash = bytes === null ? '' : toHex(bytes)
  const count = Number(size)
  return isHash(hash) && Number.isSafeInteger(count) ? { origin, size: count, root: hash } : null
}
