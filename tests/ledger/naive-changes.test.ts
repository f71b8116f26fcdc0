import { beforeAll, describe, expect, test } from 'vitest'
import { historyOfChanges } from './changes.ts'
import type { History } from './history.ts'
import { isObject } from './naive-canonical.ts'
import { onePerClass, unnoticed } from './told-lies.ts'
import {
  type Copy,
  flipped,
  type Members,
  membersOf,
  rechain,
  rowAt,
  sealedAt,
  withBytes,
} from './vandal.ts'

let changes: History

beforeAll(async () => {
  changes = await historyOfChanges()
})

describe('a change of a memory that exists is noticed by both verifiers', () => {
  const oneOfEach = (): number[] => onePerClass(changes).map(({ seq }) => seq)

  test('when one bit of it flips and its own hash is made to fit', async () => {
    const flip = ({ rows }: Copy, position: number) => {
      const row = rowAt(rows, position)
      const place = (position * 37) % row.bytes.length
      rows.entries[position] = withBytes(row, flipped(row.bytes, place))
    }
    expect(await unnoticed(changes, oneOfEach(), flip)).toEqual([])
  })

  test('when one bit of what it seals flips', async () => {
    const sealed = oneOfEach().filter((seq) =>
      changes.store.rows(changes.stack.stackId).sealed.has(seq),
    )
    const flip = (copy: Copy, seq: number) => {
      const row = sealedAt(copy.rows, seq)
      copy.rows.sealed.set(seq, { ...row, bytes: flipped(row.bytes, row.bytes.length >> 1) })
    }
    expect(await unnoticed(changes, sealed, flip)).toEqual([])
    expect(sealed.length).toBeGreaterThan(10)
  })

  test('when the ledger ends before something that follows from it', async () => {
    const follows = onePerClass(changes).filter((row) => isConsequence(membersOf(row)))
    const end = ({ rows }: Copy, position: number) => {
      rows.entries.splice(position)
      for (const seq of rows.sealed.keys()) if (seq >= position) rows.sealed.delete(seq)
      rechain(rows, position)
    }
    const positions = follows.map(({ seq }) => seq)
    expect(await unnoticed(changes, positions, end)).toEqual([])
    expect(positions).toHaveLength(4)
  })
})

/** What follows from a change; what an admission brings about is not missed where it ends. */
const isConsequence = ({ op, decision }: Members): boolean =>
  ['memory.flagged', 'memory.cleared', 'memory.strengthened', 'belief.deactivated'].some(
    (each) => each === op && isObject(decision) && decision.rule === null,
  )
