import { MunimentError } from '../../domain/errors.ts'
import type { Hash } from '../../domain/ids.ts'
import { appendLeaves, emptyFrontier, leafHash, nodeHash, rootOf } from '../../ledger/merkle.ts'
import { halves, type Range } from '../../ledger/ranges.ts'
import type { Sha256 } from '../../ledger/sha256.ts'
import type { Uses } from '../engine.ts'

const TILE = 256 // leaves under one remembered hash: 1 hash kept for 256, 256 read for a proof
const TILES_AT_ONCE = 16 // read before others may go first: some ten milliseconds
const LEAF_TILES_KEPT = 16 // whose leaves are remembered too: proofs are often of neighbours

/**
 * The tree over the stored bytes, worked out from the bytes themselves. Remembered are the roots of
 * whole tiles and of the perfect trees over them, and the leaves of the tiles asked for last; all of
 * them are of entries that never change.
 */
export class TreeTiles {
  readonly #uses: Pick<Uses, 'read' | 'giveWay'>
  readonly #sha256: Sha256
  readonly #tiles: Hash[] = []
  #extended: Promise<void> = Promise.resolve()
  readonly #above = new Map<string, Hash>()
  #tail: { readonly name: string; readonly root: Hash } | null = null
  readonly #leafTiles = new Map<number, readonly Hash[]>()

  constructor(uses: Pick<Uses, 'read' | 'giveWay'>, sha256: Sha256) {
    this.#uses = uses
    this.#sha256 = sha256
  }

  /** The root over a range that a proof may ask for. */
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
    if (isPerfect(range)) this.#above.set(name, root) // as many as tiles at most
    return root
  }

  /** The last stretch of the tree is in every proof against the same head. */
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

  /** Remembers the whole tiles up to `size`, each read once in the life of the process. */
  #extend(size: number): Promise<void> {
    const mine = this.#extended.then(() => this.#extendTo(size))
    this.#extended = mine.catch(() => undefined)
    return mine
  }

  async #extendTo(size: number): Promise<void> {
    const first = this.#tiles.length
    for (let tile = first; (tile + 1) * TILE <= size; tile += 1) {
      if (tile > first && (tile - first) % TILES_AT_ONCE === 0) await this.#uses.giveWay()
      const range = { start: tile * TILE, end: (tile + 1) * TILE }
      this.#tiles[tile] = this.#rootOfLeaves(await this.#read(range))
    }
  }

  #rootOfLeaves(leaves: readonly Hash[]): Hash {
    return rootOf(this.#sha256, appendLeaves(this.#sha256, emptyFrontier, leaves))
  }

  /** Within one tile: ranges of a proof never lie across the edge of one. */
  async #leaves(range: Range): Promise<readonly Hash[]> {
    const index = Math.floor(range.start / TILE)
    if (index >= this.#tiles.length) return this.#read(range) // its tile may still grow
    const start = index * TILE
    const leaves =
      this.#leafTiles.get(index) ?? (await this.#sound(index, { start, end: start + TILE }))
    this.#leafTiles.delete(index) // put back as the last one asked for
    this.#leafTiles.set(index, leaves)
    const [oldest] = this.#leafTiles.keys()
    if (this.#leafTiles.size > LEAF_TILES_KEPT && oldest !== undefined) {
      this.#leafTiles.delete(oldest)
    }
    return leaves.slice(range.start - start, range.end - start)
  }

  /** Leaves that give another root than they gave before would make a proof that proves nothing. */
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

  /** Hashes what is stored; the stored hash is not asked. */
  async #read({ start, end }: Range): Promise<readonly Hash[]> {
    const rows = await this.#uses.read({ type: 'entries', from: start, limit: end - start })
    if (rows.length !== end - start || rows[0]?.seq !== start) {
      throw new MunimentError('data_loss', `Entries ${start} to ${end - 1} are not all there.`, {
        hint: 'Run audit: it names what is gone.',
      })
    }
    return rows.map(({ bytes }) => leafHash(this.#sha256, bytes))
  }
}

/** A tree that never grows again: as long as a power of two, and begun at a multiple of that. */
function isPerfect({ start, end }: Range): boolean {
  const size = end - start
  return Number.isInteger(Math.log2(size)) && start % size === 0
}
