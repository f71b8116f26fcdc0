import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Hash } from '../domain/ids.ts'
import { appendLeaf, emptyFrontier, emptyRoot, leafHash, nodeHash, rootOf } from './merkle.ts'
import { type Sha256, toHex, utf8 } from './sha256.ts'

const sha256: Sha256 = (bytes) => hash('sha256', bytes, 'hex') as Hash // node's digest is a Hash

/** RFC 6962, 2.1, word for word over bytes: slow, obvious, and no code of ours in it. */
function naiveRoot(entries: readonly Buffer[]): Buffer {
  const digest = (...parts: readonly Buffer[]) => hash('sha256', Buffer.concat(parts), 'buffer')
  const [only] = entries
  if (only === undefined) return digest()
  if (entries.length === 1) return digest(Buffer.of(0), only)
  let split = 1
  while (split * 2 < entries.length) split *= 2
  return digest(Buffer.of(1), naiveRoot(entries.slice(0, split)), naiveRoot(entries.slice(split)))
}

const leafOf = (index: number): Hash => leafHash(sha256, utf8(`entry ${index}`))

const frontierOf = (size: number) =>
  Array.from({ length: size }, (_, index) => leafOf(index)).reduce(
    (frontier, leaf) => appendLeaf(sha256, frontier, leaf),
    emptyFrontier,
  )

describe('the hashes of RFC 6962', () => {
  it('are the known ones', () => {
    expect(emptyRoot(sha256)).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    )
    expect(leafHash(sha256, new Uint8Array())).toBe(
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    )
    expect(leafHash(sha256, utf8('L123456'))).toBe(
      '395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56',
    )
  })

  it('join nodes over raw bytes, as the reference hasher does for N123 and N456', () => {
    // That vector joins two short texts, so its bytes are pinned through the digest alone.
    expect(sha256(utf8('\u0001N123N456'))).toBe(
      'aa217fe888e47007fa15edab33c2b492a722cb106c64667fc2b044444de66bbb',
    )
    const [left, right] = [leafOf(0), leafOf(1)]
    const bytes = Buffer.concat([Buffer.of(1), Buffer.from(left, 'hex'), Buffer.from(right, 'hex')])
    expect(nodeHash(sha256, left, right)).toBe(sha256(bytes))
  })

  it('keep leaves and nodes apart', () => {
    const [left, right] = [leafOf(0), leafOf(1)]
    const asEntry = Buffer.from(left + right, 'hex')
    expect(leafHash(sha256, asEntry)).not.toBe(nodeHash(sha256, left, right))
  })
})

describe('a frontier', () => {
  it('has the root of the naive tree at every size up to 130', () => {
    const entries: Buffer[] = []
    let frontier = emptyFrontier
    for (let size = 0; size <= 130; size++) {
      expect(frontier.size).toBe(size)
      expect(rootOf(sha256, frontier)).toBe(toHex(naiveRoot(entries)))
      entries.push(Buffer.from(`entry ${size}`))
      frontier = appendLeaf(sha256, frontier, leafOf(size))
    }
  })

  it('keeps one hash for every 1 in its size, the largest subtree first', () => {
    expect(frontierOf(7).hashes).toEqual([
      rootOf(sha256, frontierOf(4)),
      nodeHash(sha256, leafOf(4), leafOf(5)),
      leafOf(6),
    ])
    expect(frontierOf(8).hashes).toEqual([rootOf(sha256, frontierOf(8))])
  })

  it('is not changed by appending to it', () => {
    const before = frontierOf(7)
    const copy = structuredClone(before)
    appendLeaf(sha256, before, leafOf(7))
    expect(before).toEqual(copy)
    expect(emptyFrontier).toEqual({ size: 0, hashes: [] })
  })

  it('counts past 32 bits', () => {
    const hashes = Array.from({ length: 40 }, (_, index) => leafOf(index))
    const full = appendLeaf(sha256, { size: 2 ** 40 - 1, hashes }, leafOf(40))
    expect(full.size).toBe(2 ** 40)
    expect(full.hashes).toHaveLength(1)
    expect(appendLeaf(sha256, full, leafOf(0)).hashes).toHaveLength(2)
    expect(rootOf(sha256, full)).toBe(full.hashes[0])
  })

  it('is not used when its hashes do not fit its size', () => {
    const { hashes } = frontierOf(7)
    expect(() => rootOf(sha256, { size: 7, hashes })).not.toThrow()
    expect(() => rootOf(sha256, { size: 8, hashes })).toThrow('Invariant')
    expect(() => rootOf(sha256, { size: 7, hashes: hashes.slice(1) })).toThrow('Invariant')
    expect(() => appendLeaf(sha256, { size: 7, hashes: [] }, leafOf(7))).toThrow('Invariant')
  })
})
