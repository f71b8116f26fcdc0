import { expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { MaintenanceModeError } from '../../src/domain/errors.ts'
import { holds } from '../support/holds.ts'
import { at, entriesOf, freshStack, opsOf, papersFor, saying } from './support.ts'

const seedOf = (statement: string) => ({
  kind: 'belief' as const,
  body: { statement },
  provenance: saying('ExternalFirstHand', { sourceType: 'seed' }),
})

holds('LINE-REAL', 'a new stack takes seeds without a source, until its life begins', async () => {
  const { stack, store } = await freshStack()
  const first = await stack.write(seedOf('Kindness is worth its price'))
  expect(first).toMatchObject({ disposition: 'CommittedCheap', rule: 'admit' })
  expect(opsOf(store, stack)).toEqual(['genesis', 'policy', 'memory.saved'])
  expect(stack.state).toBe('INITIALIZING')
  const memory = await stack.getMemory('belief', String(first.id))
  expect(memory?.provenance).toMatchObject({ source: 'system', derivedFrom: [], parentId: null })
  // Only seeds: anything else needs a source from the start.
  const other = { ...seedOf('Speed is worth its price'), provenance: saying('ExternalFirstHand') }
  expect(await stack.write(other)).toMatchObject({ ref: null, reasons: ['source_needed'] })
  expect(stack.state).toBe('INITIALIZING')
})

holds(
  'LINE-REAL',
  'the first write that is no seed ends it for good, in the same commit',
  async () => {
    const { stack, store } = await freshStack()
    await stack.write(seedOf('Kindness is worth its price'))
    await stack.write({
      kind: 'raw',
      body: { content: 'x' },
      provenance: saying('ExternalFirstHand'),
    })
    expect(opsOf(store, stack).slice(3)).toEqual(['state', 'memory.saved'])
    expect(stack.state).toBe('ACTIVE')
    expect(await stack.write(seedOf('Too late for a seed'))).toMatchObject({
      ref: null,
      rule: 'lineage',
      reasons: ['source_needed'],
    })
  },
)

holds('LINE-REAL', 'attaching ends it too, before anything was written', async () => {
  const { stack, store } = await freshStack()
  await new Entity('me').attachStack(stack)
  expect(stack.state).toBe('ACTIVE')
  expect(opsOf(store, stack)).toEqual(['genesis', 'policy', 'state'])
  expect(await stack.write(seedOf('Too late for a seed'))).toMatchObject({ ref: null })
  // Attaching again, or a second core, changes nothing.
  await new Entity('you').attachStack(stack)
  expect(opsOf(store, stack).filter((op) => op === 'state')).toHaveLength(1)
})

holds(
  'PROV-NOBYPASS',
  'in maintenance every write is refused with a code and leaves nothing',
  async () => {
    const { stack, store } = await freshStack()
    const raw = await stack.write({
      kind: 'raw',
      body: { content: 'x' },
      provenance: saying('ExternalFirstHand'),
    })
    await stack.control.setState('MAINTENANCE')
    const before = store.rows(stack.stackId).tip
    const me = new Entity('me')
    await me.attachStack(stack)
    const body = { content: 'a note' }
    const note = await papersFor(stack, 'note', body, { derivedFrom: raw.ref ? [raw.ref] : [] })
    const writes: readonly (() => Promise<unknown>)[] = [
      () => me.raw('more'),
      () => me.belief('A belief with a reason', { because: 'of something' }),
      () => stack.saveNote({ ...body, provenance: note }),
      () => stack.saveNotesBatch([{ ...body, provenance: note }]),
      () => stack.write(seedOf('A seed for later')),
      () => stack.writeAll([seedOf('A seed for later'), seedOf('And another one')]),
    ]
    for (const write of writes) {
      await expect(write()).rejects.toBeInstanceOf(MaintenanceModeError)
      await expect(write()).rejects.toMatchObject({ code: 'maintenance_mode' })
    }
    expect(store.rows(stack.stackId).tip).toEqual(before)
    // Reading goes on, and leaving maintenance brings writing back.
    expect(await stack.getStats()).toEqual({ raw: 1, total: 1 })
    await stack.control.setState('ACTIVE')
    expect(await me.raw('more')).toMatchObject({ rule: 'admit' })
  },
)

test('states follow one another in one order only', async () => {
  const { stack, store } = await freshStack()
  for (const to of ['MAINTENANCE', 'BANANA'] as const) {
    await expect(stack.control.setState(to as never)).rejects.toMatchObject({
      code: 'invalid_input',
    })
  }
  expect(store.rows(stack.stackId).entries).toEqual([])
  expect(await stack.control.setState('INITIALIZING')).toEqual({
    state: 'INITIALIZING',
    entry: null,
  })
  await stack.control.setState('ACTIVE')
  expect(await stack.control.setState('ACTIVE')).toEqual({ state: 'ACTIVE', entry: null })
  await expect(stack.control.setState('INITIALIZING')).rejects.toMatchObject({
    code: 'invalid_input',
  })
  const { entry } = await stack.control.setState('MAINTENANCE')
  expect(entriesOf(store, stack).at(-1)).toMatchObject({
    seq: entry?.seq,
    op: 'state',
    door: 'lib',
    decision: { facts: { from: 'ACTIVE', to: 'MAINTENANCE' } },
  })
})

holds('PROV-DOOR', 'a model at a door cannot change the state, a person can', async () => {
  const { stack } = await freshStack()
  await stack.control.setState('ACTIVE')
  for (const door of ['mcp', 'http', 'cli', 'hook', 'import'] as const) {
    await expect(stack.control.setState('MAINTENANCE', at(door))).rejects.toMatchObject({
      code: 'scope',
    })
  }
  expect(stack.state).toBe('ACTIVE')
  await stack.control.setState('MAINTENANCE', at('explorer', { person: true }))
  expect(stack.state).toBe('MAINTENANCE')
})

holds(
  'GATE-ONE-ENTRY',
  'a refusal on a new stack is its first word, and does not begin its life',
  async () => {
    const { stack, store } = await freshStack()
    const request = {
      kind: 'raw' as const,
      body: { content: 'x' },
      provenance: saying('UserAsserted'),
    }
    expect(await stack.write(request, at('mcp'))).toMatchObject({ ref: null, rule: 'origin' })
    expect(opsOf(store, stack)).toEqual(['genesis', 'policy', 'memory.refused'])
    expect(stack.state).toBe('INITIALIZING')
  },
)
