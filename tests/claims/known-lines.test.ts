import fc from 'fast-check'
import { expect } from 'vitest'
import { memoryKeyring } from '../../src/compose/keyring.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { parseRef } from '../../src/domain/ids.ts'
import { label, type Stack } from '../../src/index.ts'
import { readEntry } from '../../src/ledger/ledger.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { ownPath } from '../sqlite/support/folder.ts'
import { holds } from '../support/holds.ts'
import { type Act, act, acts, LINE } from './lives.ts'
import { year } from './support.ts'

const HOST = { label: label.userAsserted(), actor: 'judge' }

/** What turns more than one claim of a line. */
const turns = fc.constantFrom('distrust', 'trust', 'recast', 'erase', 'supersede', 'together')

type Turn = typeof turns extends fc.Arbitrary<infer T> ? T : never

async function turn(stack: Stack, what: Turn): Promise<void> {
  if (what === 'distrust') await stack.sources.distrust({ actor: 'bob' })
  else if (what === 'trust') await stack.sources.trust({ actor: 'bob' })
  else if (what === 'together') await sayTogether(stack)
  else {
    const [first] = await stack.claims.timeline(LINE)
    if (!first) return
    if (what === 'recast') await stack.claims.recast(LINE, { ...HOST, cardinality: 'SetValued' })
    else if (what === 'erase') await stack.erasure.erase(first.ref, { derived: 'keep' })
    else await stack.claims.supersede(first.ref, 'Oslo', HOST)
  }
}

/** One voice, and each word takes the place of the one before within the same group. */
async function sayTogether(stack: Stack): Promise<void> {
  const say = (city: string) =>
    stack.claims.remember(LINE.subject, LINE.predicate, city, { actor: 'bob' })
  await Promise.all(['Rome', 'Lima', 'Cairo', 'Turin'].map(say))
}

interface Asked {
  readonly answers: unknown[]
  readonly head: unknown
}

/** The same life, asked about after each step, with so many claims before a line is kept at hand. */
async function told(
  steps: readonly (Act | Turn)[],
  { linesKnownFrom, validAt }: { linesKnownFrom: number; validAt: string },
): Promise<Asked> {
  const store = new SqliteStore({ path: ':memory:', linesKnownFrom })
  const stack = await openStack('test', { store, ...fakeWorld(1) })
  const answers: unknown[] = []
  const ask = async (): Promise<void> => {
    // Twice: what the first keeps at hand answers the second.
    for (const when of [{}, {}, { validAt }, { validAt }]) {
      answers.push(await stack.claims.ask({ ...LINE, ...when }))
    }
  }
  const refs: string[] = []
  for (const step of steps) {
    const done = typeof step === 'string' ? turn(stack, step) : act(stack, step, refs)
    await done.catch((cause) => answers.push(String(cause))) // what was erased takes no more words
    await ask()
  }
  const { head, ok } = await stack.ledger.audit()
  expect(ok).toBe(true)
  await stack.close()
  return { answers, head }
}

holds(
  'ANSWER-COMPUTED',
  'a line kept at hand answers and decides as one that is read anew',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 6, arbitrary: acts }, { weight: 1, arbitrary: turns }), {
          maxLength: 16,
        }),
        fc.integer({ min: 2018, max: 2032 }),
        async (steps, validYear) => {
          const validAt = year(validYear)
          const kept = await told(steps, { linesKnownFrom: 1, validAt })
          const read = await told(steps, { linesKnownFrom: Infinity, validAt })
          expect(kept).toEqual(read)
        },
      ),
      { numRuns: 60 },
    )
  },
)

holds(
  'ANSWER-COMPUTED',
  'what another process writes is in the next answer, however long the line',
  async () => {
    const path = ownPath()
    const keyring = memoryKeyring()
    const storeOf = () => new SqliteStore({ path, linesKnownFrom: 1 })
    const open = (seed: number) =>
      openStack('test', { store: storeOf(), keyring, ...fakeWorld(seed) })
    const here = await open(1)
    for (const city of ['Berlin', 'Paris']) {
      await here.claims.remember(LINE.subject, LINE.predicate, city, { actor: city })
    }
    expect((await here.claims.ask(LINE)).values).toHaveLength(2)
    const there = await open(2)
    await there.claims.remember(LINE.subject, LINE.predicate, 'Rome', { actor: 'Rome' })
    expect((await here.claims.ask(LINE)).values).toHaveLength(3)
    // Decided against what the other one wrote, which this process had not met.
    const { claimRef } = await here.claims.remember(LINE.subject, LINE.predicate, 'Oslo', {
      actor: 'O',
    })
    const { values } = await there.claims.ask(LINE)
    expect(values.map(({ value }) => value)).toEqual(['Berlin', 'Paris', 'Rome', 'Oslo'])
    const query = { type: 'entries', about: parseRef(String(claimRef)) } as const
    const [row] = await storeOf().read(there.stackId, query)
    expect(row && readEntry(row.bytes).decision.facts.rivals).toBe(3)
    await here.close()
    await there.close()
  },
)

holds(
  'ANSWER-COMPUTED',
  'the claim that tells what kind of line it is goes on when it gave way, and ends when distrusted',
  async () => {
    const dispositions = async (linesKnownFrom: number): Promise<readonly string[]> => {
      const store = new SqliteStore({ path: ':memory:', linesKnownFrom })
      const stack = await openStack('test', { store, ...fakeWorld(1) })
      const say = async (city: string, actor: string, cardinality: 'Functional' | 'SetValued') => {
        const options = { actor, cardinality }
        return (await stack.claims.remember(LINE.subject, LINE.predicate, city, options))
          .disposition
      }
      const said = [
        await say('Berlin', 'ann', 'Functional'),
        await say('Paris', 'ann', 'SetValued'),
        await say('Rome', 'bob', 'SetValued'),
        await say('Milan', 'bob', 'Functional'),
        await say('Oslo', 'eve', 'Functional'),
      ]
      await stack.sources.distrust({ actor: 'ann' })
      said.push(await say('Bern', 'dan', 'Functional'))
      await stack.close()
      return said
    }
    // Ann's word is gone in the end, and what Bob said first tells that the line is a set.
    const contest = ['Contested', 'Contested', 'Contested']
    const said = ['CommittedCheap', 'CommittedCheap', ...contest, 'CommittedCheap']
    expect(await dispositions(1)).toEqual(said)
    expect(await dispositions(Infinity)).toEqual(said)
  },
)
