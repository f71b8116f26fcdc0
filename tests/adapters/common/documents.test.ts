import { expect, test } from 'vitest'
import { Documents } from '../../../src/adapters/common/documents.ts'
import { Seat } from '../../../src/adapters/common/seat.ts'
import type { Stack } from '../../../src/stack.ts'
import { freshStack } from '../../stack/support.ts'

const keyOf = (content: string): string => content.split('\n')[0] ?? ''

async function opened(stack: Stack, options = {}) {
  const seat = new Seat(stack, 'shelf', options)
  return { seat, documents: new Documents({ stack, seat: seat.name, actor: seat.actor, keyOf }) }
}

const contents = async (documents: Documents) =>
  [...(await documents.read()).values()].map(({ content }) => content)

test('documents are created, changed in place and forgotten, in the order of creation', async () => {
  const { stack } = await freshStack()
  const { seat, documents } = await opened(stack)
  const author = await seat.author()
  await documents.change(author, () => ({ answer: null, create: ['b\none', 'a\none'] }))
  await documents.change(author, (live) => {
    const document = live.get('b')
    if (!document) throw new Error('b is there')
    return { answer: null, revise: [{ document, content: 'b\ntwo' }] }
  })
  expect(await contents(documents)).toEqual(['b\ntwo', 'a\none'])
  const [first] = [...(await documents.read()).values()]
  if (!first) throw new Error('one is there')
  expect(first.version).toBe(2)
  const versions = await documents.versions(first)
  expect(versions.map(({ content }) => content)).toEqual(['b\none', 'b\ntwo'])
  expect(versions.map(({ actor }) => actor)).toEqual(['test:shelf', 'test:shelf'])

  await documents.change(author, () => ({ answer: null, remove: [first] }))
  expect(await contents(documents)).toEqual(['a\none'])
  const gone = await stack.getMemory('raw', first.id)
  expect(gone?.stored.strength).toBe(0) // the record of it stays
  await documents.change(author, () => ({ answer: null, create: ['b\nagain'] }))
  expect(await contents(documents)).toEqual(['a\none', 'b\nagain'])
  expect((await stack.ledger.audit()).ok).toBe(true)
})

test('another reader of the stack sees the same documents in the same order', async () => {
  const { stack } = await freshStack()
  const { seat, documents } = await opened(stack)
  const other = await opened(stack)
  const author = await seat.author()
  for (const key of ['x', 'y', 'z']) {
    await documents.change(author, () => ({ answer: null, create: [`${key}\n`] }))
    expect(await contents(other.documents)).toEqual(await contents(documents))
  }
  await other.documents.change(author, (live) => ({
    answer: null,
    remove: [...live.values()].slice(0, 1),
  }))
  expect(await contents(documents)).toEqual(['y\n', 'z\n'])
})

test('two writers at once lose nothing: each change is planned on what the other wrote', async () => {
  const { stack } = await freshStack()
  const writers = await Promise.all([1, 2, 3].map(() => opened(stack)))
  const add = async ({ seat, documents }: (typeof writers)[number], word: string) =>
    documents.change(await seat.author(), (live) => {
      const document = live.get('k')
      return document
        ? { answer: null, revise: [{ document, content: `${document.content}\n${word}` }] }
        : { answer: null, create: [`k\n${word}`] }
    })
  const words = writers.flatMap((writer, w) =>
    [1, 2, 3, 4, 5].map((n) => ({ writer, word: `w${w}n${n}` })),
  )
  await Promise.all(words.map(({ writer, word }) => add(writer, word)))
  const [first] = writers
  const [only = '', ...rest] = await contents(first?.documents as Documents)
  expect(rest).toEqual([])
  expect(only.split('\n').slice(1).sort()).toEqual(words.map(({ word }) => word).sort())
})

test('what was not written through the seat is not shown by the seat', async () => {
  const { stack } = await freshStack()
  const { seat, documents } = await opened(stack)
  const forged = new Seat(stack, 'another')
  const theirs = new Documents({ stack, seat: 'another', actor: forged.actor, keyOf })
  await theirs.change(await forged.author(), () => ({ answer: null, create: ['mine\nforged'] }))
  await stack.write({
    kind: 'raw',
    body: { content: 'mine\nforged too', contextTags: ['seat:shelf'] },
    provenance: {
      sourceType: 'direct_experience',
      label: { type: 'External', kind: 'ExternalFirstHand' },
      sourceId: seat.actor,
      ingestionPath: 'lib:raw',
      confidence: 1,
      llmModel: null,
    },
  })
  expect(await contents(documents)).toEqual([])
})

test('an erased or distrusted document is shown no more', async () => {
  const { stack } = await freshStack()
  const { seat, documents } = await opened(stack)
  const author = await seat.author()
  await documents.change(author, () => ({ answer: null, create: ['a\n1', 'b\n1', 'c\n1'] }))
  const live = await documents.read()
  await stack.erasure.erase(live.get('a')?.ref ?? '')
  await stack.sources.distrust(live.get('b')?.ref ?? '')
  expect(await contents(documents)).toEqual(['c\n1'])
  await stack.sources.distrust({ actor: seat.actor })
  expect(await contents(documents)).toEqual([])
})
