import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { listBatches } from '../../src/adopt/batches.ts'
import { undoBatch } from '../../src/adopt/undo.ts'
import { exportMemories } from '../../src/adopt/write/export.ts'
import { Entity } from '../../src/agent/entity.ts'
import type { Stack } from '../../src/stack.ts'
import { scratch } from '../cli/support/scratch.ts'
import { adoptOne, freshStack, lay, memoriesOf, PERSON } from './support/scene.ts'

const BY = { caller: PERSON, actor: 'adopted:user' }

/** Two graphs of server-memory; the first is larger than one part of its batch. */
async function twoBatches() {
  const [folder, stack] = [scratch(), await freshStack()]
  const graph = (name: string, count: number): string => {
    const file = path.join(folder, `${name}.jsonl`)
    const lines = Array.from({ length: count }, (_, index) =>
      JSON.stringify({
        type: 'entity',
        name: `${name} ${index}`,
        entityType: 't',
        observations: [`${name} saw ${index} ships`],
      }),
    )
    writeFileSync(file, `${lines.join('\n')}\n`)
    return file
  }
  const first = await adoptOne(stack, graph('first', 12), { partRecords: 5 })
  const second = await adoptOne(stack, graph('second', 3))
  return { stack, first, second, folder }
}

const byBatch = async (stack: Stack, batch: string) =>
  (await memoriesOf(stack)).filter(({ provenance }) =>
    provenance.sourceId.startsWith(`adopt:${batch}`),
  )

describe('undoing a batch', () => {
  test('distrusts every part of the batch and nothing else, and can be taken back', async () => {
    const { stack, first, second } = await twoBatches()
    const actors = new Set(
      (await byBatch(stack, first.batch)).map(({ provenance }) => provenance.sourceId),
    )
    expect(actors.size).toBe(3)
    const undone = await undoBatch(stack, first.batch, { isErased: false, by: BY })
    const [mine, others] = [await byBatch(stack, first.batch), await byBatch(stack, second.batch)]
    expect(undone.memories).toBe(mine.length)
    expect(mine.every(({ disposition }) => disposition === 'Distrusted')).toBe(true)
    expect(others.some(({ disposition }) => disposition === 'Distrusted')).toBe(false)
    expect((await listBatches(stack)).map(({ isDistrusted }) => isDistrusted)).toEqual([
      false,
      true,
    ])
    for (const actor of actors) await stack.sources.trust({ actor }, BY)
    expect(
      (await byBatch(stack, first.batch)).some(({ disposition }) => disposition === 'Distrusted'),
    ).toBe(false)
  })

  test('a memory that two sources hold goes with the batch that brought it, and the other run says so', async () => {
    const [folder, stack] = [scratch(), await freshStack()]
    const memory = (id: string) => ({ id, memory: `Words of ${id}`, created_at: '2026-01-01' })
    const file = (name: string, ids: readonly string[]): string => {
      const at = path.join(folder, `${name}.json`)
      writeFileSync(at, JSON.stringify({ results: ids.map(memory) }))
      return at
    }
    const [one, two] = [file('one', ['a', 'shared']), file('two', ['shared', 'b'])]
    const first = await adoptOne(stack, one)
    const second = await adoptOne(stack, two)
    expect(second).toMatchObject({ taken: 1, here: 1, undone: 0 })
    const believed = async () =>
      (await stack.getNotes()).map(({ body }) => body.content.replace('Words of ', '')).toSorted()
    await undoBatch(stack, second.batch, { isErased: false, by: BY })
    expect(await believed()).toEqual(['a', 'shared'])
    await stack.sources.trust({ actor: `adopt:${second.batch}` }, BY)
    await undoBatch(stack, first.batch, { isErased: false, by: BY })
    expect(await believed()).toEqual(['b'])
    expect(await adoptOne(stack, two)).toMatchObject({ taken: 1, here: 1, undone: 0 })
    expect(await adoptOne(stack, one)).toMatchObject({ taken: 0, here: 2, undone: 2 })
    expect(await believed()).toEqual(['b', 'shared'])
  })

  test('words of a source that was undone are taken from another source', async () => {
    const [folder, stack] = [scratch(), await freshStack()]
    const fact = { memory: 'Ann is allergic to nuts' }
    const file = (name: string, results: readonly object[]): string => {
      lay(folder, { [name]: JSON.stringify({ results }) })
      return path.join(folder, name)
    }
    const believed = async () => (await stack.getNotes()).map(({ body }) => body.context)
    const poison = file('poison.json', [{ id: 'x', ...fact, user_id: 'evil' }])
    const { batch } = await adoptOne(stack, poison)
    await undoBatch(stack, batch, { isErased: false, by: BY })
    const mine = file('mine.json', [{ id: 'y', ...fact, user_id: 'ann' }])
    expect(await adoptOne(stack, mine)).toMatchObject({ taken: 1, here: 0, undone: 0 })
    expect(await believed()).toEqual(['ann'])
    const copy = file('copy.json', [{ id: 'x', ...fact, user_id: 'evil' }])
    expect(await adoptOne(stack, copy)).toMatchObject({ taken: 1 })
    expect(await adoptOne(stack, copy)).toMatchObject({ taken: 0, here: 1, undone: 0 })
    const longer = [
      { id: 'x', ...fact, user_id: 'evil' },
      { id: 'z', memory: 'More', user_id: 'o' },
    ]
    expect(await adoptOne(stack, file('poison.json', longer))).toMatchObject({
      taken: 1,
      undone: 1,
    })
  })

  test('equal words of two users, two agents and two projects are memories of each', async () => {
    const [folder, stack] = [scratch(), await freshStack()]
    const likes = ['ann', 'bob', 'cem', 'dia', 'eve', 'fay', 'gil', 'hal'].map((user_id) => ({
      id: user_id,
      memory: 'Likes tea',
      user_id,
    }))
    const agent = (name: string) => ({ name, memory_blocks: [{ label: 'human', value: 'Sails.' }] })
    const block = { agents: [], blocks: [{ id: 'block-0', label: 'human', value: 'Sails.' }] }
    lay(folder, {
      'mem0.json': JSON.stringify({ results: likes }),
      'two.af': JSON.stringify({ agents: [agent('sam'), agent('tom')] }),
      'uno.af': JSON.stringify(block),
      'dos.af': JSON.stringify(block),
      'p1/.claude/memory/tests.md': '---\nname: t\ntype: feedback\n---\nRun the tests.\n',
      'p2/.claude/memory/tests.md': '---\nname: t\ntype: feedback\n---\nRun the tests.\n',
    })
    const at = (name: string) => path.join(folder, name)
    expect(await adoptOne(stack, at('mem0.json'))).toMatchObject({ taken: 8, repeated: 0 })
    expect(await adoptOne(stack, at('two.af'))).toMatchObject({ taken: 2, repeated: 0 })
    for (const name of ['uno.af', 'dos.af', 'p1', 'p2']) {
      expect(await adoptOne(stack, at(name))).toMatchObject({ taken: 1 })
    }
    const set = (await memoriesOf(stack)).filter(({ disposition }) => disposition === 'Quarantined')
    expect(set).toEqual([])
    const first = await adoptOne(stack, at('p1'))
    await undoBatch(stack, first.batch, { isErased: false, by: BY })
    const said = (await stack.getNotes({ limit: 50 })).map(({ body }) => body.content)
    expect(said.filter((words) => words.includes('Run the tests'))).toHaveLength(1)
  })

  test('erases every word of the batch and nothing else, and the words stay out', async () => {
    const { stack, first, second, folder } = await twoBatches()
    const before = await byBatch(stack, second.batch)
    await undoBatch(stack, first.batch, { isErased: true, by: BY })
    const left = JSON.stringify(await memoriesOf(stack))
    expect(left).not.toContain('first saw')
    expect(await byBatch(stack, second.batch)).toEqual(before)
    const again = await adoptOne(stack, path.join(folder, 'first.jsonl'))
    expect(again).toMatchObject({ taken: 0, refused: 12 })
    expect(again.problems[0]?.why).toMatch(/erased/i)
    expect(JSON.stringify(await memoriesOf(stack))).not.toContain('first saw')
  })

  test('keeps what others made of the batch, and says how much that is', async () => {
    const { stack, second } = await twoBatches()
    const cited = (await byBatch(stack, second.batch)).find(({ kind }) => kind === 'note')
    const me = new Entity('tester', { modelId: 'test-model' })
    await me.attachStack(stack)
    await me.belief('Ships pass here', { derivedFrom: [cited?.ref ?? ''] })
    const undone = await undoBatch(stack, second.batch, { isErased: true, by: BY })
    expect(undone.flagged).toBe(1)
  })

  test('what is undone goes into no export', async () => {
    const { stack, first, folder } = await twoBatches()
    await undoBatch(stack, first.batch, { isErased: false, by: BY })
    const to = path.join(folder, 'out.json')
    const count = await exportMemories(stack, { to, format: 'mem0', by: BY, exportedAt: 'now' })
    expect(count).toBe(3)
    expect(readFileSync(to, 'utf8')).not.toContain('first saw')
  })

  test('an unknown batch is named', async () => {
    const { stack } = await twoBatches()
    for (const batch of ['nothing', 'mem0-000000000000', '*']) {
      await expect(undoBatch(stack, batch, { isErased: false, by: BY })).rejects.toThrow(
        /No memory of the batch/,
      )
    }
  })
})
