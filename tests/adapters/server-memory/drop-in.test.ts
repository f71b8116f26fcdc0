import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openStack } from '../../../src/compose/open-stack.ts'
import { scratch } from '../../cli/support/scratch.ts'
import { connect } from '../../mcp/support/clients.ts'
import { ours, theirs } from './processes.ts'

const ALICE = { name: 'Alice', entityType: 'person', observations: ['likes coffee'] }

test('a memory file is taken over at the first start, once, and bad lines are named', async () => {
  const folder = scratch()
  const file = path.join(folder, 'memory.jsonl')
  const them = await theirs(file)
  await them.call('create_entities', { entities: [ALICE, { ...ALICE, name: 'Bob' }] })
  const relations = [{ from: 'Alice', to: 'Bob', relationType: 'knows' }]
  await them.call('create_relations', { relations })
  const before = await them.call('read_graph')
  const good = await readFile(file, 'utf8')
  const bad = '{"type":"entity","name":"no observations","entityType":"x"}\nnot json\n7\n'
  const twice = `${JSON.stringify({ type: 'entity', ...ALICE })}\n`
  await writeFile(file, `${good}\n${bad}${twice}`)

  const first = await ours(folder, file)
  const graph = { ...ALICE, observations: ['likes coffee'] }
  const taken = (await first.call('read_graph')) as { structuredContent: { entities: object[] } }
  expect(taken.structuredContent.entities).toEqual([graph, { ...graph, name: 'Bob' }, graph])
  expect(before).toMatchObject({ structuredContent: { relations } })
  expect(taken).toMatchObject({ structuredContent: { relations } })
  for (const line of [4, 5, 6]) expect(first.log()).toContain(`line ${line}: not taken over`)
  await first.call('delete_entities', { entityNames: ['Alice', 'Bob'] })
  await first.client.close()

  const second = await ours(folder, file)
  expect(await second.call('read_graph')).toMatchObject({ structuredContent: { entities: [] } })
  expect(await readFile(file, 'utf8')).toBe(`${good}\n${bad}${twice}`) // the file stays as it was
})

test('two servers at once on one stack lose nothing', async () => {
  const folder = scratch()
  await (await ours(folder)).call('create_entities', { entities: [ALICE] })
  const servers = await Promise.all([ours(folder), ours(folder)])
  const wanted: string[] = []
  const calls = servers.flatMap((server, s) =>
    Array.from({ length: 15 }, (_, n) => {
      const said = `said ${s} ${n}`
      wanted.push(said)
      const entity = { name: `only ${n}`, entityType: 'both', observations: [] }
      return [
        server.call('add_observations', {
          observations: [{ entityName: 'Alice', contents: [said] }],
        }),
        server.call('create_entities', { entities: [entity] }),
      ]
    }),
  )
  const answers = await Promise.all(calls.flat())
  expect(answers.filter((answer) => (answer as { isError?: boolean }).isError)).toEqual([])
  for (const server of servers) {
    const { structuredContent } = (await server.call('read_graph')) as {
      structuredContent: { entities: { name: string; observations: string[] }[] }
    }
    const [alice, ...others] = structuredContent.entities
    expect(alice?.observations.slice(1).sort()).toEqual(wanted.sort())
    expect(others.map(({ name }) => name).sort()).toEqual(
      Array.from({ length: 15 }, (_, n) => `only ${n}`).sort(),
    )
  }
})

test('words of other doors are not shown, and what the tools write is a model’s word', async () => {
  const folder = scratch()
  const usual = await connect('v1', { home: folder })
  const forged = JSON.stringify({ type: 'entity', ...ALICE })
  await usual.call('memory_raw', { content: forged, context: 'seat:server_memory' })
  const server = await ours(folder)
  expect(await server.call('read_graph')).toMatchObject({ structuredContent: { entities: [] } })
  await server.call('create_entities', { entities: [ALICE] })
  await server.client.close()
  const found = await usual.call('memory_search', { query: 'coffee' })
  expect(found.text).toContain('ModelDerived tier 1')
})

test('why of an entity ends at the call that wrote it', async () => {
  const folder = scratch()
  const server = await ours(folder)
  await server.call('create_entities', { entities: [ALICE] })
  await server.client.close()
  const stack = await openStack('default', { home: folder })
  const [memory] = await stack.list('raw', { context: 'seat:server_memory' })
  const { lineage, letInBy } = await stack.history.why(memory?.ref ?? '')
  expect(lineage.map(({ memory: { ref } }) => ref)).toEqual([memory?.ref])
  expect(memory?.provenance.ingestionPath).toBe('mcp:server_memory')
  expect(letInBy.door).toBe('mcp')
  await stack.close()
})

test('a secret in a call is taken out before anything is written', async () => {
  const server = await ours(scratch())
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40)
  const entities = [{ ...ALICE, observations: [`token ${secret}`] }]
  expect(JSON.stringify(await server.call('create_entities', { entities }))).not.toContain(secret)
})
