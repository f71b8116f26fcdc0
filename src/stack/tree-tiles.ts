import { MunimentError } from '../domain/errors.ts'
import type { Hash } from '../domain/ids.ts'
import { appendLeaves, emptyFrontier, leafHash, nodeHash, rootOf } from '../hash/merkle.ts'
import { halves, type Range } from '../hash/ranges.ts'
import type { Sha256 } from '../hash/sha256.ts'
import type { Uses } from './uses.ts'

const TILE = 256 // leaves under one remembered hash: 1 hash kept for 256, 256 read for a proof

/**
 * The tree over the stored bytes, worked out from the bytes themselves. Only the roots of whole
 * tiles are remembered; they are of entries that never change.
 */
export class TreeTiles {
  readonly #uses: Pick<Uses, 'read'>
  readonly #sha256: Sha256
  readonly #tiles: Hash[] = []

  constructor(uses: Pick<Uses, 'read'>, sha256: Sha256) {
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
    if (end - start <= TILE) return this.#rootOfLeaves(await this.#leaves(range))
    const [left, right] = halves(range)
    return nodeHash(this.#sha256, await this.#root(left), await this.#root(right))
  }

  #tile(index: number): Hash {
    const root = this.#tiles[index]
    if (root === undefined) throw new MunimentError('invariant', 'A whole tile has a root.')
    return root
  }

  /** Remembers the whole tiles up to `size`, each read once in the life of the process. */
  async #extend(size: number): Promise<void> {
    for (let tile = this.#tiles.length; (tile + 1) * TILE <= size; tile += 1) {
      const range = { start: tile * TILE, end: (tile + 1) * TILE }
      this.#tiles[tile] = this.#rootOfLeaves(await this.#leaves(range))
    }
  }

  #rootOfLeaves(leaves: readonly Hash[]): Hash {
    return rootOf(this.#sha256, appendLeaves(this.#sha256, emptyFrontier, leaves))
  }

  /** Hashes what is stored; the stored hash is not asked. */
  async #leaves({ start, end }: Range): Promise<readonly Hash[]> {
    const rows = await this.#uses.read({ type: 'entries', from: start, limit: end - start })
    if (rows.length !== end - start || rows[0]?.seq !== start) {
      throw new MunimentError('data_loss', `Entries ${start} to ${end - 1} are not all there.`, {
        hint: 'Run audit: it names what is gone.',
      })
    }
    return rows.map(({ bytes }) => leafHash(this.#sha256, bytes))
  }
}
