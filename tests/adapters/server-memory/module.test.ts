import { promises as fs } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  defaultMemoryPath,
  ensureMemoryFilePath,
  KnowledgeGraphManager,
  registerKnowledgeGraphResource,
} from '../../../src/adapters/server-memory/index.ts'
import { scratch } from '../../cli/support/scratch.ts'
import { child, OWNER } from '../support/stacks.ts'

const ANN = { name: 'Ann', entityType: 'person', observations: ['drinks tea'] }
const BOB = { name: 'Bob', entityType: 'person', observations: [] }
const KNOWS = { from: 'Ann', to: 'Bob', relationType: 'knows' }

let folder: string
let file: string
let home: string
const opened: KnowledgeGraphManager[] = []

/** A manager over the file, closed at the end of the test. */
function manager(): KnowledgeGraphManager {
  const made = new KnowledgeGraphManager(file, { home, user: OWNER })
  opened.push(made)
  return made
}

beforeEach(() => {
  folder = scratch()
  file = path.join(folder, 'memory.jsonl')
  home = scratch()
})

afterEach(async () => {
  vi.restoreAllMocks()
  for (const each of opened.splice(0)) await each.close()
})

const namesIn = async (graph: KnowledgeGraphManager): Promise<readonly string[]> =>
  (await graph.readGraph()).entities.map(({ name }) => name)

describe('the class over a file', () => {
  test('the folder holds the file and nothing beside it, one record a line', async () => {
    const graph = manager()
    expect(await graph.readGraph()).toEqual({ entities: [], relations: [] })
    expect(await fs.readdir(folder)).toEqual([])
    expect(await graph.createEntities([ANN, BOB])).toEqual([ANN, BOB])
    expect(await graph.createRelations([KNOWS])).toEqual([KNOWS])
    expect(await fs.readdir(folder)).toEqual(['memory.jsonl'])
    const lines = (await fs.readFile(file, 'utf8')).split('\n').map((line) => JSON.parse(line))
    expect(lines).toEqual([
      { type: 'entity', ...ANN },
      { type: 'entity', ...BOB },
      { type: 'relation', ...KNOWS },
    ])
  })

  test('a planted link is no draft: the file behind the link stays as it was', async () => {
    const victim = path.join(scratch(), 'rc')
    await fs.writeFile(victim, 'mine')
    await fs.symlink(victim, `${file}.tmp`)
    const graph = manager()
    expect(await graph.createEntities([ANN])).toEqual([ANN])
    expect(await fs.readFile(victim, 'utf8')).toBe('mine')
    expect(await namesIn(graph)).toEqual(['Ann'])
    expect((await fs.readdir(folder)).sort()).toEqual(['memory.jsonl', 'memory.jsonl.tmp'])
  })

  test('a second manager of the file holds the same graph, and a change of one reaches the other', async () => {
    const [one, two] = [manager(), manager()]
    await one.createEntities([ANN, BOB])
    expect(await two.readGraph()).toEqual({ entities: [ANN, BOB], relations: [] })
    await two.deleteEntities(['Bob'])
    expect(await namesIn(one)).toEqual(['Ann'])
  })

  test('an edit of the file by hand or by another program counts', async () => {
    const graph = manager()
    await graph.createEntities([ANN, BOB])
    const ref = await graph.refOf('Ann')
    const edited = { type: 'entity', ...ANN, observations: ['drinks coffee'], extra: 1 }
    await fs.writeFile(file, `${JSON.stringify(edited)}\n`)
    expect(await graph.readGraph()).toEqual({
      entities: [{ ...ANN, observations: ['drinks coffee'] }],
      relations: [],
    })
    expect(await graph.refOf('Ann')).toBe(ref) // a new version of the same memory
    await fs.unlink(file)
    expect(await namesIn(graph)).toEqual([])
    expect(await namesIn(manager())).toEqual([])
  })

  test('lines that are no records stay in the file, and out of the graph', async () => {
    const strange = ['{"type":"entity","name":"no type"}', 'not json', '{"type":"note"}', '7']
    await fs.writeFile(file, [JSON.stringify({ type: 'entity', ...ANN }), ...strange].join('\n'))
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const graph = manager()
    await graph.createEntities([BOB])
    expect(await namesIn(graph)).toEqual(['Ann', 'Bob'])
    expect((await fs.readFile(file, 'utf8')).split('\n').slice(2)).toEqual(strange)
    expect(warn.mock.calls.map(([text]) => /line \d/.exec(String(text))?.[0])).toEqual([
      'line 2',
      'line 3',
      'line 4',
      'line 5',
    ])
  })

  test.for(['open', 'rename'] as const)(
    'a failing %s leaves the old file and the old graph, and the next call works',
    async (step) => {
      const graph = manager()
      await graph.createEntities([ANN])
      const before = await fs.readFile(file, 'utf8')
      vi.spyOn(fs, step).mockRejectedValueOnce(new Error('ENOSPC: no space'))
      await expect(graph.createEntities([BOB])).rejects.toThrow('ENOSPC')
      expect(await fs.readFile(file, 'utf8')).toBe(before)
      expect(await fs.readdir(folder)).toEqual(['memory.jsonl'])
      expect(await graph.createEntities([BOB])).toEqual([BOB])
      vi.spyOn(fs, step).mockRejectedValueOnce(new Error('ENOSPC: no space'))
      await expect(graph.deleteEntities(['Ann'])).rejects.toThrow('ENOSPC')
      expect((await namesIn(manager())).toSorted()).toEqual(['Ann', 'Bob'])
    },
  )

  test('a file that cannot be read fails each call, and nothing is forgotten', async () => {
    await manager().createEntities([ANN])
    const text = await fs.readFile(file, 'utf8')
    await fs.unlink(file)
    await fs.mkdir(file)
    await expect(manager().readGraph()).rejects.toThrow('EISDIR')
    await fs.rmdir(file)
    await fs.writeFile(file, text)
    expect(await namesIn(manager())).toEqual(['Ann'])
  })

  test('why of an entity ends at the message of the person', async () => {
    const graph = manager()
    await graph.hear({ role: 'user', text: 'I drink tea.' })
    await graph.createEntities([ANN])
    const stack = await graph.stack()
    const { memory, turn } = await stack.history.why((await graph.refOf('Ann')) ?? '')
    expect(memory).toMatchObject({ tier: 1 })
    expect(turn?.nearestWords).toMatchObject({ tier: 3, text: 'I drink tea.' })
  })

  test('two processes that write one file at once lose nothing', async () => {
    const names = ['one', 'two']
    const tasks = names.map((name) => ({ file, home, name, count: 8 }))
    await manager().createEntities([ANN])
    await Promise.all(tasks.map((task) => child('graph.ts', task)))
    const { entities } = await manager().readGraph()
    const wanted = names.flatMap((name) => Array.from({ length: 8 }, (_, n) => `${name} ${n}`))
    expect(entities[0]?.observations.slice(1).sort()).toEqual(wanted.sort())
    expect(
      entities
        .slice(1)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(wanted.sort())
  })
})

describe('the place of the file', () => {
  const beside = path.dirname(defaultMemoryPath)

  beforeEach(() => {
    vi.stubEnv('MEMORY_FILE_PATH', undefined)
  })

  afterEach(async () => {
    vi.unstubAllEnvs()
    for (const name of ['memory.json', 'memory.jsonl']) {
      await fs.rm(path.join(beside, name), { force: true })
    }
  })

  test('the environment names it; otherwise it lies beside the module', async () => {
    expect(await ensureMemoryFilePath()).toBe(defaultMemoryPath)
    expect(defaultMemoryPath).toMatch(/^\/.*memory\.jsonl$/)
    vi.stubEnv('MEMORY_FILE_PATH', '/tmp/elsewhere.jsonl')
    expect(await ensureMemoryFilePath()).toBe('/tmp/elsewhere.jsonl')
    vi.stubEnv('MEMORY_FILE_PATH', 'here.jsonl')
    expect(await ensureMemoryFilePath()).toBe(path.join(beside, 'here.jsonl'))
  })

  test('an old memory.json becomes memory.jsonl, unless that is there', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const old = path.join(beside, 'memory.json')
    await fs.writeFile(old, 'old')
    expect(await ensureMemoryFilePath()).toBe(defaultMemoryPath)
    expect(await fs.readFile(defaultMemoryPath, 'utf8')).toBe('old')
    expect(said).toHaveBeenCalledTimes(2)
    await fs.writeFile(old, 'another')
    await ensureMemoryFilePath()
    expect(await fs.readFile(old, 'utf8')).toBe('another')
    expect(said).toHaveBeenCalledTimes(2)
  })
})

test('a host offers the graph as a resource of its own server', async () => {
  const server = new McpServer({ name: 'host', version: '1' })
  const register = vi.spyOn(server, 'registerResource')
  const graph = manager()
  await graph.createEntities([ANN])
  registerKnowledgeGraphResource(server, graph)
  const [name, uri, , read] = register.mock.calls[0] as unknown as [
    string,
    string,
    object,
    (uri: URL) => Promise<{ contents: readonly { text: string }[] }>,
  ] // as the seat calls it
  expect([name, uri]).toEqual(['knowledge-graph', 'memory://knowledge-graph'])
  const [content] = (await read(new URL(uri))).contents
  expect(JSON.parse(content?.text ?? '')).toEqual({ entities: [ANN], relations: [] })
})
