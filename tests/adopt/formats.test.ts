import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { FORMATS } from '../../src/adopt/formats/table.ts'
import { sourcesAt } from '../../src/adopt/source.ts'
import type { Taken } from '../../src/adopt/take.ts'
import type { Memory } from '../../src/engine/read/memory-view.ts'
import { scratch } from '../cli/support/scratch.ts'
import { laySamples } from './support/samples.ts'
import { adoptOne, freshStack, memoriesOf } from './support/scene.ts'

interface Case {
  readonly place: string
  readonly format: string
  readonly taken: Partial<Taken>
  /** Words, the kind that holds them, the author’s label and the time of the source. */
  readonly memories: readonly (readonly [
    words: string,
    kind: string,
    label: string,
    time?: string,
  ])[]
}

const MODEL = 'ModelDerived'
const SEEN = 'ExternalFirstHand'
const MAY = '2024-05-01T00:00:00.000Z'

const CASES: readonly Case[] = [
  {
    place: 'chatgpt',
    format: 'chatgpt',
    taken: { records: 5, taken: 5, bad: 0, skipped: { 'the output of a tool': 1 } },
    memories: [
      ['I am vegetarian.\n\nAnswer briefly.', 'raw', SEEN],
      ['Where do I eat in Rome?', 'raw', SEEN, MAY],
      ['Try the steak house.', 'raw', MODEL, MAY],
      ['User travels to Rome in May.', 'note', MODEL, MAY],
      ['Try the vegetarian place by the river.', 'raw', MODEL, MAY],
    ],
  },
  {
    place: 'claude-ai',
    format: 'claude-ai',
    taken: { records: 3, taken: 3, bad: 0, skipped: { 'a block of the type thinking': 1 } },
    memories: [
      ['When do I plant tomatoes?', 'raw', SEEN, '2025-03-01T10:00:00.000Z'],
      ['Bed one: tomatoes', 'raw', SEEN, '2025-03-01T10:00:00.000Z'],
      ['After the last frost.', 'raw', MODEL, '2025-03-01T10:01:00.000Z'],
    ],
  },
  {
    place: 'claude-ai-memory',
    format: 'claude-ai',
    taken: { records: 2, taken: 2 },
    memories: [['Plans beds for spring.', 'note', MODEL]],
  },
  {
    place: 'mem0',
    format: 'mem0',
    // The history and the export name the same memory, with the same words.
    taken: {
      records: 3,
      taken: 2,
      repeated: 1,
      bad: 1,
      skipped: { 'an earlier wording': 2, 'deleted in the source': 1 },
    },
    memories: [['Likes green tea', 'note', MODEL, '2025-01-02T11:04:05.000Z']],
  },
  {
    place: 'claude-mem',
    format: 'claude-mem',
    taken: { records: 3, taken: 3, skipped: { 'data about a session': 1 } },
    memories: [
      [
        'Use SQLite\nSimple enough\nA server was not needed.\n- One file holds all',
        'note',
        MODEL,
        '2026-01-01T00:00:00.000Z',
      ],
      ['Choose a store\nSQLite was chosen\nSmall is enough', 'episode', MODEL],
      ['Which store?', 'raw', SEEN],
    ],
  },
  {
    place: 'kernle/export.json',
    format: 'kernle',
    taken: { records: 8, taken: 8, skipped: { 'superseded in the source': 1 } },
    memories: [
      ['Care: Do no harm', 'belief', MODEL],
      ['Tests save time', 'belief', MODEL],
      ['Ship it\nSoon', 'goal', MODEL],
      ['Deploy\nIt worked\nGo slow', 'episode', MODEL],
      ['The table is large', 'note', MODEL],
      ['Drive: curiosity (0.8): maps', 'note', MODEL],
      ['Bo: colleague', 'relationship', MODEL],
      ['Bo said the table is large', 'raw', SEEN, '2025-12-31T10:00:00.000Z'],
    ],
  },
  {
    place: 'kernle/memories.db',
    format: 'kernle',
    taken: {
      records: 2,
      taken: 2,
      skipped: { 'deleted in the source': 1, 'forgotten in the source': 1 },
    },
    memories: [
      ['Keep it small', 'note', MODEL, '2025-06-01T00:00:00.000Z'],
      ['As it was said', 'raw', SEEN],
    ],
  },
  {
    place: 'pam',
    format: 'pam',
    taken: {
      records: 1,
      taken: 1,
      bad: 1,
      skipped: { 'retracted in the source': 1, 'a relation between two memories': 1 },
    },
    memories: [['Prefers short answers', 'note', SEEN, '2026-02-15T00:00:00.000Z']],
  },
  {
    place: 'letta',
    format: 'letta',
    taken: { records: 3, taken: 3, skipped: { 'a system message': 1, 'an event of the agent': 1 } },
    memories: [
      ['I sail on Sundays', 'raw', SEEN, '2025-10-31T22:56:56.459Z'],
      ['Fair winds!', 'raw', MODEL],
      ['Sails on Sundays.', 'note', MODEL],
    ],
  },
  {
    place: 'basic-memory',
    format: 'basic-memory',
    taken: { records: 6, taken: 6, skipped: { 'a heading without text': 1 } },
    memories: [
      ['Coffee: Pour over is clearer than a press #taste', 'note', MODEL],
      ['Coffee requires Grinding', 'note', MODEL],
      ['Coffee links to Tea', 'note', MODEL],
      ['# Coffee\n\nWater matters most.', 'raw', SEEN],
    ],
  },
  {
    place: 'saved-list',
    format: 'saved-list',
    taken: { records: 3, taken: 3 },
    memories: [
      ['Likes green tea', 'note', MODEL, MAY],
      ['Has a cat\n  named Tom', 'note', MODEL, '2024-05-02T00:00:00.000Z'],
      ['Works at night', 'note', MODEL],
    ],
  },
  {
    place: 'saved-list-json',
    format: 'saved-list',
    taken: { records: 1, taken: 1 },
    memories: [['Likes tea', 'note', MODEL, '2025-01-01T00:00:00.000Z']],
  },
  {
    place: 'obsidian',
    format: 'obsidian',
    taken: { records: 2, taken: 2 },
    memories: [['## Evening\n\nRead.', 'raw', SEEN]],
  },
  {
    place: 'claude-code',
    format: 'claude-code',
    taken: { records: 1, taken: 1 },
    memories: [['# Agents\n\nBe brief.', 'raw', SEEN]],
  },
]

const wordsOf = ({ kind, body }: Memory): string => {
  const fields = body as unknown as Record<string, string & readonly string[]>
  const parts: Readonly<Record<string, readonly (string | undefined)[]>> = {
    belief: [fields.statement],
    goal: [fields.title, fields.description],
    episode: [fields.objective, fields.outcome, ...(fields.lessons ?? [])],
    relationship: [`${fields.entityName}: ${fields.relationshipType}`, fields.notes],
  }
  return (parts[kind] ?? [fields.content]).filter((part) => part !== undefined).join('\n')
}

const nameOf = ({ label }: Memory['provenance']): string =>
  label.type === 'External' ? label.kind : label.type

describe('every format', () => {
  test('has a sample', () => {
    const known = new Set([...CASES.map(({ format }) => format), 'server-memory', 'muniment'])
    expect(FORMATS.map(({ name }) => name).toSorted()).toEqual([...known].toSorted())
  })

  test.for(CASES)(
    '$place comes in as $format, once',
    async ({ place, format, taken, memories }) => {
      const samples = scratch()
      laySamples(samples)
      const at = path.join(samples, place)
      const { sources } = await sourcesAt(at)
      expect(sources.map((source) => source.format.name)).toEqual([format])
      const stack = await freshStack()
      const first = await adoptOne(stack, at)
      expect(first.problems.filter(({ why }) => !EXPECTED.test(why))).toEqual([])
      expect(first).toMatchObject({ ...taken, here: 0, refused: 0 })
      const all = await memoriesOf(stack)
      for (const [words, kind, label, time] of memories) {
        const found = all.filter((memory) => memory.kind === kind && wordsOf(memory) === words)
        const [memory] = found.filter(({ provenance }) => !provenance.captured)
        expect(memory, words).toBeDefined()
        expect(memory && nameOf(memory.provenance), words).toBe(label)
        expect(memory?.tier).toBe(1)
        expect(memory?.provenance.sourceId).toBe(`adopt:${first.batch}`)
        expect(memory?.provenance.document).toContain(path.join(samples, place))
        if (time !== undefined) expect(memory?.provenance.eventTime, words).toBe(time)
      }
      const again = await adoptOne(stack, at)
      expect(again).toMatchObject({ taken: 0, here: first.taken, refused: 0 })
      expect(await memoriesOf(stack)).toEqual(all)
    },
  )
})

const EXPECTED = /hash of other words|has no memory text/

describe('a conversation', () => {
  test('keeps who said what, in which conversation, and which answers were replaced', async () => {
    const [samples, stack] = [scratch(), await freshStack()]
    laySamples(samples)
    await adoptOne(stack, path.join(samples, 'chatgpt'))
    const all = await stack.getRaw({ limit: 50 })
    const at = (words: string) => all.find(({ body }) => body.content === words)
    expect(at('Where do I eat in Rome?')?.provenance).toMatchObject({
      sourceEntity: 'user',
      session: 'chatgpt:c-1',
      turn: 'n-1',
      llmModel: null,
    })
    expect(at('Try the steak house.')).toMatchObject({
      body: { capturedFrom: 'ChatGPT, “Trip to Rome”, assistant, another version' },
      provenance: { sourceEntity: 'gpt-4o', llmModel: 'gpt-4o', session: 'chatgpt:c-1' },
    })
  })
})
