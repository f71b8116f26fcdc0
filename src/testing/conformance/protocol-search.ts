import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { KINDS, parseMemoryId } from '../../domain/ids.ts'
import type { SearchResult, StackComponent } from '../../ports/component.ts'
import { type Case, holds } from '../manifest/case.ts'
import { errorOf } from './compare.ts'
import { idOf, type StackGiven } from './protocol-given.ts'
import { part } from './protocol-part.ts'

const idsOf = (results: readonly SearchResult[]): readonly string[] =>
  results.map(({ memoryId }) => memoryId)

export const searchCases: readonly Case<StackGiven>[] = [
  holds('S-42', 'search goes through every kind that says something', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    for (const kind of KINDS) if (kind !== 'epoch') await hand.make(kind)
    const found = new Set(
      (await stack.search('train platform conductor curiosity', { limit: 100 })).map(
        ({ memoryType }) => memoryType,
      ),
    )
    deepStrictEqual(
      [...found].sort(),
      KINDS.filter((kind) => kind !== 'epoch').toSorted(),
      'a marker of time says nothing',
    )
  }),

  holds(
    'S-42',
    'search: limit 10 by default, recordTypes, context, minConfidence',
    async (given) => {
      const hand = await given.open()
      const { stack } = hand
      const body = { content: 'a heron by the canal' }
      const sure = await hand.make('note', body, { confidence: 0.95, sourceId: 'ann' })
      const placed = await hand.make('note', {
        content: 'the heron again',
        context: 'project:canal',
      })
      const belief = await hand.make('belief', { statement: 'The heron fishes at dawn' })
      for (let n = 0; n < 60; n += 1) await hand.make('note', { content: `heron heron ${n}` })
      strictEqual((await stack.search('heron')).length, 10)
      strictEqual((await stack.search('heron', { limit: 4 })).length, 4)
      strictEqual((await stack.search('heron', { limit: 63 })).length, 63)
      strictEqual((await stack.search('heron', { limit: 0 })).length, 0)
      const types = await stack.search('heron', { recordTypes: ['belief', 'goal'], limit: 1 })
      deepStrictEqual(idsOf(types), [idOf(belief)])
      const inContext = await stack.search('heron', { context: 'project:canal', limit: 1 })
      deepStrictEqual(idsOf(inContext), [idOf(placed)])
      const confident = await stack.search('heron', { minConfidence: 0.9, limit: 1 })
      deepStrictEqual(idsOf(confident), [idOf(sure)])
      deepStrictEqual(await stack.search('heron', { minConfidence: 0.96 }), [])
      deepStrictEqual(await stack.search('parliament'), [])
      deepStrictEqual(await stack.search('  '), [])
    },
  ),

  holds('S-42', 'search finds by meaning what shares no word with the query', async (given) => {
    const hand = await given.open()
    const car = await hand.make('note', { content: 'My sister bought a new automobile' })
    const doctor = await hand.make('note', { content: 'The physician prescribed some pills' })
    await hand.make('note', { content: 'Herons stand still beside the canal' })
    await hand.make('note', { content: 'The parliament votes on the budget in autumn' })
    const firstOf = async (query: string) => (await hand.stack.search(query, { limit: 1 }))[0]
    strictEqual((await firstOf('car vehicle'))?.memoryId, idOf(car))
    strictEqual((await firstOf('doctor gave medicine'))?.memoryId, idOf(doctor))
  }),

  holds('S-42', 'a query is words, whatever it looks like', async (given) => {
    const hand = await given.open()
    await hand.make('note', { content: 'the heron said "no" to NEAR/2' })
    for (const query of ['"heron', 'heron AND (', 'heron*', "heron'; DROP TABLE", 'heron NEAR/']) {
      strictEqual((await hand.stack.search(query)).length, 1, query)
    }
    const error = await errorOf(() => hand.stack.search('x'.repeat(10_001)), 'too long')
    strictEqual(error.code, 'limit_exceeded')
  }),

  holds('S-81', 'a result has type, id, content, score and metadata', async (given) => {
    const hand = await given.open()
    const ref = await hand.make('belief', { statement: 'Herons stand very still' })
    const [result] = await hand.stack.search('heron')
    ok(result)
    const names = ['memoryType', 'memoryId', 'content', 'score', 'metadata']
    deepStrictEqual(Object.keys(result), names)
    strictEqual(result.memoryType, 'belief')
    strictEqual(result.memoryId, idOf(ref))
    strictEqual(result.content, 'Herons stand very still')
    ok(Number.isFinite(result.score) && result.score > 0)
    strictEqual(result.metadata.confidence, 0.8)
    strictEqual(result.metadata.tier, 2)
    strictEqual((result.metadata.provenance as { sourceId: string }).sourceId, 'the host')
  }),

  holds(
    'S-80',
    'matched, made into results, filtered by confidence, then components',
    async (given) => {
      const shown: string[][] = []
      const witness = part('witness', {
        onSearch: (results, query) => {
          shown.push([query.text, String(query.minConfidence), ...idsOf(results)])
          return results.toReversed()
        },
      })
      const hand = await given.open({ components: [witness] })
      const low = await hand.make('note', { content: 'heron heron' }, { confidence: 0.5 })
      const one = await hand.make('note', { content: 'heron heron heron at noon' })
      const two = await hand.make('note', { content: 'heron, once, among many other words' })
      const found = await hand.stack.search('heron', { minConfidence: 0.7 })
      deepStrictEqual(shown, [['heron', '0.7', idOf(one), idOf(two)]], 'what components are given')
      deepStrictEqual(idsOf(found), [idOf(two), idOf(one)], 'and they have the last word')
      ok(!idsOf(found).includes(idOf(low)))
    },
  ),

  holds(
    ['S-43', 'S-74'],
    'components reorder, drop and annotate, one after the other',
    async (given) => {
      const reverse = part('reverse', { onSearch: (results) => results.toReversed() })
      const drop = part('drop', { onSearch: (results) => results.slice(1) })
      const mark = part('mark', {
        onSearch: (results) =>
          results.map((result) => ({
            ...result,
            score: 7,
            metadata: { ...result.metadata, seen: results.length },
          })),
      })
      const search = async (components: readonly StackComponent[]) => {
        const { stack } = await given.open({ components })
        return stack.search('heron')
      }
      const hand = await given.open()
      for (const words of ['heron', 'heron and reed', 'heron and reed and rain']) {
        await hand.make('note', { content: words })
      }
      const all = idsOf(await search([]))
      strictEqual(all.length, 3)
      const [first, second] = all
      const reversed = await search([reverse, drop, mark])
      deepStrictEqual(idsOf(reversed), [second, first], 'reversed, then the first dropped')
      ok(reversed.every(({ score, metadata }) => score === 7 && metadata.seen === 2))
      const dropped = await search([mark, drop, reverse])
      deepStrictEqual(idsOf(dropped), all.slice(1).toReversed(), 'dropped, then reversed')
      ok(dropped.every(({ metadata }) => metadata.seen === 3))
    },
  ),

  holds('S-74', 'a component adds only what this search could have shown', async (given) => {
    const adding = (id: string) =>
      part('adder', {
        onSearch: (results) => {
          const memoryId = parseMemoryId(id)
          const metadata = { addedBy: 'adder' }
          const mine = {
            memoryType: 'note',
            memoryId,
            content: 'mine',
            score: 1,
            metadata,
          } as const
          return [...results, mine]
        },
      })
    const hand = await given.open()
    await hand.make('note', { content: 'heron' })
    const other = await hand.make('note', { content: 'a letter on the table' })
    const search = async (id: string, options = {}) => {
      const { stack } = await given.open({ components: [adding(id)] })
      return stack.search('heron', options)
    }
    const [, added] = await search(idOf(other))
    strictEqual(added?.content, 'a letter on the table', 'in its own words')
    strictEqual(added.metadata.addedBy, 'adder')
    strictEqual((await search(idOf(other), { recordTypes: ['note'], context: 'x' })).length, 0)
    strictEqual((await search(idOf(other), { minConfidence: 0.81 })).length, 0)
    await hand.setStrength(other, 0)
    strictEqual((await search(idOf(other))).length, 1, 'what was forgotten is not added')
  }),
]
