import { describe, expect, test } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import type { SaveRecord } from '../../src/engine/write/write-request.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { holds } from '../support/holds.ts'
import { openWorld } from '../support/world.ts'
import { requestOf } from './production.ts'
import { refAt } from './reference/lineage.ts'
import { MODEL, Scene, says, USER } from './scene.ts'
import { PLAIN } from './steps.ts'

describe('while sources are not asked for', () => {
  test('what rule 4 would refuse comes in at the bottom, and says what was wrong', async () => {
    const scene = await Scene.open({ enforceProvenance: false })
    const raw = await scene.ref({ kind: 'raw' })
    const faults = [
      [{ kind: 'belief' }, 'source_needed'],
      [{ kind: 'belief', parents: [raw] }, 'parent_kind'],
      [{ kind: 'note', parents: [refAt('raw', 900)] }, 'parent_missing'],
      [{ kind: 'note', parents: [raw], evidence: [refAt('episode', 900)] }, 'evidence_missing'],
    ] as const
    for (const [told, code] of faults) {
      const { ref, tier, reasons } = await scene.tell({ ...told, ...USER, ...says(`Of ${code}`) })
      expect({ tier, reasons }, code).toEqual({ tier: 0, reasons: ['tier_unenforced'] })
      const memory = scene.rows.memories.get(ref ?? raw)
      expect(memory).toMatchObject({ tier: 0, depthNearest: null, depthFarthest: null })
      expect(scene.entries.at(-1)?.decision.facts).toMatchObject({
        relaxed: [code],
        depth: { nearest: null, farthest: null },
      })
    }
  })

  test('what needs no leniency gets none: its tier and depth are its own', async () => {
    const scene = await Scene.open({ enforceProvenance: false })
    const raw = await scene.ref({ kind: 'raw' })
    const note = await scene.tell({ kind: 'note', parents: [raw], ...MODEL })
    expect(note).toMatchObject({ tier: 1, reasons: [] })
    expect(scene.rows.memories.get(note.ref ?? raw)).toMatchObject({ depthNearest: 1 })
    expect(scene.entries.at(-1)?.decision.facts).not.toHaveProperty('relaxed')
  })

  holds('PROV-NOBYPASS', 'every other rule asks as ever', async () => {
    const scene = await Scene.open({ enforceProvenance: false })
    const raw = await scene.ref({ kind: 'raw' })
    expect(await scene.tell({ kind: 'raw', ...USER, door: 'mcp' })).toMatchObject({
      rule: 'origin',
    })
    expect(await scene.tell({ kind: 'belief', ...says('aaaaa') })).toMatchObject({ rule: 'lint' })
    const note = { kind: 'note', parents: [raw], ...MODEL } as const
    await scene.ref(note)
    expect(await scene.tell(note)).toMatchObject({ rule: 'echo' })
    const own = refAt('claim', 901)
    const loop = await scene.tell({ kind: 'claim', ref: own, parents: [own] })
    expect(loop).toMatchObject({ rule: 'lineage', reasons: ['cycle'] })
    await scene.stack.control.setState('MAINTENANCE')
    expect(await scene.answer(note)).toMatchObject({ code: 'maintenance_mode' })
  })

  test('a record without provenance is a model’s word from a migration', async () => {
    const { stack } = await Scene.open({ enforceProvenance: false })
    const bare = { statement: 'It was believed before' } as SaveRecord<'belief'>
    const id = await stack.saveBelief(bare)
    expect(await stack.getMemory('belief', id)).toMatchObject({
      tier: 0,
      provenance: {
        label: { type: 'ModelDerived' },
        ingestionPath: 'migration:save_belief',
        trustTier: 0,
        llmModel: 'unknown:migration',
      },
    })
  })
})

describe('switching enforcement', () => {
  const open = (store: MemoryStore, enforceProvenance: boolean) =>
    openStack('shared', { store, enforceProvenance, ...openWorld() })

  const rawNo = (n: number) => requestOf({ ...PLAIN, ref: refAt('raw', n) }, 0)

  test('is an entry before the first write under the new setting, and only then', async () => {
    const store = new MemoryStore()
    const ops = async () => {
      const stack = await open(store, true)
      const rows = await store.read(stack.stackId, { type: 'entries', from: 0, limit: 100 })
      return rows.map(({ bytes }) => JSON.parse(new TextDecoder().decode(bytes)).op)
    }
    await (await open(store, true)).write(rawNo(1))
    const lax = await open(store, false)
    expect(await ops()).not.toContain('enforcement.off')
    await lax.write(rawNo(2))
    await lax.write(rawNo(3))
    await (await open(store, true)).write(rawNo(4))
    expect((await ops()).filter((op) => /memory|enforcement/.test(op))).toEqual([
      'memory.saved',
      'enforcement.off',
      'memory.saved',
      'memory.saved',
      'enforcement.on',
      'memory.saved',
    ])
  })

  test('by another process stops whoever was opened before', async () => {
    const store = new MemoryStore()
    const strict = await open(store, true)
    await strict.write(rawNo(1))
    const lax = await open(store, false)
    await lax.write(rawNo(2))
    await expect(strict.write(rawNo(3))).rejects.toMatchObject({ code: 'enforcement_changed' })
    await expect(lax.write(rawNo(4))).resolves.toMatchObject({ disposition: 'CommittedCheap' })
    const again = await open(store, true)
    await expect(again.write(rawNo(5))).resolves.toMatchObject({ disposition: 'CommittedCheap' })
    await expect(lax.write(rawNo(6))).rejects.toMatchObject({ code: 'enforcement_changed' })
  })
})
