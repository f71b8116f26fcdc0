import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Embedder, Vectors } from '../../src/ports/models.ts'
import { fakeModel, working } from './support.ts'

const DIMENSION = 3

const vectors = (texts: readonly string[]): Vectors => ({
  embedder: 'lent:1',
  dimension: DIMENSION,
  count: texts.length,
  values: Int8Array.from(texts.flatMap((text) => (/dog|puppy/i.test(text) ? NEAR : FAR))),
})
const NEAR = [127, 0, 0]
const FAR = [0, 127, 0]

const lending = (embed: Embedder['embed']) => {
  const embedder: Embedder = { id: 'lent:1', dimension: DIMENSION, embed }
  return fakeModel(() => '', { embedder }).model
}

describe('vectors of a model that', () => {
  test.each<[string, (texts: readonly string[]) => Promise<Vectors>]>([
    ['throws anything', () => Promise.reject(new TypeError('no such host'))],
    ['throws at once', () => JSON.parse('{')],
    ['answers rubbish', async () => 'vectors' as never],
    ['answers too few', async () => vectors(['dog'])],
    [
      'answers the question and no memory',
      async (texts) => {
        if (texts.some((text) => text.includes('yesterday'))) throw new Error('too long')
        return vectors(texts)
      },
    ],
  ])('%s leave the words, and it is named', async (_, embed) => {
    const { me, stack } = await working()
    await me.note('I adopted a puppy yesterday')
    await me.note('It rained all day yesterday')
    await me.setModel(lending(embed))
    const [best] = await stack.search('puppy')
    expect(best?.content).toBe('I adopted a puppy yesterday')
    expect((await stack.maintenance()).embedding).toMatchObject({ error: expect.any(String) })
    expect(await stack.health.failingComponents()).toMatchObject({
      embedding: expect.arrayContaining(['onMaintenance']),
    })
  })

  test('never come are not waited for', async () => {
    const timer = (ms: number, run: () => void): (() => void) => {
      const waiting = setTimeout(run, Math.min(ms, 20))
      return () => clearTimeout(waiting)
    }
    const { me, stack } = await working({ timer })
    await me.note('I adopted a puppy yesterday')
    const signals: (AbortSignal | undefined)[] = []
    const never = new Promise<never>(() => {})
    await me.setModel(
      lending((_, options) => {
        signals.push(options?.signal)
        return never
      }),
    )
    const [best] = await stack.search('puppy')
    expect(best?.content).toBe('I adopted a puppy yesterday')
    expect(signals.every((signal) => signal?.aborted)).toBe(true)
  })

  test('stop half-way are kept, and the next process goes on from there', async () => {
    const place = await working()
    const { me, stack, store, clock } = place
    for (let at = 0; at < 700; at += 1) await me.note(`Note ${at} about a dog`)
    const asked: string[] = []
    const counted = async (texts: readonly string[]) => {
      asked.push(...texts)
      return vectors(texts)
    }
    let left = 2
    await me.setModel(
      lending(async (texts) => {
        left -= 1
        if (left < 0) throw new Error('the line is dead')
        return counted(texts)
      }),
    )
    expect((await stack.maintenance()).embedding).toMatchObject({ error: expect.any(String) })
    const made = asked.length
    expect(made).toBeGreaterThan(0)
    expect(made).toBeLessThan(700)
    const again = await openStack('work', { store, clock })
    const other = new Entity('other', { model: lending(counted) })
    await other.attachStack(again)
    const done = (await again.maintenance()).embedding
    expect(done).toMatchObject({ reIndexed: 700 - made, indexed: 700 })
    expect(new Set(asked).size).toBe(700)
    expect(asked).toHaveLength(700) // nothing was asked for twice
    await again.close()
  })
})
