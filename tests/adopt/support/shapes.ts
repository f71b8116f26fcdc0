import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { lay } from './scene.ts'

/** Words with line ends, quotes, marks of YAML and JSON, and characters of many scripts. */
export const words = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .filter((text) => /\S/.test(text) && text.isWellFormed())

const line = words
  .map((text) => text.replace(/[\s\u0085\u2028\u2029]+/gu, ' ').trim())
  .filter((text) => text !== '')

/** Equal for words that count as the same. */
export const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim()

/** A file of another tool, made of any texts. */
interface Shape {
  readonly format: string
  readonly file: string
  readonly texts: fc.Arbitrary<string>
  /** The original wording of a text in the file, as the source holds it. */
  readonly wording?: (text: string, index: number) => string
  readonly write: (file: string, texts: readonly string[]) => void
}

const json =
  (shape: (texts: readonly string[]) => unknown) =>
  (file: string, texts: readonly string[]): void =>
    lay(path.dirname(file), { [path.basename(file)]: JSON.stringify(shape(texts), null, 1) })

const markdown =
  (head: string, shape: (text: string, index: number) => string) =>
  (file: string, texts: readonly string[]): void =>
    lay(path.dirname(file), { [path.basename(file)]: `${head}${texts.map(shape).join('')}` })

const jsonLines =
  (shape: (text: string, index: number) => unknown) =>
  (file: string, texts: readonly string[]): void =>
    lay(path.dirname(file), {
      [path.basename(file)]: texts
        .map((text, at) => `${JSON.stringify(shape(text, at))}\n`)
        .join(''),
    })

/** A table with a row for each text; columns are named with `?` for the text and `#` for its number. */
const table =
  (...statements: readonly (readonly [create: string, insert: string])[]) =>
  (file: string, texts: readonly string[]): void => {
    lay(path.dirname(file), {})
    const db = new DatabaseSync(file)
    for (const [create] of statements) db.exec(create)
    for (const [index, text] of texts.entries()) {
      const [, insert = ''] = statements[index % statements.length] ?? []
      db.prepare(insert).run(`id-${index}`, text)
    }
    db.close()
  }

const ROLES = ['user', 'assistant'] as const
const roleOf = (index: number) => ROLES[index % 2] ?? 'user'
const third = <T>(
  texts: readonly string[],
  part: number,
  shape: (text: string, index: number) => T,
) => texts.flatMap((text, index) => (index % 3 === part ? [shape(text, index)] : []))

const section = (text: string, index: number): string => `## Part ${index}\n\np ${text}`

export const SHAPES: readonly Shape[] = [
  {
    format: 'chatgpt',
    file: 'conversations.json',
    texts: words,
    write: json((texts) => [
      {
        title: 'Talk',
        conversation_id: 'c',
        current_node: `n${texts.length - 1}`,
        mapping: Object.fromEntries(
          texts.map((text, index) => [
            `n${index}`,
            {
              id: `n${index}`,
              parent: index === 0 ? null : `n${Math.floor((index - 1) / 2)}`,
              children: [],
              message: {
                author: { role: roleOf(index) },
                content: { content_type: 'text', parts: [text] },
              },
            },
          ]),
        ),
      },
    ]),
  },
  {
    format: 'claude-ai',
    file: 'conversations.json',
    texts: words,
    write: json((texts) =>
      texts.map((text, index) => ({
        uuid: `k${index}`,
        name: 'Talk',
        chat_messages: [{ uuid: 'm', sender: index % 2 ? 'assistant' : 'human', text }],
      })),
    ),
  },
  {
    format: 'claude-mem',
    file: 'export.json',
    texts: words,
    write: json((texts) => ({
      totalObservations: 1,
      totalSummaries: 1,
      observations: third(texts, 0, (title, id) => ({ id, title })),
      summaries: third(texts, 1, (learned, id) => ({ id, learned })),
      prompts: third(texts, 2, (prompt_text, id) => ({ id, prompt_text })),
    })),
  },
  {
    format: 'claude-mem',
    file: 'claude-mem.db',
    texts: words,
    write: table(
      ['CREATE TABLE observations (id, narrative TEXT)', 'INSERT INTO observations VALUES (?, ?)'],
      [
        'CREATE TABLE session_summaries (id, notes TEXT)',
        'INSERT INTO session_summaries VALUES (?, ?)',
      ],
      [
        'CREATE TABLE user_prompts (id, prompt_text TEXT)',
        'INSERT INTO user_prompts VALUES (?, ?)',
      ],
    ),
  },
  {
    format: 'mem0',
    file: 'all.json',
    texts: words,
    write: json((texts) => ({
      results: texts.map((memory, id) => ({ id: `m${id}`, memory, user_id: 'ann' })),
    })),
  },
  {
    format: 'mem0',
    file: 'history.db',
    texts: words,
    write: table([
      'CREATE TABLE history (memory_id TEXT, new_memory TEXT, event TEXT)',
      "INSERT INTO history VALUES (?, ?, 'ADD')",
    ]),
  },
  {
    format: 'kernle',
    file: 'export.json',
    texts: words,
    write: json((texts) => ({
      stack_id: 'me',
      notes: third(texts, 0, (content, id) => ({ id: `n${id}`, content })),
      beliefs: third(texts, 1, (statement, id) => ({ id: `b${id}`, statement })),
      raw_entries: third(texts, 2, (blob, id) => ({ id: `r${id}`, blob })),
    })),
  },
  {
    format: 'kernle',
    file: 'memories.db',
    texts: words,
    write: table(
      [
        'CREATE TABLE agent_values (id, statement TEXT, stack_id)',
        'INSERT INTO agent_values VALUES (?, ?, 1)',
      ],
      ['CREATE TABLE notes (id, content TEXT)', 'INSERT INTO notes VALUES (?, ?)'],
      ['CREATE TABLE raw_entries (id, blob TEXT)', 'INSERT INTO raw_entries VALUES (?, ?)'],
    ),
  },
  {
    format: 'pam',
    file: 'memory-store.json',
    texts: words,
    write: json((texts) => ({
      schema: 'portable-ai-memory',
      memories: texts.map((content, id) => ({ id: `m${id}`, type: 'fact', content })),
    })),
  },
  {
    format: 'letta',
    file: 'sam.af',
    texts: words,
    write: json((texts) => ({
      agents: [
        {
          name: 'sam',
          messages: texts.map((content, id) => ({ id: `m${id}`, role: roleOf(id), content })),
        },
      ],
    })),
  },
  {
    format: 'server-memory',
    file: 'memory.jsonl',
    texts: words,
    write: jsonLines((text, index) => ({
      type: 'entity',
      name: `Thing ${index % 2}`,
      entityType: 'thing',
      observations: [text],
    })),
  },
  {
    format: 'saved-list',
    file: 'list.txt',
    texts: line,
    write: markdown('', (text) => `[2024-05-01] - ${text}\n`),
  },
  {
    format: 'saved-list',
    file: 'memories.json',
    texts: words,
    write: json((texts) => ({ memories: texts.map((content, id) => ({ id: `m${id}`, content })) })),
  },
  {
    format: 'basic-memory',
    file: 'note.md',
    texts: line,
    wording: (text) => `- [fact] ${text}`,
    write: markdown('---\npermalink: note\n---\n', (text) => `- [fact] ${text}\n`),
  },
  {
    format: 'obsidian',
    file: 'note.md',
    texts: line,
    wording: section,
    write: (file, texts) => {
      const folder = path.dirname(path.resolve(file))
      lay(folder, { '.obsidian/app.json': '{}', 'note.md': texts.map(asSections).join('') })
    },
  },
  {
    format: 'claude-code',
    file: '.claude/memory/topic.md',
    texts: line,
    wording: section,
    write: markdown('---\nname: topic\ntype: feedback\n---\n', asSections),
  },
  {
    format: 'claude-code',
    file: 'CLAUDE.md',
    texts: line,
    wording: section,
    write: markdown('', asSections),
  },
]

function asSections(text: string, index: number): string {
  return `${section(text, index)}\n\n`
}
