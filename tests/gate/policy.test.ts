import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/domain/entry.ts'
import { MunimentError } from '../../src/domain/errors.ts'
import type { Policy } from '../../src/domain/policy.ts'
import { contentHash, readEntry } from '../../src/ledger/ledger.ts'
import { holds } from '../support/holds.ts'
import { testSha256 } from '../support/world.ts'
import { histories } from './histories.ts'
import { openForTest, POLICIES, STACK_ID, take } from './production.ts'
import { runs } from './runs.ts'
import { MODEL, Scene } from './scene.ts'

/** Every policy the ledger tells whole, by the hash it is told under. */
const policiesIn = (entries: readonly Entry[]): ReadonlyMap<string, unknown> =>
  new Map(
    entries
      .filter(({ op }) => op === 'policy')
      .map(({ decision: { facts } }) => [String(facts.hash), facts.policy]),
  )

describe('the policy', () => {
  holds(
    'LEDGER-POLICY',
    'of every decision is named in its entry and told whole before it',
    async () => {
      await fc.assert(
        fc.asyncProperty(histories(), async ({ genesis, steps }) => {
          const played = await openForTest({ genesis })
          for (const step of steps) await take(played, step)
          const entries = played.store.rows(STACK_ID).entries.map(({ bytes }) => readEntry(bytes))
          for (const [hash, policy] of policiesIn(entries)) {
            expect(contentHash(testSha256, policy)).toBe(hash)
          }
          const isDecided = ({ decision }: Entry) => decision.disposition !== null || decision.rule
          for (const { seq, policy } of entries.filter(isDecided)) {
            const told = entries.slice(0, seq).filter(({ op }) => op === 'policy')
            expect(policy).toBe(told.at(-1)?.decision.facts.hash)
            expect(policiesIn(told).has(policy ?? '')).toBe(true)
          }
        }),
        runs(40),
      )
    },
  )

  holds('LEDGER-POLICY', 'in force is the last one told, from the next entry on', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const note = { kind: 'note', parents: [raw], ...MODEL } as const
    for (let n = 0; n < 3; n += 1) await scene.tell(note)
    await scene.stack.control.setPolicy(POLICIES.strict)
    expect((await scene.stack.control.getPolicy()).policy).toEqual(POLICIES.strict)
    expect(await scene.tell(note)).toMatchObject({ rule: 'burst', disposition: 'Quarantined' })
    const strict = contentHash(testSha256, POLICIES.strict)
    const change = scene.entries.findIndex(({ decision }) => decision.facts.hash === strict)
    expect(scene.entries[change]?.policy).not.toBe(strict)
    expect(scene.entries[change + 1]?.policy).toBe(strict)
  })

  test('that shortens the window tells old tallies, whoever is in the same group', async () => {
    const run = async (isCrowd: boolean) => {
      const scene = await Scene.open()
      for (let n = 0; n < 3; n += 1) await scene.tell({ kind: 'note' })
      scene.wait(120_000)
      const changing = scene.stack.control.setPolicy(POLICIES.strict)
      if (!isCrowd) await changing
      const writing = scene.tell({ kind: 'raw', actor: 'bob' })
      await Promise.all([changing, writing])
      return scene.entries.map(({ op }) => op)
    }
    expect(await run(true)).toEqual(await run(false))
    expect(await run(false)).toContain('tally')
  })

  test('is read before it is taken: what is no policy is refused, and nothing is written', async () => {
    const { policy } = await (await openForTest()).stack.control.getPolicy()
    const { numbers, ...rest } = policy
    const broken: readonly unknown[] = [
      {},
      null,
      rest,
      { ...policy, format: 'something/else' },
      { ...policy, numbers: { ...numbers, tallyWindowMs: '10' } },
      { ...policy, numbers: { ...numbers, quarantineBurstThreshold: Number.NaN } },
      { ...policy, numbers: { ...numbers, burstWindowMs: -1 } },
      { ...policy, kinds: { raw: policy.kinds.raw } },
      { ...policy, doors: {} },
    ]
    for (const given of broken) {
      const { stack, store } = await openForTest()
      const failure = stack.control.setPolicy(given as Policy).then(
        () => 'taken',
        (error) => (error instanceof MunimentError ? error.code : 'a fault'),
      )
      expect(['invalid_input', 'not_canonical']).toContain(await failure)
      expect(store.rows(STACK_ID).entries).toEqual([])
    }
  })
})
