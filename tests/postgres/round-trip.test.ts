import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { memoryKeyring, memorySigner } from '../../src/compose/keyring.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { label } from '../../src/domain/labels.ts'
import type { Stack } from '../../src/stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { postgres } from '../../src/stores/postgres/index.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { scratch } from '../cli/support/scratch.ts'
import { ownHome } from './support/home.ts'
import { ownPglite } from './support/pglite.ts'

const database = await ownPglite()

test('an own export comes back whole in PostgreSQL, and out of PostgreSQL', async () => {
  ownHome()
  await database.empty()
  const outside = { keyring: memoryKeyring(), signer: memorySigner(), ...fakeWorld(1) }
  const inMemory = () => openStack('demo', { store: new MemoryStore(), ...outside, components: [] })
  const origin = await inMemory()
  const me = new Entity('agent', { modelId: 'model-1' })
  await me.attachStack(origin)
  const person = { label: label.userAsserted(), actor: 'ann' }
  const old = await me.belief('Mornings are quiet', { ...person, because: 'nobody calls' })
  await origin.changes.supersede(old.ref, 'Evenings are quiet', { ...person, because: 'they call' })
  await origin.claims.remember('user', 'city', 'Paris', { actor: 'ann' })
  const gone = await me.note('Not to be kept', person)
  await origin.erasure.erase(gone.ref)
  const store = postgres({ driver: database.driver() })
  const inDatabase = await openStack('demo', { store, ...outside, components: [] })
  const all = { format: 'json', includeForgotten: true } as const
  const moved = async (from: Stack, to: Stack) => {
    const file = join(scratch(), 'x.json')
    await from.export(file, { format: 'json' })
    const report = await to.transfer.import(JSON.parse(readFileSync(file, 'utf8')))
    expect(report).toMatchObject({ as: 'own', refused: [] })
    expect(await to.dump(all)).toBe(await from.dump(all))
    const question = { subject: 'user', predicate: 'city' }
    expect(await to.claims.ask(question)).toEqual(await from.claims.ask(question))
    expect(await to.history.why(old.ref)).toEqual(await from.history.why(old.ref))
    expect(await to.ledger.audit()).toMatchObject({
      ok: true,
      head: (await from.ledger.audit()).head,
    })
  }
  await moved(origin, inDatabase)
  await moved(inDatabase, await inMemory())
  await inDatabase.close()
  await store.close()
})
