import { expect } from 'vitest'
import { postgres } from '../../src/stores/postgres/index.ts'
import { correctedLife, notedDaily } from '../stack/corrected-life.ts'
import { holds } from '../support/holds.ts'
import { ownDatabase } from './support/database.ts'

const database = await ownDatabase()

holds(
  'LEDGER-TIME',
  'a clock correction on PostgreSQL is kept, audited and asked for',
  async () => {
    const store = postgres({ connectionString: database.url, poolSize: 4 })
    const life = await correctedLife(store)
    const { stack, agent, ahead, corrected } = life
    const after = await agent.note('Said after the correction.')
    const { stack: state } = await store.read(stack.stackId, { type: 'standing' })
    expect(state.corrections).toEqual([corrected])
    const known = async (id: string, asOf: string) =>
      (await stack.getMemory('note', id, { asOf })) !== null
    expect(await known(after.id, '2026-01-03T00:00:00.000Z')).toBe(true)
    expect(await known(ahead.id, '2026-01-02T00:01:00.000Z')).toBe(false)
    const { daily, often } = await notedDaily(life)
    expect(daily).not.toContain('Quarantined')
    expect(often).toContain('Quarantined')
    expect((await stack.ledger.audit()).problems).toEqual([])
    await stack.ledger.rebuild()
    expect((await stack.ledger.audit()).problems).toEqual([])
    await stack.close()
    await store.close()
  },
)
