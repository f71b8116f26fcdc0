import { isKind, type Kind } from '../../domain/ids.ts'
import { contentText } from '../../domain/kinds/table.ts'
import { type Fields, fieldsOf, nameOf, textOf, timeOf } from '../fields.ts'
import { documentOf } from '../markdown.ts'
import { bad, type Conclusion, type ReadItem, record } from '../record.ts'
import { definedBy } from '../request.ts'
import { documentText, type SourceFile } from '../source-file.ts'
import { endsIn, type Format } from './format.ts'

const CONCLUSIONS: ReadonlySet<string> = new Set([
  'note',
  'belief',
  'episode',
  'goal',
  'relationship',
])

/** The folder of markdown that `muniment adopt --export` writes: a memory in a file. */
export const ownMarkdown: Format = {
  name: 'muniment',
  tool: 'Muniment, markdown',
  usualPlaces: [],
  wants: endsIn('.md'),
  recognises: ({ file, text }) =>
    /\.md$/i.test(file.name) && /^---\r?\nmuniment: "?[a-z_]+:[0-9a-f-]{36}"?\r?\n/.test(text),
  read,
}

async function* read(file: SourceFile): AsyncGenerator<ReadItem, void> {
  const { front, fault, body, bodyLine } = documentOf(await documentText(file))
  if (fault !== null) {
    yield bad('line 1', fault)
    return
  }
  const own = nameOf(front.muniment)
  const kind = nameOf(front.kind)
  // The writer puts one line end behind the words.
  const text = textOf(body.replace(/\r?\n$/, ''))
  if (own === undefined || text === undefined || kind === undefined || !isKind(kind)) {
    yield bad('line 1', 'names no memory, no kind, or holds no words')
    return
  }
  const isModels = front.label === 'ModelDerived' || front.label === 'RecallReEntry'
  yield record({
    key: JSON.stringify(['memory', own, text]),
    position: `line ${bodyLine}`,
    voice: isModels ? ('model' as const) : ('document' as const),
    author: nameOf(front.author),
    text,
    time: timeOf(front.time),
    from: 'Muniment, markdown',
    own,
    conclusion: conclusionOf(kind, front.body, text),
  })
}

/**
 * The fields of the front matter, where the words below are still theirs. Edited words, and kinds
 * with sources of their own, come back as a note.
 */
function conclusionOf(kind: Kind, body: unknown, text: string): Conclusion | undefined {
  if (kind === 'raw') return undefined
  const { epochId, ...given } = fieldsOf(body) // an epoch belongs to its stack
  const fields: Fields = { [definedBy(kind)]: text, ...given }
  if (CONCLUSIONS.has(kind) && wordsIn(kind, fields) === text) {
    return { kind, body: fields } as unknown as Conclusion // the gate checks the fields
  }
  return { kind: 'note', body: { content: text, contextTags: [`muniment:${kind}`] } }
}

function wordsIn(kind: Kind, fields: Fields): string | null {
  try {
    return contentText(kind, fields as never) // fields of a file: a wrong one throws
  } catch {
    return null
  }
}
