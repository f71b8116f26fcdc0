import pg from 'pg'

/** Tables in the order in which the engine writes them. */
const TABLES = [
  'provenance_log',
  'sealed',
  'memories',
  'edges',
  'words',
  'postings',
  'bursts',
] as const

interface Table {
  readonly insert: string
  /** Rows of one stack as texts, by the entry that they belong to. */
  readonly rows: ReadonlyMap<string, readonly Row[]>
  readonly columns: number
}

interface Row {
  readonly seq: number
  readonly values: readonly (string | null)[]
}

interface FloorOptions {
  readonly connections: number
  readonly ids: readonly string[]
}

/** The other database of a round, with its connections. */
export interface Floor {
  /**
   * Milliseconds that the rows which the engine wrote since take when they are put in by hand, so many
   * notes in a transaction; each is two memories.
   */
  readonly catchUp: (
    inCommit: number,
    cpuMs: () => number,
  ) => Promise<{ readonly tookMs: number; readonly workedMs: number }>
  readonly close: () => Promise<void>
}

/**
 * Lists of values, one statement a table and transaction, sent at once; no engine, no hashing, nothing
 * gathered, no role and no row-level security. Stacks are shared out among the connections.
 */
export async function floorOn(
  { engine, floor }: { readonly engine: string; readonly floor: string },
  { connections, ids }: FloorOptions,
): Promise<Floor> {
  const clients = Array.from({ length: connections }, () => {
    // Sent without waiting for answers, as the engine does.
    const options = { connectionString: floor, ...{ pipeline: true } }
    return new pg.Client(options)
  })
  for (const client of clients) {
    await client.connect()
    await client.query('SET search_path = muniment')
  }
  return {
    catchUp: async (inCommit, cpuMs) => {
      const tables = await tablesOf(engine, floor)
      const width = Math.max(1, Math.round(inCommit)) * 2
      const waiting = [...ids]
      const begun = cpuMs()
      const start = performance.now()
      await Promise.all(
        clients.map(async (client) => {
          for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
            await writeStack(client, tables, { id, width })
          }
        }),
      )
      return { tookMs: performance.now() - start, workedMs: cpuMs() - begun }
    },
    close: async () => {
      for (const client of clients) await client.end()
    },
  }
}

const MOVE_HEAD = `
  UPDATE stacks SET seq = $2, rev = rev + 1, documents = documents + $3 WHERE stack_id = $1`

async function writeStack(
  client: pg.Client,
  tables: readonly Table[],
  { id, width }: { readonly id: string; readonly width: number },
): Promise<void> {
  const next = tables.map(() => 0)
  const all = tables.map(({ rows }) => rows.get(id) ?? [])
  const [log = []] = all
  const first = log[0]?.seq ?? 0
  const last = log.at(-1)?.seq ?? -1
  for (let end = first + width; end < last + 1 + width; end += width) {
    const head = Math.min(end, last + 1) - 1
    const sent: Promise<unknown>[] = [client.query('BEGIN')]
    for (const [at, { insert, columns }] of tables.entries()) {
      const some: Row[] = []
      for (
        let row = all[at]?.[next[at] ?? 0];
        row && row.seq < end;
        row = all[at]?.[next[at] ?? 0]
      ) {
        some.push(row)
        next[at] = (next[at] ?? 0) + 1
      }
      if (some.length === 0) continue
      const values = Array.from({ length: columns }, (_, column) =>
        some.map((row) => row.values[column] ?? null),
      )
      sent.push(client.query({ name: `put_${at}`, text: insert, values }))
    }
    sent.push(client.query({ name: 'head', text: MOVE_HEAD, values: [id, head, width / 2] }))
    await Promise.all(sent)
    await client.query('COMMIT')
  }
}

const COLUMNS = `
  SELECT a.attname AS name, format_type(a.atttypid, NULL) AS type FROM pg_attribute a
  WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`

/** What the engine wrote that the other database, copied before, does not have. */
async function tablesOf(engine: string, floor: string): Promise<readonly Table[]> {
  const [from, to] = [engine, floor].map((connectionString) => new pg.Client({ connectionString }))
  if (!from || !to) return []
  await from.connect()
  await to.connect()
  const tables: Table[] = []
  for (const name of TABLES) {
    const { rows: columns } = await from.query<{ name: string; type: string }>(COLUMNS, [
      `muniment.${name}`,
    ])
    const names = columns.map((column) => column.name)
    const lists = columns.map(({ type }, at) => `$${at + 1}::${type}[]`)
    const insert = `INSERT INTO ${name} (${names.join()}) SELECT * FROM unnest(${lists.join()})`
    tables.push({ insert, columns: names.length, rows: await rowsOf(from, { name, names, to }) })
  }
  await from.end()
  await to.end()
  return tables
}

async function rowsOf(
  from: pg.Client,
  {
    name,
    names,
    to,
  }: { readonly name: string; readonly names: readonly string[]; readonly to: pg.Client },
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const place = name === 'edges' ? 'child' : name === 'bursts' ? '0' : 'seq'
  const sql = `SELECT ${place}::int AS place, ${names.map((column) => `${column}::text`).join()} FROM muniment.${name} t ORDER BY 1`
  const ends = await endsOf(to)
  const has = name === 'bursts' ? await burstsIn(to) : null
  const { rows } = await from.query({ text: sql, rowMode: 'array' })
  const byStack = new Map<string, Row[]>()
  for (const [at, ...values] of rows as [number, ...(string | null)[]][]) {
    const stack = values[0] ?? ''
    if (has ? has.has(`${stack} ${values[1]}`) : at <= (ends.get(stack) ?? -1)) continue
    const list = byStack.get(stack) ?? []
    list.push({ seq: at, values })
    byStack.set(stack, list)
  }
  return has ? sharedOut(byStack, { since: ends, until: await endsOf(from) }) : byStack
}

async function endsOf(database: pg.Client): Promise<ReadonlyMap<string, number>> {
  const { rows } = await database.query('SELECT stack_id, seq::int AS seq FROM muniment.stacks')
  return new Map(rows.map((row) => [String(row.stack_id), Number(row.seq)]))
}

/** Each by its stack and its first column behind that, the identity. */
async function burstsIn(database: pg.Client): Promise<ReadonlySet<string>> {
  const { rows } = await database.query('SELECT stack_id, identity::text FROM muniment.bursts')
  return new Set(rows.map((row) => `${row.stack_id} ${row.identity}`))
}

/** What counts repeats names no memory: they are shared out evenly over the new entries. */
function sharedOut(
  byStack: ReadonlyMap<string, readonly Row[]>,
  { since, until }: Readonly<Record<'since' | 'until', ReadonlyMap<string, number>>>,
): ReadonlyMap<string, readonly Row[]> {
  return new Map(
    [...byStack].map(([stack, rows]) => {
      const [first, last] = [since.get(stack) ?? -1, until.get(stack) ?? 0]
      const step = (last - first) / rows.length
      return [
        stack,
        rows.map(({ values }, at) => ({ seq: first + Math.ceil((at + 1) * step), values })),
      ]
    }),
  )
}
