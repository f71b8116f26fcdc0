import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { Entity } from '../../agent/entity.ts'
import type { InferencePort } from '../../ports/models.ts'
import { type Case, holds } from '../manifest/case.ts'
import type { StackGiven } from './protocol-given.ts'
import { part } from './protocol-part.ts'

const model = (modelId: string): InferencePort => ({ modelId, infer: async () => 'yes' })

export const coreCases: readonly Case<StackGiven>[] = [
  holds('S-03', 'a stack tells its id, its schema version and its components', async (given) => {
    const only = part('only')
    const { stack } = await given.open({ components: [only] })
    strictEqual(stack.stackId, 'protocol')
    ok(Number.isInteger(stack.schemaVersion) && stack.schemaVersion > 0)
    deepStrictEqual(stack.components, { only })
  }),

  holds('S-02', 'no core, one or several; what it holds stays as it is', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    await hand.make('note')
    const one = new Entity('one', { model: model('m1') })
    const two = new Entity('two')
    await one.attachStack(stack)
    await two.attachStack(stack)
    await one.note('said through one', { because: 'it was said' })
    await two.note('said through two', { because: 'it was said' })
    const before = await stack.dump({ format: 'json' })
    await one.setModel(model('m2'))
    await one.detachStack('protocol')
    await stack.addComponent(part('passing'))
    await stack.removeComponent('passing')
    await two.detachStack('protocol')
    strictEqual(await stack.dump({ format: 'json' }), before)
    await hand.make('note')
    deepStrictEqual((await stack.ledger.audit()).problems, [])
  }),

  holds(
    'S-83',
    'with no core a stack opens, answers, exports and maintains itself',
    async (given) => {
      const hand = await given.open()
      await hand.make('note', { content: 'kept without a core' })
      const { stack } = await given.open()
      strictEqual((await stack.getNotes()).length, 1)
      strictEqual((await stack.search('core')).length, 1)
      strictEqual((await stack.load()).notes.length, 1)
      ok((await stack.dump()).includes('kept without a core'))
      ok(await stack.maintenance())
      ok((await stack.ledger.audit()).ok)
    },
  ),

  holds('S-82', 'the core fills in source, source type, times, tags and lineage', async (given) => {
    const { stack } = await given.open()
    const me = new Entity('my-agent', { modelId: 'model-7' })
    await me.attachStack(stack)
    const raw = await me.raw('The bridge is closed', { source: 'a sign', session: 's1' })
    const placed = { context: 'project:bridge', contextTags: ['city'] }
    const episode = await me.episode({
      objective: 'cross the river',
      outcome: 'walked around',
      derivedFrom: [raw.ref],
      ...placed,
    })
    const belief = await me.belief('The bridge is closed on Mondays', {
      derivedFrom: [episode.ref],
      eventTime: '2025-12-31T00:00:00.000Z',
    })
    const heard = (await stack.getMemory('raw', raw.id))?.provenance
    strictEqual(heard?.sourceEntity, 'a sign')
    strictEqual(heard.sourceType, 'direct_experience')
    strictEqual(heard.session, 's1')
    strictEqual(heard.timestamp, '2026-01-01T00:00:00.000Z')
    const done = await stack.getMemory('episode', episode.id)
    deepStrictEqual(done?.provenance.derivedFrom, [raw.ref])
    strictEqual(done.body.context, 'project:bridge')
    deepStrictEqual(done.body.contextTags, ['city'])
    const held = (await stack.getMemory('belief', belief.id))?.provenance
    strictEqual(held?.sourceType, 'inference')
    strictEqual(held.llmModel, 'model-7')
    strictEqual(held.sourceId, 'my-agent')
    strictEqual(held.eventTime, '2025-12-31T00:00:00.000Z')
    deepStrictEqual(held.derivedFrom, [episode.ref])
  }),
]
