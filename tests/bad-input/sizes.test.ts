import { describe, expect, test } from 'vitest'
import type { MemoryId } from '../../src/domain/ids.ts'
import { LIMITS, type LimitName } from '../../src/domain/limits.ts'
import type { RoutedPayload } from '../../src/domain/provenance.ts'
import type { WriteRequest } from '../../src/engine/write/write-request.ts'
import { countingIds } from '../../src/testing/world.ts'
import { holds } from '../support/holds.ts'
import { type Ending, ending, firstHand, ground, SECRET, saidBy } from './ground.ts'

async function put(
  kind: WriteRequest['kind'],
  body: object,
  more: Partial<RoutedPayload> = {},
): Promise<Ending> {
  const { stack, raw } = await ground()
  const derivedFrom = kind === 'raw' ? [] : [raw]
  return ending(stack, async () => {
    const provenance = firstHand({ derivedFrom, ...more })
    const { id, message } = await stack.write({ kind, body: body as never, provenance }) // tried
    if (id === null) throw new Error(`refused: ${message}`)
    return id
  })
}

const ghosts = (count: number): readonly string[] => {
  const ids = countingIds(50)
  return Array.from({ length: count }, () => `raw:${ids.next(0)}`)
}

const TEN_MEGABYTES = `${SECRET}${'x'.repeat(10 * 1_048_576)}`
const TOO_MUCH: readonly (readonly [string, LimitName, () => Promise<Ending>])[] = [
  ['10 MB in a raw', 'textCharsMax', () => put('raw', { content: TEN_MEGABYTES })],
  ['10 MB in a note', 'textCharsMax', () => put('note', { content: TEN_MEGABYTES })],
  [
    '10 MB in the value of a claim',
    'bodyBytesMax',
    () => put('claim', { subject: 'a', predicate: 'b', value: TEN_MEGABYTES }),
  ],
  [
    'half a million emoji',
    'bodyBytesMax',
    () => put('raw', { content: SECRET + '😀'.repeat(499_990) }),
  ],
  [
    '10,000 tags',
    'listItemsMax',
    () => put('note', { content: SECRET, tags: Array.from({ length: 10_000 }, (_, n) => `t${n}`) }),
  ],
  [
    'a tag of 10,000',
    'tagCharsMax',
    () => put('note', { content: 'x', tags: ['x'.repeat(10_000)] }),
  ],
  ['10,000 parents', 'parentsMax', () => put('note', { content: SECRET }, refs(10_000))],
]

const refs = (count: number): Partial<RoutedPayload> => ({ derivedFrom: ghosts(count) as never }) // refs

describe('too much is an error that names the limit, quotes nothing and stores nothing', () => {
  test.each(TOO_MUCH)('%s', async (_, limit, attempt) => {
    const ended = await attempt()
    expect(ended.kept).toBe(false)
    if (ended.kept) return
    expect(ended.error.code).toBe('limit_exceeded')
    expect(ended.error.facts).toMatchObject({ limit, max: LIMITS[limit] })
    expect(saidBy(ended.error)).not.toContain(SECRET)
    expect(saidBy(ended.error).length).toBeLessThan(2_000)
  })

  test.each(['sourceId', 'sourceEntity', 'ingestionPath', 'document', 'session', 'turn'] as const)(
    '%s of 10 MB',
    async (field) => {
      const ended = await put('raw', { content: 'x' }, { [field]: TEN_MEGABYTES })
      expect(ended).toMatchObject({ kept: false, error: { code: 'invalid_provenance' } })
      if (!ended.kept) expect(saidBy(ended.error)).not.toContain(SECRET)
    },
  )

  test('a session of 10 MB or with half a character that the door brings along', async () => {
    for (const session of [TEN_MEGABYTES, '\ud800', ' ']) {
      const { stack } = await ground()
      const certified = await stack.control.certify('raw', { content: 'x' })
      const provenance = { ...firstHand(), ...certified, trustTier: 2 as const }
      const ended = await ending(stack, () =>
        stack.saveRaw({ content: 'x', provenance }, { session }),
      )
      expect(ended.kept, JSON.stringify(session).slice(0, 20)).toBe(false)
    }
  })

  test('unknown fields as long as a text are not repeated whole', async () => {
    const key = `${'k'.repeat(1_000_000)}`
    const body = await put('raw', { content: 'x', [key]: 1 })
    const papers = await put('raw', { content: 'x' }, { [key]: 1 } as never) // that is tried
    for (const ended of [body, papers]) {
      expect(ended.kept).toBe(false)
      if (!ended.kept) expect(saidBy(ended.error).length).toBeLessThan(5_000)
    }
  })
})

holds(
  'BOUND-LOUD',
  'ten thousand and one drafts at once are refused, ten thousand are taken',
  async () => {
    const { stack } = await ground()
    const request = (index: number) => ({
      kind: 'raw' as const,
      body: { content: `draft ${index}` },
      provenance: firstHand(),
    })
    const many = Array.from({ length: LIMITS.batchDraftsMax + 1 }, (_, index) => request(index))
    const before = await stack.getStats()
    await expect(stack.writeAll(many)).rejects.toMatchObject({
      code: 'limit_exceeded',
      facts: { limit: 'batchDraftsMax', max: 10_000, actual: 10_001 },
    })
    expect(await stack.getStats()).toEqual(before)
    const written = await stack.writeAll(many.slice(1))
    expect(written.refused).toBe(false)
    expect(await stack.getStats()).toMatchObject({ raw: 10_001 })
  },
  60_000,
)

holds('BOUND-LOUD', 'exactly the limit is taken and comes back whole', async () => {
  const content = 'x'.repeat(LIMITS.textCharsMax)
  const { stack, raw } = await ground()
  const tags = Array.from({ length: LIMITS.listItemsMax }, (_, index) => `tag ${index}`)
  const long = await stack.write({ kind: 'raw', body: { content }, provenance: firstHand() })
  const many = await stack.write({
    kind: 'note',
    body: { content: 'well tagged', tags },
    provenance: firstHand({ derivedFrom: [raw] }),
  })
  expect((await stack.getMemory('raw', String(long.id)))?.body.content).toBe(content)
  expect((await stack.getMemory('note', String(many.id)))?.body.tags).toEqual(tags)
})

holds(
  'LINE-REAL',
  'a thousand parents are looked up, and the missing ones refuse the write',
  async () => {
    const { stack } = await ground()
    const written = await stack.write({
      kind: 'note',
      body: { content: SECRET },
      provenance: firstHand(refs(LIMITS.parentsMax)),
    })
    expect(written).toMatchObject({ ref: null, rule: 'lineage', reasons: ['parent_missing'] })
    expect(written.message?.length).toBeLessThan(1_000)
    expect(await stack.getStats()).toEqual({ raw: 1, total: 1 })
  },
)

/** Lint reads whatever is sent before anybody has agreed to how long it is. */
describe('a very long statement is judged in time that grows with its length, not its square', () => {
  const chars = 600_000 // squared, the work would outlast every patience

  test.each([
    ['letters', `${'a'.repeat(chars)}.`],
    ['dots', `${'.'.repeat(chars)}x`],
    ['blanks', `x${' '.repeat(chars)}x`],
    ['words', 'word '.repeat(chars / 5)],
  ])('%s', async (_, statement) => {
    const { stack, raw } = await ground()
    const note = await stack.write({
      kind: 'note',
      body: { content: 'a note to cite' },
      provenance: firstHand({ derivedFrom: [raw] }),
    })
    const written = await stack.write({
      kind: 'belief',
      body: { statement },
      provenance: firstHand({ derivedFrom: note.ref ? [note.ref] : [] }),
    })
    expect(written).toMatchObject({ ref: null, rule: 'lint' })
    expect(written.reasons).toContain('too_long')
  })
})

test('the id of a draft that was refused is free again', async () => {
  const { stack } = await ground()
  const id = countingIds(60).next(0) as MemoryId // an id like any other
  const bad = { kind: 'raw' as const, id, body: { content: '' }, provenance: firstHand() }
  await expect(stack.write(bad)).rejects.toMatchObject({ code: 'invalid_input' })
  const good = await stack.write({ ...bad, body: { content: 'said' } })
  expect(good.id).toBe(id)
})
