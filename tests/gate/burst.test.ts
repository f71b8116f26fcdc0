import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holds } from '../support/holds.ts'
import { runs } from './runs.ts'
import { MODEL, RECALLED, Scene, says, USER } from './scene.ts'
import { POLICY_NUMBERS } from './steps.ts'

const { quarantineBurstThreshold: THRESHOLD, burstWindowMs: WINDOW } = POLICY_NUMBERS.house

/** Is this write the one too many: it and the threshold before it, all inside one window? */
const isTooMany = (times: readonly number[]): boolean => {
  const last = times.slice(-(THRESHOLD + 1))
  return last.length > THRESHOLD && (last.at(-1) ?? 0) - (last[0] ?? 0) <= WINDOW
}

describe('a burst', () => {
  holds(
    'FIREWALL-BURST',
    'is whatever exceeds the threshold inside the window, however it is spaced',
    async () => {
      const waits = fc.array(
        fc.constantFrom(0, 1, 1_000, 30_000, 60_000, 60_001, 90_000, 300_000, 600_000, 600_001),
        { minLength: THRESHOLD, maxLength: 40, size: 'max' },
      )
      await fc.assert(
        fc.asyncProperty(waits, async (gaps) => {
          const scene = await Scene.open()
          const raw = await scene.ref({ kind: 'raw' })
          const times: number[] = []
          for (const waitMs of gaps) {
            const { disposition } = await scene.tell({
              kind: 'note',
              parents: [raw],
              ...MODEL,
              waitMs,
            })
            times.push(scene.played.world.clock.now())
            expect(disposition === 'Quarantined', `write ${times.length}`).toBe(isTooMany(times))
          }
          const aside = [...scene.rows.memories.values()].filter(
            ({ disposition }) => disposition === 'Quarantined',
          )
          expect(aside).toEqual([])
        }),
        runs(60),
      )
    },
  )

  holds('FIREWALL-BURST', 'is found in one batch, and only the surplus is set aside', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const note = { kind: 'note', parents: [raw], ...MODEL } as const
    const answer = await scene.answerAll([note, ...Array.from({ length: 14 }, () => note)])
    if (answer.type !== 'written') throw new Error('a burst is an answer, not a refusal')
    expect(answer.results.map(({ disposition }) => disposition)).toEqual([
      'CommittedInferred',
      ...Array.from({ length: 9 }, () => 'Corroborated'),
      ...Array.from({ length: 5 }, () => 'Quarantined'),
    ])
    expect(new Set(answer.results.map(({ ref }) => ref)).size).toBe(1)
    expect(scene.rows.memories.size).toBe(2)
  })

  holds(
    'FIREWALL-BURST',
    'counts an actor over all its doors and documents, and nobody else',
    async () => {
      const scene = await Scene.open()
      const raw = await scene.ref({ kind: 'raw' })
      const note = { kind: 'note', parents: [raw], ...USER } as const
      for (let n = 0; n < THRESHOLD; n += 1) {
        const { disposition } = await scene.tell({ ...note, document: `letter ${n}` })
        expect(disposition).toBe('CommittedCheap')
      }
      const other = await scene.tell({ ...note, actor: 'bob', document: 'letter' })
      expect(other.disposition).toBe('CommittedCheap')
      const tooMany = await scene.tell({ ...note, door: 'hook', document: 'one more' })
      expect(tooMany).toMatchObject({ disposition: 'Quarantined', rule: 'burst' })
    },
  )

  test('is counted by the memory itself until its words come again', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const note = { kind: 'note', parents: [raw], ...MODEL } as const
    for (let n = 0; n < 5; n += 1) await scene.tell({ ...note, ...says(`once, number ${n}`) })
    expect(scene.rows.bursts.size).toBe(0)
    await scene.tell({ ...note, ...says('once, number 3'), waitMs: 1_000 })
    const [count, ...others] = scene.rows.bursts.values()
    expect(others).toEqual([])
    expect(count?.times).toHaveLength(2)
    expect(Date.parse(count?.times[1] ?? '') - Date.parse(count?.times[0] ?? '')).toBe(1_000)
  })

  holds('FIREWALL-BURST', 'is counted over memories that say something else by now', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const note = { kind: 'note', parents: [raw], ...USER, ...says('Buy now') } as const
    for (let n = 0; n < THRESHOLD; n += 1) {
      const ref = await scene.ref(note)
      const other = says(`Something else, number ${n}`)
      await scene.ref({ ...note, ...other, ref, revises: { expectedVersion: 1 } })
    }
    expect(await scene.tell(note)).toMatchObject({ disposition: 'Quarantined', rule: 'burst' })
  })

  test.each([
    ['captured for another', 'captured'],
    ['declared to be recalled', 'recalled'],
    ['revised into the same words', 'revised'],
  ] as const)('begins after a memory that was %s, which nobody counted', async (_, how) => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const note = {
      kind: 'note',
      parents: [raw],
      ...MODEL,
      ...says('Small steps ship faster'),
    } as const
    const ref = await scene.ref({ ...note, ...says('Something else entirely') })
    if (how === 'captured') {
      await scene.ref({ ...note, kind: 'belief', parents: [ref], captures: ['note'] })
    } else if (how === 'recalled') await scene.ref({ ...note, ...RECALLED, llmModel: null })
    else await scene.ref({ ...note, ref, revises: { expectedVersion: 1 } })
    for (let n = 0; n < THRESHOLD; n += 1) expect((await scene.tell(note)).rule).not.toBe('burst')
    expect((await scene.tell(note)).rule).toBe('burst')
  })

  test('is not what lies an hour apart, even when the clock was set back in between', async () => {
    const scene = await Scene.open({ genesis: 'strict' })
    const raw = await scene.ref({ kind: 'raw' })
    const note = { kind: 'note', parents: [raw], ...MODEL } as const
    for (let n = 0; n < 2; n += 1) await scene.tell(note)
    // A repeat writes no entry, so nothing holds the time up when the clock falls.
    for (const waitMs of [3_600_000, -3_590_000]) {
      expect(await scene.tell({ ...note, waitMs })).toMatchObject({ rule: 'echo' })
    }
  })

  holds('FIREWALL-BURST', 'counts what a person says again like any repeat', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const note = { kind: 'note', parents: [raw], ...USER } as const
    const first = await scene.ref(note)
    for (let n = 1; n < THRESHOLD; n += 1) {
      expect(await scene.tell(note)).toMatchObject({ ref: first, rule: 'restate' })
    }
    const surplus = await scene.tell(note)
    expect(surplus).toMatchObject({ ref: first, rule: 'burst', disposition: 'Quarantined' })
    const rows = scene.rows.memories.size
    for (let n = 0; n < 30; n += 1) {
      expect(await scene.tell(note)).toMatchObject({ ref: surplus.ref, rule: 'burst' })
    }
    expect(scene.rows.memories.size).toBe(rows)
    // What was said first still stands, and a day later it is said again as before.
    const day = 86_400_000
    expect(await scene.tell({ ...note, waitMs: day })).toMatchObject({
      ref: first,
      rule: 'restate',
    })
  })

  test('is not a declared echo, nor an event that happens again', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const note = { kind: 'note', parents: [raw] } as const
    await scene.ref({ ...note, ...USER })
    for (let n = 0; n < 15; n += 1) {
      expect(await scene.tell({ ...note, ...RECALLED })).toMatchObject({ rule: 'echo' })
      expect(await scene.tell({ kind: 'raw', ...says('yes') })).toMatchObject({ rule: 'admit' })
    }
  })

  test('is not a memory that changes often', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const note = { kind: 'note', parents: [raw], ...USER } as const
    const ref = await scene.ref(note)
    for (let n = 1; n <= 15; n += 1) {
      const saying = { ...scene.draft(note).saying, variant: n }
      const revised = await scene.tell({ ...note, ref, saying, revises: { expectedVersion: n } })
      expect(revised).toMatchObject({ ref, disposition: 'CommittedCheap' })
    }
  })

  holds(
    'FIREWALL-BURST',
    'is one entry beside the live memory, and one item of review',
    async () => {
      const scene = await Scene.open()
      const raw = await scene.ref({ kind: 'raw' })
      const ann = await scene.ref({ kind: 'note', parents: [raw], ...USER, actor: 'ann' })
      const before = scene.rows.memories.get(ann)
      const loop = { kind: 'note', parents: [raw], ...MODEL, actor: 'loop' } as const
      for (let n = 0; n < 40; n += 1) expect((await scene.tell(loop)).ref).toBe(ann)
      const burst = scene.entries.filter(({ decision }) => decision.rule === 'burst')
      expect(burst).toMatchObject([
        { op: 'memory.collapsed', ref: ann, decision: { disposition: 'Quarantined' } },
      ])
      const { flags, review, ...rest } = scene.rows.memories.get(ann) ?? {}
      expect({ ...rest, flags: before?.flags, review: before?.review }).toEqual(before)
      expect({ flags, review }).toMatchObject({ flags: [{ code: 'repeated' }], review: 'flagged' })
      const [item, ...others] = await scene.stack.review.list()
      expect(others).toEqual([])
      expect(item).toMatchObject({ ref: ann, reasons: ['repeated'], answers: ['keep', 'forget'] })
      expect(await scene.stack.review.resolve(ann, 'keep')).toBe(true)
      await scene.tell(loop)
      expect(await scene.stack.review.list()).toEqual([])
      expect((await scene.stack.ledger.audit()).problems).toEqual([])
    },
  )

  test('of a distrusted author puts nothing about the words of others in review', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    await scene.ref({ kind: 'note', parents: [raw], ...USER, actor: 'ann' })
    await scene.stack.sources.distrust({ actor: 'loop' })
    const loop = { kind: 'note', parents: [raw], ...MODEL, actor: 'loop' } as const
    for (let n = 0; n < 40; n += 1) await scene.tell(loop)
    const waiting = await scene.stack.review.list()
    expect(waiting.filter(({ kind }) => kind === 'flagged')).toEqual([])
    expect((await scene.stack.ledger.audit()).problems).toEqual([])
  })

  test('of words that no live memory says is one row until a person says no, and then they stay out', async () => {
    const scene = await Scene.open({ genesis: 'strict' })
    const raw = await scene.ref({ kind: 'raw' })
    const note = { kind: 'note', parents: [raw], ...MODEL } as const
    const aside = await scene.aside(note)
    const repeat = await scene.tell(note)
    expect(repeat).toMatchObject({ ref: aside.ref, disposition: 'Quarantined' })
    expect(repeat.entry).toBe(aside.entry)
    await scene.stack.review.reject(aside.ref ?? '')
    expect(await scene.tell(note)).toMatchObject({ rule: 'tombstone', disposition: 'Rejected' })
    expect(await scene.tell({ ...note, actor: 'bob' })).toMatchObject({ rule: 'echo' })
    const belief = { kind: 'belief', ...MODEL, ...says('All of it  HOLDS together') } as const
    expect(await scene.tell({ ...belief, captures: ['raw', 'note'] })).toMatchObject({
      rule: 'tombstone',
    })
  })
})
