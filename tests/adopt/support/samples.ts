import { createHash } from 'node:crypto'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { lay } from './scene.ts'

export const text = (value: unknown): string => JSON.stringify(value, null, 2)

const at = 1_714_521_600 // 2024-05-01

const message = (id: string, role: string, words: string, more: object = {}) => ({
  id,
  author: { role, name: null, metadata: {} },
  create_time: at,
  content: { content_type: 'text', parts: [words] },
  recipient: 'all',
  metadata: role === 'assistant' ? { model_slug: 'gpt-4o' } : {},
  ...more,
})

/** A conversation with a regenerated answer, a saved memory, a tool and the person’s instructions. */
export const CHATGPT = [
  {
    title: 'Trip to Rome',
    conversation_id: 'c-1',
    create_time: at,
    current_node: 'n-5',
    mapping: {
      root: { id: 'root', message: null, parent: null, children: ['n-0'] },
      'n-0': {
        id: 'n-0',
        message: message('n-0', 'user', '', {
          content: {
            content_type: 'user_editable_context',
            user_profile: 'I am vegetarian.',
            user_instructions: 'Answer briefly.',
          },
        }),
        parent: 'root',
        children: ['n-1'],
      },
      'n-1': {
        id: 'n-1',
        message: message('n-1', 'user', 'Where do I eat in Rome?'),
        parent: 'n-0',
        children: ['n-2', 'n-5'],
      },
      'n-2': {
        id: 'n-2',
        message: message('n-2', 'assistant', 'Try the steak house.'),
        parent: 'n-1',
        children: ['n-3'],
      },
      'n-3': {
        id: 'n-3',
        message: message('n-3', 'assistant', 'User travels to Rome in May.', { recipient: 'bio' }),
        parent: 'n-2',
        children: ['n-4'],
      },
      'n-4': {
        id: 'n-4',
        message: message('n-4', 'tool', 'Model set context updated.'),
        parent: 'n-3',
        children: [],
      },
      'n-5': {
        id: 'n-5',
        message: message('n-5', 'assistant', 'Try the vegetarian place by the river.', {
          create_time: 0,
        }),
        parent: 'n-1',
        children: [],
      },
    },
  },
]

export const CLAUDE_AI = [
  {
    uuid: 'k-1',
    name: 'Garden',
    created_at: '2025-03-01T10:00:00.000000Z',
    chat_messages: [
      {
        uuid: 'm-1',
        sender: 'human',
        text: 'When do I plant tomatoes?',
        content: [{ type: 'text', text: 'When do I plant tomatoes?' }],
        created_at: '2025-03-01T10:00:00.000000Z',
        attachments: [{ file_name: 'plan.txt', extracted_content: 'Bed one: tomatoes' }],
        files: [],
      },
      {
        uuid: 'm-2',
        sender: 'assistant',
        text: 'After the last frost.',
        content: [
          { type: 'thinking', thinking: 'Frost matters.' },
          { type: 'text', text: 'After the last frost.' },
        ],
        created_at: '2025-03-01T10:01:00.000000Z',
        attachments: [],
        files: [],
      },
    ],
  },
]

export const CLAUDE_AI_MEMORY = [
  {
    conversations_memory: 'Grows vegetables in a small garden.',
    project_memories: { 'p-1': 'Plans beds for spring.' },
    account_uuid: 'a-1',
  },
]

export const MEM0 = {
  results: [
    {
      id: 'aa-1',
      memory: 'Likes green tea',
      hash: 'h',
      metadata: { category: 'food' },
      created_at: '2025-01-02T03:04:05-08:00',
      updated_at: null,
      user_id: 'ann',
    },
    { id: 'aa-2', memory: 'Works at night', created_at: '2025-01-03', user_id: 'ann' },
    { id: 'aa-3', memory: '' },
  ],
}

export const CLAUDE_MEM = {
  exportedAt: '2026-01-01T00:00:00.000Z',
  exportedAtEpoch: 1,
  query: '*',
  totalObservations: 1,
  totalSessions: 1,
  totalSummaries: 1,
  totalPrompts: 1,
  observations: [
    {
      id: 1,
      memory_session_id: 's-1',
      project: 'shop',
      type: 'decision',
      title: 'Use SQLite',
      subtitle: 'Simple enough',
      narrative: 'A server was not needed.',
      facts: '["One file holds all"]',
      concepts: '["storage"]',
      created_at: '2026-01-01T00:00:00Z',
      created_at_epoch: 1_767_225_600_000,
    },
  ],
  sessions: [{ id: 1, memory_session_id: 's-1', project: 'shop' }],
  summaries: [
    {
      id: 4,
      memory_session_id: 's-1',
      project: 'shop',
      request: 'Choose a store',
      completed: 'SQLite was chosen',
      learned: 'Small is enough',
      created_at_epoch: 1_767_225_600_000,
    },
  ],
  prompts: [{ id: 9, content_session_id: 's-1', prompt_number: 1, prompt_text: 'Which store?' }],
}

export const KERNLE = {
  stack_id: 'me',
  exported_at: '2026-01-01T00:00:00Z',
  values: [{ id: 'v', name: 'Care', statement: 'Do no harm', priority: 90 }],
  beliefs: [
    { id: 'b', statement: 'Tests save time', type: 'fact', confidence: 0.7 },
    { id: 'b2', statement: 'Old one', is_active: 0 },
  ],
  goals: [{ id: 'g', title: 'Ship it', description: 'Soon', status: 'active', priority: 'high' }],
  episodes: [
    {
      id: 'e',
      objective: 'Deploy',
      outcome: 'It worked',
      outcome_type: 'success',
      lessons: ['Go slow'],
    },
  ],
  notes: [{ id: 'n', content: 'The table is large', type: 'insight', tags: ['db'] }],
  drives: [{ id: 'd', drive_type: 'curiosity', intensity: 0.8, focus_areas: ['maps'] }],
  relationships: [
    { id: 'r', entity_name: 'Bo', entity_type: 'person', relationship_type: 'colleague' },
  ],
  raw_entries: [{ id: 'w', blob: 'Bo said the table is large', timestamp: '2025-12-31T10:00:00Z' }],
}

const pamHash = (words: string): string =>
  `sha256:${createHash('sha256').update(words.toLowerCase()).digest('hex')}`

export const PAM = {
  schema: 'portable-ai-memory',
  schema_version: '1.0',
  owner: { id: 'u' },
  memories: [
    {
      id: 'mem-1',
      type: 'preference',
      content: 'Prefers short answers',
      content_hash: pamHash('Prefers short answers'),
      tags: ['style'],
      temporal: { created_at: '2026-02-15T00:00:00Z' },
      confidence: { initial: 0.9 },
      provenance: { platform: 'chatgpt', extraction_method: 'explicit_user_input' },
    },
    {
      id: 'mem-2',
      type: 'fact',
      status: 'retracted',
      content: 'Lives in Bonn',
      content_hash: pamHash('Lives in Bonn'),
      temporal: { created_at: '2026-02-15T00:00:00Z' },
      provenance: { platform: 'claude' },
    },
    {
      id: 'mem-3',
      type: 'fact',
      content: 'Changed on the way',
      content_hash: pamHash('Other words'),
      temporal: { created_at: '2026-02-15T00:00:00Z' },
      provenance: { platform: 'claude' },
    },
  ],
  relations: [{ id: 'rel', from: 'mem-1', to: 'mem-2', type: 'related_to', created_at: 'x' }],
}

export const LETTA = {
  agents: [
    {
      id: 'agent-0',
      name: 'sam',
      block_ids: ['block-0'],
      messages: [
        { id: 'message-0', role: 'system', content: [{ type: 'text', text: 'You are Sam.' }] },
        {
          id: 'message-1',
          role: 'user',
          content: [{ type: 'text', text: 'I sail on Sundays' }],
          created_at: '2025-10-31T22:56:56.459100+00:00',
        },
        { id: 'message-2', role: 'user', content: '{"type": "heartbeat", "reason": "x"}' },
        { id: 'message-3', role: 'assistant', content: 'Fair winds!', model: 'gpt-4o-mini' },
      ],
    },
  ],
  blocks: [
    { id: 'block-0', label: 'human', value: 'Sails on Sundays.', description: 'The person' },
  ],
}

export const BASIC_MEMORY = `---
title: Coffee
type: note
tags: [coffee, brewing]
permalink: coffee
---
# Coffee

Water matters most.

## Observations
- [method] Pour over is clearer than a press #taste
- [decision] Grind by hand (for now)
- [x] buy beans

## Relations
- requires [[Grinding]]
- [[Tea]]
`

export const LIST = `[2024-05-01] - Likes green tea
[2024-05-02] - Has a cat
  named Tom
[unknown] - Works at night
`

/** A database of kernle with a live, a deleted and a forgotten note, and a raw entry. */
export function layKernle(file: string): void {
  const db = new DatabaseSync(file)
  db.exec(`CREATE TABLE IF NOT EXISTS notes (id TEXT PRIMARY KEY, stack_id TEXT NOT NULL, content TEXT NOT NULL,
    note_type TEXT DEFAULT 'note', speaker TEXT, reason TEXT, tags TEXT, created_at TEXT NOT NULL,
    confidence REAL DEFAULT 0.8, strength REAL DEFAULT 1.0, deleted INTEGER DEFAULT 0);
  CREATE TABLE IF NOT EXISTS agent_values (id TEXT PRIMARY KEY, stack_id TEXT NOT NULL, name TEXT, statement TEXT,
    created_at TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS raw_entries (id TEXT PRIMARY KEY, stack_id TEXT, blob TEXT, created_at TEXT);`)
  const note = db.prepare('INSERT INTO notes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const made = '2025-06-01T00:00:00+00:00'
  note.run('n1', 'me', 'Keep it small', 'decision', null, null, '["style"]', made, 0.9, 1, 0)
  note.run('n2', 'me', 'Gone', 'note', null, null, null, made, 0.8, 1, 1)
  note.run('n3', 'me', 'Faded', 'note', null, null, null, made, 0.8, 0, 0)
  db.prepare('INSERT INTO raw_entries VALUES (?, ?, ?, ?)').run('w1', 'me', 'As it was said', made)
  db.close()
}

/** The history of mem0: one memory added and changed, one deleted. */
export function layMem0History(file: string): void {
  const db = new DatabaseSync(file)
  db.exec(`CREATE TABLE IF NOT EXISTS history (id TEXT PRIMARY KEY, memory_id TEXT, old_memory TEXT,
    new_memory TEXT, event TEXT, created_at DATETIME, updated_at DATETIME, is_deleted INTEGER,
    actor_id TEXT, role TEXT)`)
  const row = db.prepare('INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  row.run('1', 'aa-1', null, 'Likes tea', 'ADD', '2025-01-01', null, 0, null, null)
  row.run('2', 'aa-9', null, 'Has a dog', 'ADD', '2025-01-01', null, 0, null, null)
  row.run(
    '3',
    'aa-1',
    'Likes tea',
    'Likes green tea',
    'UPDATE',
    '2025-01-02',
    '2025-01-02',
    0,
    null,
    null,
  )
  row.run('4', 'aa-9', 'Has a dog', null, 'DELETE', '2025-01-03', null, 1, null, null)
  db.close()
}

/** Every text sample, by the name of its file. */
export function laySamples(folder: string): void {
  lay(folder, {
    'chatgpt/conversations.json': text(CHATGPT),
    'claude-ai/conversations.json': text(CLAUDE_AI),
    'claude-ai-memory/memories.json': text(CLAUDE_AI_MEMORY),
    'mem0/all.json': text(MEM0),
    'claude-mem/export.json': text(CLAUDE_MEM),
    'kernle/export.json': text(KERNLE),
    'pam/memory-store.json': text(PAM),
    'letta/sam.af': text(LETTA),
    'basic-memory/coffee.md': BASIC_MEMORY,
    'saved-list/memories.txt': LIST,
    'saved-list-json/memories.json': text({
      memories: [{ id: 'x', content: 'Likes tea', updated_at: '2025-01-01T00:00:00Z' }],
    }),
    'obsidian/.obsidian/app.json': '{}',
    'obsidian/daily/2025-01-01.md':
      '# Thursday\n\nA quiet day with [[Ann]].\n\n## Evening\n\nRead.\n',
    'claude-code/AGENTS.md': '# Agents\n\nBe brief.\n',
  })
  layKernle(path.join(folder, 'kernle', 'memories.db'))
  layMem0History(path.join(folder, 'mem0', 'history.db'))
}
