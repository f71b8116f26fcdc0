import type { Entry, SealedRow } from '../domain/entry.ts'
import { MunimentError } from '../domain/errors.ts'
import { type Hash, isHash, type Ref } from '../domain/ids.ts'
import { travels } from '../domain/received.ts'
import { canonicalize, readJson } from '../ledger/canonical.ts'
import { entryIn } from '../ledger/ledger.ts'
import { leafHash } from '../ledger/merkle.ts'
import { fromHex, type Sha256, toHex, utf8 } from '../ledger/sha256.ts'

export const SEGMENT_ENTRIES_MAX = 4_096

/** A run of a feed: the entries from `from` up to, not including, `to`. */
export interface Segment {
  readonly from: number
  readonly to: number
  /** Names in the remote, each with a digest of the plain bytes; null without words. */
  readonly entries: string
  readonly words: string | null
}

/** One leaf of a feed. Only the hash of an entry travels where the entry itself stays at home. */
export interface FeedLeaf {
  readonly number: number
  readonly hash: Hash
  readonly entry: (Entry & { readonly ref: Ref }) | null
}

const DIGEST_DIGITS = 32

export const digestOf = (sha256: Sha256, bytes: Uint8Array): string =>
  sha256(bytes).slice(0, DIGEST_DIGITS)

export const feedOf = (replica: string): string => `feeds/${replica}/`

export const nameOf = (
  replica: string,
  part: 'entries' | 'words',
  { from, digest }: { readonly from: number; readonly digest: string },
): string => `${feedOf(replica)}${part}/${from}-${digest}`

/** True where the plain bytes have the digest that their name ends with. */
export const isNamed = (sha256: Sha256, name: string, bytes: Uint8Array): boolean =>
  name.endsWith(`-${digestOf(sha256, bytes)}`)

/** Erasures travel too; the receiver repeats the erasure. */
export const isTold = (entry: Entry): entry is Entry & { readonly ref: Ref } =>
  travels(entry) || (entry.op === 'memory.erased' && entry.ref !== null)

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function leafLine(row: { readonly bytes: Uint8Array; readonly hash: Hash }): string {
  const entry = entryIn(row.bytes)
  return entry !== null && isTold(entry) ? decoder.decode(row.bytes) : row.hash
}

export const bytesOfLines = (lines: readonly string[]): Uint8Array => utf8(`${lines.join('\n')}\n`)

const linesIn = (bytes: Uint8Array): readonly string[] =>
  decoder.decode(bytes).split('\n').slice(0, -1)

/** Reads the leaves of a segment. Every line is hashed here; nobody's word is taken for a hash. */
export function leavesIn(
  sha256: Sha256,
  { from, to }: Pick<Segment, 'from' | 'to'>,
  bytes: Uint8Array,
): readonly FeedLeaf[] {
  const lines = linesIn(bytes)
  if (lines.length !== to - from)
    throw unreadable('a segment has another length than its head says')
  return lines.map((line, index) => {
    const number = from + index
    if (isHash(line)) return { number, hash: line, entry: null }
    const plain = utf8(line)
    const entry = entryIn(plain)
    if (entry?.seq !== number || !isTold(entry)) throw unreadable(`entry ${number} is none`)
    return { number, hash: leafHash(sha256, plain), entry }
  })
}

export const wordsLine = ({ seq, ref, salt, bytes }: SealedRow): string =>
  canonicalize({ ref, salt: toHex(salt), seq, text: decoder.decode(bytes) })

const SALT = /^[0-9a-f]{64}$/

export function wordsIn(bytes: Uint8Array): ReadonlyMap<number, Pick<SealedRow, 'salt' | 'bytes'>> {
  return new Map(
    linesIn(bytes).map((line) => {
      const { seq, salt, text } = readJson(line) as Record<string, unknown> // checked next
      if (typeof text !== 'string' || !SALT.test(String(salt))) throw unreadable('words are none')
      return [Number(seq), { salt: fromHex(String(salt)), bytes: utf8(text) }]
    }),
  )
}

export const unreadable = (detail: string): MunimentError =>
  new MunimentError('sync_refused', `Not believed: ${detail}.`)
