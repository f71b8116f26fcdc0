import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { label } from '../../src/domain/labels.ts'
import type { ComponentHost } from '../../src/ports/component.ts'
import type { InferencePort } from '../../src/ports/models.ts'
import { holds } from '../support/holds.ts'
import { model, never, part, registryOf } from './component-registry.ts'
import { freshStack } from './support.ts'

/** A component that writes down which model it was given. */
function listener(name = 'listener', needsInference = true) {
  const told: (string | null)[] = []
  const onInference = (given: InferencePort | null): void => {
    told.push(given?.modelId ?? null)
  }
  return { told, component: part(name, { needsInference, onInference }) }
}

describe('models of several cores', () => {
  test('a component has the model of the latest core that brought one', async () => {
    const { told, component } = listener()
    const { registry } = registryOf(component)
    await registry.attached('a', model('m1'))
    await registry.attached('b', null)
    await registry.attached('c', model('m3'))
    await registry.detached('b')
    await registry.detached('c')
    await registry.detached('a')
    await registry.detached('a')
    expect(told).toEqual(['m1', 'm3', 'm1', null])
  })

  test('a changed model is that of its own core, or of the latest', async () => {
    const { told, component } = listener()
    const { registry } = registryOf(component)
    await registry.attached('a', model('a1'))
    await registry.attached('b', model('b1'))
    await registry.modelChanged(model('a2'), 'a')
    await registry.modelChanged(model('b2'))
    await registry.modelChanged(null)
    expect(told).toEqual(['a1', 'b1', 'b2', 'a2'])
    await expect(registry.modelChanged(null, 'c')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('one that comes later is told at once, one that goes lets go, one without need is spared', async () => {
    const late = listener('late')
    const spared = listener('spared', false)
    const { registry } = registryOf(spared.component)
    await registry.attached('a', model('m'))
    registry.add(late.component)
    registry.remove('late')
    await registry.detached('a')
    expect(late.told).toEqual(['m', null])
    expect(spared.told).toEqual([])
  })

  test('a component that hangs over one model is still told of the next', async () => {
    const told: (string | null)[] = []
    const slow = part('slow', {
      needsInference: true,
      onInference: (given) => {
        told.push(given?.modelId ?? null)
        return never()
      },
    })
    const { registry, expire } = registryOf(slow)
    const first = registry.attached('a', model('m'))
    await expire()
    await first
    const second = registry.detached('a')
    await expire()
    await second
    expect(told).toEqual(['m', null])
    expect(registry.errors().slow?.[0]).toMatchObject({ hook: 'onInference', count: 2 })
  })

  test('every component gets a view of the stack that knows its name', () => {
    const met: string[] = []
    const meeting = (name: string) =>
      part(name, { attach: (host) => void met.push(`${name} ${host.stackId}`) })
    const { registry } = registryOf(meeting('a'), part('bad', { attach: () => never() }))
    registry.connect((name) => ({ stackId: `for ${name}` }) as unknown as ComponentHost)
    registry.add(meeting('b'))
    expect(met).toEqual(['a for a', 'b for b'])
  })
})

describe('a stack and its components', () => {
  holds('S-59', 'a stack comes with the eight, in their order', async () => {
    const { stack } = await freshStack()
    expect(Object.keys(stack.components)).toEqual([
      'embedding',
      'forgetting',
      'consolidation',
      'emotions',
      'anxiety',
      'suggestions',
      'metamemory',
      'knowledge',
    ])
  })

  test('only embedding is required, and four need inference', async () => {
    const { stack } = await freshStack()
    const all = Object.values(stack.components)
    const names = (which: 'required' | 'needsInference') =>
      all.filter((one) => one[which]).map(({ name }) => name)
    expect(names('required')).toEqual(['embedding'])
    expect(names('needsInference')).toEqual([
      'embedding',
      'consolidation',
      'emotions',
      'suggestions',
    ])
  })

  holds('S-60', 'an empty list opens a bare stack', async () => {
    const { stack } = await freshStack({ components: [] })
    expect(stack.components).toEqual({})
  })

  holds(
    'S-61',
    'components are put in, looked up and taken out, and a required one stays',
    async () => {
      const { stack } = await freshStack()
      const mine = part('mine')
      await stack.addComponent(mine)
      expect(await stack.getComponent('mine')).toBe(mine)
      expect(Object.keys(stack.components).at(-1)).toBe('mine')
      await stack.removeComponent('mine')
      await stack.removeComponent('anxiety')
      expect(await stack.getComponent('mine')).toBeNull()
      expect(await stack.getComponent('anxiety')).toBeNull()
      await expect(stack.removeComponent('embedding')).rejects.toMatchObject({
        code: 'invalid_input',
      })
      expect(await stack.getComponent('embedding')).not.toBeNull()
    },
  )

  holds(
    'S-58',
    'a stack is told of a core coming and leaving, and of a changed model',
    async () => {
      const { told, component } = listener()
      const { stack } = await freshStack({ components: [component] })
      await stack.onAttach('core', model('m1'))
      await stack.onModelChanged(model('m2'))
      await stack.onDetach('core')
      expect(told).toEqual(['m1', 'm2', null])
      expect(await stack.health.componentErrors()).toEqual({})
    },
  )
})

describe('a core and its model', () => {
  test('it is brought to every stack, taken away when the core leaves, and named in provenance', async () => {
    const one = listener()
    const two = listener()
    const first = await freshStack({ components: [one.component] })
    const second = await freshStack({ components: [two.component] })
    const me = new Entity('me', { model: model('m1') })
    await me.attachStack(first.stack, { alias: 'first' })
    await me.attachStack(second.stack, { alias: 'second' })
    await me.setModel(model('m2'))
    const raw = await me.raw('rain all week')
    const { id } = await me.note('It rains', {
      label: label.modelDerived(),
      derivedFrom: [raw.ref],
    })
    const note = await second.stack.getMemory('note', id)
    expect(note?.provenance.llmModel).toBe('m2')
    await me.detachStack('first')
    await me.setModel(null)
    expect(one.told).toEqual(['m1', 'm2', null])
    expect(two.told).toEqual(['m1', 'm2', null])
  })

  test('a stack attached twice is left with the second name, and a replaced one at once', async () => {
    const one = listener()
    const two = listener()
    const first = await freshStack({ components: [one.component] })
    const second = await freshStack({ components: [two.component] })
    const me = new Entity('me', { model: model('m') })
    await me.attachStack(first.stack, { alias: 'a' })
    await me.attachStack(first.stack, { alias: 'b' })
    await me.detachStack('a')
    expect(one.told).toEqual(['m'])
    await me.attachStack(second.stack, { alias: 'b' })
    expect(one.told).toEqual(['m', null])
    expect(two.told).toEqual(['m'])
  })

  test('what is no model is refused', async () => {
    const me = new Entity('me')
    await expect(me.setModel({} as InferencePort)).rejects.toMatchObject({ code: 'invalid_input' })
  })
})
