import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../src/domain/limits.ts'
import { served } from './support/server.ts'

/** A model's raw memory as a dump has it. */
const memory = (number: number) => ({
  ref: `raw:00000001-0000-7000-8000-${number.toString(16).padStart(12, '0')}`,
  body: { content: `heard ${number}` },
  provenance: {
    label: { type: 'ModelDerived' },
    trustTier: 1,
    timestamp: '2026-01-01T00:00:00.000Z',
    sourceType: 'inference',
    sourceId: 'a tool',
    confidence: 0.5,
    llmModel: 'model-1',
    derivedFrom: [],
  },
})

const dump = (memories: readonly unknown[]) => ({
  dump: { format: 'muniment/dump/1', stack: 'other', memories },
})

const many = (count: number) => Array.from({ length: count }, (_, number) => memory(number))

describe('an import over HTTP', () => {
  test('takes a file within the limits, as words of tier 1 at most', async () => {
    const server = await served({ allowsAnyone: true })
    const { status, json } = await server.op('import', dump(many(20)))
    expect(status).toBe(200)
    expect(json).toMatchObject({ as: 'importer', written: 20, refused: [] })
  })

  test.each([
    ['importMemoriesMax', () => dump(many(LIMITS.importMemoriesMax + 1))],
    ['importBytesMax', () => dump([{ ...memory(1), body: { content: 'x'.repeat(12_000_000) } }])],
    [
      'jsonValuesMax',
      () => dump([{ body: Array.from({ length: LIMITS.jsonValuesMax + 1 }, () => 1) }]),
    ],
    [
      'jsonKeysMax',
      () => {
        const keys = Array.from({ length: LIMITS.jsonKeysMax + 1 }, (_, n) => [`k${n}`, 1] as const)
        return dump([{ body: Object.fromEntries(keys) }])
      },
    ],
  ])('refuses more than %s, says so, and takes nothing', async (limit, body) => {
    const server = await served({ allowsAnyone: true })
    const { status, text } = await server.op('import', body())
    expect(status).toBe(413)
    expect(text).toContain(limit)
    const { json } = await server.op('list', { kind: 'raw' })
    expect(json).toEqual([])
  })
})
