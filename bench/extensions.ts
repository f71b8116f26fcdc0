import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import pg from 'pg'
import { staticEmbedder } from '../src/compose/static-embedder.ts'
import { vectorScan } from '../src/recall/embed/vector-scan.ts'
import { makeServer, type Server } from '../tests/postgres/support/server.ts'
import { openStack, postgres } from './built.ts'
import { type Conversation, dataFolder, readConversations } from './recall/data.ts'
import { quantiles, type Record } from './report.ts'
import { sized } from './size.ts'

/** What the extensions that the engine leaves alone would give, and what they would cost. */
export async function benchExtensions(record: Record): Promise<void> {
  await withoutTrigrams(record)
  const folder = dataFolder()
  if (folder !== undefined) await withoutNeighbours(record, readConversations(folder))
}

const POSTINGS = sized(600_000, 2_000)
const TERMS = 58_000
const ADDED = sized(60_000, 200) // of 5,000 memories, a dozen terms each
const STACK = 'bench'
const INSIDE = `SELECT DISTINCT term FROM muniment.postings WHERE stack_id = '${STACK}' AND `
const PART = 47_110 // stands in one term behind the letter, and begins none
const PARTS_MAX = 64 // of one question
const SAMPLES = sized(10, 1) // the kernel's clock ticks in hundredths of a second

/** Parts inside of words: the walk through the index of terms, beside an index of trigrams. */
async function withoutTrigrams(record: Record): Promise<void> {
  const server = await makeServer()
  await server.start()
  const url = server.urlOf('postgres')
  const store = postgres({ connectionString: url })
  const stack = await openStack(STACK, { store }) // makes the tables and their guards
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const walkFor = (count: number): Promise<unknown> => {
    const terms = Array.from({ length: count }, (_, at) => `x${PART + at}`)
    return store.read(stack.stackId, { type: 'begins', terms })
  }
  try {
    await putPostings(client, 0, POSTINGS)
    await client.query('VACUUM ANALYZE muniment.postings')
    for (const count of [1, PARTS_MAX]) {
      const walked = await eachWorkedBy(server, () => walkFor(count))
      const name = `parts inside of words, by walking: ${count}`
      record({ name, value: walked, unit: 'ms of server' })
    }
    const before = await workedBy(server, () => putPostings(client, POSTINGS, ADDED))
    await client.query('CREATE EXTENSION pg_trgm')
    await client.query('CREATE INDEX by_parts ON muniment.postings USING gin (term gin_trgm_ops)')
    await client.query('ANALYZE muniment.postings')
    const after = await workedBy(server, () => putPostings(client, POSTINGS + ADDED, ADDED))
    const found = await eachWorkedBy(server, () => client.query(`${INSIDE} term LIKE '%x${PART}%'`))
    record({ name: 'one of them by trigrams, as the owner', value: found, unit: 'ms of server' })
    const isUsed = await doesRoleUse(client)
    record({
      name: 'trigrams used under row-level security',
      value: isUsed ? 1 : 0,
      unit: 'of 1 plan',
    })
    record({ name: 'postings put in with them', value: after / before, unit: '× without' })
  } finally {
    await client.end()
    await stack.close()
    await store.close()
    await server.stop()
    server.remove()
  }
}

async function putPostings(client: pg.Client, from: number, count: number): Promise<void> {
  await client.query(
    `INSERT INTO muniment.postings (stack_id, term, seq, times, length)
     SELECT $1, md5((n * 7919 % ${TERMS})::text) || 'x' || (n * 7919 % ${TERMS}), n, 1, 12
     FROM generate_series($2::bigint, $2::bigint + $3 - 1) n`,
    [STACK, from, count],
  )
}

async function workedBy(server: Server, work: () => Promise<unknown>): Promise<number> {
  const begun = server.cpuMs() ?? Number.NaN
  await work()
  return (server.cpuMs() ?? Number.NaN) - begun
}

/** On average, once it is warm. */
async function eachWorkedBy(server: Server, work: () => Promise<unknown>): Promise<number> {
  await work()
  const all = await workedBy(server, async () => {
    for (let sample = 0; sample < SAMPLES; sample += 1) await work()
  })
  return all / SAMPLES
}

/** An operator that might tell of rows it may not see has to wait until their stack was checked. */
async function doesRoleUse(client: pg.Client): Promise<boolean> {
  await client.query('BEGIN')
  await client.query(
    `SELECT set_config('role', 'muniment_app', true), set_config('muniment.stack', $1, true)`,
    [STACK],
  )
  const { rows } = await client.query(`EXPLAIN ${INSIDE} term LIKE '%x${PART}%'`)
  await client.query('ROLLBACK')
  return JSON.stringify(rows).includes('by_parts')
}

const NEAREST = 48 // as a search asks for
const LOOKED_AT = 100 // by the graph; it gives no more than it looks at

/**
 * Nearest meanings: one graph for all stacks, as partitions would have it, beside the exact scan of the
 * process. Each conversation is a stack; the graph's neighbours are filtered by stack after it found them.
 */
async function withoutNeighbours(
  record: Record,
  conversations: readonly Conversation[],
): Promise<void> {
  const embedder = staticEmbedder()
  const db = await PGlite.create({ extensions: { vector } })
  await db.exec(`CREATE EXTENSION vector;
    CREATE TABLE v (stack int, seq int, v vector(${embedder.dimension}), PRIMARY KEY (stack, seq))`)
  const scans = conversations.map(({ turns }) => {
    const scan = vectorScan(embedder.dimension)
    for (const { text } of turns) scan.append(embedder.embed(text))
    return scan
  })
  for (const [stack, { turns }] of conversations.entries()) {
    const rows = turns.map(({ text }, seq) => `(${stack}, ${seq}, '[${embedder.embed(text)}]')`)
    if (rows.length > 0) await db.exec(`INSERT INTO v VALUES ${rows.join()}`)
  }
  const start = performance.now()
  await db.exec('CREATE INDEX near ON v USING hnsw (v vector_ip_ops)')
  const built = performance.now() - start
  const vectors = scans.reduce((sum, { count }) => sum + count, 0)
  record({ name: `graph of ${vectors.toLocaleString('en')} vectors`, value: built, unit: 'ms' })
  for (const mode of ['off', 'strict_order']) {
    await db.exec(
      `SET hnsw.iterative_scan = ${mode}; SET hnsw.ef_search = ${LOOKED_AT}; SET enable_seqscan = off; SET enable_sort = off`,
    )
    const shares: number[] = []
    const [ours, theirs]: [number[], number[]] = [[], []]
    for (const [stack, { questions }] of conversations.entries()) {
      for (const { text } of questions) {
        const asked = embedder.embed(text)
        const begun = performance.now()
        const exact = scans[stack]?.top(asked, { limit: NEAREST }) ?? []
        ours.push(performance.now() - begun)
        const sent = performance.now()
        const { rows } = await db.query<{ seq: number }>(
          `SELECT seq FROM v WHERE stack = ${stack} ORDER BY v <#> '[${asked}]' LIMIT ${NEAREST}`,
        )
        theirs.push(performance.now() - sent)
        const found = new Set(rows.map(({ seq }) => seq))
        if (exact.length > 0)
          shares.push(exact.filter(({ row }) => found.has(row)).length / exact.length)
      }
    }
    const share = shares.reduce((sum, each) => sum + each, 0) / shares.length
    const name = `graph, iterative scan ${mode}`
    record({ name: `${name}: of the nearest of a stack`, value: share, unit: 'found' })
    record({ name: `${name}: p50`, value: quantiles(theirs).p50, unit: 'ms' })
    record({ name: 'exact scan of the stack: p50', value: quantiles(ours).p50, unit: 'ms' })
  }
  await db.close()
}
