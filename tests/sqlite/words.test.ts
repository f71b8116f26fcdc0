import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { restoreStack } from '../../src/compose/restore-stack.ts'
import { label } from '../../src/domain/labels.ts'
import type { Stack } from '../../src/stack.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { holds } from '../support/holds.ts'
import { ownFolder, ownPath } from './support/folder.ts'
import { vandaliseNeatly } from './support/raw.ts'
import { openOn, writeSmallHistory } from './support/small-stack.ts'

const QUESTIONS = ['migrations', 'Berlin deploy', 'table lock', 'nothing of the kind'] as const

/** What search says, without what only this moment knows. */
async function answersOf(stack: Stack): Promise<readonly unknown[]> {
  const answers = []
  for (const question of QUESTIONS) {
    const found = await stack.search(question, { limit: 50 })
    answers.push(found.map(({ memoryId, score, content }) => [memoryId, score, content]))
  }
  return answers
}

holds('STORE-REBUILD', 'search says the same after a rebuild, also of lost words', async () => {
  const path = ownPath()
  const opened = await openOn(path)
  await writeSmallHistory(opened)
  const before = await answersOf(opened.stack)
  expect(before[0]).not.toEqual([])
  await opened.close()
  vandaliseNeatly(
    path,
    "DELETE FROM words WHERE rowid > 5; INSERT INTO words (rowid, terms) VALUES (1, 'migrat')",
  )
  const again = await openOn(path)
  expect(await answersOf(again.stack)).not.toEqual(before)
  expect((await again.store.check()).map(({ says }) => says)).toContain(
    'is not found by what it says',
  )
  await again.stack.ledger.rebuild()
  expect(await answersOf(again.stack)).toEqual(before)
  expect(await again.store.check()).toEqual([])
  await again.close()
})

test('search says the same in a backup and after opening again', async () => {
  const path = ownPath()
  const opened = await openOn(path)
  await writeSmallHistory(opened)
  const before = await answersOf(opened.stack)
  const to = join(dirname(path), 'copy.db')
  await opened.store.backup(to)
  await opened.close()
  for (const each of [path, to]) {
    const again = await openOn(each)
    expect(await answersOf(again.stack)).toEqual(before)
    await again.close()
  }
})

test('search says the same in a stack that was restored from a bundle', async () => {
  const folder = ownFolder()
  const stack = await openStack('demo', { home: join(folder, 'home'), ...fakeWorld() })
  const me = new Entity('agent')
  await writeSmallHistory({ stack, me })
  const note = await revisedNote(stack, me)
  const before = await answersOf(stack)
  const from = join(folder, 'demo.bundle')
  await stack.export(from, { format: 'bundle' })
  const copy = await restoreStack('demo', {
    ...fakeWorld(),
    from,
    home: join(folder, 'elsewhere'),
  })
  expect(await answersOf(copy)).toEqual(before)
  const [found] = await copy.search('second thoughts')
  expect(found?.memoryId).toBe(note)
  expect(await copy.search('hasty')).toEqual([])
  await copy.close()
  await stack.close()
})

/** A memory whose words were replaced: ranks must not remember the old ones. */
async function revisedNote(stack: Stack, me: Entity): Promise<string> {
  const raw = await me.raw('where it all comes from')
  const { id } = await me.note('a hasty word about migrations', { derivedFrom: [raw.ref] })
  const provenance = {
    sourceType: 'direct_experience' as const,
    label: label.userAsserted(),
    sourceId: 'ann',
    ingestionPath: 'lib:revise',
    confidence: 0.7,
    llmModel: null,
    derivedFrom: [raw.ref],
  }
  const body = { content: 'second thoughts about migrations' }
  await stack.write({ kind: 'note', id, body, provenance, revises: { expectedVersion: 1 } })
  return id
}
