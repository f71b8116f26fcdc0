import type { NOTE_TYPES } from '../../domain/kinds/note.ts'
import { fieldsOf, namedIn, nameOf, present, tagsOf, textOf, timeOf } from '../fields.ts'
import { documentOf, Occurrences, sectionsOf } from '../markdown.ts'
import { bad, type ReadItem, record, skipped } from '../record.ts'
import { documentText, type SourceFile } from '../source-file.ts'
import type { FileHead, Format } from './format.ts'

const INSTRUCTIONS = /^(?:CLAUDE(?:\.local)?|AGENTS|GEMINI)\.md$/i
const INDEX = /^MEMORY\.md$/i
const MEMORY_FOLDER = /(?:^|\/)\.claude\/(?:.*\/)?(?:memory|agent-memory|memories)\//

/**
 * Memory of Claude Code: instructions that people and tools write (`CLAUDE.md`, `AGENTS.md`), and
 * the folder in which the model keeps notes, a topic to a file.
 */
export const claudeCode: Format = {
  name: 'claude-code',
  tool: 'Claude Code',
  usualPlaces: [
    { under: 'home', path: '.claude/CLAUDE.md' },
    { under: 'home', path: '.codex/AGENTS.md' },
    { under: 'home', path: '.gemini/GEMINI.md' },
    { under: 'home', path: '.claude/projects/*/memory' },
    { under: 'home', path: '.claude/agent-memory' },
    { under: 'folder', path: 'CLAUDE.md' },
    { under: 'folder', path: 'CLAUDE.local.md' },
    { under: 'folder', path: 'AGENTS.md' },
    { under: 'folder', path: 'GEMINI.md' },
    { under: 'folder', path: 'MEMORY.md' },
    { under: 'folder', path: '.claude/CLAUDE.md' },
    { under: 'folder', path: '.claude/memory' },
    { under: 'folder', path: '.claude/agent-memory' },
    { under: 'folder', path: '.claude/agent-memory-local' },
  ],
  wants: (name) => name.toLowerCase().endsWith('.md'),
  recognises: ({ file, place }) => {
    const name = baseOf(file.name)
    return (
      INSTRUCTIONS.test(name) ||
      INDEX.test(name) ||
      (/\.md$/i.test(name) && MEMORY_FOLDER.test(place))
    )
  },
  read,
}

const baseOf = (name: string): string => name.split(/[\\/]/).at(-1) ?? name

async function* read(file: SourceFile, { place }: FileHead): AsyncGenerator<ReadItem, void> {
  const { front, fault, body, bodyLine } = documentOf(await documentText(file))
  if (fault !== null) yield bad('line 1', fault)
  const isModels = MEMORY_FOLDER.test(place) || INDEX.test(baseOf(file.name))
  const keys = new Occurrences()
  const title = nameOf(front.name)
  const summary = textOf(front.description)
  for (const section of sectionsOf(body, bodyLine)) {
    if (section.isEmpty) {
      yield skipped('a heading without text')
      continue
    }
    const from = [baseOf(file.name), ...section.headings].join(' › ')
    const words = {
      key: `${file.path}\n${keys.keyOf(section.text)}`,
      position: `lines ${section.firstLine}–${section.lastLine}`,
      text: section.text,
      from,
      time: timeOf(file.changedMs),
    }
    if (!isModels) {
      yield record({ ...words, voice: 'document' as const })
      continue
    }
    const type = nameOf(front.type ?? fieldsOf(front.metadata).type)
    const noteBody = present({
      content: section.text,
      noteType: namedIn(NOTE_TYPE_OF, type) ?? ('note' as const),
      reason: summary,
      context: title,
      tags: tagsOf('claude-code', type),
    })
    const conclusion = { kind: 'note', body: noteBody } as const
    yield record({ ...words, voice: 'model' as const, conclusion })
  }
}

const NOTE_TYPE_OF: Readonly<Record<string, (typeof NOTE_TYPES)[number]>> = {
  feedback: 'procedure',
  reference: 'reference',
}
