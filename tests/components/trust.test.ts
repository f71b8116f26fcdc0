import { expect, test } from 'vitest'
import { defaultComponents } from '../../src/components/default-components.ts'
import { ComponentRegistry } from '../../src/engine/components/component-registry.ts'
import { isTrusted, trusted } from '../../src/ports/component.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { part } from '../stack/component-registry.ts'

test('the eight of the stack are trusted, and a component of a host is not', () => {
  expect(defaultComponents().map(isTrusted)).toEqual(Array(8).fill(true))
  expect(isTrusted(part('guest', {}))).toBe(false)
})

test('a trusted component gets the event itself, a guest gets a frozen copy', async () => {
  const seen: unknown[] = []
  const see = { onSave: (event: unknown) => void seen.push(event) }
  const components = [trusted(part('own', see)), part('guest', see)]
  const registry = new ComponentRegistry({ ...fakeWorld(1), timer: () => () => {}, components })
  const event = { kind: 'note', memory: { body: { content: 'tea' } } }
  await registry.dispatchSave(event as never) // the members that the hook reads
  expect(seen[0]).toBe(event)
  expect(seen[1]).not.toBe(event)
  expect(seen[1]).toEqual(event)
  expect(Object.isFrozen(seen[1])).toBe(true)
})

test('an error of a trusted component stays with the component', async () => {
  const fail = (): never => {
    throw new Error('broken')
  }
  const own = trusted(part('own', { onSave: fail, onLoad: fail, onMaintenance: fail }))
  const fine = part('fine', { onLoad: (context) => void Object.assign(context, { added: 1 }) })
  const registry = new ComponentRegistry({
    ...fakeWorld(1),
    timer: () => () => {},
    components: [own, fine],
  })
  expect(await registry.dispatchSave({ kind: 'note' } as never)).toBeNull()
  expect(await registry.dispatchLoad({ given: 1 })).toEqual({ given: 1, added: 1 })
  expect(await registry.dispatchMaintenance()).toEqual({ own: { error: 'broken' } })
  registry.remove('own')
  expect(Object.keys(registry.asRecord())).toEqual(['fine'])
})

test('members that a trusted component adds in load are kept beside those of others', async () => {
  const add = (name: string) => ({
    onLoad: (context: Record<string, unknown>) => void Object.assign(context, { [name]: 1 }),
  })
  const components = [trusted(part('own', add('first'))), part('guest', add('second'))]
  const registry = new ComponentRegistry({ ...fakeWorld(1), timer: () => () => {}, components })
  expect(await registry.dispatchLoad({ given: 1 })).toEqual({ given: 1, first: 1, second: 1 })
})
