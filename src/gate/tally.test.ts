import { describe, expect, test } from 'vitest'
import type { StoredEntry } from '../domain/entry.ts'
import type { Ref } from '../domain/ids.ts'
import type { Instant } from '../domain/time.ts'
import { collapseKey, countRepeat, openTally, refusalKey } from './tally.ts'

const REF = 'note:01980000-0000-7000-8000-000000000001' as Ref
const stored = { entry: { seq: 7 }, hash: 'h' } as unknown as StoredEntry // what a tally reads of it

describe('a tally', () => {
  const tally = openTally({
    key: collapseKey(REF, 'echo'),
    rule: 'echo',
    about: REF,
    actor: null,
    door: null,
    pseudonym: null,
    stored,
  })

  test('opens empty, pointing at the entry of the first', () => {
    expect(tally).toMatchObject({ entrySeq: 7, count: 0, firstAt: null, lastAt: null })
  })

  test('counts from its first repeat on', () => {
    const [one, two] = ['2026-01-01T00:00:01.000Z', '2026-01-01T00:00:02.000Z'] as Instant[]
    const once = countRepeat(tally, one as Instant)
    expect(once).toMatchObject({ count: 1, firstAt: one, lastAt: one })
    expect(countRepeat(once, two as Instant)).toMatchObject({ count: 2, firstAt: one, lastAt: two })
    expect(tally.count).toBe(0)
    // A clock that was set back in between does not turn it around.
    const back = countRepeat(countRepeat(tally, two as Instant), one as Instant)
    expect(back).toMatchObject({ count: 2, firstAt: two, lastAt: two })
  })

  test('has a key that no other memory, actor, door or rule shares', () => {
    const keys = [
      collapseKey(REF, 'echo'),
      collapseKey(REF, 'restate'),
      refusalKey('a', 'lib', 'lint'),
      refusalKey('a', 'cli', 'lint'),
      refusalKey('a', 'lib', 'origin'),
      refusalKey('a","lib', 'lib', 'lint'),
      refusalKey(REF, 'lib', 'echo'),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })
})
