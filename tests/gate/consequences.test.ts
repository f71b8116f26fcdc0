import { describe, expect, test } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import { label } from '../../src/domain/labels.ts'
import type { WriteRequest } from '../../src/engine/write/write-request.ts'
import { requestOf } from './production.ts'
import { MODEL, Scene, says, type Told, USER } from './scene.ts'

const opsAfter = ({ entries }: Scene, seq: number) =>
  entries.slice(seq).map(({ op, ref, unit }) => [op, ref, unit - seq])

const AS_MODEL = { label: label.modelDerived(), actor: 'model' }

/** A belief on a note on a raw. */
async function believed(how: Partial<Told> = MODEL) {
  const scene = await Scene.open()
  const raw = await scene.ref({ kind: 'raw' })
  const note = await scene.ref({ kind: 'note', parents: [raw], ...USER, ...says('Tea at four') })
  const belief = { kind: 'belief', parents: [note], ...says('Tea is served at four') } as const
  const old = await scene.ref({ ...belief, ...how })
  return { scene, raw, note, old }
}

const superseding = (scene: Scene, told: Told, old: Ref): WriteRequest => ({
  ...requestOf(scene.draft(told), 0),
  consequence: { type: 'supersedes', ref: old },
})

describe('a belief in the place of another', () => {
  test('is born, says whose place it takes, and the other is deactivated, in one unit', async () => {
    const { scene, old } = await believed()
    const before = scene.entries.length
    const { ref } = await scene.stack.changes.supersede(old, 'Tea is served at five')
    expect(opsAfter(scene, before)).toEqual([
      ['memory.saved', ref, 0],
      ['belief.revised', ref, 0],
      ['belief.deactivated', old, 0],
    ])
    expect(scene.rows.memories.get(old)).toMatchObject({ disposition: 'Superseded' })
    await expect(scene.stack.changes.supersede(old, 'Tea is served at six')).rejects.toMatchObject({
      code: 'invalid_input',
    })
    expect((await scene.stack.ledger.audit()).problems).toEqual([])
  })

  test('of a person’s is not a model’s to write: one wish is kept, and the rest is asked again', async () => {
    const { scene, old } = await believed(USER)
    const state = scene.rows.memories.get(old)
    const before = scene.entries.length
    for (const statement of ['Tea is served at five', 'Tea is served at six', 'There is no tea']) {
      await scene.stack.changes.supersede(old, statement, AS_MODEL).catch(() => {})
    }
    for (const amount of [0.1, 1]) await scene.stack.changes.weaken(old, amount, AS_MODEL)
    expect(opsAfter(scene, before)).toEqual([['memory.proposed', old, 0]])
    const { flags: _, review: __, ...rest } = state ?? {}
    expect(scene.rows.memories.get(old)).toMatchObject({ ...rest, review: 'proposal' })
  })

  test('does not come in a batch, of which nothing remains', async () => {
    const { scene, old, note } = await believed(USER)
    const told = { kind: 'belief', parents: [note], ...MODEL } as const
    const requests = [
      requestOf(scene.draft({ ...told, ...says('A first thing that is believed') }), 0),
      superseding(scene, { ...told, ...says('Tea is served at five') }, old),
    ]
    const before = scene.entries.length
    await expect(scene.stack.writeAll(requests)).rejects.toMatchObject({ code: 'invalid_input' })
    expect(opsAfter(scene, before)).toEqual([])
  })

  test('that is set aside itself deactivates nothing', async () => {
    const { scene, old, note } = await believed()
    const told = { kind: 'belief', parents: [note], ...MODEL, ...says('Tea at any time') } as const
    for (let n = 0; n < 10; n += 1) await scene.ref(told)
    const { disposition } = await scene.stack.write(superseding(scene, told, old))
    expect(disposition).toBe('Quarantined')
    expect(scene.rows.memories.get(old)?.disposition).not.toBe('Superseded')
    expect((await scene.stack.ledger.audit()).problems).toEqual([])
  })

  test('that is sent again under its id is there already, and so is what followed', async () => {
    const { scene, old, note } = await believed()
    const told = { kind: 'belief', parents: [note], ...MODEL, ...says('Tea is served at five') }
    const request = superseding(scene, told as Told, old)
    const first = await scene.stack.write(request)
    const { length } = scene.entries
    const again = await scene.stack.write(request)
    expect(again).toMatchObject({ ref: first.ref, reasons: ['already_saved'] })
    expect(scene.entries).toHaveLength(length)
  })

  test('comes by no revision that would go around the gate', async () => {
    const { scene, old, note } = await believed(USER)
    const told = { kind: 'belief', parents: [note], ...MODEL } as const
    const own = await scene.ref({ ...told, ...says('A guess of its own') })
    const revision = { ...told, ref: own, ...says('Another guess of its own') }
    const request = superseding(scene, { ...revision, revises: { expectedVersion: null } }, old)
    await scene.stack.write(request).catch(() => {})
    expect(scene.rows.memories.get(old)).toMatchObject({ disposition: 'CommittedCheap' })
    expect(scene.entries.at(-1)?.op).toBe('memory.proposed')
  })

  test('does not come back to life by a revision', async () => {
    const { scene, old, note } = await believed()
    await scene.stack.changes.supersede(old, 'Tea is served at five')
    const told = { kind: 'belief', parents: [note], ...MODEL, ref: old } as const
    await scene.answer({ ...told, ...says('Tea, after all'), revises: { expectedVersion: null } })
    expect(scene.rows.memories.get(old)?.disposition).toBe('Superseded')
  })
})

describe('a suggestion that becomes a memory', () => {
  test('is resolved in the memory’s unit, once', async () => {
    const { scene, note } = await believed()
    const content = { statement: 'Tea is a habit here' }
    const body = { memoryType: 'belief', content, confidence: 0.7, sourceRefs: [note] } as const
    const { provenance } = requestOf(scene.draft({ kind: 'suggestion', ...MODEL }), 0)
    const { id, ref } = await scene.stack.write({ kind: 'suggestion', body, provenance })
    const [first, second] = await Promise.all([
      scene.stack.acceptSuggestion(String(id)),
      scene.stack.acceptSuggestion(String(id)),
    ])
    expect([first, second].filter((made) => made !== null)).toHaveLength(1)
    const resolved = scene.entries.filter(({ op }) => op === 'suggestion.resolved')
    expect(resolved).toMatchObject([{ ref, decision: { facts: { status: 'promoted' } } }])
    expect((await scene.stack.ledger.audit()).problems).toEqual([])
  })
})
