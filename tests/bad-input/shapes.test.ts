import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import type { MemoryId } from '../../src/domain/ids.ts'
import { label } from '../../src/domain/labels.ts'
import { ending, firstHand, ground, SECRET, saidBy } from './ground.ts'

const UUID = '00000000-0000-7000-8000-0000000000ff'

describe('kinds', () => {
  test.each([
    '',
    'Raw',
    'raw ',
    'memory',
    '__proto__',
    'constructor',
    'toString',
    SECRET,
    null,
    7,
    {},
  ])('%j is none', async (kind) => {
    const { stack } = await ground()
    const ended = await ending(stack, async () => {
      const request = { kind: kind as never, body: {} as never, provenance: firstHand() } // tried
      return (await stack.write(request)).id as MemoryId // never reached
    })
    expect(ended).toMatchObject({ kept: false, error: { code: 'invalid_input' } })
    if (!ended.kept && typeof kind === 'string' && kind !== '') {
      expect(saidBy(ended.error)).not.toContain(SECRET)
    }
    await expect(stack.list(kind as never)).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

describe('enums', () => {
  test.each([
    ['note', { content: 'x', noteType: SECRET }, 'body.noteType'],
    ['episode', { objective: 'x', outcome: 'y', outcomeType: SECRET }, 'body.outcomeType'],
    ['claim', { subject: 'a', predicate: 'b', value: 1, cardinality: SECRET }, 'body.cardinality'],
    ['belief', { statement: 'x', beliefScope: SECRET }, 'body.beliefScope'],
    ['goal', { title: 'x', status: 'done' }, 'body.status'],
    ['summary', { scope: 'week', periodStart: 'x', periodEnd: 'y', content: 'z' }, 'body.scope'],
  ] as const)('a %s with a word that is not in the list', async (kind, body, path) => {
    const { stack } = await ground()
    const ended = await ending(stack, async () => {
      const request = { kind, body: body as never, provenance: firstHand() } // that is tried
      return (await stack.write(request)).id as MemoryId // never reached
    })
    expect(ended.kept).toBe(false)
    if (ended.kept) return
    expect(ended.error.issues.map((issue) => issue.path)).toContain(path)
    expect(saidBy(ended.error)).not.toContain(SECRET)
  })

  test.each([
    { sourceType: SECRET },
    { sourceType: 'Seed' },
    { label: SECRET },
    { label: { type: 'External' } },
    { label: { type: 'External', kind: SECRET } },
    { label: { ...label.modelDerived(), extra: 1 } },
    { confidence: '0.5' },
    { eventTime: 'yesterday' },
    { eventTime: '2026-02-30T00:00:00.000Z' },
    { trustTier: 4 },
    { relayed: 'yes' },
    { derivedFrom: 'raw:x' },
    { derivedFrom: [`raw:${UUID.toUpperCase()}`] },
    { derivedFrom: [`RAW:${UUID}`] },
    { derivedFrom: [UUID] },
    { derivedFrom: [null] },
    { [SECRET.replace('-', '_')]: 1 },
  ])('provenance with %j', async (wrong) => {
    const { stack } = await ground()
    const ended = await ending(stack, async () => {
      const provenance = { ...firstHand(), ...wrong } as never // that is tried
      const request = { kind: 'raw' as const, body: { content: 'x' }, provenance }
      return (await stack.write(request)).id as MemoryId // never reached
    })
    expect(ended).toMatchObject({ kept: false, error: { code: 'invalid_provenance' } })
    if (!ended.kept) expect(saidBy(ended.error)).not.toContain(SECRET)
  })
})

describe('ids', () => {
  test.each([
    '',
    'x',
    UUID.toUpperCase(),
    `{${UUID}}`,
    `${UUID} `,
    UUID.replaceAll('-', ''),
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    `raw:${UUID}`,
    SECRET,
    null,
    7,
  ])('%j is none', async (id) => {
    const { stack } = await ground()
    const ended = await ending(stack, async () => {
      const request = { kind: 'raw' as const, id: id as never, body: { content: 'x' } } // tried
      const { id: made } = await stack.write({ ...request, provenance: firstHand() })
      return made as MemoryId // never reached
    })
    expect(ended).toMatchObject({ kept: false, error: { code: 'invalid_id' } })
    if (!ended.kept) expect(saidBy(ended.error)).not.toContain(SECRET)
    await expect(stack.getMemory('raw', id as never)).rejects.toMatchObject({ code: 'invalid_id' })
  })

  test('a well-formed id of nothing is not found, and says so', async () => {
    const { stack } = await ground()
    expect(await stack.getMemory('raw', UUID)).toBeNull()
    for (const ask of ['trace', 'impact', 'why'] as const) {
      await expect(stack.history[ask](`raw:${UUID}`)).rejects.toMatchObject({ code: 'not_found' })
      await expect(stack.history[ask](SECRET)).rejects.toMatchObject({ code: 'invalid_ref' })
    }
    await expect(stack.list('raw', { after: UUID })).rejects.toMatchObject({ code: 'not_found' })
    await expect(stack.review.reject(`raw:${UUID}`)).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('an id that another kind has is another memory', async () => {
    const { stack, raw } = await ground()
    const id = raw.slice('raw:'.length)
    const note = await stack.write({
      kind: 'note',
      id,
      body: { content: 'same id, other kind' },
      provenance: firstHand({ derivedFrom: [raw] }),
    })
    expect(note.ref).toBe(`note:${id}`)
    expect((await stack.getMemory('raw', id))?.text).toBe('the ground everything stands on')
  })
})

describe('pages', () => {
  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '10', null])(
    'a limit of %j',
    async (limit) => {
      const { stack } = await ground()
      const options = { limit: limit as never } // that is tried
      if (limit === null) return expect(await stack.getRaw(options)).toHaveLength(1)
      await expect(stack.getRaw(options)).rejects.toMatchObject({ code: 'invalid_input' })
    },
  )

  test('more than a page is an error that names the limit', async () => {
    const { stack } = await ground()
    await expect(stack.getRaw({ limit: 1_001 })).rejects.toMatchObject({
      code: 'limit_exceeded',
      facts: { limit: 'pageItemsMax' },
    })
  })
})

describe('the core', () => {
  test('a member named __proto__ is refused, never dropped', async () => {
    const { stack } = await ground()
    const me = new Entity('me')
    await me.attachStack(stack)
    for (const json of ['{"__proto__":1}', '{"__proto__":null}', '{"__proto__":{"tags":["a"]}}']) {
      const ended = await ending(stack, async () => {
        return (await me.note('x', JSON.parse(json))).id as MemoryId // never reached
      })
      expect(ended, json).toMatchObject({ kept: false, error: { code: 'invalid_input' } })
    }
  })

  test.each(['', '  ', null, 7])('%j is no name for a core', (coreId) => {
    expect(() => new Entity(coreId as never)).toThrow()
  })
})
