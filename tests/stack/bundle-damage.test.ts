import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../src/domain/limits.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { FaultyStore } from '../../src/testing/faulty-store.ts'
import { runs } from '../gate/runs.ts'
import { longHistory } from '../ledger/history.ts'
import { ownPath } from '../sqlite/support/folder.ts'
import { DEMO } from '../sqlite/support/history.ts'
import { holds } from '../support/holds.ts'
import { edited, errorOf, exported, resigned, restored } from './bundles.ts'

let lines: readonly string[] = []
let counts: Readonly<Record<string, number>> = {}

beforeAll(async () => {
  const { store } = await longHistory()
  lines = await exported(store, DEMO)
  counts = JSON.parse(lines[0] ?? '').counts
})

/** Refused with a code, and nothing of it is in the store. */
async function refusalOf(damaged: readonly string[]) {
  const store = new MemoryStore()
  const error = await errorOf(restored(store, damaged))
  const rows = store.rows(DEMO)
  expect(rows.tip.head).toMatchObject({ seq: -1, rev: 0 })
  const kept = [rows.sealed, rows.memories, rows.actorKeys, rows.tallies, rows.bursts]
  expect([rows.entries.length, rows.tombstones.size, ...kept.map(({ size }) => size)]).toEqual(
    Array.from({ length: 7 }, () => 0),
  )
  return error
}

/**
 * A damaged entry may show in the content it commits to, in the entry after it, and the last in the
 * header. Two lines out of order are named together: nothing tells which of the two was changed.
 */
function linesNamed({
  facts: { line, seq },
  message,
}: Awaited<ReturnType<typeof refusalOf>>): readonly number[] {
  const sealed = lines.slice(startOf('sealed'), startOf('actorKeys'))
  const content = sealed.findIndex((row) => JSON.parse(row).sealed.seq === seq)
  const last = line === 1 ? [startOf('sealed')] : []
  const before = message.includes('the line before it') ? [Number(line) - 1] : []
  const own = [Number(line), Number(seq) + 2, Number(seq) + 1, ...before, ...last]
  return content < 0 ? own : [...own, startOf('sealed') + content + 1]
}

/** Where a section begins, as an index into the lines. */
function startOf(section: string): number {
  const order = ['entries', 'sealed', 'actorKeys', 'tallies', 'bursts', 'tombstones']
  return (
    1 + order.slice(0, order.indexOf(section)).reduce((sum, name) => sum + (counts[name] ?? 0), 0)
  )
}

const replaced = (at: number, line: string): string[] => lines.with(at, line)

describe('a damaged bundle', () => {
  const place = fc.nat().map((n) => n % lines.length)
  const bit = fc.record({ at: place, unit: fc.nat(), bit: fc.integer({ min: 0, max: 6 }) })

  /** One bit of one character, the end of the line left alone. */
  function flipped({ at, unit, bit: which }: { at: number; unit: number; bit: number }): string[] {
    const line = lines[at] ?? ''
    const index = unit % (line.length - 1)
    const code = line.charCodeAt(index) ^ (1 << which)
    return replaced(at, line.slice(0, index) + String.fromCharCode(code) + line.slice(index + 1))
  }

  holds('LEDGER-DETECT', 'is refused for one flipped bit, and nothing is kept', async () => {
    await fc.assert(
      fc.asyncProperty(bit, async (where) => {
        const error = await refusalOf(flipped(where))
        expect(['invalid_bundle', 'scope']).toContain(error.code)
        const isPrimary = where.at >= startOf('actorKeys') // only the digest speaks for those
        if (where.at > 0 && !isPrimary) expect(linesNamed(error)).toContain(where.at + 1)
      }),
      runs(150),
    )
  })

  holds(
    'LEDGER-DETECT',
    'is refused for a flipped bit, also when its digest was made anew',
    async () => {
      await fc.assert(
        fc.asyncProperty(bit, async (where) => {
          // Counters and keys are primary: nothing else says what they should be.
          fc.pre(where.at < startOf('actorKeys'))
          await refusalOf(resigned(flipped(where)))
        }),
        runs(150),
      )
    },
  )

  holds('LEDGER-DETECT', 'is refused for a line lost, doubled, moved or cut', async () => {
    const change = fc.constantFrom('lost', 'doubled', 'swapped', 'cut', 'ended')
    const isSigned = fc.boolean()
    await fc.assert(
      fc.asyncProperty(change, place, place, isSigned, async (how, a, b, isAnew) => {
        fc.pre(a !== b || how !== 'swapped')
        const line = lines[a] ?? ''
        const damaged = {
          lost: () => lines.toSpliced(a, 1),
          doubled: () => lines.toSpliced(a, 0, line),
          swapped: () => replaced(a, lines[b] ?? '').with(b, line),
          cut: () => replaced(a, `${line.slice(0, (b % line.length) - 1)}\n`),
          ended: () => lines.slice(0, a),
        }[how]()
        fc.pre(damaged.join('') !== lines.join(''))
        const isDigestOnly = isAnew && resigned(damaged).join('') === lines.join('')
        fc.pre(!isDigestOnly)
        await refusalOf(isAnew && damaged.length > 1 ? resigned(damaged) : damaged)
      }),
      runs(200),
    )
  })

  test('is refused before a long line is read to its end, and the line is named', async () => {
    const long = `{"x":"${'x'.repeat(LIMITS.jsonBytesMax)}"}\n`
    const { code, issues } = await refusalOf(replaced(3, long))
    expect(code).toBe('limit_exceeded')
    expect(issues[0]?.path).toBe('line 4')
  })

  test('is named by line and entry', async () => {
    const at = startOf('sealed') + 2
    const { seq } = JSON.parse(lines[at] ?? '').sealed
    const other = edited(lines[at] ?? '', (value: Record<string, { salt: string }>) => {
      if (value.sealed) value.sealed.salt = '0'.repeat(64)
    })
    const error = await refusalOf(resigned(replaced(at, other)))
    expect(error).toMatchObject({
      code: 'invalid_bundle',
      facts: { line: at + 1, seq, code: 'commitment.mismatch' },
    })
  })

  test('is named by both lines where a changed number puts two lines out of order', async () => {
    const at = startOf('sealed') + 2
    const later = edited(lines[at] ?? '', (value: Record<string, { seq: number }>) => {
      if (value.sealed) value.sealed.seq = counts.entries ?? 0
    })
    const { facts, message } = await refusalOf(replaced(at, later))
    expect(facts.line).toBe(at + 2)
    expect(message).toContain(`Line ${at + 2} of the bundle does not come after the line before it`)
  })

  test('whose counters point nowhere is refused', async () => {
    const tally = startOf('tallies')
    const mark = startOf('tombstones')
    type Row = Record<string, { entrySeq?: number; seq?: number }>
    const lost = edited(lines[tally] ?? '', (value: Row) => {
      if (value.tally) value.tally.entrySeq = 1
    })
    expect((await refusalOf(resigned(replaced(tally, lost)))).facts.line).toBe(tally + 1)
    const moved = edited(lines[mark] ?? '', (value: Row) => {
      if (value.tombstone) value.tombstone.seq = 1
    })
    expect((await refusalOf(resigned(replaced(mark, moved)))).facts.line).toBe(mark + 1)
    const header = edited(lines[0] ?? '', (value: { counts?: Record<string, number> }) => {
      if (value.counts) value.counts.tombstones = (counts.tombstones ?? 0) - 1
    })
    const without = replaced(0, header).toSpliced(mark, 1)
    expect((await refusalOf(resigned(without))).message).toContain('tombstone')
  })

  test('of another format, or of no format, is refused', async () => {
    const header = lines[0] ?? ''
    for (const line of [
      header.replace('bundle/1', 'bundle/2'),
      header.replace('{"counts"', '{"a":1,"counts"'),
      '\n',
      'null\n',
      '[]\n',
      '{}\n',
      '"muniment/bundle/1"\n',
    ]) {
      expect((await refusalOf(resigned(replaced(0, line)))).code).toBe('invalid_bundle')
    }
    expect((await refusalOf([])).facts.line).toBe(1)
  })
})

describe('restoring', () => {
  test('takes only a place where nothing was written', async () => {
    const { store } = await longHistory()
    const before = await exported(store, DEMO)
    expect((await errorOf(restored(store, lines))).code).toBe('stack_not_empty')
    expect(await exported(store, DEMO)).toEqual(before)
  })

  test('a store that gives way keeps nothing, and takes the bundle the next time', async () => {
    for (const fault of ['before_commit', 'after_commit'] as const) {
      const file = new SqliteStore({ path: ownPath() })
      for (const inner of [new MemoryStore(), file]) {
        const store = new FaultyStore(inner)
        store.failNext(fault)
        expect((await errorOf(restored(store, lines))).code).toBe('store_unavailable')
        expect((await inner.read(DEMO, { type: 'standing' })).tip.head.seq).toBe(-1)
        await restored(store, lines)
        expect(await exported(inner, DEMO)).toEqual(lines)
      }
      await file.close()
    }
  })
})
