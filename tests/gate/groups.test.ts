import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Command, Outcome } from '../../src/domain/write.ts'
import { Sequencer } from '../../src/engine/write/sequencer.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { holds } from '../support/holds.ts'
import { commandsOf, settingFor, TOOLS } from './commands.ts'
import { histories } from './histories.ts'
import { openForTest, type Played, STACK_ID, take } from './production.ts'
import { refAt } from './reference/lineage.ts'
import type { Answer } from './reference/words.ts'
import { runs } from './runs.ts'
import { snapshot } from './snapshot.ts'
import { type History, PLAIN, type PolicyName } from './steps.ts'

/** What is read has no place among what is written: it counts from when it was served. */
const SEQUENCED = { without: ['serve'] } as const

const GROUP_SIZES = [1, 2, 7, 1_000]

/** Sends commands so that those between two pauses wait together. */
async function inGroups(
  commands: readonly Command[],
  { genesis, isPause }: { genesis: PolicyName; isPause: (index: number) => boolean },
) {
  const store = new MemoryStore()
  const setting = () => settingFor(genesis)
  const sequencer = new Sequencer({ stackId: STACK_ID, store, tools: TOOLS, setting })
  const outcomes: Promise<Outcome>[] = []
  for (const [index, command] of commands.entries()) {
    outcomes.push(sequencer.submit(command).then(({ outcome }) => outcome))
    if (isPause(index)) await sequencer.idle()
  }
  return { outcomes: (await Promise.all(outcomes)).map(shown), rows: snapshot(store) }
}

/** An error has no value of its own to compare. */
const shown = (outcome: Outcome) =>
  outcome.type === 'error' ? `${outcome.error.code}: ${outcome.error.message}` : outcome

/** All at once, but a person's verdict needs the row it is about, so it waits for what is before. */
async function together(played: Played, { steps }: History): Promise<readonly Answer[]> {
  const answers: Promise<Answer>[] = []
  for (const step of steps) {
    if (step.type === 'reject') await Promise.all(answers)
    const answer = take(played, step)
    answers.push(answer)
    if (step.type === 'reject') await answer
  }
  return Promise.all(answers)
}

async function oneByOne(played: Played, { steps }: History): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (const step of steps) answers.push(await take(played, step))
  return answers
}

describe('groups', () => {
  holds(
    'GROUP-SAME',
    'wherever a sequence is cut, bytes, rows and answers are the same',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          histories(SEQUENCED),
          fc.infiniteStream(fc.boolean()),
          async (history, coins) => {
            const commands = commandsOf(history)
            const { genesis } = history
            const single = await inGroups(commands, { genesis, isPause: () => true })
            const cut = await inGroups(commands, { genesis, isPause: () => coins.next().value })
            const whole = await inGroups(commands, { genesis, isPause: () => false })
            expect(cut).toEqual(single)
            expect(whole).toEqual(single)
          },
        ),
        runs(120),
      )
    },
  )

  holds('GROUP-SAME', 'however many may wait together, and whoever waits for whom', async () => {
    await fc.assert(
      fc.asyncProperty(histories({ ...SEQUENCED, maxSteps: 20 }), async (history) => {
        const { genesis } = history
        const alone = await openForTest({ genesis, groupDraftsMax: 1 })
        const answers = await oneByOne(alone, history)
        for (const groupDraftsMax of GROUP_SIZES) {
          for (const play of [oneByOne, together]) {
            const other = await openForTest({ genesis, groupDraftsMax })
            expect(await play(other, history)).toEqual(answers)
            expect(snapshot(other.store)).toEqual(snapshot(alone.store))
          }
        }
      }),
      runs(25),
    )
  })

  test('a whole crowd really is one group, and no group is larger than it may be', async () => {
    const commands = commandsOf(manyRaws())
    const setting = () => settingFor('house')
    for (const [groupDraftsMax, groups] of [
      [1_000, 1],
      [7, 3],
      [1, 20],
    ] as const) {
      const store = new MemoryStore()
      const options = { stackId: STACK_ID, store, tools: TOOLS, setting, groupDraftsMax }
      const sequencer = new Sequencer(options)
      await Promise.all(commands.map((command) => sequencer.submit(command)))
      expect(store.rows(STACK_ID).tip.head.rev).toBe(groups)
      expect(store.rows(STACK_ID).memories.size).toBe(commands.length)
    }
  })
})

const manyRaws = (): History => ({
  genesis: 'house',
  steps: Array.from({ length: 20 }, (_, n) => ({
    type: 'write',
    waitMs: 0,
    drafts: [{ ...PLAIN, ref: refAt('raw', n + 1) }],
  })),
})
