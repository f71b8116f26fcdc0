import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KnowledgeGraphManager } from 'muniment/server-memory'

// A client of MCP needs one line: muniment mcp --toolset server-memory. Code uses the class.
const home = await mkdtemp(join(tmpdir(), 'graph-'))
const user = { name: 'ann', isOwner: true } // the person whose stack it is
const graph = new KnowledgeGraphManager(join(home, 'memory.jsonl'), { home, user })
await graph.hear({ role: 'user', text: 'I live in Berlin.' })
await graph.createEntities([{ name: 'Ann', entityType: 'person', observations: [] }])
await graph.addObservations([{ entityName: 'Ann', contents: ['lives in Berlin'] }])
process.stdout.write(`${JSON.stringify((await graph.searchNodes('berlin')).entities)}\n`)

const { history } = await graph.stack() // the same graph, with provenance
const { memory, turn } = await history.why((await graph.refOf('Ann')) ?? '')
process.stdout.write(`tier ${memory.tier}, version ${memory.version}\n`)
process.stdout.write(`said by the person: ${turn?.nearestWords?.text}\n`)
await graph.close()
await rm(home, { recursive: true })
