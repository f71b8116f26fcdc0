import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { defaultComponents } from '../../components/default-components.ts'
import type { SaveEvent } from '../../ports/component.ts'
import { type Case, holds, shows } from '../manifest/case.ts'
import { idOf, type StackGiven } from './protocol-given.ts'
import { failing, part } from './protocol-part.ts'

export const hookCases: readonly Case<StackGiven>[] = [
  holds('S-73', 'onSave gets kind, id and memory, and what it returns is kept', async (given) => {
    const events: SaveEvent[] = []
    const mood = part('mood', {
      onSave: (event) => {
        events.push(event)
        return event.kind === 'note' ? { valence: 0.5, words: ['early'] } : null
      },
    })
    const hand = await given.open({ components: [mood, part('mute', { onSave: () => undefined })] })
    const { stack } = hand
    const id = await hand.id('note', { content: 'left early' })
    const [raw, note] = events
    deepStrictEqual([raw?.kind, note?.kind, note?.id], ['raw', 'note', id])
    strictEqual(note?.memory.text, 'left early')
    ok(Object.isFrozen(note.memory))
    const kept = await stack.getMemory('note', id)
    deepStrictEqual(kept?.annotations, { mood: { valence: 0.5, words: ['early'] } })
    strictEqual(kept.version, 1, 'its words are what they were')
    const [source] = await stack.getRaw()
    deepStrictEqual(source?.annotations, {}, 'none returned, none kept')
    deepStrictEqual((await stack.ledger.audit()).problems, [], 'through the ledger')
  }),

  shows('what components noted is there when the stack is opened again', async (given) => {
    const hand = await given.open({
      components: [part('mood', { onSave: () => ({ calm: true }) })],
    })
    const id = await hand.id('note')
    const { stack } = await given.reopen()
    deepStrictEqual((await stack.getMemory('note', id))?.annotations, { mood: { calm: true } })
    deepStrictEqual((await stack.ledger.audit()).problems, [])
  }),

  holds('S-73', 'captures are saves too; repeats are none', async (given) => {
    const kinds: string[] = []
    const witness = part('witness', {
      onSave: ({ kind }) => {
        kinds.push(kind)
        return { times: kinds.length }
      },
    })
    const hand = await given.open({ components: [witness] })
    const { stack } = hand
    const record = await hand.record('note')
    kinds.length = 0
    const id = await stack.saveNote(record)
    await stack.saveNote({ ...record, id })
    const restated = await stack.saveNote(await hand.record('note', { content: record.content }))
    strictEqual(restated, id, 'the same words of the same actor')
    deepStrictEqual(kinds, ['note'])
    const suggestion = await hand.id('suggestion', {
      memoryType: 'belief',
      content: { statement: 'What is early is rarely late' },
    })
    kinds.length = 0
    await stack.acceptSuggestion(suggestion)
    deepStrictEqual(kinds, ['raw', 'note', 'belief'], 'the chain, in its order')
  }),

  holds('S-72', 'a component that fails breaks nothing, and it shows', async (given) => {
    const broken = part('broken', {
      attach: failing,
      onSave: failing,
      onSearch: failing,
      onLoad: failing,
      onMaintenance: failing,
    })
    const well = part('well', {
      onSave: () => ({ fine: true }),
      onSearch: (results) => results.toReversed(),
      onLoad: (context) => {
        context.well = 'here'
      },
      onMaintenance: () => ({ done: 1 }),
    })
    const hand = await given.open({ components: [broken, well] })
    const { stack } = hand
    const id = await hand.id('note')
    deepStrictEqual((await stack.getMemory('note', id))?.annotations, { well: { fine: true } })
    strictEqual((await stack.search('train')).length, 1)
    const loaded: object = await stack.load()
    strictEqual('well' in loaded && loaded.well, 'here')
    const stats = await stack.maintenance()
    deepStrictEqual(stats.broken, { error: 'this component is broken' })
    deepStrictEqual(stats.well, { done: 1 })
    const errors = (await stack.health.componentErrors()).broken ?? []
    deepStrictEqual(errors.map(({ hook }) => hook).toSorted(), [
      'attach',
      'onLoad',
      'onMaintenance',
      'onSave',
      'onSearch',
    ])
  }),

  holds(
    'S-75',
    'onLoad adds members of its own to working memory, and changes no other',
    async (given) => {
      const seen: string[][] = []
      const adds = part('adds', {
        onLoad: (context) => {
          seen.push(Object.keys(context))
          context.weather = { rain: true }
        },
      })
      const later = part('later', {
        onLoad: (context) => {
          context.summary = context.weather
        },
      })
      const meddles = part('meddles', {
        onLoad: (context) => {
          context.notes = []
          context.mine = 1
        },
      })
      const hand = await given.open({ components: [adds, later, meddles] })
      await hand.make('note')
      const loaded = (await hand.stack.load()) as unknown as Record<string, unknown> // with additions
      deepStrictEqual(loaded.weather, { rain: true })
      deepStrictEqual(loaded.summary, { rain: true }, 'in the order of registration')
      strictEqual((loaded.notes as readonly unknown[]).length, 1)
      strictEqual(loaded.mine, undefined, 'all of it or none')
      ok(seen[0]?.includes('values') && seen[0].includes('_meta'))
    },
  ),

  holds(
    ['S-62', 'S-76'],
    'maintenance lets each work in turn and reports by name',
    async (given) => {
      const order: string[] = []
      const works = (name: string) =>
        part(name, {
          onMaintenance: async () => {
            order.push(name)
            await new Promise((resolve) => setImmediate(resolve))
            order.push(`${name} done`)
            return { worked: order.length }
          },
        })
      const quiet = part('quiet', { onMaintenance: () => null })
      const { stack } = await given.open({ components: [works('one'), quiet, works('two')] })
      const stats = await stack.maintenance()
      deepStrictEqual(order, ['one', 'one done', 'two', 'two done'])
      deepStrictEqual(stats.one, { worked: 2 })
      deepStrictEqual(stats.two, { worked: 4 })
      deepStrictEqual(Object.keys(stats).toSorted(), ['one', 'stack', 'two'])
    },
  ),

  holds(
    'S-62',
    'the eight report under their names, and a second run changes nothing',
    async (given) => {
      const hand = await given.open({ components: defaultComponents() })
      const { stack } = hand
      const faint = await hand.make('note')
      await hand.make('belief')
      await hand.setStrength(faint, 0.1)
      given.clock.advance({ days: 90 })
      const stats = await stack.maintenance()
      deepStrictEqual(stats.forgetting, { swept: 1, forgotten: 1, kept: 0 })
      ok(stats.consolidation && stats.metamemory && stats.knowledge)
      strictEqual((await stack.getMemory('note', idOf(faint)))?.strength, 0)
      const entries = await hand.entryCount()
      await stack.maintenance()
      strictEqual(await hand.entryCount(), entries)
    },
  ),
]
