import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultPolicy } from '../../src/compose/open-stack.ts'
import type { Ref } from '../../src/domain/ids.ts'
import { toInstant } from '../../src/domain/time.ts'
import { confidenceAt, strengthAt } from '../../src/fold/effective.ts'
import { holds } from '../support/holds.ts'
import { type LifeStep, type Lives, lifeIn, lifeOf, lifeSteps, live, openLives } from './lives.ts'
import { runs } from './runs.ts'
import { snapshot } from './snapshot.ts'

const POLICY = defaultPolicy()
const stateOf = ({ scene }: Lives, ref: string) => {
  const state = [...scene.rows.memories.values()].find((each) => each.ref === ref)
  if (!state) throw new Error(`${ref} is there`)
  return state
}

/** Every memory, as it stands and as the reference has it. */
function compare(lives: Lives): void {
  for (const [ref, life] of lives.reference.lives) {
    expect([ref, lifeIn(stateOf(lives, ref))]).toEqual([ref, lifeOf(life)])
  }
}

/** Which operations a change may be told as, beside what follows from it for others. */
const OPS: Readonly<Record<string, readonly string[]>> = {
  forget: ['memory.forgotten'],
  recover: ['memory.recovered'],
  protect: ['memory.protected', 'memory.unprotected'],
  access: ['memory.accessed'],
  weaken: ['memory.weakened'],
  describe: ['memory.described'],
  verify: ['memory.verified'],
  reinforce: ['memory.reinforced'],
  deactivate: ['belief.deactivated'],
  ask_review: ['memory.flagged'],
  note_dormant: ['memory.flagged'],
  clear: ['memory.cleared'],
}

async function lived(steps: readonly LifeStep[], after: (of: Lived) => void = () => {}) {
  const lives = await openLives()
  for (const step of steps) {
    const papers = papersIn(lives)
    const states = new Map(lives.scene.rows.memories)
    after({ lives, states, papers, ...(await live(lives, step)) })
  }
  return lives
}

type Lived = Awaited<ReturnType<typeof live>> & {
  readonly lives: Lives
  readonly states: Lives['scene']['rows']['memories']
  readonly papers: readonly string[]
}

/** Bodies and certificates, as they were sealed. */
const papersIn = ({ scene }: Lives): readonly string[] =>
  [...scene.rows.sealed.values()]
    .map(({ seq, bytes }) => `${seq} ${Buffer.from(bytes).toString('hex')}`)
    .filter((text) => text.includes(Buffer.from('{"body"').toString('hex')))

describe('what befalls memories', () => {
  holds('CASCADE-FLAGS', 'is what the reference says: every answer, number and flag', async () => {
    await fc.assert(
      fc.asyncProperty(lifeSteps(), async (steps) => {
        const lives = await lived(steps, ({ expected, actual, lives: after }) => {
          expect(actual).toEqual(expected)
          compare(after)
        })
        expect((await lives.scene.stack.ledger.audit()).problems).toEqual([])
      }),
      runs(60),
    )
  })

  holds(
    ['PROV-FIXED', 'CASCADE-FLAGS'],
    'touches no body and no certificate, and of others nothing but flags and strength',
    async () => {
      const check = ({ lives, states, papers, ref, told, change, actual }: Lived) => {
        expect(papersIn(lives)).toEqual(papers)
        // Repeats that are told because their time is up stand for themselves.
        const [first, ...follow] = told.filter(({ op }) => op !== 'tally')
        if (first && actual.changed) expect(OPS[change.type]).toContain(first.op)
        expect(follow.every(({ unit, ref: of }) => unit === first?.unit && of !== ref)).toBe(true)
        for (const [other, was] of states) {
          const now = stateOf(lives, other)
          if (other === ref) continue
          const { flags: _, review: __, strength: ___, ...rest } = was
          expect(now).toMatchObject(rest)
          const isSource = stateOf(lives, ref).parents.includes(other)
          if (!isSource) expect(now.strength).toEqual(was.strength)
          else expect(now.strength.value).toBeGreaterThanOrEqual(0)
        }
      }
      await fc.assert(
        fc.asyncProperty(lifeSteps(), async (steps) => {
          await lived(steps, check)
        }),
        runs(60),
      )
    },
  )

  holds(
    'DECAY-MONOTONE',
    'without entries nothing rises, and nothing falls past its floor',
    async () => {
      const waits = fc.array(fc.nat(400), { minLength: 2, maxLength: 6 })
      await fc.assert(
        fc.asyncProperty(lifeSteps(15), waits, async (steps, gaps) => {
          const lives = await lived(steps)
          const from = lives.scene.played.world.clock.now()
          let day = 0
          const moments = gaps.map((gap) => {
            day += gap
            return toInstant(from + day * 86_400_000)
          })
          for (const state of lives.scene.rows.memories.values()) {
            const strengths = moments.map((now) => strengthAt(state, POLICY, now))
            const confidences = moments.map((now) => confidenceAt(state, POLICY, now))
            const floor = POLICY.kinds[state.kind].decay?.floor ?? 0
            for (const numbers of [strengths, confidences]) {
              expect([...numbers].sort((a, b) => b - a)).toEqual(numbers)
            }
            expect(Math.max(...strengths)).toBeLessThanOrEqual(state.strength.value)
            expect(Math.max(...confidences)).toBeLessThanOrEqual(state.confidence.value)
            expect(Math.min(...strengths)).toBeGreaterThanOrEqual(0)
            const least = Math.min(floor, state.confidence.value)
            expect(Math.min(...confidences)).toBeGreaterThanOrEqual(least)
          }
        }),
        runs(40),
      )
    },
  )

  holds('GATE-PURE', 'a life that is lived twice leaves the same bytes twice', async () => {
    await fc.assert(
      fc.asyncProperty(lifeSteps(), async (steps) => {
        const [one, other] = [await lived(steps), await lived(steps)]
        expect(snapshot(other.scene.played.store)).toEqual(snapshot(one.scene.played.store))
      }),
      runs(25),
    )
  })

  test('a guess that is verified with its own echo again and again moves in nothing', async () => {
    const lives = await openLives()
    const { scene, refs } = lives
    const [note, belief, sibling] = [refs[4], refs[7], refs[8]] as [Ref, Ref, Ref]
    const before = lifeIn(stateOf(lives, belief))
    for (let times = 0; times < 50; times += 1) {
      const evidence = [belief, note, sibling]
      const answer = await scene.stack.changes.verify(belief, { evidence })
      expect(answer).toMatchObject({ changed: false, reason: 'attested' })
    }
    expect(lifeIn(stateOf(lives, belief))).toEqual(before)
    const [other] = refs.slice(1) as [Ref]
    expect(await scene.stack.changes.verify(belief, { evidence: [other] })).toMatchObject({
      changed: true,
    })
  })
})
