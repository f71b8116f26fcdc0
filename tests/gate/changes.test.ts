import { describe, expect, test } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import type { WriteRequest } from '../../src/engine/write/write-request.ts'
import { requestOf } from './production.ts'
import { claims, MODEL, RECALLED, Scene, says, USER } from './scene.ts'

const ANY = { expectedVersion: null }

describe('a revision', () => {
  test('has its own body, certificate and entry, and counts up', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const note = { kind: 'note', parents: [raw], ...USER } as const
    const ref = await scene.ref({ ...note, ...says('Tea at four') })
    scene.wait(60_000)
    await scene.ref({ ...note, ref, ...says('Tea at five'), revises: { expectedVersion: 1 } })
    const memory = await scene.stack.getMemory('note', ref.slice(5))
    expect(memory).toMatchObject({ version: 2, text: 'Tea at five' })
    expect(memory?.provenance.timestamp).not.toBe(memory?.createdAt)
    const about = scene.entries.filter((entry) => entry.ref === ref)
    expect(about.map(({ op, revision }) => [op, revision])).toEqual([
      ['memory.saved', 1],
      ['memory.revised', 2],
    ])
    expect(scene.rows.sealed.size).toBe(3)
  })

  test('of what is not there, or is newer by now, is an error and writes nothing', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const note = { kind: 'note', parents: [raw], ...USER } as const
    const before = scene.entries.length
    expect(await scene.answer({ ...note, revises: ANY })).toMatchObject({ code: 'not_found' })
    const ref = await scene.ref(note)
    await scene.ref({ ...note, ref, ...says('Once more'), revises: { expectedVersion: 1 } })
    const stale = { ...note, ref, ...says('Too late'), revises: { expectedVersion: 1 } }
    expect(await scene.answer(stale)).toMatchObject({ code: 'version_conflict' })
    expect(scene.entries.length).toBe(before + 2)
  })

  test('by a model or an echo moves nothing that was seen or said first-hand', async () => {
    for (const label of ['UserAsserted', 'ExternalFirstHand'] as const) {
      for (const how of [MODEL, RECALLED]) {
        const scene = await Scene.open()
        const raw = await scene.ref({ kind: 'raw' })
        const note = { kind: 'note', parents: [raw] } as const
        const ref = await scene.ref({ ...note, ...says('The sky is blue'), label })
        const before = { ...scene.rows.memories.get(ref) }
        await scene.answer({ ...note, ...how, ref, ...says('The sky is green'), revises: ANY })
        expect(scene.rows.memories.get(ref)).toEqual(before)
        const memory = await scene.stack.getMemory('note', ref.slice(5))
        expect(memory?.text).toBe('The sky is blue')
      }
    }
  })

  test('by a model of what a model made is its own business', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const note = { kind: 'note', parents: [raw], ...MODEL } as const
    const ref = await scene.ref({ ...note, ...says('The sky is blue') })
    const revised = await scene.tell({ ...note, ref, ...says('The sky is grey'), revises: ANY })
    expect(revised).toMatchObject({ ref, disposition: 'CommittedInferred' })
  })

  test('does not lead out of quarantine, nor back from a rejection', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const wrong = { start: '2021-01-01T00:00:00.000Z', end: '2020-01-01T00:00:00.000Z' }
    const claim = { kind: 'claim', parents: [raw], ...USER } as const
    const ref = await scene.ref({ ...claim, ...claims(wrong) })
    expect(scene.rows.memories.get(ref)?.disposition).toBe('Quarantined')
    const right = { ...claim, ref, ...claims({}), revises: ANY }
    for (const how of [USER, MODEL]) await scene.answer({ ...right, ...how })
    expect(scene.rows.memories.get(ref)?.disposition).toBe('Quarantined')
    await scene.stack.review.reject(ref)
    for (const how of [USER, MODEL]) await scene.answer({ ...right, ...how })
    expect(scene.rows.memories.get(ref)?.disposition).toBe('Rejected')
  })

  test('may bring words of its own along, as its birth did', async () => {
    const scene = await Scene.open()
    const note = { kind: 'note', ...USER } as const
    const ref = await scene.ref({ ...note, ...says('Tea at four'), captures: ['raw'] })
    const later = { ...note, ref, ...says('Tea at five'), revises: { expectedVersion: 1 } }
    const { stack } = scene
    const { provenance, body } = requestOf(scene.draft(later), 0)
    const captures = [{ kind: 'raw', body: { content: 'Make that five' } }] as const
    const id = ref.slice(5)
    const request = { kind: 'note', id, body, provenance, captures, revises: ANY } as const
    const revised = await stack.write(request as WriteRequest)
    expect(revised).toMatchObject({ ref, disposition: 'CommittedCheap' })
    expect(revised.captures).toHaveLength(1)
    expect(scene.rows.memories.size).toBe(3)
  })

  test('stays in the impact of what it was born from, and of what it cites since', async () => {
    const scene = await Scene.open()
    const [a, b] = [await scene.ref({ kind: 'raw' }), await scene.ref({ kind: 'raw' })]
    const note = { kind: 'note', ...USER } as const
    const ref = await scene.ref({ ...note, parents: [a] })
    await scene.ref({ ...note, ref, ...says('On other ground'), parents: [b], revises: ANY })
    const impacted = async (of: Ref) =>
      (await scene.stack.history.impact(of)).map(({ memory, distance }) => [memory.ref, distance])
    expect(await impacted(b)).toEqual([[ref, 1]])
    expect(await impacted(a)).toEqual([[ref, 1]])
  })
})

describe('a write that is sent again under its id', () => {
  const captured = (content: string) => [{ kind: 'raw', body: { content } }] as const

  test('is the same write, captures and all; with other words captured it is not', async () => {
    const scene = await Scene.open()
    const request = requestOf(scene.draft({ kind: 'note', ...USER }), 0)
    const first = await scene.stack.write({ ...request, captures: captured('As it was said') })
    const again = await scene.stack.write({ ...request, captures: captured('As it was said') })
    expect(again).toMatchObject({ ref: first.ref, rule: 'shape', reasons: ['already_saved'] })
    const other = scene.stack.write({ ...request, captures: captured('As it was not') })
    await expect(other).rejects.toMatchObject({ code: 'id_exists' })
    expect(scene.rows.memories.size).toBe(2)
  })
})

describe('a restatement', () => {
  test('of a dated claim, word for word and date for date, is one', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const since = claims({ start: '2020-01-01T00:00:00.000Z' })
    const claim = { kind: 'claim', parents: [raw], ...USER, ...since } as const
    const first = await scene.ref(claim)
    for (let n = 0; n < 5; n += 1) {
      expect(await scene.tell(claim)).toMatchObject({ ref: first, rule: 'restate' })
    }
    const earlier = claims({ start: '2010-01-01T00:00:00.000Z', end: '2012-01-01T00:00:00.000Z' })
    const other = await scene.tell({ ...claim, ...earlier })
    expect(other).toMatchObject({ rule: 'admit', disposition: 'CommittedCheap' })
  })

  test('refreshes the date of its memory when its tally is told, whoever writes then', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const note = { kind: 'note', parents: [raw], ...USER } as const
    const ref = await scene.ref(note)
    await scene.tell({ ...note, waitMs: 60_000 })
    await scene.tell({ ...note, waitMs: 60_000 })
    const last = new Date(scene.played.world.clock.now()).toISOString()
    await scene.ref({ kind: 'raw', actor: 'bob', waitMs: 600_001 })
    expect(scene.entries.at(-2)).toMatchObject({ op: 'tally', ref, decision: { facts: { last } } })
    expect(scene.rows.memories.get(ref)?.restatedAt).toBe(last)
    expect((await scene.stack.ledger.audit()).problems).toEqual([])
  })
})
