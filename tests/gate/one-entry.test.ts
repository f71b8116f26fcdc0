import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Entry } from '../../src/domain/entry.ts'
import { readEntry } from '../../src/ledger/ledger.ts'
import { holds } from '../support/holds.ts'
import { histories } from './histories.ts'
import { openForTest, type Played, requestOf, STACK_ID, take } from './production.ts'
import { refAt } from './reference/lineage.ts'
import type { Answer, Result } from './reference/words.ts'
import { runs } from './runs.ts'
import { claims, MODEL, RECALLED, Scene, says, USER } from './scene.ts'
import { PLAIN } from './steps.ts'

const entriesOf = ({ store }: Pick<Played, 'store'>): readonly Entry[] =>
  store.rows(STACK_ID).entries.map(({ bytes }) => readEntry(bytes))

const resultsIn = (answer: Answer): readonly Result[] => {
  if (answer.type === 'written') return answer.results
  return answer.type === 'refused' ? [answer.result] : []
}

const count = <T>(items: Iterable<T>): ReadonlyMap<T, number> => {
  const counts = new Map<T, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/** How often each first entry was repeated, as the ledger and the open tallies have it. */
function repeatsOn(played: Played): ReadonlyMap<number, number> {
  const told = entriesOf(played)
    .filter(({ op }) => op === 'tally')
    .map(({ decision: { facts } }) => [Number(facts.of), Number(facts.count)] as const)
  const open = [...played.store.rows(STACK_ID).tallies.values()].map(
    (tally) => [tally.entrySeq, tally.count] as const,
  )
  const sums = new Map<number, number>()
  for (const [of, times] of [...told, ...open]) {
    if (times > 0) sums.set(of, (sums.get(of) ?? 0) + times)
  }
  return sums
}

describe('one entry each', () => {
  holds(
    'GATE-ONE-ENTRY',
    'every answer has its own entry or is counted on the entry of the first',
    async () => {
      await fc.assert(
        fc.asyncProperty(histories(), async ({ genesis, steps }) => {
          const played = await openForTest({ genesis })
          const results: Result[] = []
          for (const step of steps) results.push(...resultsIn(await take(played, step)))
          const written = results.filter(({ rule }) => rule !== 'shape')
          const repeats = repeatsOn(played)
          for (const [entry, times] of count(written.map((result) => result.entry))) {
            expect(times, `answers that name entry ${entry}`).toBe(1 + (repeats.get(entry) ?? 0))
          }
          expect(
            [...repeats.keys()].filter((seq) => !written.some((r) => r.entry === seq)),
          ).toEqual([])
        }),
        runs(100),
      )
    },
  )

  holds(
    'GATE-ONE-ENTRY',
    'no memory is born twice, nothing is refused or collapsed twice',
    async () => {
      await fc.assert(
        fc.asyncProperty(histories(), async ({ genesis, steps }) => {
          const played = await openForTest({ genesis })
          for (const step of steps) await take(played, step)
          const { sealed } = played.store.rows(STACK_ID)
          const keys = entriesOf(played).flatMap((entry) =>
            keysOf(entry, sealed.get(entry.seq)?.bytes ?? null),
          )
          expect([...count(keys)].filter(([, times]) => times > 1)).toEqual([])
          const memories = [...played.store.rows(STACK_ID).memories.values()]
          const births = keys.filter((key) => key.startsWith('birth'))
          expect(births).toHaveLength(memories.length)
        }),
        runs(60),
      )
    },
  )

  holds(
    'GATE-ONE-ENTRY',
    'a refused batch is one entry, which names the index of the draft',
    async () => {
      const scene = await Scene.open()
      const raw = await scene.ref({ kind: 'raw' })
      const before = scene.entries.length
      const note = { kind: 'note', parents: [raw] } as const
      const answer = await scene.answerAll([
        { ...note, ...says('One thing') },
        note,
        { kind: 'note' },
      ])
      expect(answer).toMatchObject({ type: 'refused', index: 2, result: { rule: 'lineage' } })
      const added = scene.entries.slice(before)
      expect(added.map(({ op }) => op)).toEqual(['memory.refused'])
      expect(added[0]?.decision.facts).toMatchObject({ index: 2, drafts: 3 })
      expect(scene.rows.memories.size).toBe(1)
      const again = await scene.answerAll([{ ...note, ...says('One thing') }, note])
      expect(again.type).toBe('written')
    },
  )

  test('a refused batch is dated by the draft that failed, whatever the clock said before', async () => {
    const { stack, store, world } = await openForTest()
    const readings = [1_000, 0].map((ms) => world.clock.now() + ms)
    const [, failed = 0] = readings
    world.clock.now = () => readings.shift() ?? failed
    const drafts = (['raw', 'note'] as const).map((kind) => ({
      ...PLAIN,
      kind,
      ref: refAt(kind, 1),
    }))
    const written = await stack.writeAll(drafts.map((draft) => requestOf(draft, failed)))
    expect(written).toMatchObject({ refused: true, index: 1 })
    const times = entriesOf({ store }).map(({ time }) => Date.parse(time))
    expect(new Set(times)).toEqual(new Set([failed]))
  })

  test('what is refused as noise, alone or in a batch, leaves no trace in the counters of bursts', async () => {
    const scene = await Scene.open({ genesis: 'strict' })
    const raw = await scene.ref({ kind: 'raw' })
    const note = await scene.ref({ kind: 'note', parents: [raw] })
    const noise = { kind: 'belief', parents: [note], ...MODEL, ...says('aaaaa') } as const
    for (let n = 0; n < 4; n += 1) {
      const answer = await scene.answerAll([{ kind: 'raw' }, noise])
      expect(answer).toMatchObject({ type: 'refused', result: { rule: 'lint' } })
    }
    for (let n = 0; n < 4; n += 1) expect((await scene.tell(noise)).rule).toBe('lint')
    expect(scene.rows.bursts.size).toBe(0)
  })
})

/** What there may be only one entry of. */
function keysOf(entry: Entry, sealed: Uint8Array | null): readonly string[] {
  const { op, ref, revision, actor, door, decision } = entry
  const birth = revision === 1 ? [`birth of ${ref}`] : [`revision ${revision} of ${ref}`]
  switch (op) {
    case 'memory.saved':
    case 'memory.revised':
      return birth
    case 'memory.collapsed':
      return [`collapse onto ${ref} by ${decision.rule}`]
    case 'memory.refused':
      return [
        // Each distinct noise of an actor is kept once, as a suggestion that is rejected.
        `refusal of ${actor} at ${door} by ${decision.rule}${sealed ? ` of ${contentIn(sealed)}` : ''}`,
        ...(ref ? birth : []),
      ]
    default:
      return []
  }
}

const contentIn = (sealed: Uint8Array): string => {
  const { body } = JSON.parse(new TextDecoder().decode(sealed))
  return JSON.stringify([body.memoryType, body.content])
}

const TIMES = 808

describe('eight hundred and eight re-entries', () => {
  holds(
    ['GATE-ONE-ENTRY', 'FIREWALL-IDEMPOTENT'],
    'of one claim leave one claim and one record of corroboration',
    async () => {
      const scene = await Scene.open()
      const raw = await scene.ref({ kind: 'raw' })
      const claim = { kind: 'claim', parents: [raw] } as const
      const first = await scene.ref({ ...claim, ...USER, ...claims({ value: 'Berlin' }) })
      for (let n = 0; n < TIMES; n += 1) {
        const value = ['berlin', ' BERLIN ', 'Berlin'][n % 3] ?? ''
        const result = await scene.tell({ ...claim, ...RECALLED, ...claims({ value }) })
        expect(result).toMatchObject({ ref: first, rule: 'echo', disposition: 'Corroborated' })
      }
      const about = scene.entries.filter(({ ref }) => ref === first)
      expect(about.map(({ op }) => op)).toEqual(['memory.saved', 'memory.collapsed'])
      expect([...scene.rows.memories.keys()]).toEqual([raw, first])
      expect([...scene.rows.tallies.values()]).toMatchObject([{ about: first, count: TIMES - 1 }])
    },
  )

  holds(
    'FIREWALL-IDEMPOTENT',
    'declared or not, by anyone, over days: still one record',
    async () => {
      const re = fc.record({
        actor: fc.constantFrom('ann', 'bob', 'cleo'),
        isDeclared: fc.boolean(),
        door: fc.constantFrom('lib' as const, 'mcp' as const),
        waitMs: fc.constantFrom(0, 1_000, 600_001, 86_400_000),
      })
      await fc.assert(
        fc.asyncProperty(fc.array(re, { minLength: 1, maxLength: 40 }), async (entries) => {
          const scene = await Scene.open({ genesis: 'strict' })
          const raw = await scene.ref({ kind: 'raw' })
          const claim = { kind: 'claim', parents: [raw], ...claims({ value: 'Berlin' }) } as const
          const first = await scene.ref({ ...claim, ...USER })
          for (const { actor, isDeclared, door, waitMs } of entries) {
            const how = isDeclared ? RECALLED : MODEL
            await scene.tell({ ...claim, ...how, actor, door, waitMs })
          }
          const records = scene.entries.filter(({ op }) => op === 'memory.collapsed')
          expect(records.length).toBeLessThanOrEqual(1)
          const believed = [...scene.rows.memories.values()].filter(
            ({ kind, disposition }) => kind === 'claim' && disposition !== 'Quarantined',
          )
          expect(believed.map(({ ref }) => ref)).toEqual([first])
        }),
        runs(60),
      )
    },
  )

  test('positive control: another value is another claim, and is let in', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const claim = { kind: 'claim', parents: [raw] } as const
    await scene.ref({ ...claim, ...USER, ...claims({ value: 'Berlin' }) })
    const other = await scene.tell({ ...claim, ...MODEL, ...claims({ value: 'Paris' }) })
    expect(other).toMatchObject({ rule: 'conflict', disposition: 'CommittedInferred' })
  })
})

describe('noise', () => {
  test('is kept once as a rejected suggestion, and a repeat does not claim to be kept', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const note = await scene.ref({ kind: 'note', parents: [raw] })
    const noise = { kind: 'belief', parents: [note], ...MODEL, ...says('short') } as const
    const first = await scene.stack.write(requestOf(scene.draft(noise), 0))
    expect(first).toMatchObject({ ref: null, disposition: 'Rejected', rule: 'lint' })
    const [kept] = await scene.stack.getSuggestions()
    expect(kept).toMatchObject({
      ref: first.suggestion,
      disposition: 'Rejected',
      body: {
        memoryType: 'belief',
        content: { statement: 'short' },
        sourceRefs: [note],
        status: 'rejected',
        reason: 'lint: too_short',
      },
    })
    const again = await scene.stack.write(requestOf(scene.draft(noise), 0))
    expect(again).toMatchObject({ suggestion: null, entry: { seq: first.entry.seq } })
    expect(again.hint).not.toContain('kept')
    expect(await scene.stack.getSuggestions()).toHaveLength(1)
    const other = { ...noise, ...says('aaaaa') }
    const distinct = await scene.stack.write(requestOf(scene.draft(other), 0))
    expect(distinct.hint).toContain('kept as a rejected suggestion')
    expect(await scene.stack.getSuggestions()).toHaveLength(2)
    const sourceless = await scene.stack.write(requestOf(scene.draft({ kind: 'note' }), 0))
    expect(sourceless).toMatchObject({ rule: 'lineage', suggestion: null })
    expect(sourceless.hint).not.toContain('kept')
  })
})

describe('an attacker', () => {
  test('cannot grow the ledger by being refused', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const before = scene.entries.length
    for (let n = 0; n < 200; n += 1) {
      const refused = await scene.tell({
        kind: 'belief',
        parents: [raw],
        ...says(`Belief no ${n}`),
      })
      expect(refused).toMatchObject({ disposition: 'Rejected', rule: 'lineage' })
    }
    expect(scene.entries.length).toBe(before + 1)
    scene.wait(600_001)
    await scene.ref({ kind: 'raw', actor: 'bob' })
    const [, tally] = scene.entries.slice(before)
    expect(tally).toMatchObject({ op: 'tally', decision: { facts: { count: 199, of: before } } })
  })
})
