import { describe, expect, test } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import type { ComponentHost } from '../../src/ports/component.ts'
import type { Stack } from '../../src/stack.ts'
import { part } from '../stack/component-registry.ts'
import { holds } from '../support/holds.ts'
import { working } from './support.ts'

describe('a component', () => {
  holds(
    'S-72',
    'whose fields cannot be kept loses them, and not the write they were made for',
    async () => {
      let stack: Stack | undefined
      const meddling = part('meddling', {
        onSave: async () => {
          await stack?.control.setState('MAINTENANCE') // from here on nothing is taken
          return { noted: true }
        },
      })
      const place = await working({ components: [meddling] })
      stack = place.stack
      const { id } = await place.me.note('This is kept')
      await stack.control.setState('ACTIVE')
      expect(await stack.getMemory('note', id)).toMatchObject({ annotations: {} })
      expect((await stack.health.componentErrors()).meddling).toMatchObject([{ hook: 'onSave' }])
    },
  )

  holds('S-72', 'that fails is not cleared by a process that does not have it', async () => {
    const state = { isBroken: true }
    const broken = part('broken', {
      onSave: () => {
        if (state.isBroken) throw new Error('no')
        return null
      },
    })
    const { me, stack, store } = await working({ components: [broken] })
    await me.note('one thing')
    const elsewhere = await openStack('work', { store, components: [] })
    await elsewhere.maintenance()
    expect(await elsewhere.health.failingComponents()).toEqual({ broken: ['onSave'] })
    await elsewhere.close()
    state.isBroken = false
    await stack.maintenance()
    expect(await stack.health.failingComponents()).toEqual({ broken: ['onSave'] }) // nobody knows better yet
    await me.note('another thing')
    await stack.maintenance()
    expect(await stack.health.failingComponents()).toEqual({})
  })

  test('that fails and is taken out is not named any more', async () => {
    const broken = part('broken', {
      onLoad: () => {
        throw new Error('no')
      },
    })
    const { me, stack } = await working({ components: [broken] })
    await stack.load()
    await me.note('one thing')
    expect(await stack.health.failingComponents()).toEqual({ broken: ['onLoad'] })
    await stack.removeComponent('broken')
    await expect(stack.removeComponent('broken')).rejects.toMatchObject({ code: 'not_found' })
    await stack.maintenance()
    expect(await stack.health.failingComponents()).toEqual({})
  })

  test('that was taken out does nothing any more, whatever it kept', async () => {
    let host: ComponentHost | undefined
    const kept = part('kept', {
      attach: (given) => {
        host = given
      },
    })
    const { me, stack, entries } = await working({ components: [kept] })
    const { ref } = await me.note('one thing')
    expect(await host?.annotate(ref, { a: 1 })).toBe(true)
    await stack.removeComponent('kept')
    const before = await entries()
    await expect((async () => host?.annotate(ref, { a: 2 }))()).rejects.toMatchObject({
      code: 'scope',
    })
    await expect((async () => host?.forget(ref, 'mine'))()).rejects.toMatchObject({ code: 'scope' })
    expect(await entries()).toBe(before)
    await stack.addComponent(part('kept'))
    await expect((async () => host?.list('note'))()).rejects.toMatchObject({ code: 'scope' })
  })
})

describe('maintenance', () => {
  test('does not answer for whoever watches it, and tells him at the end', async () => {
    const { me, stack } = await working()
    await me.note('one thing')
    const onProgress = ({ component }: { component: string }) => {
      if (component !== 'stack') throw new Error('mine')
    }
    await expect(stack.maintenance({ onProgress })).rejects.toThrow('mine')
    expect(await stack.health.componentErrors()).toEqual({})
    expect((await stack.maintenance()).embedding).toMatchObject({ reIndexed: 0 }) // all was done
  })

  test('run twice at once proposes nothing twice', async () => {
    const { me, stack } = await working()
    for (let at = 0; at < 5; at += 1) {
      await me.raw(`I tried number ${at} today. It failed because of a lock.`)
    }
    await Promise.all([stack.maintenance(), stack.maintenance(), stack.review.process()])
    expect(await stack.getSuggestions()).toHaveLength(5)
  })
})
