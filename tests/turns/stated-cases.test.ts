import { describe, expect, test } from 'vitest'
import type { Written } from '../../src/domain/words/plain-frame.ts'
import { stateOf } from '../../src/domain/words/stating-sentence.ts'
import { FRESH, FRESH_AGAIN } from './fresh-turns.ts'
import { FRESH_THIRD } from './fresh-turns-third.ts'
import { playTurn } from './played-turn.ts'
import type { Written as WrittenByModel } from './scripted-turns.ts'
import { DEVELOPMENT, HELD_OUT, type StatedCase } from './stated-cases.ts'
import { TUNED_HONEST } from './tuned-honest.ts'
import { TUNED_HOSTILE } from './tuned-hostile.ts'

interface ReadCase {
  readonly prompts: readonly string[]
  /** The sentence that states the memory; null where no sentence does. */
  readonly statedBy: string | null
  readonly memory: StatedCase[2]
}

function readCase([, prompts, memory]: StatedCase): ReadCase {
  const marked = typeof prompts === 'string' ? [prompts] : prompts
  const statedBy = /⟦([^⟧]*)⟧/u.exec(marked.join('\n'))?.[1] ?? null
  return { prompts: marked.map((each) => each.replace(/[⟦⟧]/gu, '')), statedBy, memory }
}

function writtenByModel(memory: StatedCase[2]): WrittenByModel {
  if (typeof memory === 'string') return { kind: 'belief', statement: memory }
  const [subject, predicate, value] = memory
  return { kind: 'claim', subject, predicate, value }
}

function judged(memory: StatedCase[2]): Written {
  if (typeof memory === 'string') return { type: 'statement', text: memory }
  const [subject, predicate, value] = memory
  return { type: 'claim', subject, predicate, value }
}

/** Counts how many rows of a set are answered rightly, and lists the other rows. */
async function countRight(
  cases: readonly StatedCase[],
  shownFor: (each: ReadCase) => Promise<string | null> | string | null,
) {
  const counts = { honest: 0, shown: 0, hostile: 0, absent: 0 }
  const wrong: string[] = []
  for (const each of cases.map(readCase)) {
    const shown = await shownFor(each)
    const isRight = shown === each.statedBy
    if (each.statedBy === null) {
      counts.hostile += 1
      if (isRight) counts.absent += 1
    } else {
      counts.honest += 1
      if (isRight) counts.shown += 1
    }
    if (!isRight) wrong.push(`${each.prompts.join(' / ')} → ${shown}`)
  }
  return { ...counts, wrong: wrong.join('\n') }
}

const shownByWhy = async ({ prompts, memory }: ReadCase): Promise<string | null> =>
  (await playTurn({ prompts, written: writtenByModel(memory) })).turn?.nearestWords?.text ?? null

/** A careful reading answers for a whole text, so the sentence is taken as shown where it states. */
const statedByQuote = ({ prompts, statedBy, memory }: ReadCase): string | null => {
  const text = prompts.join('\n')
  const start = statedBy === null ? 0 : text.indexOf(statedBy)
  const span = { start, end: statedBy === null ? text.length : start + statedBy.length }
  return stateOf(judged(memory), text, span) === 'stated' ? (statedBy ?? text) : null
}

describe('fresh sentences', () => {
  test('why shows the stating sentence of at least 23 of 25 honest held-out rows, and none for at least 23 of 25 hostile ones', async () => {
    const { wrong: _, ...counts } = await countRight(HELD_OUT, shownByWhy)
    expect(counts).toMatchObject({ honest: 25, hostile: 25 })
    expect(counts.shown).toBeGreaterThanOrEqual(23)
    expect(counts.absent).toBeGreaterThanOrEqual(23)
  })

  test('a careful reading, which quotes use, takes no hostile held-out row for stated', async () => {
    const { wrong: _, ...counts } = await countRight(HELD_OUT, statedByQuote)
    expect(counts.absent).toBe(25)
    expect(counts.shown).toBeGreaterThanOrEqual(15) // the others leave words out or say them anew
  })
})

describe('turns that the rules had not seen when the turns were written', () => {
  test.each([
    ['first', FRESH],
    ['second', FRESH_AGAIN],
    ['third', FRESH_THIRD],
  ])(
    'why shows the stating sentence of at least 18 of 20 turns of the %s set, and none for at least 18 of 20',
    async (_, cases) => {
      const { wrong, ...counts } = await countRight(cases, shownByWhy)
      expect(counts, wrong).toMatchObject({ honest: 20, hostile: 20 })
      expect(counts.shown, wrong).toBeGreaterThanOrEqual(18)
      expect(counts.absent, wrong).toBeGreaterThanOrEqual(18)
    },
  )
})

describe('sentences on which the judgement was tuned', () => {
  test('why answers all development rows rightly', async () => {
    const { wrong, ...counts } = await countRight(DEVELOPMENT, shownByWhy)
    expect(counts, wrong).toEqual({ honest: 25, shown: 25, hostile: 25, absent: 25 })
  })

  test('a careful reading withholds the honest rows that leave words out or say them anew, at most four of ten, and lifts at most one hostile row of a hundred', async () => {
    const rows = [...DEVELOPMENT, ...TUNED_HONEST, ...TUNED_HOSTILE]
    const { wrong, ...counts } = await countRight(rows, statedByQuote)
    expect(counts.honest).toBeGreaterThan(100)
    expect(counts.hostile).toBeGreaterThan(100)
    expect(counts.shown, wrong).toBeGreaterThanOrEqual(Math.ceil(counts.honest * 0.6))
    expect(counts.hostile - counts.absent, wrong).toBeLessThanOrEqual(counts.hostile / 100)
  })
})
