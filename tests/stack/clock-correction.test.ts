import { describe, expect, test } from 'vitest'
import { memoryKeyring } from '../../src/compose/keyring.ts'
import { Entity, openStack } from '../../src/index.ts'
import { verifyBundle } from '../../src/ledger/verify/index.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { fakeClock, fakeWorld } from '../../src/testing/world.ts'
import { verifyLedger } from '../ledger/naive-verifier.ts'
import {
  auditOutcome,
  type Copy,
  copyOf,
  ledgerOf,
  membersOf,
  naiveProblems,
  rechain,
  rowAt,
  withMembers,
} from '../ledger/vandal.ts'
import { ownPath } from '../sqlite/support/folder.ts'
import { holds } from '../support/holds.ts'
import { exported, restored } from './bundles.ts'
import { correctedLife, notedDaily } from './corrected-life.ts'

const stores = {
  memory: () => new MemoryStore(),
  sqlite: () => new SqliteStore({ path: ownPath() }),
} as const

describe.each(Object.entries(stores))('a clock correction on %s', (_, make) => {
  holds('LEDGER-TIME', 'lets times follow the clock again, and keeps old dates', async () => {
    const life = await correctedLife(make())
    const { stack, agent, before, ahead, corrected } = life
    const after = await agent.note('Said after the correction.')
    const timeOf = async (ref: string) =>
      (await stack.history.why(ref)).memory?.provenance.timestamp
    expect(await timeOf(before.ref)).toBe('2026-01-01T00:00:00.000Z')
    expect(await timeOf(ahead.ref)).toBe('2028-09-28T00:00:00.000Z')
    expect(await timeOf(after.ref)).toBe('2026-01-02T00:05:00.000Z')
    expect((await stack.ledger.audit()).problems).toEqual([])
    expect((await stack.ledger.audit({ only: 'chain' })).problems).toEqual([])

    // The last entry at or before a time, by its place in the ledger.
    const known = async (ref: string, asOf: string | number) => {
      const { kind, id } = { kind: 'note', id: ref.split(':')[1] ?? '' } as const
      return (await stack.getMemory(kind, id, { asOf })) !== null
    }
    expect(await known(after.ref, '2026-01-03T00:00:00.000Z')).toBe(true)
    expect(await known(ahead.ref, '2026-01-03T00:00:00.000Z')).toBe(true)
    expect(await known(ahead.ref, '2026-01-02T00:01:00.000Z')).toBe(false)
    expect(await known(before.ref, '2026-01-01T12:00:00.000Z')).toBe(true)
    expect(await known(after.ref, corrected)).toBe(false)
    expect(await known(after.ref, '2030-01-01T00:00:00.000Z')).toBe(true)

    const { code } = await stack.ledger.replay(after.entry.seq)
    expect(code).toBe('decision.same')
    await stack.ledger.rebuild()
    expect((await stack.ledger.audit()).problems).toEqual([])
    await stack.close()
  })

  holds('FIREWALL-BURST', 'counts no time of before as a burst of now', async () => {
    const life = await correctedLife(make())
    const { daily, often } = await notedDaily(life)
    expect(daily).not.toContain('Quarantined')
    expect(often).toContain('Quarantined') // the rule still works
    expect((await life.stack.ledger.audit()).problems).toEqual([])
    await life.stack.close()
  })

  test('ends every tally before the step, and decay goes on without a number that rises', async () => {
    const store = make()
    const { clock, ...world } = fakeWorld(3)
    const stack = await openStack('demo', { store, clock, ...world, keyring: memoryKeyring() })
    const agent = new Entity('my-agent')
    await agent.attachStack(stack)
    clock.advance({ days: 900 })
    const note = await agent.note('Said in the future.')
    for (let again = 0; again < 3; again += 1) await agent.note('Said in the future.')
    clock.advance({ days: -900 })
    const { entry } = await stack.health.correctClock()
    const [tally] = await store.read(stack.stackId, {
      type: 'entries',
      from: (entry?.seq ?? 0) - 1,
      limit: 1,
    })
    expect(JSON.parse(new TextDecoder().decode(tally?.bytes))).toMatchObject({
      op: 'tally',
      time: '2028-06-19T00:00:00.000Z',
    })
    const strength = async () => (await stack.getMemory('note', note.id))?.strength
    expect(await strength()).toBe(1)
    clock.advance({ days: 1_000 })
    expect(await strength()).toBeLessThan(1)
    await agent.note('Said in the future.')
    clock.advance({ minutes: 20 })
    await stack.maintenance()
    expect((await stack.ledger.audit()).problems).toEqual([])
    await stack.close()
  })
})

holds('LEDGER-TIME', 'only a correction steps back: both verifiers and bundles agree', async () => {
  const store = new MemoryStore()
  const { stack, agent, corrected } = await correctedLife(store)
  await agent.note('Said after the correction.')
  expect(verifyLedger(ledgerOf(store.rows(stack.stackId)))).toEqual([])
  const lines = await exported(store, stack.stackId)
  const trust = {
    keys: [await stack.ledger.verifierKey()],
    checkpoint: (await stack.ledger.checkpoint()).note,
  }
  expect(await verifyBundle(lines, trust)).toMatchObject({ ok: true })
  for (const copy of [new MemoryStore(), new SqliteStore({ path: ownPath() })]) {
    await restored(copy, lines)
    expect(await exported(copy, stack.stackId)).toEqual(lines)
    const again = await openStack('demo', { store: copy })
    expect((await again.ledger.audit()).problems).toEqual([])
    await again.close()
  }

  const forged = (change: (copy: Copy) => void): Copy => {
    const copy = copyOf({ store, stack } as Parameters<typeof copyOf>[0])
    change(copy)
    rechain(copy.rows, corrected)
    return copy
  }
  const rewritten = (change: Parameters<typeof withMembers>[1]) =>
    forged(({ rows }) => {
      const row = rowAt(rows, corrected)
      rows.entries[corrected] = withMembers(row, { ...membersOf(row), ...change })
    })
  const same = forged(() => undefined)
  expect([await auditOutcome(same), naiveProblems(same)]).toEqual(['ok', []])
  const { decision, time } = membersOf(rowAt(store.rows(stack.stackId), corrected))
  const lies: Record<string, Parameters<typeof withMembers>[1]> = {
    'another operation steps back': {
      op: 'enforcement.off',
      decision: bare(decision),
      actor: null,
    },
    'it steps from another time': { decision: withFrom(decision, time) },
    'it corrects nothing': { time: '2028-09-28T00:00:00.001Z' },
  }
  for (const [lie, change] of Object.entries(lies)) {
    const copy = rewritten(change)
    expect({ lie, outcome: await auditOutcome(copy) }).toEqual({ lie, outcome: 'problems' })
    expect({ lie, found: naiveProblems(copy).length > 0 }).toEqual({ lie, found: true })
  }
  await stack.close()
})

type Member = Parameters<typeof withMembers>[1][string]

const bare = (decision: Member | undefined): Member => ({ ...(decision as object), facts: {} })
const withFrom = (decision: Member | undefined, from: Member | undefined): Member =>
  ({ ...(decision as object), facts: { from } }) as Member

describe('a clock that is far off', () => {
  const opened = async (steady?: () => number) => {
    const clock = fakeClock()
    const stack = await openStack('demo', {
      store: new MemoryStore(),
      clock: { now: clock.now, ...(steady && { steady }) },
    })
    const agent = new Entity('my-agent')
    await agent.attachStack(stack)
    await agent.note('Said while the clock was right.')
    return { clock, stack, agent }
  }

  test('ten years ahead dates nothing, and is followed once a person says that it is right', async () => {
    const { clock, stack, agent } = await opened()
    clock.advance({ days: 3_650 })
    await expect(agent.note('Dated by a wrong clock.')).rejects.toMatchObject({
      code: 'clock_implausible',
      facts: { limit: 'clockAheadMsMax' },
    })
    clock.advance({ days: -3_650 })
    const { provenance } = (await stack.list('note'))[0] ?? {}
    expect(provenance?.timestamp).toBe('2026-01-01T00:00:00.000Z')
    expect((await agent.note('Said with the right clock.')).ref).toMatch(/^note:/)
    clock.advance({ days: 3_650 })
    expect((await stack.health.correctClock()).entry).not.toBeNull()
    expect((await agent.note('Said ten years later.')).ref).toMatch(/^note:/)
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('does not stop a stack that was unused for two years, nor an erasure', async () => {
    const { clock, stack, agent } = await opened()
    clock.advance({ days: 730 })
    const later = await agent.note('Said two years later.')
    clock.advance({ days: -700 })
    await expect(agent.note('Dated by nobody.')).rejects.toMatchObject({
      code: 'clock_implausible',
    })
    expect((await stack.erasure.erase(later.ref)).erased).toContain(later.ref)
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('that is set ahead while the process runs is refused; one that slept is not', async () => {
    let steadyMs = 0
    const { clock, stack, agent } = await opened(() => steadyMs)
    clock.advance({ days: 40 })
    steadyMs += 40 * 86_400_000 // the machine slept, or nobody wrote
    await agent.note('Said forty days later.')
    clock.advance({ days: 40 })
    await expect(agent.note('Dated by a clock that jumped.')).rejects.toMatchObject({
      code: 'clock_implausible',
      facts: { limit: 'clockJumpMsMax' },
      hint: expect.stringContaining('correctClock'),
    })
    expect((await stack.health.correctClock()).entry).toBeNull() // nothing in the ledger was wrong
    await agent.note('Said after a person looked at the clock.')
  })
})
