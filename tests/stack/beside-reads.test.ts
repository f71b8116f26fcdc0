import { expect, test } from 'vitest'
import { label } from '../../src/index.ts'
import type { ReadQuery } from '../../src/ports/store.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { at, freshStack, saying } from './support.ts'

/** A store that says what it was asked for. */
class AskedStore extends MemoryStore {
  readonly asked: ReadQuery[] = []

  override async read(...args: Parameters<MemoryStore['read']>): Promise<never> {
    this.asked.push(args[1])
    return (await super.read(...args)) as never // whatever was asked for
  }

  timesAsked(of: 'standing' | 'sealed'): number {
    const nameOf = (query: ReadQuery) => (query.type === 'table' ? query.name : query.type)
    return this.asked.filter((query) => nameOf(query) === of).length
  }
}

async function withNote() {
  const store = new AskedStore()
  const { stack } = await freshStack({ store })
  const raw = await stack.write({
    kind: 'raw',
    body: { content: 'Two trains were late' },
    provenance: saying('ExternalFirstHand'),
  })
  const derivedFrom = raw.ref === null ? [] : [raw.ref]
  const note = (content: string) =>
    stack.write({
      kind: 'note',
      body: { content },
      provenance: saying('ExternalFirstHand', { derivedFrom }),
    })
  return { store, stack, note }
}

const REASONS = Array.from({ length: 20 }, (_, index) => `reason ${index}`)

test('however many reasons are told, where the stack stands is read no more often', async () => {
  const { store, stack, note } = await withNote()
  const { ref } = await note('Trains are late')
  const ask = async () => {
    store.asked.length = 0
    const { changes, strengthHistory } = await stack.history.why(String(ref))
    const told = changes.flatMap(({ text }) => text ?? [])
    expect(strengthHistory.flatMap(({ text }) => text ?? [])).toEqual(told)
    return { told, standing: store.timesAsked('standing'), sealed: store.timesAsked('sealed') }
  }
  await stack.changes.weaken(String(ref), 0.001, { reason: 'reason' })
  const one = await ask()
  for (const reason of REASONS) await stack.changes.weaken(String(ref), 0.001, { reason })

  const all = await ask()

  // Words of each change are read to be shown; those of each entry and source to be checked once.
  expect(one).toMatchObject({ told: ['reason'], sealed: 1 + 3 })
  expect(all).toMatchObject({ told: ['reason', ...REASONS], sealed: 21 + 23 })
  expect(all.standing).toBeLessThanOrEqual(one.standing) // the first read also looks for losses
})

test('however many wishes wait, where the stack stands is read no more often', async () => {
  const { store, stack, note } = await withNote()
  const wish = async (words: string): Promise<void> => {
    const { ref } = await note(words)
    const model = { label: label.modelDerived(), caller: at('mcp') }
    await stack.changes.change(String(ref), { type: 'forget' }, 'test', { ...model, reason: words })
  }
  const ask = async () => {
    await stack.review.list() // waits for the checks of new notes, which read by themselves
    store.asked.length = 0
    const wishes = (await stack.review.list({ kinds: ['proposal'] })).map(
      (item) => item.proposal?.text,
    )
    return { count: wishes.length, standing: store.timesAsked('standing') }
  }
  await wish('the first train')
  const one = await ask()
  for (const reason of REASONS.slice(0, 5)) await wish(`another train for ${reason}`)

  const all = await ask()
  expect(all.count).toBe(6)
  expect(all.standing).toBeLessThanOrEqual(one.standing)
})
