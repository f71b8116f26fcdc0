import { KnowledgeGraphManager } from '../../../src/adapters/server-memory/index.ts'

interface Task {
  readonly file: string
  readonly home: string
  readonly name: string
  readonly count: number
}

/** Writes a graph of a file that another process writes too. */
const { file, home, name, count } = JSON.parse(process.argv[2] ?? '') as Task // written by a test
const graph = new KnowledgeGraphManager(file, { home })
for (let index = 0; index < count; index += 1) {
  const own = `${name} ${index}`
  await graph.createEntities([{ name: own, entityType: 'own', observations: [] }])
  await graph.addObservations([{ entityName: 'Ann', contents: [own] }])
}
await graph.close()
