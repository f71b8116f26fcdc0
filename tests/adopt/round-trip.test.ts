import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exportMemories, OUT_FORMATS, type OutFormat } from '../../src/adopt/write/export.ts'
import { Entity } from '../../src/agent/entity.ts'
import { label } from '../../src/domain/labels.ts'
import type { Stack } from '../../src/stack.ts'
import { scratch } from '../cli/support/scratch.ts'
import { adoptOne, freshStack, lay, memoriesOf, PERSON } from './support/scene.ts'
import { plain, words } from './support/shapes.ts'

const BY = { caller: PERSON, actor: 'tester' }
const NOW = '2026-01-01T00:00:00.000Z'

const NAMES: Readonly<Record<OutFormat, string>> = {
  markdown: 'memories',
  'server-memory': 'memory.jsonl',
  mem0: 'mem0.json',
  pam: 'memory-store.json',
}

const exportTo = (stack: Stack, to: string, format: OutFormat): Promise<number> =>
  exportMemories(stack, { to, format, by: BY, exportedAt: NOW })

const name = words.filter((text) => text.length <= 20)

const graph = fc.record({
  entities: fc.uniqueArray(
    fc.record({
      name,
      entityType: name,
      observations: fc.uniqueArray(words, { maxLength: 4, selector: plain }),
    }),
    { maxLength: 5, selector: ({ name: each }) => plain(each) },
  ),
  relations: fc.uniqueArray(fc.record({ from: name, to: name, relationType: name }), {
    maxLength: 4,
    selector: ({ from, to, relationType }) => plain(`${from} ${relationType} ${to}`),
  }),
})

const sorted = (values: readonly unknown[]): readonly string[] =>
  values.map((value) => JSON.stringify(value)).toSorted()

/** The facts of a graph, one by one: lines of one entity may be split or joined. */
function factsIn(file: string): readonly string[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return sorted(
    lines.flatMap((line) => {
      const {
        type,
        name: of,
        entityType,
        observations = [],
        from,
        to,
        relationType,
      } = JSON.parse(line)
      if (type === 'relation') return [[from, relationType, to]]
      return observations.length === 0
        ? [[of, entityType]]
        : observations.map((observation: string) => [of, entityType, observation])
    }),
  )
}

const OPTIONS = { numRuns: 25 }

describe('out and in again', () => {
  test('a long note comes back from a folder of markdown', async () => {
    const [folder, from, to] = [scratch(), await freshStack(1), await freshStack(2)]
    const words = 'A long story. '.repeat(5_000)
    lay(folder, {
      'mem0.json': JSON.stringify({ results: [{ id: 'a', user_id: 'u', memory: words }] }),
    })
    await adoptOne(from, path.join(folder, 'mem0.json'))
    const out = path.join(folder, 'out')
    expect(await exportTo(from, out, 'markdown')).toBe(1)
    expect(await adoptOne(to, out)).toMatchObject({ taken: 1, bad: 0 })
    const [note] = await to.getNotes()
    expect(note?.body).toMatchObject({ content: words, context: 'u' })
  })

  test('words that were erased do not come back from an older export', async () => {
    const [folder, stack] = [scratch(), await freshStack()]
    const me = new Entity('tester', { modelId: 'test-model' })
    await me.attachStack(stack)
    await me.note('The alarm code is 1234')
    const [note] = await stack.getNotes()
    const outs = OUT_FORMATS.map(
      (format) => [format, path.join(folder, format, NAMES[format])] as const,
    )
    for (const [format, out] of outs) {
      lay(folder, { [`${format}/.keep`]: '' })
      await exportTo(stack, out, format)
    }
    await stack.erasure.erase(note?.ref ?? '', BY)
    for (const [format, out] of outs) {
      const taken = await adoptOne(stack, out)
      expect({ format, ...taken }).toMatchObject({ format, taken: 0, refused: 1 })
      expect(taken.problems[0]?.why).toContain('was erased here')
    }
    expect(JSON.stringify(await memoriesOf(stack))).not.toContain('alarm')
  })

  test('a draft that an export left behind is named', async () => {
    const [folder, stack] = [scratch(), await freshStack()]
    lay(folder, { 'mem0.json.part': '', 'memories.part/x.md': '' })
    for (const [format, file] of [
      ['mem0', 'mem0.json'],
      ['markdown', 'memories'],
    ] as const) {
      const to = path.join(folder, file)
      await expect(exportTo(stack, to, format)).rejects.toMatchObject({
        hint: expect.stringContaining(`Remove ${to}.part`),
      })
    }
  })

  test('a graph of server-memory comes back fact by fact, and changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(graph, async ({ entities, relations }) => {
        const folder = scratch()
        const file = path.join(folder, 'memory.jsonl')
        const lines = [
          ...entities.map((entity) => ({ type: 'entity', ...entity })),
          ...relations.map((relation) => ({ type: 'relation', ...relation })),
        ]
        if (lines.length === 0) return
        writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
        const stack = await freshStack()
        const first = await adoptOne(stack, file)
        fc.pre(first.repeated === 0)
        expect(first).toMatchObject({ bad: 0, refused: 0 })
        const out = path.join(folder, 'out.jsonl')
        await exportTo(stack, out, 'server-memory')
        expect(factsIn(out)).toEqual(factsIn(file))
        const again = await adoptOne(stack, out)
        expect(again).toMatchObject({ taken: 0, here: first.taken, bad: 0, refused: 0 })
      }),
      OPTIONS,
    )
  })

  test.for(OUT_FORMATS)(
    'any memories written as %s come in again as nothing new',
    async (format) => {
      await fc.assert(
        fc.asyncProperty(
          fc.uniqueArray(words, { minLength: 1, maxLength: 6, selector: plain }),
          async (texts) => {
            const stack = await lived(texts)
            const folder = scratch()
            const out = path.join(folder, NAMES[format])
            const count = await exportTo(stack, out, format)
            expect(count).toBeGreaterThanOrEqual(texts.length)
            const before = await memoriesOf(stack)
            const again = await adoptOne(stack, out)
            expect(again).toMatchObject({
              records: count,
              taken: 0,
              here: count,
              bad: 0,
              refused: 0,
            })
            expect(await memoriesOf(stack)).toEqual(before)
          },
        ),
        OPTIONS,
      )
    },
  )

  test.for(OUT_FORMATS)(
    'another stack takes %s once, and gives the same words again',
    async (format) => {
      const texts = ['One line', 'Two\nlines: "and" marks', '- a list\n- of things', '# heading']
      const stack = await lived(texts)
      const folder = scratch()
      const out = path.join(folder, NAMES[format])
      const count = await exportTo(stack, out, format)
      const other = await freshStack(2)
      expect(await adoptOne(other, out)).toMatchObject({ taken: count, bad: 0, refused: 0 })
      expect(await adoptOne(other, out)).toMatchObject({ taken: 0, here: count })
      const said = (await memoriesOf(other)).map(({ body }) => JSON.stringify(body)).join('\n')
      for (const text of texts) expect(said).toContain(JSON.stringify(text).slice(1, -1))
    },
  )

  test('edited words of an exported file are new words, and the old ones stay', async () => {
    const stack = await lived(['Before'])
    const folder = scratch()
    const out = path.join(folder, 'memories')
    await exportTo(stack, out, 'markdown')
    const note = (await stack.getNotes()).find(({ body }) => body.content === 'Before')
    const file = path.join(out, 'note', `${note?.id}.md`)
    writeFileSync(file, readFileSync(file, 'utf8').replace(/Before\n$/, 'After the edit\n'))
    expect(await adoptOne(stack, out)).toMatchObject({ taken: 1, bad: 0 })
    const contents = (await stack.getNotes()).map(({ body }) => body.content)
    expect(contents).toEqual(expect.arrayContaining(['After the edit', 'Before']))
  })

  test('a stack of many pages is written whole', async () => {
    const [folder, stack] = [scratch(), await freshStack()]
    const lines = Array.from({ length: 1_200 }, (_, index) =>
      JSON.stringify({ type: 'entity', name: `n${index}`, entityType: 't', observations: ['x'] }),
    )
    lay(folder, { 'memory.jsonl': `${lines.join('\n')}\n` })
    await adoptOne(stack, path.join(folder, 'memory.jsonl'))
    expect(await exportTo(stack, path.join(folder, 'out.jsonl'), 'server-memory')).toBe(1_200)
    expect(factsIn(path.join(folder, 'out.jsonl'))).toEqual(
      factsIn(path.join(folder, 'memory.jsonl')),
    )
  })

  test('an existing file is never replaced', async () => {
    const stack = await lived(['Words'])
    const folder = scratch()
    lay(folder, { 'mem0.json': 'mine' })
    await expect(exportTo(stack, path.join(folder, 'mem0.json'), 'mem0')).rejects.toThrow(
      /cannot be written/,
    )
    expect(readFileSync(path.join(folder, 'mem0.json'), 'utf8')).toBe('mine')
  })
})

/** A stack with notes of these words, a claim, a belief with a reason and a capture. */
async function lived(texts: readonly string[]): Promise<Stack> {
  const stack = await freshStack()
  const me = new Entity('tester', { modelId: 'test-model' })
  await me.attachStack(stack)
  for (const text of texts) await me.note(text, { label: label.userAsserted() })
  await me.belief('Small steps are safe', { because: 'three large steps failed' })
  await me.raw('As it was heard')
  return stack
}
