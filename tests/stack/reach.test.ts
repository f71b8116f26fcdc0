import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { fileKeyring } from '../../src/compose/keyring.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Caller } from '../../src/domain/doors.ts'
import { MunimentError } from '../../src/domain/errors.ts'
import { parseMemoryId, toRef } from '../../src/domain/ids.ts'
import type { WriteRequest } from '../../src/engine/write/write-request.ts'
import { holds } from '../support/holds.ts'
import { at, entriesOf, freshEntity, freshStack, saying } from './support.ts'

const raw = (content: string): WriteRequest<'raw'> => ({
  kind: 'raw',
  body: { content },
  provenance: saying('ExternalFirstHand'),
})

const codeOf = (attempt: Promise<unknown>): Promise<unknown> =>
  attempt.then(
    () => 'taken',
    (error: unknown) => (error instanceof MunimentError ? error.code : error),
  )

describe('a caller that is none', () => {
  const wrong: readonly (readonly [string, unknown])[] = [
    ['a door that is not there', at('lib', { door: 'window' as 'lib' })],
    ['a tier below all', at('http', { grant: { ExternalFirstHand: -1 as 0 } })],
    ['a tier above all', at('http', { grant: { ExternalFirstHand: 4 as 0 } })],
    ['a label nobody knows', at('http', { grant: { Oracle: 3 } as Caller['grant'] })],
    ['an operation without a name', at('lib', { operation: ' ' })],
    ['a person who may be one', at('cli', { person: 'yes' as unknown as boolean })],
    ['nothing at all', null],
  ]

  test.each(wrong)(
    '%s is refused alone, and whoever waits with it is written',
    async (_, given) => {
      const { stack } = await freshStack()
      const caller = given as Caller // a host in JavaScript may hand over anything
      const good = stack.write(raw('good'))
      const bad = codeOf(stack.write(raw('bad'), caller))
      const me = new Entity('host')
      await me.attachStack(stack)
      const act = codeOf(stack.control.setState('MAINTENANCE', caller))
      const routed = codeOf(me.write('raw', { content: 'bad' }, { caller }))
      const codes = [await bad, await act, await routed]
      expect(codes).toEqual(['invalid_input', 'invalid_input', 'invalid_input'])
      expect(await good).toMatchObject({ disposition: 'CommittedCheap' })
      expect(await stack.ledger.audit()).toMatchObject({ ok: true })
    },
  )

  test('acts on the stack are for the host, or for a person whom the door lets speak as one', async () => {
    const { stack } = await freshEntity()
    for (const by of [at('mcp', { person: true }), at('import', { person: true }), at('cli')]) {
      expect(await codeOf(stack.control.setState('MAINTENANCE', by))).toBe('scope')
    }
    const person = at('cli', { person: true })
    expect(await stack.control.setState('MAINTENANCE', person)).toMatchObject({
      state: 'MAINTENANCE',
    })
  })
})

test('what is no write, no list, no kind and no name is told so with a code', async () => {
  const { stack } = await freshStack()
  const anything = stack as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>
  const calls: readonly (readonly [string, ...unknown[]])[] = [
    ['write', null],
    ['writeAll', null],
    ['saveAll', 'note', null],
    ['getMemory', 'nope', '00000000-0000-7000-8000-000000000001'],
    ['list', 'nope'],
  ]
  for (const [name, ...given] of calls) {
    const call = anything[name]?.bind(stack)
    expect(await codeOf(Promise.resolve(call?.(...given))), name).toMatch(/^invalid_/)
  }
  expect(await codeOf(stack.lookup.resolveRef(5 as never))).toMatch(/^invalid_/)
  expect(() => new Entity(undefined as unknown as string)).toThrow(MunimentError)
})

test('a routed write names every bad field, of what it says and of how it came to be', async () => {
  const { me } = await freshEntity()
  const error = await me.note('', { confidence: 7 }).catch((cause: unknown) => cause)
  const paths = (error as MunimentError).issues.map(({ path }) => path)
  expect(paths).toEqual(['body.content', 'provenance.confidence'])
})

test('a window without end is no policy, and the longest one lets the stack go on', async () => {
  const { stack, clock } = await freshStack()
  const { policy } = await stack.control.getPolicy()
  const windowed = (tallyWindowMs: number) => ({
    ...policy,
    numbers: { ...policy.numbers, tallyWindowMs },
  })
  expect(await codeOf(stack.control.setPolicy(windowed(Number.MAX_SAFE_INTEGER)))).toBe(
    'invalid_input',
  )
  await stack.control.setPolicy(windowed(3_155_760_000_000))
  const unsourced = { ...raw('x'), kind: 'note' } as unknown as WriteRequest
  for (let n = 0; n < 3; n += 1) await stack.write(unsourced)
  clock.advance({ days: 400 })
  expect(await stack.write(raw('after a year'))).toMatchObject({ disposition: 'CommittedCheap' })
  expect(await stack.control.setPolicy(policy)).toMatchObject({
    entry: { seq: expect.any(Number) },
  })
})

test('attaching does not end a maintenance that somebody else began meanwhile', async () => {
  const { stack: late, store, clock } = await freshStack()
  const other = await openStack('test', { store, clock })
  await other.control.setState('ACTIVE')
  await other.control.setState('MAINTENANCE')
  expect(late.state).toBe('INITIALIZING')
  await new Entity('late').attachStack(late)
  expect(late.state).toBe('MAINTENANCE')
})

describe('a revision by a model', () => {
  const claim = (value: string, predicate: string, confidence: number) => ({
    kind: 'claim' as const,
    body: { subject: 'user', predicate, value },
    confidence,
  })

  test('onto a line that a person spoke of stays beside it, as a new claim would', async () => {
    const { stack, me } = await freshEntity()
    const source = (await me.raw('words')).ref
    const told = await me.claim(
      { subject: 'user', predicate: 'city', value: 'Berlin' },
      { label: { type: 'External', kind: 'UserAsserted' } },
    )
    const other = claim('Paris', 'town', 0.8)
    const model = saying('ModelDerived', { derivedFrom: [source] })
    const first = await stack.write({ kind: 'claim', body: other.body, provenance: model })
    const moved = await stack.write({
      kind: 'claim',
      id: String(first.id),
      body: claim('Paris', 'city', 0.8).body,
      provenance: model,
      revises: { expectedVersion: 1 },
    })
    expect(moved).toMatchObject({ rule: 'conflict', reasons: ['model_against_first_hand'] })
    expect(await stack.ledger.audit()).toMatchObject({ ok: true })
    expect(told.tier).toBe(3)
  })

  test('never raises the tier it had', async () => {
    const { stack, me } = await freshEntity()
    const source = (await me.raw('words')).ref
    const low = saying('ModelDerived', { derivedFrom: [source], trustTier: 0 })
    const note = { kind: 'note', body: { content: 'a poor note' }, provenance: low } as const
    const { id } = await stack.write(note)
    const again = await stack.write({
      ...note,
      id: String(id),
      body: { content: 'a poor note, reworded' },
      provenance: saying('ModelDerived', { derivedFrom: [source] }),
      revises: { expectedVersion: 1 },
    })
    expect(again).toMatchObject({ tier: 0, reasons: ['tier_of_revised'] })
  })
})

describe('what a refusal leaves behind', () => {
  const nowhere = toRef('raw', parseMemoryId('00000000-0000-7000-8000-0000deadbeef'))

  test('counts what is not there and does not repeat its name: a name may spell anything', async () => {
    const { stack, store } = await freshStack()
    await stack.write({
      kind: 'note',
      body: { content: 'from nowhere' },
      provenance: saying('ExternalFirstHand', { derivedFrom: [nowhere] }),
    })
    const entry = entriesOf(store, stack).at(-1)
    expect(entry?.decision.facts).toEqual({ parents: [], missing: 1 })
    expect(JSON.stringify(entriesOf(store, stack))).not.toContain('deadbeef')
  })

  holds(
    'LINE-REAL',
    'the suggestion of a refused batch cites nothing that went with it',
    async () => {
      const { stack, me } = await freshEntity()
      const note = await me.note('a sound note')
      const born = '00000000-0000-7000-8000-00000000a001'
      const written = await stack.writeAll([
        { ...raw('goes with the batch'), id: born },
        {
          kind: 'belief',
          body: { statement: 'TODO' },
          provenance: saying('ExternalFirstHand', {
            derivedFrom: [note.ref],
            sourceEpisodes: [toRef('raw', parseMemoryId(born))],
          }),
        },
      ])
      expect(written).toMatchObject({ refused: true, index: 1 })
      const [kept] = await stack.list('suggestion')
      expect(kept?.provenance.sourceEpisodes).toEqual([])
      expect(await stack.getMemory('raw', born)).toBeNull()
    },
  )
})

test('a key file that is damaged is said to be, and never taken for a key', () => {
  const home = mkdtempSync(join(tmpdir(), 'muniment-keys-'))
  try {
    const keyring = fileKeyring(home)
    const keys = { replica: 'ab'.repeat(16), tombstoneKey: new Uint8Array(32).fill(7) }
    expect(keyring.keep('0'.repeat(32), keys)).toEqual(keys)
    for (const text of ['', '{"replica":', '[]', '{"replica":"x","tombstoneKey":""}']) {
      writeFileSync(join(home, 'keys', '0'.repeat(32)), text)
      expect(() => keyring.find('0'.repeat(32)), text).toThrow(/damaged/)
    }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})
