import type { Entry, Facts, StoredEntry } from '../domain/entry.ts'
import { badMember } from '../domain/entry-shape.ts'
import { MunimentError } from '../domain/errors.ts'
import type { Hash } from '../domain/ids.ts'
import { canonicalize } from './canonical.ts'
import { hmacSha256 } from './hmac.ts'
import { leafHash } from './merkle.ts'
import { readJson } from './read-json.ts'
import { fromHex, type Sha256, taggedHash, utf8 } from './sha256.ts'
import { entryText } from './templates.ts'

/** Of every salt: where it ends and content begins is told by nothing else. */
export const SALT_BYTES = 32

export const COMMITMENT_TAG = utf8('muniment/commit/1\0')
const hashCommitment = taggedHash(COMMITMENT_TAG)
const ACTOR_TAG = 'muniment/actor/1\0'
const TOMBSTONE_TAG = 'muniment/tombstone/1\0'
const REPEAT_TAG = 'muniment/repeat/1\0'

/** SHA-256 of the canonical form: untagged and unsalted, so it stays inside sealed rows. */
export const contentHash = (sha256: Sha256, body: unknown): Hash => sha256(canonicalize(body))

/** What an entry says of its content. The salt keeps short or guessable content from being found. */
export const commitmentOf = (sha256: Sha256, salt: Uint8Array, sealed: Uint8Array): Hash =>
  hashCommitment(sha256, salt, sealed)

/** The actor as an entry knows it: stable while the key lives, meaningless once it is destroyed. */
export const pseudonymOf = (sha256: Sha256, keyHex: string, actor: string): Hash =>
  hmacSha256(sha256, fromHex(keyHex), utf8(ACTOR_TAG + actor))

/** The mark that keeps erased or rejected words out. Its key lies outside the stack's file. */
export const tombstoneOf = (
  sha256: Sha256,
  key: Uint8Array,
  what: { readonly kind: string; readonly actor: string; readonly identity: readonly unknown[] },
): Hash =>
  hmacSha256(
    sha256,
    key,
    utf8(TOMBSTONE_TAG + canonicalize([what.kind, what.actor, what.identity])),
  )

/**
 * What a counter of repeats knows words by. It outlives what the words were found to repeat, so it
 * is made with the key outside the file: from the file alone nobody can try words against it.
 */
export const repeatMarkOf = (sha256: Sha256, key: Uint8Array, identity: Hash): Hash =>
  hmacSha256(sha256, key, utf8(REPEAT_TAG + identity))

/** Turns an entry into the bytes that are kept for good. Its hash is also its Merkle leaf. */
export function storeEntry(sha256: Sha256, entry: Entry): StoredEntry {
  const bytes = utf8(entryText(entry))
  return { entry, bytes, hash: leafHash(sha256, bytes) }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** Reads stored bytes back. Anything but the one canonical form of a known shape is refused. */
export function readEntry(bytes: Uint8Array): Entry {
  let value: unknown
  let text: string
  try {
    text = decoder.decode(bytes)
    value = readJson(text)
  } catch (cause) {
    throw new MunimentError('store_corrupt', 'A ledger entry cannot be read.', { cause })
  }
  const bad = badMember(value)
  if (bad !== null) {
    throw new MunimentError('store_corrupt', `A ledger entry is not one: ${bad}.`)
  }
  const entry = value as Entry // every member was checked
  if (isAsWritten(entry, text) || isCanonical(entry, text)) return entry
  throw new MunimentError('store_corrupt', 'A ledger entry is not in canonical form.')
}

/**
 * Whether writing it again gives the same text, which is how almost every entry is found to be
 * canonical. A name with something to escape does not come out the same; that says nothing.
 */
function isAsWritten(entry: Entry, text: string): boolean {
  try {
    return entryText(entry) === text
  } catch {
    return false // facts that have no canonical form
  }
}

/** Facts may hold anything, so they are written anew; the order of all else was checked already. */
function isCanonical(entry: Entry, text: string): boolean {
  const { decision, label } = entry
  return (
    (label === null || Object.keys(label).join() !== 'type,kind') &&
    isFactsCanonical(decision.facts) &&
    JSON.stringify(entry) === text
  )
}

function isFactsCanonical(facts: Facts): boolean {
  try {
    return canonicalize(facts) === JSON.stringify(facts)
  } catch {
    return false // a lone surrogate, which canonical text cannot hold
  }
}

const BODY_MEMBER = '{"body":'
const PROVENANCE_MEMBER = ',"provenance":{"captured":'

/**
 * The body inside a sealed text, as the text that was hashed: taken out, not written anew. The
 * last such member is the seal's own, since inside a string its quotes would be escaped and the
 * certificate itself has none of that name.
 */
export function bodyTextIn(sealed: string): string {
  const end = sealed.lastIndexOf(PROVENANCE_MEMBER)
  return sealed.slice(BODY_MEMBER.length, end < 0 ? sealed.length : end)
}
