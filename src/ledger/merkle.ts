import { assert } from '../domain/errors.ts'
import type { Hash } from '../domain/ids.ts'
import { HASH_BYTES, type Sha256, taggedHash, writeHex } from './sha256.ts'

// RFC 6962 separates leaves from nodes, so that no node's bytes can pass for an entry.
export const LEAF_TAG = Uint8Array.of(0x00)
const NODE_PREFIX = 0x01

export const emptyRoot = (sha256: Sha256): Hash => sha256(new Uint8Array())

/** The hash of an entry's bytes. */
export const leafHash = taggedHash(LEAF_TAG)

const node = new Uint8Array(1 + 2 * HASH_BYTES) // shared buffer, rewritten for every pair
node[0] = NODE_PREFIX

export function nodeHash(sha256: Sha256, left: Hash, right: Hash): Hash {
  writeHex(left, node, 1)
  writeHex(right, node, 1 + HASH_BYTES)
  return sha256(node)
}

/**
 * The roots of the perfect subtrees of a tree, largest first: one for every 1 in the binary form of
 * `size`. Appending needs no other data of the past.
 */
export interface Frontier {
  readonly size: number
  readonly hashes: readonly Hash[]
}

export const emptyFrontier: Frontier = { size: 0, hashes: [] }

export const appendLeaf = (sha256: Sha256, frontier: Frontier, leaf: Hash): Frontier =>
  appendLeaves(sha256, frontier, [leaf])

export function appendLeaves(
  sha256: Sha256,
  frontier: Frontier,
  leaves: readonly Hash[],
): Frontier {
  const hashes = frontier.hashes.slice()
  let { size } = frontier
  for (const leaf of leaves) {
    let joined = leaf
    // Each trailing 1 of the size is a subtree as large as the one just completed. Division, not
    // shifts: a shift would cut the size to 32 bits.
    for (let rest = size; rest % 2 === 1; rest = (rest - 1) / 2) {
      const left = hashes.pop()
      assert(left !== undefined, 'a frontier has one hash for every 1 in its size')
      joined = nodeHash(sha256, left, joined)
    }
    hashes.push(joined)
    size += 1
  }
  return { size, hashes }
}

export function rootOf(sha256: Sha256, frontier: Frontier): Hash {
  assert(
    frontier.hashes.length === countOnes(frontier.size),
    'a frontier has one hash for every 1 in its size',
  )
  if (frontier.hashes.length === 0) return emptyRoot(sha256)
  return frontier.hashes.reduceRight((right, left) => nodeHash(sha256, left, right))
}

function countOnes(size: number): number {
  let ones = 0
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2
  return ones
}

/** The leaves from `start` up to but not including `end`. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** The left part is the largest power of two that leaves at least a leaf for the right. */
export function halves({ start, end }: Range): readonly [Range, Range] {
  let width = 1
  while (width * 2 < end - start) width *= 2
  return [
    { start, end: start + width },
    { start: start + width, end },
  ]
}

/** The ranges whose roots are the siblings of a leaf, lowest first (RFC 6962 PATH). */
export function inclusionRanges(index: number, range: Range): readonly Range[] {
  if (range.end - range.start === 1) return []
  const [left, right] = halves(range)
  return index < left.end
    ? [...inclusionRanges(index, left), right]
    : [...inclusionRanges(index, right), left]
}

/** The ranges whose roots show that a tree of `oldSize` became this tree (RFC 6962 PROOF). */
export function consistencyRanges(oldSize: number, range: Range): readonly Range[] {
  if (oldSize === range.end) {
    // A range from the first leaf on is the old tree itself, whose root the verifier holds.
    return range.start === 0 ? [] : [range]
  }
  const [left, right] = halves(range)
  return oldSize <= left.end
    ? [...consistencyRanges(oldSize, left), right]
    : [...consistencyRanges(oldSize, right), left]
}
