import { beforeAll, describe, expect, test } from 'vitest'
import { type History, longHistory } from './history.ts'
import { unnoticed as unnoticedIn } from './told-lies.ts'
import {
  auditOutcome,
  type Copy,
  copyOf,
  flipped,
  naiveProblems,
  type Rows,
  rowAt,
  sealedAt,
  withBytes,
} from './vandal.ts'

let history: History
let rows: Rows

beforeAll(async () => {
  history = await longHistory()
  rows = history.store.rows(history.stack.stackId)
})

const unnoticed = (
  positions: readonly number[],
  vandalise: (copy: Copy, position: number) => void,
): Promise<string[]> => unnoticedIn(history, positions, vandalise)

const allEntries = (): number[] => rows.entries.map(({ seq }) => seq)
const allSealed = (): number[] => [...rows.sealed.keys()]

describe('an entry is noticed by both verifiers', () => {
  test('when one bit of it flips, at its edges or inside', async () => {
    const missed = await unnoticed(allEntries(), ({ rows }, position) => {
      const row = rowAt(rows, position)
      const last = row.bytes.length - 1
      const place = [0, last, last >> 1, last >> 2][position % 4] ?? 0
      rows.entries[position] = { ...row, bytes: flipped(row.bytes, place) }
    })
    expect(missed).toEqual([])
  })

  test('when one bit flips and its own hash is made to fit', async () => {
    const missed = await unnoticed(allEntries(), ({ rows }, position) => {
      const row = rowAt(rows, position)
      rows.entries[position] = withBytes(
        row,
        flipped(row.bytes, (position * 37) % row.bytes.length),
      )
    })
    expect(missed).toEqual([])
  })

  test('when it is gone', async () => {
    const missed = await unnoticed(allEntries(), ({ rows }, position) => {
      rows.entries.splice(position, 1)
    })
    expect(missed).toEqual([])
  })

  test('when it is gone and those after it move up', async () => {
    const missed = await unnoticed(allEntries(), ({ rows }, position) => {
      rows.entries.splice(position, 1)
      rows.entries = rows.entries.map((row, seq) => ({ ...row, seq }))
    })
    expect(missed).toEqual([])
  })

  test('when it is there twice', async () => {
    const missed = await unnoticed(allEntries().slice(0, -1), ({ rows }, position) => {
      rows.entries.splice(position, 0, rowAt(rows, position))
    })
    expect(missed).toEqual([])
  })

  test('when it changes places with its neighbour', async () => {
    const missed = await unnoticed(allEntries().slice(1), ({ rows }, position) => {
      const [row, before] = [rowAt(rows, position), rowAt(rows, position - 1)]
      rows.entries[position] = { ...before, seq: position }
      rows.entries[position - 1] = { ...row, seq: position - 1 }
    })
    expect(missed).toEqual([])
  })

  test.each(['hash', 'prevHash'] as const)('when the %s beside it is another', async (member) => {
    const missed = await unnoticed(allEntries(), ({ rows }, position) => {
      const other = rowAt(rows, (position + 2) % rows.entries.length).hash
      rows.entries[position] = { ...rowAt(rows, position), [member]: other }
    })
    expect(missed).toEqual([])
  })
})

describe('a sealed row is noticed by both verifiers', () => {
  test.each([0, 0.999])('when one bit flips %s of the way through', async (part) => {
    const missed = await unnoticed(allSealed(), (copy, seq) => {
      const row = sealedAt(copy.rows, seq)
      const bytes = flipped(row.bytes, Math.floor(row.bytes.length * part))
      copy.rows.sealed.set(seq, { ...row, bytes })
    })
    expect(missed).toEqual([])
  })

  test('when one bit of its salt flips, or the salt is cut short', async () => {
    const missed = await unnoticed(allSealed(), (copy, seq) => {
      const row = sealedAt(copy.rows, seq)
      const salt = seq % 2 === 0 ? flipped(row.salt, seq % 32) : row.salt.subarray(0, 31)
      copy.rows.sealed.set(seq, { ...row, salt })
    })
    expect(missed).toEqual([])
  })

  test('when it is gone', async () => {
    const missed = await unnoticed(allSealed(), ({ rows }, seq) => {
      rows.sealed.delete(seq)
    })
    expect(missed).toEqual([])
  })

  test('when it changes places with the next one', async () => {
    const missed = await unnoticed(allSealed().slice(1), (copy, seq) => {
      const before = allSealed()[allSealed().indexOf(seq) - 1] ?? seq
      const [row, other] = [sealedAt(copy.rows, seq), sealedAt(copy.rows, before)]
      copy.rows.sealed.set(seq, { ...row, salt: other.salt, bytes: other.bytes })
      copy.rows.sealed.set(before, { ...other, salt: row.salt, bytes: row.bytes })
    })
    expect(missed).toEqual([])
  })

  test('when it lies where no entry commits to it', async () => {
    const empty = allEntries().filter((seq) => !rows.sealed.has(seq))
    const missed = await unnoticed(empty, (copy, seq) => {
      copy.rows.sealed.set(seq, { ...sealedAt(copy.rows, allSealed()[0] ?? 0), seq })
    })
    expect(missed).toEqual([])
  })
})

describe('what is kept beside the entries is noticed by both verifiers', () => {
  test('a head that is another', async () => {
    const missed = await unnoticed([-1, 1], ({ rows }, by) => {
      const seq = rows.tip.head.seq + by
      rows.tip = { ...rows.tip, head: { ...rows.tip.head, seq } }
    })
    const hashes = await unnoticed([0], ({ rows }) => {
      rows.tip = { ...rows.tip, head: { ...rows.tip.head, hash: rowAt(rows, 0).hash } }
    })
    expect([...missed, ...hashes]).toEqual([])
  })

  test('a tree of another size, or with another subtree at its edge', async () => {
    const edge = rows.tip.tree.hashes.map((_hash, index) => index)
    const missed = await unnoticed(edge, ({ rows }, index) => {
      const hashes = rows.tip.tree.hashes.with(index, rowAt(rows, 0).hash)
      rows.tip = { ...rows.tip, tree: { ...rows.tip.tree, hashes } }
    })
    const sizes = await unnoticed([-1, 1], ({ rows }, by) => {
      rows.tip = { ...rows.tip, tree: { ...rows.tip.tree, size: rows.tip.tree.size + by } }
    })
    expect([...missed, ...sizes]).toEqual([])
  })

  test('the key of an actor who wrote something that is still sealed', async () => {
    const sealers = [...rows.sealed.values()].map(({ bytes }) => sourceOf(bytes))
    const keys = [...rows.actorKeys.values()].filter(({ actor }) => sealers.includes(actor))
    const positions = keys.map((_key, index) => index)
    const missed = await unnoticed(positions, ({ rows }, index) => {
      const { actor = '', since = 0 } = keys[index] ?? {}
      rows.actorKeys.set(actor, { actor, key: 'ef'.repeat(32), since })
    })
    expect(missed).toEqual([])
    expect(positions.length).toBeGreaterThan(3)
  })

  test('but not a new key of an actor who comes back: what was said before is nobody’s', async () => {
    const copy = copyOf(history)
    const since = copy.rows.entries.length
    for (const { actor } of rows.actorKeys.values()) {
      copy.rows.actorKeys.set(actor, { actor, key: 'ef'.repeat(32), since })
    }
    expect(naiveProblems(copy)).toEqual([])
    expect(await auditOutcome(copy)).toBe('ok')
  })

  test('but not a key that is gone: that is how an actor is forgotten', async () => {
    const copy = copyOf(history)
    copy.rows.actorKeys = new Map()
    expect(naiveProblems(copy)).toEqual([])
    expect(await auditOutcome(copy)).toBe('ok')
  })
})

const sourceOf = (bytes: Uint8Array): string =>
  JSON.parse(Buffer.from(bytes).toString('utf8')).provenance?.sourceId
