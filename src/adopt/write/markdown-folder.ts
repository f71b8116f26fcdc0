import { stringify } from 'yaml'
import { definedBy } from '../request.ts'
import type { OutMemory } from './memories.ts'

/** A file of the folder. */
export interface OutFile {
  readonly name: string
  readonly text: string
}

const ID_CHARS = 36

/** A memory as a markdown file: its provenance in front, its words below. */
export function markdownFile(memory: OutMemory): OutFile {
  const { ref, kind, text, body } = memory
  // The words stand below; a front matter with long words would be too long to read again.
  const { [definedBy(kind)]: words, ...fields } = body
  const front = {
    muniment: ref,
    kind,
    tier: memory.tier,
    label: memory.label,
    time: memory.time,
    written: memory.createdAt,
    ...(memory.author === null ? {} : { author: memory.author }),
    ...(memory.document === null ? {} : { source: memory.document }),
    via: memory.path,
    ...(kind === 'raw' ? {} : { body: words === text ? fields : body }),
  }
  const yaml = stringify(front, { aliasDuplicateObjects: false, lineWidth: 0 })
  return { name: `${kind}/${ref.slice(-ID_CHARS)}.md`, text: `---\n${yaml}---\n${text}\n` }
}
