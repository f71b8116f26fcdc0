import { MunimentError } from '../domain/errors.ts'
import { type Hash, isHash } from '../domain/ids.ts'
import { consistencyRanges, halves, inclusionRanges, nodeHash, type Range } from './merkle.ts'
import type { Sha256 } from './sha256.ts'

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
export interface InclusionClaim {
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
export interface ConsistencyClaim {
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
