import { FolderMemoryTool } from '../../../src/adapters/anthropic/index.ts'

interface Task {
  readonly folder: string
  readonly name: string
  readonly count: number
}

/** Edits files of a folder that another process edits too. */
const { folder, name, count } = JSON.parse(process.argv[2] ?? '') as Task // written by a test
const tool = await FolderMemoryTool.init(folder)
for (let index = 0; index < count; index += 1) {
  const text = `${name} ${index}`
  const path = '/memories/notes.md'
  await tool.insert({ command: 'insert', path, insert_line: 0, insert_text: text })
  const own = `/memories/${name}/${index}.md`
  await tool.create({ command: 'create', path: own, file_text: text })
}
await tool.close()
