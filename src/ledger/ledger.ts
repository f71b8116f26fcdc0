import type { Decision, Entry, Facts, ParentLink, StoredEntry } from '../domain/entry.ts'
import { badMember } from '../domain/entry-shape.ts'
import { MunimentError } from '../domain/errors.ts'
import { type Hash, ZERO_HASH } from '../domain/ids.ts'
import type { Label } from '../domain/labels.ts'
import type { Provenance } from '../domain/provenance.ts'
import { canonicalize, readJson } from './canonical.ts'
import { appendLeaf, emptyFrontier, type Frontier, leafHash } from './merkle.ts'
import { fromHex, hmacSha256, type Sha256, taggedHash, utf8 } from './sha256.ts'

/** Every salt has this length, and only the length separates salt from content. */
export const SALT_BYTES = 32

export const COMMITMENT_TAG = utf8('muniment/commit/1\0')
const hashCommitment = taggedHash(COMMITMENT_TAG)
const ACTOR_TAG = 'muniment/actor/1\0'
const TOMBSTONE_TAG = 'muniment/tombstone/1\0'
const REPEAT_TAG = 'muniment/repeat/1\0'

/** SHA-256 of the canonical form: untagged and unsalted, so this hash stays inside sealed rows. */
export const contentHash = (sha256: Sha256, body: unknown): Hash => sha256(canonicalize(body))

/** An entry's commitment to its content. The salt protects short or guessable content. */
export const commitmentOf = (sha256: Sha256, salt: Uint8Array, sealed: Uint8Array): Hash =>
  hashCommitment(sha256, salt, sealed)

/** The actor's name in entries: stable while the key lives, meaningless without the key. */
export const pseudonymOf = (sha256: Sha256, keyHex: string, actor: string): Hash =>
  hmacSha256(sha256, fromHex(keyHex), utf8(ACTOR_TAG + actor))

/** The mark that keeps erased or rejected words out. The key lies outside the stack's file. */
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
 * The key of words in a burst counter. The mark may outlive the words in the stack, so the mark
 * needs the key outside the file: with the file alone nobody can test words against the mark.
 */
export const repeatMarkOf = (sha256: Sha256, key: Uint8Array, identity: Hash): Hash =>
  hmacSha256(sha256, key, utf8(REPEAT_TAG + identity))

/** Turns an entry into its final bytes. The hash is also the Merkle leaf. */
export function storeEntry(sha256: Sha256, entry: Entry): StoredEntry {
  const bytes = utf8(entryText(entry))
  return { entry, bytes, hash: leafHash(sha256, bytes) }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** Reads stored bytes back. Refuses every form except the canonical form of a known shape. */
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
 * True where writing the entry again gives an equal text; this quick test passes for almost every
 * entry. A name with an escape gives another text, so false proves nothing.
 */
function isAsWritten(entry: Entry, text: string): boolean {
  try {
    return entryText(entry) === text
  } catch {
    return false // facts without a canonical form
  }
}

/** Facts may hold any JSON, so they are written again; all other members are in order already. */
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
 * The body inside a sealed text, cut out as hashed instead of written again. The last such member
 * belongs to the seal itself: inside a string the quotes would be escaped, and the certificate has
 * no member of the name.
 */
export function bodyTextIn(sealed: string): string {
  const end = sealed.lastIndexOf(PROVENANCE_MEMBER)
  return sealed.slice(BODY_MEMBER.length, end < 0 ? sealed.length : end)
}

// Canonical text of the two records that every write makes, with their members already in order. A
// test compares each with the general writer on every possible shape. Strings were checked to be
// well-formed on arrival, so JSON.stringify writes them as RFC 8785 asks.

const text = JSON.stringify
const maybe = (value: string | null): string => (value === null ? 'null' : text(value))
const quoted = (value: string | null): string => (value === null ? 'null' : `"${value}"`)
const refs = (list: readonly string[]): string =>
  list.length === 0 ? '[]' : `["${list.join('","')}"]`

const labelText = (label: Label | null): string => {
  if (label === null) return 'null'
  return label.type === 'External'
    ? `{"kind":"${label.kind}","type":"External"}`
    : `{"type":"${label.type}"}`
}

/** Ids, hashes and times hold no character that JSON escapes. */
export const provenanceText = (of: Provenance): string =>
  `{"captured":${of.captured},"confidence":${of.confidence},"contentHash":"${of.contentHash}"` +
  `,"depthFarthest":${of.depthFarthest},"depthNearest":${of.depthNearest}` +
  `,"derivedFrom":${refs(of.derivedFrom)},"document":${maybe(of.document)}` +
  `,"eventTime":${quoted(of.eventTime)},"ingestionPath":${text(of.ingestionPath)}` +
  `,"label":${labelText(of.label)},"llmModel":${maybe(of.llmModel)},"policyHash":"${of.policyHash}"` +
  `,"quote":${of.quote === null ? 'null' : canonicalize(of.quote)},"relayed":${of.relayed}` +
  (of.revisedFrom === undefined ? '' : `,"revisedFrom":${refs(of.revisedFrom)}`) +
  `,"session":${maybe(of.session)},"sourceEntity":${maybe(of.sourceEntity)}` +
  `,"sourceEpisodes":${refs(of.sourceEpisodes)},"sourceId":${text(of.sourceId)}` +
  `,"sourceType":"${of.sourceType}","timestamp":"${of.timestamp}","trustTier":${of.trustTier}` +
  `,"turn":${maybe(of.turn)}}`

const parentText = ({ ref, seq }: ParentLink): string => `{"ref":"${ref}","seq":${seq}}`

const decisionText = ({ disposition, facts, reasons, rule }: Decision): string =>
  `{"disposition":${quoted(disposition)},"facts":${canonicalize(facts)}` +
  `,"reasons":${canonicalize(reasons)},"rule":${quoted(rule)}}`

export const entryText = (of: Entry): string =>
  `{"actor":${quoted(of.actor)},"commitment":${quoted(of.commitment)}` +
  `,"decision":${decisionText(of.decision)},"door":${quoted(of.door)},"label":${labelText(of.label)}` +
  `,"op":"${of.op}","parents":[${of.parents.map(parentText).join()}],"policy":${quoted(of.policy)}` +
  `,"prevHash":"${of.prevHash}","ref":${quoted(of.ref)},"replica":"${of.replica}"` +
  `,"revision":${of.revision},"seq":${of.seq},"stack":"${of.stack}","tier":${of.tier}` +
  `,"time":"${of.time}","unit":${of.unit},"v":1}`

/** The end of a chain: the hash of the last entry, and the tree over all entries. */
export interface ChainEnd {
  readonly last: Hash
  readonly tree: Frontier
}

export const CHAIN_START: ChainEnd = { last: ZERO_HASH, tree: emptyFrontier }

/** One entry in its place of the chain; each caller has its own codes for the faults. */
interface ChainStep {
  /** The hash of the bytes, which is the entry's leaf in the tree. */
  readonly hash: Hash
  /** Null for bytes other than an entry in canonical form. */
  readonly entry: Entry | null
  readonly isPlaced: boolean
  readonly isLinked: boolean
  readonly end: ChainEnd
}

/**
 * Reads and hashes the bytes at a position, and compares them with the end of the chain before. The
 * full audit, the verifiers of exported ledgers and of bundles all walk a chain by this function; the
 * audit of the chain alone compares runs of bytes without reading entries.
 */
export function followChain(
  sha256: Sha256,
  { last, tree }: ChainEnd,
  { seq, bytes }: { readonly seq: number; readonly bytes: Uint8Array },
): ChainStep {
  const hash = leafHash(sha256, bytes)
  const entry = entryIn(bytes)
  return {
    hash,
    entry,
    isPlaced: entry?.seq === seq,
    isLinked: entry?.prevHash === last,
    end: { last: hash, tree: appendLeaf(sha256, tree, hash) },
  }
}

/** Null for bytes other than an entry in canonical form. */
export function entryIn(bytes: Uint8Array): Entry | null {
  try {
    return readEntry(bytes)
  } catch {
    return null // bytes from outside may fail in any way
  }
}
