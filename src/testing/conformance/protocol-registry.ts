import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { defaultComponents } from '../../components/default-components.ts'
import type { InferencePort } from '../../ports/models.ts'
import { type Case, holds } from '../manifest/case.ts'
import { errorOf } from './compare.ts'
import type { StackGiven } from './protocol-given.ts'
import { part } from './protocol-part.ts'

const EIGHT = [
  'embedding',
  'forgetting',
  'consolidation',
  'emotions',
  'anxiety',
  'suggestions',
  'metamemory',
  'knowledge',
]

const model = (modelId: string): InferencePort => ({ modelId, infer: async () => 'yes' })

export const registryCases: readonly Case<StackGiven>[] = [
  holds('S-59', 'a stack comes with the eight, in their order', async (given) => {
    const { stack } = await given.open({ components: defaultComponents() })
    deepStrictEqual(Object.keys(stack.components), EIGHT)
    const required = Object.values(stack.components).filter((each) => each.required)
    deepStrictEqual(
      required.map(({ name }) => name),
      ['embedding'],
    )
    const inferring = Object.values(stack.components).filter((each) => each.needsInference)
    deepStrictEqual(inferring.map(({ name }) => name).toSorted(), [
      'consolidation',
      'embedding',
      'emotions',
      'suggestions',
    ])
  }),

  holds('S-60', 'an empty list of components is a bare stack that works', async (given) => {
    const hand = await given.open({ components: [] })
    deepStrictEqual(hand.stack.components, {})
    await hand.make('note')
    strictEqual((await hand.stack.search('train')).length, 1)
    ok(await hand.stack.load())
    deepStrictEqual(Object.keys(await hand.stack.maintenance()), ['stack'])
  }),

  holds(
    'S-61',
    'components are put in, looked up and taken out; a required one stays',
    async (given) => {
      const { stack } = await given.open()
      const loose = part('loose')
      const fixed = part('fixed', { required: true })
      await stack.addComponent(loose)
      await stack.addComponent(fixed)
      strictEqual(await stack.getComponent('loose'), loose)
      strictEqual(await stack.getComponent('nothing'), null)
      deepStrictEqual(Object.keys(stack.components), ['loose', 'fixed'])
      const codeOf = async (work: () => Promise<void>) => (await errorOf(work, 'refused')).code
      strictEqual(await codeOf(() => stack.addComponent(part('loose'))), 'invalid_input')
      strictEqual(await codeOf(() => stack.addComponent(part('stack'))), 'invalid_input')
      strictEqual(await codeOf(() => stack.removeComponent('fixed')), 'invalid_input')
      strictEqual(await codeOf(() => stack.removeComponent('nothing')), 'not_found')
      await stack.removeComponent('loose')
      deepStrictEqual(Object.keys(stack.components), ['fixed'])
    },
  ),

  holds('S-58', 'cores come and go and change models; components hear of it', async (given) => {
    const told: (string | null)[] = []
    const needy = part('needy', {
      needsInference: true,
      onInference: (inference) => {
        told.push(inference?.modelId ?? null)
      },
    })
    const { stack } = await given.open({ components: [needy] })
    await stack.onAttach('one')
    deepStrictEqual(told, [], 'a core without a model')
    await stack.onModelChanged(model('first'))
    await stack.onAttach('two', model('second'))
    await stack.onModelChanged(model('third'), 'two')
    await stack.onDetach('two')
    await stack.onModelChanged()
    await stack.onDetach('one')
    deepStrictEqual(told, ['first', 'second', 'third', 'first', null])
  }),
]
