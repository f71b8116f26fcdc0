import { describe, expect, test } from 'vitest'
import { LimitError, MunimentError } from '../../src/domain/errors.ts'
import { type MemoryId, type Ref, toRef } from '../../src/domain/ids.ts'
import { LIMITS } from '../../src/domain/limits.ts'
import type { Payload, RoutedPayload } from '../../src/domain/provenance.ts'
import type { MemoryState } from '../../src/domain/state.ts'
import type { WriteRequest } from '../../src/engine/write/write-request.ts'
import type { Stack } from '../../src/stack.ts'
import { holds } from '../support/holds.ts'
import { idAt } from '../support/world.ts'
import { openForTest, type Played, requestOf, STACK_ID } from './production.ts'
import { refAt } from './reference/lineage.ts'
import { Scene, says } from './scene.ts'
import { PLAIN } from './steps.ts'

async function errorOf(promise: Promise<unknown>): Promise<MunimentError> {
  try {
    await promise
  } catch (error) {
    if (error instanceof MunimentError) return error
    throw error
  }
  throw new Error('it was taken')
}

const rawRequest = (over: Partial<WriteRequest<'raw'>> = {}, of: Partial<Payload> = {}) => {
  const request = requestOf({ ...PLAIN, ref: refAt('raw', 1) }, 0) as WriteRequest<'raw'>
  return { ...request, ...over, provenance: { ...request.provenance, ...of } as RoutedPayload }
}

const writeRaw = (stack: Stack, body: object, of: Partial<Payload> = {}) =>
  stack.write(rawRequest({ body: body as WriteRequest<'raw'>['body'] }, of))

const nested = (depth: number): unknown => (depth === 0 ? 'x' : [nested(depth - 1)])
const many = (length: number): readonly string[] => Array.from({ length }, (_, n) => `tag ${n}`)
const manyRefs = (length: number): Ref[] =>
  Array.from({ length }, (_, n) => refAt('raw', 10_000 + n))

const claimWith = (value: unknown): WriteRequest =>
  ({
    ...requestOf({ ...PLAIN, kind: 'claim', ref: refAt('claim', 1) }, 0),
    body: { subject: 'user', predicate: 'p', value },
  }) as WriteRequest // a value that is too deep is no JsonValue

/** One attempt past each limit that a write can meet. */
const TOO_MUCH: Readonly<Record<string, (stack: Stack) => Promise<unknown>>> = {
  bodyBytesMax: (stack) => writeRaw(stack, { content: 'é'.repeat(600_000) }),
  bodyDepthMax: (stack) => stack.write(claimWith(nested(LIMITS.bodyDepthMax))),
  textCharsMax: (stack) => writeRaw(stack, { content: 'x'.repeat(LIMITS.textCharsMax + 1) }),
  shortTextCharsMax: (stack) =>
    writeRaw(stack, { content: 'x', context: 'x'.repeat(LIMITS.shortTextCharsMax + 1) }),
  listItemsMax: (stack) => writeRaw(stack, { content: 'x', tags: many(LIMITS.listItemsMax + 1) }),
  tagCharsMax: (stack) =>
    writeRaw(stack, { content: 'x', tags: ['x'.repeat(LIMITS.tagCharsMax + 1)] }),
  parentsMax: (stack) =>
    writeRaw(stack, { content: 'x' }, { derivedFrom: manyRefs(LIMITS.parentsMax + 1) }),
  batchDraftsMax: (stack) =>
    stack.writeAll(Array.from({ length: LIMITS.batchDraftsMax + 1 }, () => rawRequest())),
}

/** And one attempt right at it, which must not be refused for its size. */
const JUST_FITS: Readonly<Record<string, (stack: Stack) => Promise<unknown>>> = {
  bodyBytesMax: (stack) => writeRaw(stack, { content: 'x'.repeat(1_000_000) }),
  bodyDepthMax: (stack) => stack.write(claimWith(nested(LIMITS.bodyDepthMax - 1))),
  shortTextCharsMax: (stack) =>
    writeRaw(stack, { content: 'x', context: 'x'.repeat(LIMITS.shortTextCharsMax) }),
  listItemsMax: (stack) => writeRaw(stack, { content: 'x', tags: many(LIMITS.listItemsMax) }),
  tagCharsMax: (stack) => writeRaw(stack, { content: 'x', tags: ['x'.repeat(LIMITS.tagCharsMax)] }),
  parentsMax: (stack) =>
    writeRaw(stack, { content: 'x' }, { derivedFrom: manyRefs(LIMITS.parentsMax) }),
}

const isUntouched = ({ store }: Played): void => {
  expect(store.rows(STACK_ID).entries).toEqual([])
  expect(store.rows(STACK_ID).tip.head.rev).toBe(0)
}

describe('limits of a write', () => {
  holds('BOUND-LOUD', 'each is an error that names it, and nothing is stored', async () => {
    for (const [limit, attempt] of Object.entries(TOO_MUCH)) {
      const played = await openForTest()
      const error = await errorOf(attempt(played.stack))
      expect(error, limit).toBeInstanceOf(LimitError)
      expect(error).toMatchObject({ code: 'limit_exceeded', facts: { limit } })
      expect(error.message).toContain(limit)
      isUntouched(played)
    }
  })

  test('each may be met exactly', async () => {
    for (const [limit, attempt] of Object.entries(JUST_FITS)) {
      const { stack } = await openForTest()
      await attempt(stack).then(
        () => undefined,
        (error) => expect(error, limit).not.toBeInstanceOf(LimitError),
      )
    }
  })

  holds('BOUND-LOUD', 'a captured source counts among the parents', async () => {
    const scene = await Scene.open()
    const parents: Ref[] = []
    for (let n = 0; n < LIMITS.parentsMax; n += 1) parents.push(refAt('note', 20_000 + n))
    const before = scene.entries.length
    const answer = scene.answer({ kind: 'belief', parents, captures: ['raw', 'note'] })
    expect(await answer).toMatchObject({ type: 'error', code: 'limit_exceeded' })
    expect(scene.entries.length).toBe(before)
  })

  holds(
    'BOUND-LOUD',
    'a name in the provenance that is too long says which limit it met',
    async () => {
      for (const field of [
        'sourceId',
        'sourceEntity',
        'ingestionPath',
        'document',
        'session',
      ] as const) {
        const played = await openForTest()
        const long = 'x'.repeat(LIMITS.shortTextCharsMax + 1)
        const error = await errorOf(writeRaw(played.stack, { content: 'x' }, { [field]: long }))
        expect(JSON.stringify(error.issues), field).toContain('shortTextCharsMax')
        isUntouched(played)
      }
    },
  )

  holds(
    'BOUND-LOUD',
    'waiting writes are bounded, and the one too many is told so',
    async () => {
      const { stack } = await openForTest()
      const waiting: Promise<unknown>[] = []
      for (let n = 0; n < LIMITS.queueCommandsMax; n += 1)
        waiting.push(stack.control.setState('INITIALIZING'))
      const error = await errorOf(stack.control.setState('INITIALIZING'))
      expect(error).toMatchObject({ code: 'backpressure', facts: { limit: 'queueCommandsMax' } })
      await Promise.all(waiting)
      await stack.control.setState('ACTIVE')
      expect(stack.state).toBe('ACTIVE')
    },
    60_000,
  )
})

/** Rows as if `count` notes had been made from one raw: quicker than making them. */
function plant({ store }: Played, root: Ref, count: number): void {
  const rows = store.rows(STACK_ID)
  const model = rows.memories.get(root)
  if (!model) throw new Error('nothing to plant beside')
  const children: Ref[] = []
  for (let n = 0; n < count; n += 1) {
    const id = idAt(5_000_000 + n) as MemoryId
    const ref = toRef('note', id)
    const state: MemoryState = { ...model, ref, id, kind: 'note', parents: [root], seq: 10 + n }
    rows.memories.set(ref, state)
    children.push(ref)
  }
  rows.children.set(root, children)
}

describe('limits of a read', () => {
  holds('BOUND-LOUD', 'a page is as long as asked or an error, never a shorter list', async () => {
    const { stack } = await openForTest()
    const error = await errorOf(stack.getRaw({ limit: LIMITS.pageItemsMax + 1 }))
    expect(error).toMatchObject({ code: 'limit_exceeded', facts: { limit: 'pageItemsMax' } })
    for (const limit of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect((await errorOf(stack.getRaw({ limit }))).code).toBe('invalid_input')
    }
    expect(await stack.getRaw({ limit: LIMITS.pageItemsMax })).toEqual([])
  })

  holds(
    'BOUND-LOUD',
    'a walk that would touch too much is an error, never half a lineage',
    async () => {
      const scene = await Scene.open()
      const root = await scene.ref({ kind: 'raw', ...says('The one source') })
      plant(scene.played, root, LIMITS.lineageVisitMax)
      const error = await errorOf(scene.stack.history.impact(root))
      expect(error).toMatchObject({ code: 'limit_exceeded', facts: { limit: 'lineageVisitMax' } })
      expect(await scene.stack.history.trace(root)).toHaveLength(1)
    },
  )
})

describe('a draft that cannot be written', () => {
  const POISON: readonly Partial<Payload>[] = [
    { sourceEntity: 'half a pair \ud800' },
    { sourceId: '\udfff' },
    { document: '\ud800' },
    { session: '\ud800' },
    { turn: 'x\ud83d' },
    { ingestionPath: 'lib:\ud800' },
  ]

  test('fails alone: whoever waits beside it is written', async () => {
    for (const poison of POISON) {
      const played = await openForTest()
      const good = played.stack.write(rawRequest({ id: idAt(1) }))
      const bad = errorOf(played.stack.write(rawRequest({ id: idAt(2) }, poison)))
      const also = played.stack.write(rawRequest({ id: idAt(3) }))
      const { code } = await bad
      expect(['invalid_provenance', 'invalid_input', 'not_canonical']).toContain(code)
      expect((await good).ref, JSON.stringify(poison)).toBe(refAt('raw', 1))
      expect((await also).ref).toBe(refAt('raw', 3))
      expect(played.store.rows(STACK_ID).memories.size).toBe(2)
    }
  })

  test('fails alone, too, when its door gives it a session that has no canonical form', async () => {
    const { stack } = await openForTest()
    const good = stack.write(rawRequest({ id: idAt(1) }))
    const caller = { door: 'mcp', operation: 'x', person: false, grant: null, turn: null } as const
    const bad = errorOf(stack.write(rawRequest({ id: idAt(2) }), { ...caller, session: '\ud800' }))
    expect((await bad).code).not.toBe('invariant')
    expect((await good).ref).toBe(refAt('raw', 1))
  })
})
