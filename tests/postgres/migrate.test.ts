import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { restoreStack } from '../../src/compose/restore-stack.ts'
import { parseStackId } from '../../src/domain/ids.ts'
import { openStack } from '../../src/index.ts'
import { migration, postgres } from '../../src/stores/postgres/index.ts'
import { MIGRATIONS } from '../../src/stores/postgres/schema.ts'
import { holds } from '../support/holds.ts'
import { ownDatabase } from './support/database.ts'

const standing = { type: 'standing' } as const
const stack = parseStackId('demo')

describe('a database that nobody prepared', () => {
  test('is prepared once by whoever comes first, however many start at once', async () => {
    const database = await ownDatabase('nothing')
    const stores = Array.from({ length: 6 }, () =>
      postgres({ connectionString: database.url, poolSize: 2 }),
    )
    const heads = await Promise.all(stores.map((store) => store.read(stack, standing)))
    expect(heads.map(({ tip }) => tip.head.seq)).toEqual(stores.map(() => -1))
    for (const store of stores) await store.close()
    const versions = await database.sql('SELECT version FROM muniment.schema_version ORDER BY 1')
    expect(versions).toEqual(MIGRATIONS.map((_, index) => [index + 1]))
  })

  test('is said to be unprepared where a program may not prepare it', async () => {
    const database = await ownDatabase('nothing')
    const store = postgres({ connectionString: database.url, migrates: false, poolSize: 2 })
    await expect(store.read(stack, standing)).rejects.toMatchObject({
      code: 'store_unavailable',
      hint: expect.stringContaining('muniment stack migrate'),
    })
    await store.close()
  })

  test('a dry run says what would be done and does nothing; then it is done, step by step', async () => {
    const database = await ownDatabase('nothing')
    const address = { connectionString: database.url }
    const all = { from: 0, to: MIGRATIONS.length }
    expect(await migration(address, { isDryRun: true })).toEqual(all)
    expect(await database.sql("SELECT 1 FROM pg_namespace WHERE nspname = 'muniment'")).toEqual([])
    const steps: string[] = []
    const onStep = (step: number, of: number): void => {
      steps.push(`${step}/${of}`)
    }
    expect(await migration(address, { isDryRun: false, onStep })).toEqual(all)
    expect(steps).toEqual(MIGRATIONS.map((_, index) => `${index + 1}/${MIGRATIONS.length}`))
    const done = { from: MIGRATIONS.length, to: MIGRATIONS.length }
    expect(await migration(address, { isDryRun: false })).toEqual(done)
  })

  test('without partitions it holds the same', async () => {
    const database = await ownDatabase('nothing')
    const store = postgres({ connectionString: database.url, partitions: 0, poolSize: 2 })
    await store.read(stack, standing)
    const parts = await database.sql(
      "SELECT 1 FROM pg_tables WHERE schemaname = 'muniment' AND tablename ~ '_[0-9]{2}$'",
    )
    expect(parts).toEqual([])
    expect(await store.check(stack)).toEqual([])
    await store.close()
  })
})

holds('LEDGER-ATOMIC', 'a newer database is left alone, by readers and by writers', async () => {
  const database = await ownDatabase()
  const before = postgres({ connectionString: database.url, poolSize: 2 })
  await before.read(stack, standing)
  await database.sql('INSERT INTO muniment.schema_version (version) VALUES ($1)', [
    MIGRATIONS.length + 1,
  ])
  const store = postgres({ connectionString: database.url, poolSize: 2 })
  await expect(store.read(stack, standing)).rejects.toMatchObject({ code: 'schema_newer' })
  await store.close()
  await before.close()
})

test('rows of captures that an earlier version recorded at tier 2 are brought to tier 1', async () => {
  const database = await ownDatabase()
  const open = () => postgres({ connectionString: database.url, poolSize: 2 })
  const bundle = new URL('../ledger/vectors/hook-captures-tier-2.bundle', import.meta.url)
  const from = readFileSync(bundle, 'utf8').split(/(?<=\n)/)
  const before = open()
  await (await restoreStack('demo', { store: before, from })).close()
  await before.close()
  const tiers = "FROM muniment.memories WHERE door = 'hook' AND label = 'ExternalFirstHand'"
  await database.sql(`UPDATE muniment.memories SET tier = 2, marks = NULL
    WHERE door = 'hook' AND label = 'ExternalFirstHand' AND marks LIKE '%"moves":[],"claim":null,"guard"%'
      AND marks LIKE '{"evidence":[],"anchors":[],"flags":[],"notes":{}%'`)
  await database.sql('DELETE FROM muniment.schema_version WHERE version > $1', [BEFORE])
  const columns = 'beside smallint NOT NULL DEFAULT 0' // which a later step takes out
  await database.sql(`ALTER TABLE muniment.receipts ADD COLUMN ${columns}`)
  expect(Number((await database.sql(`SELECT max(tier) ${tiers}`))[0]?.[0])).toBe(2)
  const store = open()
  const stack = await openStack('demo', { store })
  expect((await stack.ledger.audit()).problems).toEqual([])
  await stack.close()
  await store.close()
  expect(Number((await database.sql(`SELECT max(tier) ${tiers}`))[0]?.[0])).toBe(1)
})

/** The version of the tables before the fold lowered tiers. */
const BEFORE = 6

test('every key and index begins with the stack', async () => {
  const database = await ownDatabase()
  const rows = await database.sql(`
    SELECT c.relname, a.attname FROM pg_index i
      JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
      JOIN pg_class t ON t.oid = i.indrelid
    WHERE n.nspname = 'muniment' AND t.relname NOT IN ('schema_version', 'bound_logins')`)
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.filter(([, first]) => first !== 'stack_id')).toEqual([])
})
