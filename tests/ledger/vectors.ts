import { readFileSync, writeFileSync } from 'node:fs'
import { rootOf, tombstoneOf } from './naive-hash.ts'
import type { ShortHistory } from './short-history.ts'

const FILE = new URL('./vectors/ledger-1.json', import.meta.url)
const OLD_FILE = new URL('./vectors/ledger-1-sources-anew.json', import.meta.url)
const FOLDED_FILE = new URL('./vectors/ledger-1-rewordings-folded.json', import.meta.url)
const RECEIVED_FILE = new URL('./vectors/ledger-1-received.json', import.meta.url)
const TEXTS = new URL('./vectors/texts-1.json', import.meta.url)

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** A whole ledger as any language can read it: entries as their text, bytes as hex. */
export function vectorsOf({ rows, tombstone }: ShortHistory) {
  const entries = rows.entries.map(({ seq, bytes, hash }) => ({
    seq,
    text: Buffer.from(bytes).toString('utf8'),
    hash,
  }))
  return {
    format: 'muniment/ledger/1',
    entries,
    sealed: [...rows.sealed.values()].map(({ seq, ref, salt, bytes }) => ({
      seq,
      ref,
      salt: hex(salt),
      bytes: hex(bytes),
    })),
    actorKeys: [...rows.actorKeys.values()].map(({ actor, key, since }) => ({ actor, key, since })),
    tombstone: { ...tombstone, mark: tombstoneOf(tombstone) },
    head: { seq: rows.tip.head.seq, hash: rows.tip.head.hash },
    tree: { size: rows.tip.tree.size, hashes: [...rows.tip.tree.hashes] },
    roots: rootsOf(entries.map(({ hash }) => hash)),
  }
}

/** After no entry, after one, after two, … */
const rootsOf = (leaves: readonly string[]): string[] => [
  rootOf([]),
  ...leaves.map((_leaf, index) => rootOf(leaves.slice(0, index + 1))),
]

export type Vectors = ReturnType<typeof vectorsOf>

export const readVectors = (): Vectors => JSON.parse(readFileSync(FILE, 'utf8')) as Vectors // our own file

/** The beginning of a ledger from before `revisedFrom`: a revision in it names its sources anew. */
export const readOldVectors = (): Vectors => JSON.parse(readFileSync(OLD_FILE, 'utf8')) as Vectors // our own file

/** A ledger from when near-certain rewordings were folded away, overruled and left so. */
export const readFoldedVectors = (): Vectors =>
  JSON.parse(readFileSync(FOLDED_FILE, 'utf8')) as Vectors // our own file

/** A ledger that received an entry of another replica. */
export const readReceivedVectors = (): Vectors =>
  JSON.parse(readFileSync(RECEIVED_FILE, 'utf8')) as Vectors // our own file

/** Kept by hand, and by nothing else: what these say is the format, whatever the policy is. */
export const readTexts = () => JSON.parse(readFileSync(TEXTS, 'utf8')) as Record<string, string>

/** The text of an entry or of sealed bytes, with a word in the place of what the policy changes. */
export function withoutPolicy(text: string): string {
  return text
    .replace(/"policy":\{.*\}(?=\},"reasons")/, '"policy":POLICY')
    .replace(/"(commitment|hash|policy|policyHash|prevHash)":"(?!0{64})[0-9a-f]{64}"/g, '"$1":HASH')
}

/** Only where the one who runs it says so: a vector that rewrites itself pins nothing. */
export function writeVectorsIfAsked(vectors: Vectors): void {
  if (process.env.MUNIMENT_WRITE_VECTORS !== '1') return
  writeFileSync(FILE, `${JSON.stringify(vectors, null, 2)}\n`)
}
