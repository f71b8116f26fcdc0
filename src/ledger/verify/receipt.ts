import * as ed25519 from '@noble/ed25519'
import { sha256 as nobleSha256, sha512 } from '@noble/hashes/sha2.js'
import type { Entry } from '../../domain/entry.ts'
import type { Hash } from '../../domain/ids.ts'
import { erases } from '../erasure.ts'
import { commitmentOf, entryIn, SALT_BYTES } from '../ledger.ts'
import { leafHash, verifyConsistency, verifyInclusion } from '../merkle.ts'
import { fromHex, type Hasher, type Sha256, toHex, utf8 } from '../sha256.ts'
import {
  type Checkpoint,
  openNote,
  parseCheckpoint,
  parseVerifierKey,
  type VerifierKey,
  type VerifyEd25519,
} from '../signed-note.ts'
import { type Verdict, type VerifyCode, verdictOf } from './codes.ts'

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

export const RECEIPT_FORMAT = 'muniment/receipt/1'

/** Everything needed to check an entry, without asking any service. */
export interface Receipt extends ProvedEntry {
  readonly format: typeof RECEIPT_FORMAT
  /** The committed content with its salt; null where there is none, or the receipt hides it. */
  readonly sealed: { readonly salt: string; readonly text: string } | null
  /** The entry that erased the content, if any, with its own path to the same head. */
  readonly erasedBy: ProvedEntry | null
  /** The signed head that the proof leads to. */
  readonly checkpoint: string
}

export interface Trust {
  /** Keys that may sign checkpoints, as `name+id+key`. */
  readonly keys: readonly string[]
  /** The last head seen of this log, and the proof that the receipt's head extends this one. */
  readonly pinned?: { readonly checkpoint: Checkpoint; readonly proof: readonly string[] }
}

export interface ReceiptVerdict extends Verdict {
  readonly entry: Entry | null
  readonly checkpoint: Checkpoint | null
}

/** Checks one receipt with no store, clock or network. */
export function verifyReceipt(receipt: unknown, trust: Trust): ReceiptVerdict {
  const known = readReceipt(receipt)
  if (!known) return { ...verdictOf(['receipt.malformed']), entry: null, checkpoint: null }
  const codes: VerifyCode[] = []
  const entry = entryOf(known.entry)
  if (!entry) codes.push('leaf.mismatch')
  const opened = openCheckpoint(known.checkpoint, trust.keys)
  const checkpoint = typeof opened === 'string' ? null : opened
  if (typeof opened === 'string') codes.push(opened)
  if (entry) codes.push(...contentCodes(known, entry))
  if (entry && checkpoint) codes.push(...placeCodes(known, entry, checkpoint))
  if (entry && known.erasedBy) codes.push(...erasedCodes(known.erasedBy, entry, checkpoint))
  if (checkpoint && trust.pinned) codes.push(...headCodes(checkpoint, trust.pinned))
  return { ...verdictOf(codes), entry, checkpoint }
}

export function openCheckpoint(note: string, keys: readonly string[]): Checkpoint | VerifyCode {
  if (!isText(note)) return 'note.malformed' // the note may come straight from outside
  const trusted = keys.flatMap((key): readonly VerifierKey[] => {
    const parsed = parseVerifierKey(sha256, key)
    return parsed ? [parsed] : []
  })
  const opened = openNote(note, trusted, { sha256, verify: verifyEd25519 })
  if (!opened.ok) return opened.code
  return parseCheckpoint(opened.text) ?? 'checkpoint.malformed'
}

/** Checks that a newer head extends an older head, by a proof that both sides can check. */
export function verifyHeads(
  older: Checkpoint,
  newer: Checkpoint,
  proof: readonly string[],
): Verdict {
  return verdictOf(headCodes(newer, { checkpoint: older, proof }))
}

function headCodes(
  head: Checkpoint,
  { checkpoint: pinned, proof }: NonNullable<Trust['pinned']>,
): readonly VerifyCode[] {
  if (!Array.isArray(proof)) return ['consistency.fail'] // as received
  if (head.origin !== pinned.origin) return ['origin.mismatch']
  if (head.size < pinned.size) return ['head.rollback']
  if (pinned.size === 0) return [] // an empty log proves nothing
  const claim = {
    oldSize: pinned.size,
    oldRoot: pinned.root,
    size: head.size,
    root: head.root,
    proof,
  }
  return verifyConsistency(sha256, claim) ? [] : ['consistency.fail']
}

function contentCodes({ sealed, erasedBy }: Receipt, entry: Entry): readonly VerifyCode[] {
  if (sealed === null) {
    if (entry.commitment === null) return []
    return [erasedBy === null ? 'content.withheld' : 'content.erased']
  }
  const actual = commitmentOf(sha256, fromHex(sealed.salt), utf8(sealed.text))
  return actual === entry.commitment ? [] : ['commitment.mismatch']
}

/** Only an entry of the same log proves that content was erased. */
function erasedCodes(
  by: ProvedEntry,
  entry: Entry,
  checkpoint: Checkpoint | null,
): readonly VerifyCode[] {
  const erasure = entryOf(by.entry)
  if (!erasure || !erases(erasure, entry)) return ['erasure.mismatch']
  const isPlaced = checkpoint === null || placeCodes(by, erasure, checkpoint).length === 0
  return isPlaced ? [] : ['erasure.mismatch']
}

/** `unknown` becomes a receipt here, or null. */
function readReceipt(value: unknown): Receipt | null {
  if (!isProvedEntry(value)) return null
  const { format, sealed, erasedBy, checkpoint } = value as Partial<Receipt> // each is checked next
  const isWhole =
    format === RECEIPT_FORMAT &&
    hasOnly(value, MEMBERS) &&
    isText(checkpoint) &&
    (erasedBy === null || (sealed === null && isBareProof(erasedBy))) &&
    (sealed === null || isSealed(sealed))
  return isWhole ? (value as Receipt) : null // every member was checked
}

const MEMBERS = ['format', 'entry', 'sealed', 'erasedBy', 'proof', 'checkpoint']

const SALT = new RegExp(`^[0-9a-f]{${SALT_BYTES * 2}}$`)

/** Only the length separates salt from content; another length would give another text. */
const isSealed = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  const { salt, text } = value as { readonly salt?: unknown; readonly text?: unknown }
  const isAlone = hasOnly(value, ['salt', 'text'])
  return isAlone && typeof salt === 'string' && SALT.test(salt) && isText(text)
}

/** An entry as its hashed text, and the path to a head, lowest sibling first. */
export interface ProvedEntry {
  readonly entry: string
  readonly proof: readonly Hash[]
}

const PATH_MAX = 64 // siblings: more than the height of any tree with a safe size

/** Null for text other than an entry in canonical form. */
export const entryOf = (text: string): Entry | null =>
  text.isWellFormed() ? entryIn(utf8(text)) : null

/** Faults of an entry's claimed place in the log of a head. */
export function placeCodes(
  { entry: text, proof }: ProvedEntry,
  { seq, stack }: Entry,
  { origin, size, root }: Checkpoint,
): readonly VerifyCode[] {
  const codes: VerifyCode[] = []
  if (!origin.endsWith(`/${stack}`)) codes.push('origin.mismatch')
  const leaf = leafHash(sha256, utf8(text))
  const isIn = verifyInclusion(sha256, { leaf, index: seq, size, proof, root })
  if (!isIn) codes.push('inclusion.fail')
  return codes
}

/** Checks the shape of the two members; their content is checked later. */
function isProvedEntry(value: unknown): value is ProvedEntry {
  if (typeof value !== 'object' || value === null) return false
  const { entry, proof } = value as Partial<ProvedEntry> // both are checked here
  return (
    isText(entry) &&
    Array.isArray(proof) &&
    proof.length <= PATH_MAX &&
    proof.every((hash) => typeof hash === 'string')
  )
}

/** A proved entry without other members. */
export const isBareProof = (value: unknown): value is ProvedEntry =>
  isProvedEntry(value) && hasOnly(value, ['entry', 'proof'])

/** Extra members would look proved, so none are allowed. */
export const hasOnly = (value: object, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name))

export const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.isWellFormed()
