import { describe, expect } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Ref } from '../../src/domain/ids.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { holds } from '../support/holds.ts'
import { at, entriesOf, freshStack, opsOf, papersFor, saying } from './support.ts'

const GHOST = 'raw:00000000-0000-7000-8000-00000000dead' as Ref // of nothing

const orphan = (content: string, derivedFrom: readonly Ref[] = []) => ({
  kind: 'note' as const,
  body: { content },
  provenance: saying('ExternalFirstHand', { derivedFrom: [...derivedFrom] }),
})

describe('without enforcement, for a migration', () => {
  holds(
    ['PROV-NOBYPASS', 'LINE-REAL'],
    'sources may be missing: what comes in so has tier 0 and no depth',
    async () => {
      const { stack, store } = await freshStack({ enforceProvenance: false })
      for (const request of [orphan('from nowhere'), orphan('from a ghost', [GHOST])]) {
        const result = await stack.write(request)
        expect(result).toMatchObject({ tier: 0, reasons: ['tier_unenforced'] })
        const memory = await stack.getMemory('note', String(result.id))
        expect(memory?.provenance).toMatchObject({
          trustTier: 0,
          depthNearest: null,
          depthFarthest: null,
        })
      }
      expect(entriesOf(store, stack).at(-1)?.decision.facts).toMatchObject({
        relaxed: ['parent_missing'],
      })
      expect(opsOf(store, stack).slice(0, 3)).toEqual(['genesis', 'policy', 'enforcement.off'])
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )

  holds(
    'PROV-DOOR',
    'what the lineage rule would have let in keeps its tier, and every other rule stands',
    async () => {
      const { stack } = await freshStack({ enforceProvenance: false })
      const raw = await stack.write({
        kind: 'raw',
        body: { content: 'x' },
        provenance: saying('ExternalFirstHand'),
      })
      expect(raw.tier).toBe(2)
      const person = { ...orphan('I am the user'), provenance: saying('UserAsserted') }
      expect(await stack.write(person, at('mcp'))).toMatchObject({ ref: null, rule: 'origin' })
      const forged = saying('ExternalFirstHand', { contentHash: 'f'.repeat(64) as never })
      await expect(stack.write({ ...orphan('forged'), provenance: forged })).rejects.toMatchObject({
        code: 'invalid_provenance',
      })
      await stack.control.setState('MAINTENANCE')
      await expect(stack.write(orphan('in maintenance'))).rejects.toMatchObject({
        code: 'maintenance_mode',
      })
    },
  )

  holds('LINE-ACYCLIC', 'nothing may descend from itself even so', async () => {
    const { stack } = await freshStack({ enforceProvenance: false })
    const id = '00000000-0000-7000-8000-00000000beef'
    const own = {
      kind: 'claim' as const,
      id,
      body: { subject: 'a', predicate: 'b', value: 1 },
      provenance: saying('ModelDerived', { derivedFrom: [`claim:${id}` as Ref] }),
    }
    expect(await stack.write(own)).toMatchObject({ ref: null, reasons: ['cycle'] })
  })

  holds(
    'PROV-BIRTH',
    'missing papers are filled in as what they are: a model’s word from a migration',
    async () => {
      const { stack } = await freshStack({ enforceProvenance: false })
      const id = await stack.saveBelief({ statement: 'Trains are late' } as never) // without papers
      const memory = await stack.getMemory('belief', id)
      expect(memory?.provenance).toMatchObject({
        label: { type: 'ModelDerived' },
        sourceType: 'inference',
        ingestionPath: 'migration:save_belief',
        llmModel: 'unknown:migration',
        trustTier: 0,
      })
      const full = await papersFor(stack, 'raw', { content: 'with papers' })
      const raw = await stack.saveRaw({ content: 'with papers', provenance: full })
      expect((await stack.getMemory('raw', raw))?.tier).toBe(2)
    },
  )
})

describe('the setting is recorded', () => {
  holds('PROV-NOBYPASS', 'before the first write under it, each time it changes', async () => {
    const store = new MemoryStore()
    const world = fakeWorld(1)
    const off = await openStack('test', { store, ...world, enforceProvenance: false })
    await off.write(orphan('migrated'))
    await off.close()
    const on = await openStack('test', { store, ...world })
    expect(await on.write(orphan('after the migration'))).toMatchObject({ ref: null })
    expect(opsOf(store, on)).toEqual([
      'genesis',
      'policy',
      'enforcement.off',
      'state',
      'memory.saved',
      'enforcement.on',
      'memory.refused',
    ])
    expect((await on.ledger.audit()).problems).toEqual([])
  })

  holds(
    'PROV-NOBYPASS',
    'and a process that did not know of a change may not write unaware',
    async () => {
      const store = new MemoryStore()
      const world = fakeWorld(1)
      const enforcing = await openStack('test', { store, ...world })
      await enforcing.control.setState('ACTIVE')
      const relaxed = await openStack('test', { store, ...world, enforceProvenance: false })
      await relaxed.write(orphan('migrated'))
      const { tip } = store.rows(enforcing.stackId)
      for (const attempt of [
        () => enforcing.write(orphan('unaware')),
        () => enforcing.control.setState('MAINTENANCE'),
      ]) {
        await expect(attempt()).rejects.toMatchObject({ code: 'enforcement_changed' })
      }
      expect(store.rows(enforcing.stackId).tip).toEqual(tip)
      // Opened again, it knows; and now the other one does not.
      const again = await openStack('test', { store, ...world })
      await again.control.setState('MAINTENANCE')
      await again.control.setState('ACTIVE')
      await expect(relaxed.write(orphan('still migrating'))).rejects.toMatchObject({
        code: 'enforcement_changed',
      })
    },
  )
})
