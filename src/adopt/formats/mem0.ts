import { fieldsOf, isFields, nameOf, present, tagsOf, textOf, timeOf } from '../fields.ts'
import { jsonElements } from '../json-elements.ts'
import { bad, type ReadItem, record } from '../record.ts'
import type { SourceFile } from '../source-file.ts'
import { endsIn, type FileHead, type Format } from './format.ts'

const MEMORY = /"memory"\s*:\s*"/
const OF_MEM0 = /"(?:hash|user_id|userId|created_at|createdAt|metadata|agent_id|agentId)"\s*:/

/** mem0: the JSON that `getAll` gives, as an object with `results` or as a list. */
export const mem0: Format = {
  name: 'mem0',
  tool: 'mem0',
  usualPlaces: [{ under: 'folder', path: 'mem0.json' }],
  wants: endsIn('.json'),
  recognises: ({ text }) =>
    /^\s*(?:\[|\{\s*"results"\s*:\s*\[)\s*\{/.test(text) &&
    MEMORY.test(text) &&
    OF_MEM0.test(text) &&
    !/"schema"\s*:\s*"portable-ai-memory"/.test(text),
  read,
}

async function* read(file: SourceFile, { text }: FileHead): AsyncGenerator<ReadItem, void> {
  const path = /^\s*\[/.test(text) ? '$.*' : '$.results.*'
  for await (const { value, position, why } of jsonElements(file, [path])) {
    yield why === undefined ? itemOf(value, position) : bad(position, why)
  }
}

function itemOf(value: unknown, position: string): ReadItem {
  if (!isFields(value)) return bad(position, 'is not a memory')
  const text = textOf(value.memory)
  const id = nameOf(value.id)
  if (text === undefined) return bad(position, 'has no memory text')
  const metadata = fieldsOf(value.metadata)
  const user = nameOf(value.user_id ?? value.userId)
  const agent = nameOf(value.agent_id ?? value.agentId)
  const content = {
    content: text,
    noteType: 'fact' as const,
    context: user,
    tags: tagsOf('mem0', value.categories ?? [], metadata.category ?? []),
  }
  return record(
    present({
      key: JSON.stringify(id === undefined ? ['words', text] : ['id', id, text]),
      position,
      voice: 'model' as const,
      text,
      author: agent,
      time: timeOf(value.updated_at ?? value.updatedAt ?? value.created_at ?? value.createdAt),
      session: nameOf(value.run_id ?? value.runId),
      from: `mem0${user === undefined ? '' : `: ${user}`}`,
      conclusion: { kind: 'note' as const, body: present(content) },
    }),
  )
}
