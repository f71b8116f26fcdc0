import { describe, expect, test } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { type HookEvent, readEvent } from '../../src/doors/hook/event.ts'
import { runHook } from '../../src/doors/hook/run-hook.ts'
import type { Stack } from '../../src/stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'

const told = (session: string, more: object = {}): HookEvent =>
  readEvent({ session_id: session, ...more })

const prompts = async (stack: Stack, session: string, count: number): Promise<void> => {
  for (let index = 0; index < count; index += 1) {
    await runHook('prompt', stack, told(session, { prompt: `${session} asks number ${index}` }))
  }
}

const notesOf = async (stack: Stack): Promise<readonly string[]> =>
  (await stack.getNotes({ tags: ['checkpoint'] })).map(({ text }) => text.split('\n')[0] ?? '')

describe('the note of a compaction', () => {
  test('counts all of its session, however much others captured since', async () => {
    const stack = await openStack('hooked', { store: new MemoryStore() })
    await prompts(stack, 'mine', 130)
    await prompts(stack, 'other', 520)
    await runHook('compact', stack, told('mine', { trigger: 'auto' }))
    expect(await notesOf(stack)).toEqual([
      'Session mine until its compaction (auto), captured anew: 130 prompts, 0 tool results.',
    ])
  })

  test('begins behind the last one, also where many sessions had theirs since', async () => {
    const stack = await openStack('hooked', { store: new MemoryStore() })
    await prompts(stack, 'mine', 3)
    await runHook('compact', stack, told('mine'))
    for (let index = 0; index < 60; index += 1) {
      await prompts(stack, `other ${index}`, 1)
      await runHook('compact', stack, told(`other ${index}`))
    }
    await runHook('compact', stack, told('mine'))
    await runHook('prompt', stack, told('mine', { prompt: 'one more' }))
    await runHook('end', stack, told('mine', { reason: 'exit' }))
    const mine = (await notesOf(stack)).filter((text) => text.includes('Session mine'))
    expect(mine).toEqual([
      'Session mine until its end (exit), captured anew: 1 prompts, 0 tool results.',
    ])
  })
})
