import { assert, MunimentError } from '../domain/errors.ts'
import { type Hash, isHash } from '../domain/ids.ts'
import { HASH_BYTES, type Sha256, taggedHash, writeHex } from './sha256.ts'

// RFC 6962 separates leaves from nodes, so that no node's bytes can pass for an entry.
export const LEAF_TAG = Uint8Array.of(0x00)
const NODE_PREFIX = 0x01

export const emptyRoot = (sha256: Sha256): Hash => sha256(new Uint8Array())

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

/** The siblings on the path from a leaf to the root, lowest first (RFC 6962 PATH). */
export function inclusionProof(
  sha256: Sha256,
  leafHashes: readonly Hash[],
  index: number,
): readonly Hash[] {
  if (!isCount(index) || index >= leafHashes.length) throw outOfRange('index')
  return inclusionRanges(index, { start: 0, end: leafHashes.length }).map((range) =>
    rangeRoot({ sha256, leafHashes }, range),
  )
}

/** Proof that a tree of `oldSize` became this tree by appending only (RFC 6962 PROOF). */
export function consistencyProof(
  sha256: Sha256,
  leafHashes: readonly Hash[],
  oldSize: number,
): readonly Hash[] {
  // Every tree extends the empty tree, so a proof from size 0 would prove nothing.
  if (!isCount(oldSize) || oldSize === 0 || oldSize > leafHashes.length) throw outOfRange('oldSize')
  return consistencyRanges(oldSize, { start: 0, end: leafHashes.length }).map((range) =>
    rangeRoot({ sha256, leafHashes }, range),
  )
}

/**
 * The claim as received: text other than a hash makes the claim false. `size` and `root` must come
 * from a single checkpoint; several sizes share the shape of a path, so the proof alone does not
 * fix the size.
 */
interface InclusionClaim {
  readonly leaf: string
  readonly index: number
  readonly size: number
  readonly proof: readonly string[]
  readonly root: string
}

/** RFC 9162, 2.1.3.2. */
export function verifyInclusion(sha256: Sha256, claim: InclusionClaim): boolean {
  const { leaf, index, size, proof, root } = claim
  if (!isCount(index) || !isCount(size) || index >= size) return false
  if (!isHash(leaf) || !proof.every(isHash)) return false
  const sides = siblingSides(index, size - 1)
  if (proof.length !== sides.length) return false
  const top = proof.reduce(
    (hash, sibling, level) =>
      sides[level] === 'left' ? nodeHash(sha256, sibling, hash) : nodeHash(sha256, hash, sibling),
    leaf,
  )
  return top === root
}

/** As received; each size and its root must come from a single checkpoint. */
interface ConsistencyClaim {
  readonly oldSize: number
  readonly oldRoot: string
  readonly size: number
  readonly root: string
  readonly proof: readonly string[]
}

/** RFC 9162, 2.1.4.2. False from size 0: nothing can be inconsistent with an empty tree. */
export function verifyConsistency(sha256: Sha256, claim: ConsistencyClaim): boolean {
  const { oldSize, oldRoot, size, root, proof } = claim
  if (!isCount(oldSize) || !isCount(size) || oldSize === 0 || oldSize > size) return false
  if (oldSize === size) return proof.length === 0 && oldRoot === root
  // The last subtree that the old tree had whole, and the last node of the new tree on that level.
  let node = oldSize - 1
  let last = size - 1
  for (; node % 2 === 1; node = half(node)) last = half(last)
  // A whole old tree starts from its own root, and the proof leaves the root out.
  const path = node === 0 ? [oldRoot, ...proof] : proof
  if (!path.every(isHash)) return false
  const [start, ...siblings] = path
  const sides = siblingSides(node, last)
  if (start === undefined || siblings.length !== sides.length) return false
  let oldTop = start
  let top = start
  for (const [level, sibling] of siblings.entries()) {
    // A right sibling was appended later, so the old root does not include the sibling.
    if (sides[level] === 'left') oldTop = nodeHash(sha256, sibling, oldTop)
    top = sides[level] === 'left' ? nodeHash(sha256, sibling, top) : nodeHash(sha256, top, sibling)
  }
  return oldTop === oldRoot && top === root
}

interface Leaves {
  readonly sha256: Sha256
  readonly leafHashes: readonly Hash[]
}

function rangeRoot(leaves: Leaves, range: Range): Hash {
  if (range.end - range.start === 1) return leafAt(leaves, range.start)
  const [left, right] = halves(range)
  return nodeHash(leaves.sha256, rangeRoot(leaves, left), rangeRoot(leaves, right))
}

function leafAt(leaves: Leaves, index: number): Hash {
  const leaf = leaves.leafHashes[index]
  if (leaf === undefined) throw outOfRange('leafHashes')
  return leaf
}

/**
 * The side of each sibling on the way up from a node, given the last node of the level. A last node
 * that is a left child has no sibling and rises unchanged.
 */
function siblingSides(node: number, last: number): readonly ('left' | 'right')[] {
  const sides: ('left' | 'right')[] = []
  for (let [at, end] = [node, last]; end > 0; [at, end] = [half(at), half(end)]) {
    if (at % 2 === 1) sides.push('left')
    else if (at < end) sides.push('right')
  }
  return sides
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

// Not a shift, which would cut the number to 32 bits.
const half = (value: number): number => Math.floor(value / 2)

function outOfRange(path: string): MunimentError {
  return new MunimentError('invalid_input', `${path} is outside the tree.`, {
    issues: [{ path, message: 'outside the tree' }],
  })
}
