import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { postgres } from '../../src/stores/postgres/index.ts'
import { TABLES } from '../../src/stores/postgres/schema.ts'
import { ownDatabase } from './support/database.ts'

// There is no Citus here: what is checked are its rules for distributed tables, and the statements of
// the guide against functions of the same names that write down what they were asked.

const GUIDE = new URL('../../docs/scaling.md', import.meta.url)

async function whole() {
  const database = await ownDatabase('nothing')
  const store = postgres({ connectionString: database.url, poolSize: 2, partitions: 0 })
  await store.stacks()
  await store.close()
  return database
}

/** The statements that the guide gives, as they stand there. */
function statements(): readonly string[] {
  const blocks = readFileSync(GUIDE, 'utf8').match(/(?:^ {4}.*\n)+/gm) ?? []
  const block = blocks.find((text) => text.includes('create_distributed_table')) ?? ''
  return block
    .split(';')
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

test('whatever must be unique is unique within a stack, and nothing refers to another table', async () => {
  const database = await whole()
  const unique = await database.sql(
    `SELECT c.relname, 'stack_id' = ANY (
       SELECT a.attname FROM pg_attribute a WHERE a.attrelid = i.indexrelid AND a.attnum <= i.indnkeyatts),
       (SELECT a.attname FROM pg_attribute a WHERE a.attrelid = i.indexrelid AND a.attnum = 1)
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
       JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'muniment' AND (i.indisunique OR i.indisexclusion)`,
    [],
  )
  const ofStacks = unique.filter(([table]) => TABLES.includes(String(table)))
  expect(new Set(ofStacks.map(([table]) => table)).size).toBe(TABLES.length)
  expect(ofStacks.filter(([, has, first]) => has !== true || first !== 'stack_id')).toEqual([])
  const references = await database.sql(
    `SELECT k.conname FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace
     WHERE n.nspname = 'muniment' AND k.contype IN ('f', 'x')`,
    [],
  )
  expect(references).toEqual([])
  const parted = await database.sql(
    `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'muniment' AND c.relkind = 'p'`,
    [],
  )
  expect(parted).toEqual([])
})

test('the statements of the guide spread every table by its stack, and copy the rest', async () => {
  const database = await whole()
  await database.sql(
    'CREATE TABLE public.asked (what text, named regclass, by text, beside text)',
    [],
  )
  await database.sql(
    `CREATE FUNCTION public.create_distributed_table(
       named regclass, by text, colocate_with text DEFAULT 'default') RETURNS void LANGUAGE sql AS
     'INSERT INTO public.asked VALUES (''distributed'', named, by, colocate_with)'`,
    [],
  )
  await database.sql(
    `CREATE FUNCTION public.create_reference_table(named regclass) RETURNS void LANGUAGE sql AS
     'INSERT INTO public.asked VALUES (''reference'', named, NULL, NULL)'`,
    [],
  )
  const said = statements()
  expect(said.length).toBeGreaterThan(3)
  for (const statement of said) await database.sql(statement, [])
  const asked = await database.sql(
    `SELECT a.what, c.relname, a.by, a.beside FROM public.asked a JOIN pg_class c ON c.oid = a.named`,
    [],
  )
  const spread = asked.filter(([what]) => what === 'distributed')
  expect(spread.map(([, table]) => String(table)).sort()).toEqual([...TABLES].sort())
  expect(new Set(spread.map(([, , by]) => by))).toEqual(new Set(['stack_id']))
  const together = spread.filter(([, table]) => table !== 'stacks').map(([, , , beside]) => beside)
  expect(new Set(together)).toEqual(new Set(['muniment.stacks']))
  const copied = asked.filter(([what]) => what === 'reference').map(([, table]) => String(table))
  const others = await database.sql(
    `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'muniment' AND c.relkind = 'r' AND NOT c.relname = ANY ($1)`,
    [TABLES],
  )
  expect(copied.sort()).toEqual(others.map(([table]) => String(table)).sort())
})
