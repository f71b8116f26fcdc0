import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { sourcesAt } from '../../src/adopt/source.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Instant } from '../../src/domain/time.ts'
import { MemoryReceipts } from '../../src/stores/memory/receipts.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { scratch } from '../cli/support/scratch.ts'
import { adoptOne, freshStack, lay, memoriesOf, PROGRAM } from './support/scene.ts'

const GRAPH = [
  { type: 'entity', name: 'Ann', entityType: 'person', observations: ['likes tea', 'has a cat'] },
  { type: 'entity', name: 'Acme', entityType: 'company', observations: [] },
  { type: 'relation', from: 'Ann', to: 'Acme', relationType: 'works_at' },
]
const lines = (values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join('')

describe('taking a source', () => {
  test('keeps file, place, author and original wording of each record', async () => {
    const [folder, stack] = [scratch(), await freshStack()]
    lay(folder, { 'memory.jsonl': lines(GRAPH) })
    const taken = await adoptOne(stack, folder)
    expect(taken).toMatchObject({ records: 4, taken: 4, here: 0, repeated: 0, refused: 0, bad: 0 })
    const notes = await stack.getNotes()
    const tea = notes.find(({ body }) => body.content === 'Ann: likes tea')
    expect(tea?.provenance).toMatchObject({
      sourceId: `adopt:${taken.batch}`,
      ingestionPath: 'adopt:server-memory',
      document: `${path.join(folder, 'memory.jsonl')}, line 1, observation 1`,
      label: { type: 'ModelDerived' },
      trustTier: 1,
    })
    const [capture] = tea?.provenance.derivedFrom ?? []
    const raws = await stack.getRaw({ limit: 10 })
    expect(raws.find(({ ref }) => ref === capture)?.body.content).toBe('likes tea')
  })

  test('a second run writes nothing, and a longer file gives what is new', async () => {
    const [folder, stack] = [scratch(), await freshStack()]
    const file = path.join(folder, 'memory.jsonl')
    writeFileSync(file, lines(GRAPH))
    const first = await adoptOne(stack, file)
    const before = await memoriesOf(stack)
    const second = await adoptOne(stack, file)
    expect(second).toMatchObject({ batch: first.batch, records: 4, taken: 0, here: 4 })
    expect(await memoriesOf(stack)).toEqual(before)
    const more = { type: 'entity', name: 'Bo', entityType: 'person', observations: ['is new'] }
    writeFileSync(file, readFileSync(file, 'utf8') + lines([more]))
    const third = await adoptOne(stack, file)
    expect(third).toMatchObject({ taken: 1, here: 4 })
    expect(third.batch).not.toBe(first.batch)
  })

  test('reports bad lines by their place and goes on', async () => {
    const [folder, stack] = [scratch(), await freshStack()]
    const file = path.join(folder, 'memory.jsonl')
    writeFileSync(
      file,
      `${lines(GRAPH)}{"type":"entity"\n[]\n{"type":"song"}\n${lines(GRAPH.slice(0, 1))}`,
    )
    const taken = await adoptOne(stack, file)
    expect(taken).toMatchObject({ records: 6, taken: 4, repeated: 2, bad: 3 })
    expect(taken.problems.map(({ position }) => position)).toEqual(['line 4', 'line 5', 'line 6'])
  })

  test('a flood of equal and alike words is taken whole, with nothing quarantined', async () => {
    const [folder, stack] = [scratch(), await freshStack()]
    const file = path.join(folder, 'memory.jsonl')
    const people = Array.from({ length: 120 }, (_, index) => ({
      type: 'entity',
      name: `Person ${index}`,
      entityType: 'person',
      observations: ['lives in Berlin', `is ${20 + (index % 40)} years old`],
    }))
    writeFileSync(file, lines(people))
    expect(await adoptOne(stack, file)).toMatchObject({ taken: 240, refused: 0 })
    const set = (await memoriesOf(stack)).filter(({ disposition }) => disposition === 'Quarantined')
    expect(set).toEqual([])
  })

  test('the earlier words of the importer are read for a commit, and not for each record', async () => {
    const [folder, asked] = [scratch(), new Map<string, number>()]
    class Counting extends MemoryReceipts {
      override told(session: string, since: Instant) {
        asked.set(session, (asked.get(session) ?? 0) + 1)
        return super.told(session, since)
      }
    }
    const world = { store: new MemoryStore(), receipts: new Counting(), ...fakeWorld(1) }
    const stack = await openStack('adopted', world)
    const ann = { ...GRAPH[0], observations: Array.from({ length: 600 }, (_, at) => `saw ${at}`) }
    lay(folder, { 'memory.jsonl': lines([ann]) })
    expect(await adoptOne(stack, folder)).toMatchObject({ taken: 600 })
    expect(Math.max(...asked.values())).toBeLessThan(100)
  })

  test('only a person’s word lifts a source above tier 1', async () => {
    const folder = scratch()
    lay(folder, { 'CLAUDE.md': '# Rules\n\nRun the tests before a commit.\n' })
    const file = path.join(folder, 'CLAUDE.md')
    const [plain, vouched] = [await freshStack(1), await freshStack(2)]
    await adoptOne(plain, file, { by: PROGRAM })
    await adoptOne(vouched, file, { isVouched: true })
    const tierOf = async (stack: typeof plain) =>
      (await stack.getRaw()).find(({ body }) => body.content.startsWith('# Rules'))?.tier
    expect(await tierOf(plain)).toBe(1)
    expect(await tierOf(vouched)).toBe(2)
  })

  test('secrets in a file do not come in', async () => {
    const [folder, stack] = [scratch(), await freshStack()]
    const secret = `ghp_${'a1B2'.repeat(9)}`
    lay(folder, { 'CLAUDE.md': `# Keys\n\nUse ${secret} for releases.\n` })
    await adoptOne(stack, path.join(folder, 'CLAUDE.md'))
    expect(JSON.stringify(await memoriesOf(stack))).not.toContain(secret)
    const [kept] = await stack.getRaw()
    expect(kept?.body.content).toContain('for releases.')
  })

  test('links are refused and passed by', async () => {
    const [folder, outside] = [scratch(), scratch()]
    lay(outside, { 'CLAUDE.md': '# Secret\n\nOf another place.\n' })
    symlinkSync(path.join(outside, 'CLAUDE.md'), path.join(folder, 'CLAUDE.md'))
    symlinkSync(outside, path.join(folder, 'deep'))
    await expect(sourcesAt(path.join(folder, 'CLAUDE.md'))).rejects.toThrow(/is a link/)
    const { sources, passed } = await sourcesAt(folder)
    expect(sources).toEqual([])
    expect(passed).toHaveLength(2)
  })
})
