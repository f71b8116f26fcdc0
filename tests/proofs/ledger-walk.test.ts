import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { type LedgerLine, LedgerWalk } from '../../src/ledger/verify/index.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'

async function ledgerOf(words: readonly string[]): Promise<readonly LedgerLine[]> {
  const stack = await openStack('walked', { store: new MemoryStore() })
  const me = new Entity('walker')
  await me.attachStack(stack)
  for (const each of words) await me.note(each)
  const { entries } = await stack.ledger.entries({ limit: 1_000 })
  await stack.close()
  return entries
}

const lines = await ledgerOf(['one swallow', 'two swallows', 'three swallows'])
const rootAt = (size: number): string => {
  const walk = new LedgerWalk()
  walk.take(lines.slice(0, size))
  return walk.root
}

describe('a walk along the whole ledger', () => {
  test('finds nothing amiss in what the stack wrote, and the same root however it is cut', () => {
    const whole = new LedgerWalk()
    expect(whole.take(lines)).toBeNull()
    const cut = new LedgerWalk()
    for (const line of lines) expect(cut.take([line])).toBeNull()
    expect(cut.root).toBe(whole.root)
    expect(whole.size).toBe(lines.length)
    expect(whole.hash).toBe(lines.at(-1)?.hash)
  })

  test('passes a head that was kept', () => {
    const walk = new LedgerWalk([{ size: 3, root: rootAt(3) }])
    expect(walk.take(lines)).toBeNull()
  })

  test.each([
    ['hash.mismatch', (line: LedgerLine) => ({ ...line, hash: '0'.repeat(64) })],
    [
      'hash.mismatch',
      (line: LedgerLine) => ({
        ...line,
        entry: line.entry.replace(/T\d/, (hour) => (hour === 'T0' ? 'T1' : 'T0')),
      }),
    ],
    ['entry.unreadable', (line: LedgerLine) => ({ ...line, entry: `${line.entry} ` })],
    ['entry.misplaced', (line: LedgerLine) => ({ ...line, seq: line.seq + 1 })],
  ] as const)('says %s of an entry that was altered', (code, spoil) => {
    const spoilt = lines.map((line, at) => (at === 2 ? spoil(line) : line))
    expect(new LedgerWalk().take(spoilt)).toEqual({ seq: 2, code })
  })

  test('says that an entry is missing', () => {
    const fault = new LedgerWalk().take(lines.filter((_, at) => at !== 1))
    expect(fault).toEqual({ seq: 1, code: 'entry.misplaced' })
  })

  test('says that another log’s entry does not follow', async () => {
    const others = await ledgerOf(['another bird'])
    const mixed = [...lines.slice(0, 2), ...others.slice(2)]
    expect(new LedgerWalk().take(mixed)).toEqual({ seq: 2, code: 'chain.broken' })
  })

  test('catches a log that is sound in itself and not the one that was pinned', async () => {
    const others = await ledgerOf(['one swallow', 'two swallows', 'no swallow'])
    expect(new LedgerWalk().take(others)).toBeNull()
    const walk = new LedgerWalk([{ size: 3, root: rootAt(3) }])
    expect(walk.take(others)).toEqual({ seq: 2, code: 'root.mismatch' })
  })
})
