import { describe, expect, test } from 'vitest'
import { idOf, smallFamily } from './support.ts'

describe('that a memory has faded', () => {
  test('is not taken down by an answer, so that it is not said again', async () => {
    const { stack, store, episode } = await smallFamily()
    const flags = () =>
      store
        .rows(stack.stackId)
        .memories.get(episode)
        ?.flags.map((f) => f.code)
    await stack.changes.weaken(episode, 0.85)
    const note = () => stack.changes.change(episode, { type: 'note_dormant' }, 'test')
    const clear = () => stack.changes.change(episode, { type: 'clear' }, 'test')
    expect(await note()).toMatchObject({ changed: true })
    expect(await clear()).toMatchObject({ changed: false, reason: 'already_so' })
    await stack.changes.change(episode, { type: 'ask_review' }, 'test')
    expect(await clear()).toMatchObject({ changed: true })
    expect(flags()).toEqual(['dormant'])
    expect(await note()).toMatchObject({ changed: false, reason: 'already_so' })
    // Called to mind often enough it is no longer faint; fading again is said again.
    for (let times = 0; times < 4; times += 1) await stack.recordAccess('episode', idOf(episode))
    expect(flags()).toEqual([])
    await stack.changes.weaken(episode, 0.1)
    expect(await note()).toMatchObject({ changed: true })
    expect((await stack.ledger.audit()).ok).toBe(true)
  })
})
