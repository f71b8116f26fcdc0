import { expect, onTestFinished, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { readEvent } from '../../src/doors/hook/event.ts'
import { runHook } from '../../src/doors/hook/run-hook.ts'

const event = (more: object = {}) => readEvent({ session_id: 'mine', ...more })

test('the note that ends a session is neither loaded nor found, and list, get and history have it', async () => {
  const stack = await openStack('hooked', { path: ':memory:' })
  onTestFinished(() => stack.close())
  const me = new Entity('host')
  await me.attachStack(stack)
  const real = await me.note('The person asked for trains to Porto', { tags: ['checkpoint'] })
  await runHook('prompt', stack, event({ prompt: 'Find trains to Porto' }))
  await runHook('end', stack, event({ reason: 'exit' }))

  const listed = await stack.list('note')
  const ended = listed.find(({ text }) => text.startsWith('Session mine until its end'))
  expect(ended?.text).toContain('- Find trains to Porto')
  const ref = ended?.ref ?? ''
  expect((await stack.getMemory('note', ended?.id ?? ''))?.ref).toBe(ref)
  expect((await stack.history.why(ref)).changes).toHaveLength(1)

  const loaded = await stack.load()
  expect(loaded.notes.map(({ memory }) => memory.ref)).toEqual([real.ref])
  const question = 'session until its end, trains to Porto'
  const found = (await stack.search(question, { limit: 50 })).map(({ memoryId }) => memoryId)
  expect(found).toContain(real.id)
  expect(found).not.toContain(ended?.id)
  const whyNot = await stack.lookup.whyNot(question, ref)
  expect(whyNot.reasons[0]).toMatchObject({ code: 'kind', remedy: null })
  const past = await stack.search(question, {
    limit: 50,
    asOf: (await stack.health.overview()).head?.seq ?? 0,
  })
  expect(past.map(({ memoryId }) => memoryId)).not.toContain(ended?.id)
})
