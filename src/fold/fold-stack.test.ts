import { describe, expect, test } from 'vitest'
import { ENTRY_OPS, type Entry, type EntryOp, type Facts } from '../domain/entry.ts'
import { UNBORN } from '../domain/state.ts'
import { foldStack } from './fold-memory.ts'

const entry = (op: EntryOp, facts: Facts = {}): Entry =>
  ({
    op,
    replica: 'r',
    decision: { rule: null, disposition: null, reasons: [], facts },
  }) as unknown as Entry // what the fold reads

describe('the fold of a stack', () => {
  test('starts unborn, initializing and asking for sources', () => {
    expect(UNBORN).toMatchObject({
      uid: null,
      state: 'INITIALIZING',
      enforcing: true,
      tombstones: 0,
    })
  })

  test('takes from each entry of its own what that entry says', () => {
    expect(foldStack(UNBORN, entry('genesis', { uid: 'u' }))).toMatchObject({
      uid: 'u',
      replica: 'r',
    })
    expect(foldStack(UNBORN, entry('policy', { hash: 'h' })).policyHash).toBe('h')
    expect(foldStack(UNBORN, entry('state', { to: 'ACTIVE' })).state).toBe('ACTIVE')
    const off = foldStack(UNBORN, entry('enforcement.off'))
    expect(off.enforcing).toBe(false)
    expect(foldStack(off, entry('enforcement.on')).enforcing).toBe(true)
    const once = foldStack(UNBORN, entry('quarantine.rejected'))
    expect(foldStack(once, entry('quarantine.rejected')).tombstones).toBe(2)
    expect(foldStack(UNBORN, entry('memory.received')).received).toBe(1)
  })

  test('is not touched by what happens to memories', () => {
    const stack = ['genesis', 'policy', 'state', 'replica', 'enforcement']
    const counted = ['quarantine.rejected', 'memory.erased', 'memory.received', 'tombstone']
    const own = [...stack, ...counted, 'origin', 'clock']
    const about = ENTRY_OPS.filter((op) => !own.some((word) => op.startsWith(word)))
    expect(about).toHaveLength(ENTRY_OPS.length - 14)
    for (const op of about) expect(foldStack(UNBORN, entry(op))).toBe(UNBORN)
  })
})
