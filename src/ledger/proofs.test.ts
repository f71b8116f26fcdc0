import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Hash } from '../domain/ids.ts'
import {
  appendLeaf,
  consistencyProof,
  emptyFrontier,
  inclusionProof,
  leafHash,
  nodeHash,
  rootOf,
  verifyConsistency,
  verifyInclusion,
} from './merkle.ts'
import { type Sha256, utf8 } from './sha256.ts'

const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'hex') as Hash // node's digest is a Hash

const SIZE_MAX = 65
const leaves = Array.from({ length: SIZE_MAX }, (_, at) => leafHash(sha256, utf8(`entry ${at}`)))

/** RFC 6962, 2.1, over leaf hashes: what every proof is measured against. */
function naiveRoot(hashes: readonly Hash[]): Hash {
  const [only] = hashes
  if (only === undefined || hashes.length === 1) return only ?? sha256(new Uint8Array())
  let split = 1
  while (split * 2 < hashes.length) split *= 2
  const bytes = `01${naiveRoot(hashes.slice(0, split))}${naiveRoot(hashes.slice(split))}`
  return sha256(Buffer.from(bytes, 'hex'))
}

const roots = Array.from({ length: SIZE_MAX + 1 }, (_, size) => naiveRoot(leaves.slice(0, size)))
const leafAt = (index: number): Hash => leaves[index] ?? sha256(new Uint8Array())
const rootAt = (size: number): Hash => roots[size] ?? sha256(new Uint8Array())

const inclusionOf = (index: number, size: number) => ({
  leaf: leafAt(index),
  index,
  size,
  proof: inclusionProof(sha256, leaves.slice(0, size), index),
  root: rootAt(size),
})

const consistencyOf = (oldSize: number, size: number) => ({
  oldSize,
  oldRoot: rootAt(oldSize),
  size,
  root: rootAt(size),
  proof: consistencyProof(sha256, leaves.slice(0, size), oldSize),
})

function* pairs(max: number): Generator<readonly [small: number, size: number]> {
  for (let size = 1; size <= max; size++)
    for (let small = 0; small <= size; small++) yield [small, size]
}

/** The text of a hash with one of its 256 bits turned over. */
function flip(of: string, bit: number): string {
  const digit = Math.floor(bit / 4)
  const flipped = Number.parseInt(of[digit] ?? '0', 16) ^ (1 << (bit % 4))
  return of.slice(0, digit) + flipped.toString(16) + of.slice(digit + 1)
}

/** Every proof one edit away that no honest prover would give. */
function edited(proof: readonly string[]): readonly (readonly string[])[] {
  const around = proof.flatMap((sibling, at) => [
    proof.toSpliced(at, 1),
    proof.toSpliced(at, 0, sibling),
    ...Array.from({ length: 256 }, (_, bit) => proof.with(at, flip(sibling, bit))),
  ])
  const garbage = sha256(utf8('garbage'))
  return [...around, [garbage, ...proof], [...proof, garbage], [...proof, 'garbage']]
}

describe('an inclusion proof', () => {
  it('holds for every leaf of every tree up to 65', () => {
    for (const [index, size] of pairs(SIZE_MAX)) {
      if (index === size) continue
      const claim = inclusionOf(index, size)
      expect(claim.proof.length).toBeLessThanOrEqual(Math.ceil(Math.log2(size)))
      expect(verifyInclusion(sha256, claim)).toBe(true)
    }
  })

  it('holds for no other index and no other leaf of its tree', () => {
    for (const [index, size] of pairs(33)) {
      if (index === size) continue
      const claim = inclusionOf(index, size)
      for (let other = 0; other <= size; other++) {
        if (other === index) continue
        expect(verifyInclusion(sha256, { ...claim, index: other })).toBe(false)
        expect(verifyInclusion(sha256, { ...claim, leaf: leafAt(other) })).toBe(false)
      }
    }
  })

  it('fails when any bit of it, of the leaf or of the root is turned', () => {
    for (const [index, size] of pairs(11)) {
      if (index === size) continue
      const claim = inclusionOf(index, size)
      expect(verifyInclusion(sha256, claim)).toBe(true)
      for (const proof of edited(claim.proof)) {
        expect(verifyInclusion(sha256, { ...claim, proof })).toBe(false)
      }
      for (let bit = 0; bit < 256; bit++) {
        expect(verifyInclusion(sha256, { ...claim, leaf: flip(claim.leaf, bit) })).toBe(false)
        expect(verifyInclusion(sha256, { ...claim, root: flip(claim.root, bit) })).toBe(false)
      }
    }
  })

  it('does not fix its size: sizes with one shape of path share it', () => {
    const claim = inclusionOf(0, 3)
    expect(verifyInclusion(sha256, { ...claim, size: 4 })).toBe(true)
    expect(verifyInclusion(sha256, { ...claim, size: 5 })).toBe(false)
    expect(verifyInclusion(sha256, { ...claim, size: 4, root: rootAt(4) })).toBe(false)
  })

  it('is false, not an error, when what arrives is nonsense', () => {
    const claim = inclusionOf(2, 5)
    expect(verifyInclusion(sha256, claim)).toBe(true)
    for (const index of [-1, 0.5, Number.NaN, 2 ** 53, 2 ** 64]) {
      expect(verifyInclusion(sha256, { ...claim, index })).toBe(false)
      expect(verifyInclusion(sha256, { ...claim, size: index })).toBe(false)
    }
    expect(verifyInclusion(sha256, { ...claim, leaf: 'leaf' })).toBe(false)
    expect(verifyInclusion(sha256, { ...claim, leaf: claim.leaf.toUpperCase() })).toBe(false)
    for (const text of ['', 'x', claim.root.toUpperCase(), `${claim.root}00`]) {
      expect(verifyInclusion(sha256, { ...claim, proof: claim.proof.map(() => text) })).toBe(false)
    }
  })

  it('is not made for a leaf that is not there', () => {
    expect(inclusionProof(sha256, leaves, 64)).toHaveLength(1)
    for (const index of [-1, 65, 0.5, Number.NaN]) {
      expect(() => inclusionProof(sha256, leaves, index)).toThrow('outside the tree')
    }
    expect(() => inclusionProof(sha256, [], 0)).toThrow('outside the tree')
  })
})

describe('a consistency proof', () => {
  it('holds between all sizes up to 65', () => {
    for (const [oldSize, size] of pairs(SIZE_MAX)) {
      if (oldSize === 0) continue
      const claim = consistencyOf(oldSize, size)
      expect(claim.proof.length).toBeLessThanOrEqual(Math.ceil(Math.log2(size)) + 1)
      expect(verifyConsistency(sha256, claim)).toBe(true)
    }
  })

  it('fails when any bit of it or of either root is turned', () => {
    for (const [oldSize, size] of pairs(11)) {
      if (oldSize === 0) continue
      const claim = consistencyOf(oldSize, size)
      expect(verifyConsistency(sha256, claim)).toBe(true)
      for (const proof of edited(claim.proof)) {
        expect(verifyConsistency(sha256, { ...claim, proof })).toBe(false)
      }
      for (let bit = 0; bit < 256; bit++) {
        const [oldRoot, root] = [flip(claim.oldRoot, bit), flip(claim.root, bit)]
        expect(verifyConsistency(sha256, { ...claim, oldRoot })).toBe(false)
        expect(verifyConsistency(sha256, { ...claim, root })).toBe(false)
      }
    }
  })

  it('fails for a history that was rewritten before the old size', () => {
    for (const [oldSize, size] of pairs(17)) {
      if (oldSize === 0) continue
      const rewritten = leaves.slice(0, size).with(oldSize - 1, sha256(utf8('rewritten')))
      const claim = {
        ...consistencyOf(oldSize, size),
        root: naiveRoot(rewritten),
        proof: consistencyProof(sha256, rewritten, oldSize),
      }
      expect(verifyConsistency(sha256, claim)).toBe(false)
    }
  })

  it('from an empty tree is neither made nor believed', () => {
    const claim = { oldSize: 0, oldRoot: rootAt(0), size: 5, root: rootAt(5), proof: [] }
    expect(verifyConsistency(sha256, claim)).toBe(false)
    expect(verifyConsistency(sha256, { ...claim, size: 0, root: rootAt(0) })).toBe(false)
    expect(() => consistencyProof(sha256, leaves, 0)).toThrow('outside the tree')
    expect(() => consistencyProof(sha256, leaves, 66)).toThrow('outside the tree')
    expect(consistencyProof(sha256, leaves, 65)).toEqual([])
  })

  it('is false, not an error, when what arrives is nonsense', () => {
    const claim = consistencyOf(4, 7)
    expect(verifyConsistency(sha256, claim)).toBe(true)
    for (const size of [-1, 0.5, Number.NaN, 2 ** 53, 2 ** 64, 3]) {
      expect(verifyConsistency(sha256, { ...claim, size })).toBe(false)
    }
    for (const oldSize of [-1, 0.5, Number.NaN, 2 ** 53, 8]) {
      expect(verifyConsistency(sha256, { ...claim, oldSize })).toBe(false)
    }
    expect(verifyConsistency(sha256, { ...claim, oldRoot: 'root' })).toBe(false)
    expect(verifyConsistency(sha256, { ...claim, proof: claim.proof.map(() => 'x') })).toBe(false)
  })
})

describe('proofs in trees past 32 bits', () => {
  // All leaves alike, so every perfect subtree of a level has one root and none has to be built.
  const levels = [leafAt(0)]
  for (let level = 0; level < 53; level++) {
    const below = levels[level] ?? leafAt(0)
    levels.push(nodeHash(sha256, below, below))
  }
  const root = levels[40] ?? ''

  it('hold for inclusion, at every height of the index', () => {
    for (const index of [0, 2 ** 31, 2 ** 32 + 1, 2 ** 40 - 1]) {
      const claim = { leaf: leafAt(0), index, size: 2 ** 40, proof: levels.slice(0, 40), root }
      expect(verifyInclusion(sha256, claim)).toBe(true)
      expect(verifyInclusion(sha256, { ...claim, size: 2 ** 39 })).toBe(false)
    }
  })

  it('are refused from 2^53 on, where neighbouring sizes are one number', () => {
    for (const [height, expected] of [
      [52, true],
      [53, false],
    ] as const) {
      const [size, proof, top] = [2 ** height, levels.slice(0, height), levels[height] ?? '']
      const claim = { leaf: leafAt(0), index: 0, size, proof, root: top }
      expect(verifyInclusion(sha256, claim)).toBe(expected)
    }
  })

  it('hold for consistency', () => {
    const oldRoot = levels[33] ?? ''
    const proof = levels.slice(33, 40)
    const claim = { oldSize: 2 ** 33, oldRoot, size: 2 ** 40, root, proof }
    expect(verifyConsistency(sha256, claim)).toBe(true)
    expect(verifyConsistency(sha256, { ...claim, oldSize: 2 })).toBe(false)
  })
})

describe('a frontier and the proofs', () => {
  it('speak of one tree', () => {
    const frontier = leaves.reduce((so, leaf) => appendLeaf(sha256, so, leaf), emptyFrontier)
    const claim = { ...inclusionOf(40, SIZE_MAX), root: rootOf(sha256, frontier) }
    expect(verifyInclusion(sha256, claim)).toBe(true)
  })
})
