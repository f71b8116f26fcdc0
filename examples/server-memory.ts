import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KnowledgeGraphManager } from 'muniment/server-memory'

// A client of MCP needs one line: muniment mcp --toolset server-memory. Code uses the class.
const folder = await mkdtemp(join(tmpdir(), 'graph-'))
const graph = new KnowledgeGraphManager(join(folder, 'memory.jsonl'))
await graph.createEntities([{ name: 'Ann', entityType: 'person', observations: [] }])
await graph.addObservations([{ entityName: 'Ann', contents: ['lives in Berlin'] }])
process.stdout.write(`${JSON.stringify((await graph.searchNodes('berlin')).entities)}\n`)

const stack = await graph.stack() // the same graph, with provenance
for (const { version, tier, provenance } of await stack.getRaw()) {
  process.stdout.write(`${provenance.sourceId}, tier ${tier}, version ${version}\n`)
}
await graph.close()
await rm(folder, { recursive: true })
