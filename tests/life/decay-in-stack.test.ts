import { expect } from 'vitest'
import type { RecordKind } from '../../src/domain/ids.ts'
import { freshEntity } from '../stack/support.ts'
import { holds } from '../support/holds.ts'

/** One memory of each kind that fades, all with the same confidence at birth. */
async function fadingStack() {
  const fresh = await freshEntity()
  const { me, stack, clock } = fresh
  const { ref: raw } = await me.raw('The train was late')
  const given = { confidence: 0.9, observed: true } as const
  const { ref: note } = await me.note('Trains are late', { ...given, derivedFrom: [raw] })
  const said = { objective: 'take the train', outcome: 'late', ...given, derivedFrom: [raw] }
  const { ref: episode } = await me.episode(said)
  const { ref: belief } = await me.belief('Trains run late', { ...given, derivedFrom: [note] })
  const because = { ...given, derivedFrom: [belief] }
  await me.goal('Arrive on time', because)
  await me.value('punctuality', 'Being on time is a courtesy', because)
  await me.drive('curiosity', { ...because, intensity: 0.5 })
  const shown = async (kind: RecordKind, ref?: string): Promise<number | undefined> => {
    const memories = await stack.list(kind, { limit: 10 })
    return memories.find((each) => ref === undefined || each.ref === ref)?.confidence
  }
  const all = async () => ({
    episode: await shown('episode', episode),
    belief: await shown('belief', belief),
    value: await shown('value'),
    note: await shown('note', note),
    drive: await shown('drive'),
    goal: await shown('goal'),
  })
  return { ...fresh, all, pass: (days: number) => clock.advance({ days }) }
}

const near = (value: number): unknown => expect.closeTo(value, 9)

holds(
  ['P-15', 'P-16', 'P-17', 'P-18', 'P-19', 'P-20'],
  'what a stack shows of a memory fades as days pass, and stops at the floor of the kind',
  async () => {
    const { all, pass } = await fadingStack()
    const born = await all()
    expect(born).toEqual({
      episode: 0.9,
      belief: 0.9,
      value: 0.9,
      note: 0.9,
      drive: 0.9,
      goal: 0.9,
    })
    pass(60)
    expect(await all()).toEqual({
      episode: near(0.88),
      belief: near(0.88),
      value: near(0.895),
      note: near(0.87),
      drive: near(0.895),
      goal: near(0.88),
    })
    pass(60)
    expect(await all()).toMatchObject({ value: near(0.89), drive: near(0.89) })
    pass(36_500)
    expect(await all()).toEqual({
      episode: 0.5,
      belief: 0.5,
      value: 0.7,
      note: 0.4,
      drive: 0.6,
      goal: 0.5,
    })
  },
)

holds(
  ['P-17', 'P-19'],
  'search, load and uncertain of a stack count the faded confidence of a value and of a drive',
  async () => {
    const { stack, pass } = await fadingStack()
    const found = async (minConfidence: number) => {
      const recordTypes = ['value', 'drive'] as const
      const query = 'punctuality curiosity'
      const results = await stack.search(query, { recordTypes, minConfidence })
      return results.map(({ memoryType }) => memoryType).sort()
    }
    expect(await found(0.893)).toEqual(['drive', 'value'])
    pass(120)
    expect(await found(0.893)).toEqual([])
    expect(await found(0.889)).toEqual(['drive', 'value'])
    pass(36_500)
    const { values, drives } = await stack.load({ tokenBudget: 50_000 })
    expect(values.map(({ memory }) => memory.confidence)).toEqual([0.7])
    expect(drives.map(({ memory }) => memory.confidence)).toEqual([0.6])
    const weak = await stack.history.uncertain({ threshold: 0.65 })
    const kinds = weak.map(({ memory }) => memory.kind)
    expect(kinds).toContain('drive')
    expect(kinds).not.toContain('value')
  },
)
