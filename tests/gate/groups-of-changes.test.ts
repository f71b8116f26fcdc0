import fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import { holds } from '../support/holds.ts'
import {
  type LifeStep,
  type Lives,
  lifeSteps,
  MEMORIES,
  meant,
  openLives,
  optionsOf,
  plain,
} from './lives.ts'
import { requestOf } from './production.ts'
import { refAt } from './reference/lineage.ts'
import { runs } from './runs.ts'
import { MODEL } from './scene.ts'
import { snapshot } from './snapshot.ts'

type Act = LifeStep | { readonly child: number; readonly of: number }

const acts: fc.Arbitrary<readonly Act[]> = fc
  .tuple(lifeSteps(25), fc.array(fc.option(fc.nat(MEMORIES - 1)), { maxLength: 25 }))
  .map(([steps, children]) =>
    steps.flatMap((step, index): readonly Act[] => {
      const of = children[index]
      return of === null || of === undefined ? [step] : [{ child: index, of }, step]
    }),
  )

/** A note or belief that is made from a memory of the scene while others change it. */
function childOf({ scene, refs }: Lives, { child, of }: Extract<Act, { child: number }>) {
  const parent = refs[of] as Ref // as many as MEMORIES
  const kind = parent.startsWith('raw:') ? 'note' : 'belief'
  const isChildless = parent.startsWith('belief:')
  const ref = refAt(isChildless ? 'raw' : kind, 500 + child)
  const parents = isChildless ? [] : [parent]
  const saying = { phrase: `A child is said to be the ${child}. of its kind`, variant: 0 }
  const draft = scene.draft({ kind: isChildless ? 'raw' : kind, ref, parents, ...MODEL })
  const whole = { ...draft, saying: { ...draft.saying, ...saying } }
  return scene.stack.write(requestOf(whole, scene.played.world.clock.now()))
}

/** Starts one act; its place in the order is taken at once. */
function start(lives: Lives, act: Act): Promise<unknown> {
  if ('child' in act) return childOf(lives, act).catch(String)
  const { scene, refs } = lives
  scene.wait(act.waitDays * 86_400_000)
  const change = plain(meant(lives, act))
  return scene.stack.changes
    .change(refs[act.about] as Ref, change, 'test', optionsOf(act.who))
    .catch(String)
}

async function play(given: readonly Act[], isPause: (index: number) => boolean) {
  const lives = await openLives()
  const answers: Promise<unknown>[] = []
  for (const [index, act] of given.entries()) {
    answers.push(start(lives, act))
    if (isPause(index)) await Promise.all(answers)
  }
  return { answers: await Promise.all(answers), rows: snapshot(lives.scene.played.store) }
}

describe('groups of changes', () => {
  holds(
    'GROUP-SAME',
    'changes and writes that wait together leave the bytes of those that wait alone',
    async () => {
      await fc.assert(
        fc.asyncProperty(acts, fc.infiniteStream(fc.boolean()), async (given, coins) => {
          const alone = await play(given, () => true)
          expect(await play(given, () => coins.next().value)).toEqual(alone)
          expect(await play(given, () => false)).toEqual(alone)
        }),
        runs(60),
      )
    },
  )
})
