import { MunimentError } from '../../domain/errors.ts'
import type { Hash } from '../../domain/ids.ts'
import {
  appendLeaves,
  emptyFrontier,
  halves,
  leafHash,
  nodeHash,
  type Range,
  rootOf,
} from '../../ledger/merkle.ts'
import type { Sha256 } from '../../ledger/sha256.ts'
import type { Engine } from '../engine.ts'

const TILE = 256 // leaves under one cached hash: 1 hash for 256 leaves, 256 reads for a proof
const TILES_AT_ONCE = 16 // tiles read before other work runs: some ten milliseconds
const LEAF_TILES_KEPT = 16 // tiles with cached leaves: proofs are often of neighbours

/**
 * The tree over the stored bytes, computed from the bytes. Cached are the roots of full tiles and
 * of perfect trees, and the leaves of recent tiles; their entries never change.
 */
export class TreeTiles {
  readonly #engine: Pick<Engine, 'read' | 'yieldToEventLoop'>
  readonly #sha256: Sha256
  readonly #tiles: Hash[] = []
  #extended: Promise<void> = Promise.resolve()
  readonly #above = new Map<string, Hash>()
  #tail: { readonly name: string; readonly root: Hash } | null = null
  readonly #leafTiles = new Map<number, readonly Hash[]>()

  constructor(engine: Pick<Engine, 'read' | 'yieldToEventLoop'>, sha256: Sha256) {
    this.#engine = engine
    this.#sha256 = sha256
  }

  async rootOf(range: Range): Promise<Hash> {
    await this.#extend(range.end)
    return this.#root(range)
  }

  async #root(range: Range): Promise<Hash> {
    const { start, end } = range
    if (start % TILE === 0 && end - start === TILE) return this.#tile(start / TILE)
    if (end - start <= TILE) return this.#rootWithin(range)
    const name = `${start}-${end}`
    const known = this.#above.get(name)
    if (known !== undefined) return known
    const [left, right] = halves(range)
    const root = nodeHash(this.#sha256, await this.#root(left), await this.#root(right))
    if (isPerfect(range)) this.#above.set(name, root) // at most as many as tiles
    return root
  }

  /** Caches the last range of the tree, which is part of every proof against one head. */
  async #rootWithin(range: Range): Promise<Hash> {
    const isLast = range.start % TILE === 0
    const name = `${range.start}-${range.end}`
    if (isLast && this.#tail?.name === name) return this.#tail.root
    const root = this.#rootOfLeaves(await this.#leaves(range))
    if (isLast) this.#tail = { name, root }
    return root
  }

  #tile(index: number): Hash {
    const root = this.#tiles[index]
    if (root === undefined) throw new MunimentError('invariant', 'A whole tile has a root.')
    return root
  }

  /** Caches the full tiles up to `size`; each tile is read once per process. */
  #extend(size: number): Promise<void> {
    const mine = this.#extended.then(() => this.#extendTo(size))
    this.#extended = mine.catch(() => undefined)
    return mine
  }

  async #extendTo(size: number): Promise<void> {
    const first = this.#tiles.length
    for (let tile = first; (tile + 1) * TILE <= size; tile += 1) {
      if (tile > first && (tile - first) % TILES_AT_ONCE === 0)
        await this.#engine.yieldToEventLoop()
      const range = { start: tile * TILE, end: (tile + 1) * TILE }
      this.#tiles[tile] = this.#rootOfLeaves(await this.#read(range))
    }
  }

  #rootOfLeaves(leaves: readonly Hash[]): Hash {
    return rootOf(this.#sha256, appendLeaves(this.#sha256, emptyFrontier, leaves))
  }

  /** Leaves of one tile: ranges of a proof never cross the edge of a tile. */
  async #leaves(range: Range): Promise<readonly Hash[]> {
    const index = Math.floor(range.start / TILE)
    if (index >= this.#tiles.length) return this.#read(range) // an incomplete tile may still grow
    const start = index * TILE
    const leaves =
      this.#leafTiles.get(index) ?? (await this.#sound(index, { start, end: start + TILE }))
    this.#leafTiles.delete(index) // move to the end, as most recent
    this.#leafTiles.set(index, leaves)
    const [oldest] = this.#leafTiles.keys()
    if (this.#leafTiles.size > LEAF_TILES_KEPT && oldest !== undefined) {
      this.#leafTiles.delete(oldest)
    }
    return leaves.slice(range.start - start, range.end - start)
  }

  /** Leaves with a changed root would give an invalid proof. */
  async #sound(index: number, range: Range): Promise<readonly Hash[]> {
    const leaves = await this.#read(range)
    if (this.#rootOfLeaves(leaves) === this.#tile(index)) return leaves
    throw new MunimentError(
      'store_corrupt',
      `Entries ${range.start} to ${range.end - 1} changed.`,
      {
        hint: 'Run audit: it names the first bad entry.',
      },
    )
  }

  /** Hashes the stored bytes and ignores the stored hashes. */
  async #read({ start, end }: Range): Promise<readonly Hash[]> {
    const rows = await this.#engine.read({ type: 'entries', from: start, limit: end - start })
    if (rows.length !== end - start || rows[0]?.seq !== start) {
      throw new MunimentError('data_loss', `Entries ${start} to ${end - 1} are not all there.`, {
        hint: 'Run audit: it names what is gone.',
      })
    }
    return rows.map(({ bytes }) => leafHash(this.#sha256, bytes))
  }
}

/** A complete subtree: its length is a power of two, and its start a multiple of the length. */
function isPerfect({ start, end }: Range): boolean {
  const size = end - start
  return Number.isInteger(Math.log2(size)) && start % size === 0
}
