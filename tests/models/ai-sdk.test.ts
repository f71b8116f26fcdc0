import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { MockEmbeddingModelV4, MockLanguageModelV4 } from 'ai/test'
import { describe, expect, test } from 'vitest'
import { aiSdkModel } from '../../src/adapters/ai-sdk/index.ts'
import { items, lived, working } from '../components/support.ts'
import { holds } from '../support/holds.ts'
import { chat, openAiServer, vectors } from './openai-server.ts'

const USAGE = {
  inputTokens: { total: 12, noCache: 12, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 7, text: 7, reasoning: 0 },
}

const saying = (text: string) =>
  new MockLanguageModelV4({
    provider: 'mock',
    modelId: 'one',
    doGenerate: {
      content: [{ type: 'text', text }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: USAGE,
      warnings: [],
    },
  })

/** Three episodes that a belief may rest on, and what a good model makes of them. */
const EPISODES = ['red', 'blue', 'green'].map((colour) => ({
  objective: `The ${colour} deploy ran on Friday`,
  outcome: `The ${colour} deploy failed on Friday.`,
}))
const GOOD = items({
  content: { statement: 'Each deploy on Friday failed' },
  confidence: 0.7,
  cites: EPISODES.map(({ outcome }, at) => ({ source: `S${at + 1}`, quote: outcome })),
})

describe('a model of the SDK', () => {
  test('is asked for JSON of a shape, and says what it cost', async () => {
    const mock = saying('{"items":[]}')
    const model = aiSdkModel({ model: mock })
    const schema = { type: 'object', properties: {} }
    const options = { system: 'be brief', schema, outputTokensMax: 50, temperature: 0 }
    expect(await model.infer('hello', options)).toEqual({
      text: '{"items":[]}',
      inputTokens: 12,
      outputTokens: 7,
    })
    expect(model.modelId).toBe('mock:one')
    expect(mock.doGenerateCalls[0]).toMatchObject({
      maxOutputTokens: 50,
      temperature: 0,
      responseFormat: { type: 'json', schema },
    })
  })

  test('an answer in another shape is handed on to be judged, with its cost', async () => {
    const model = aiSdkModel({ model: saying('I would rather not.') })
    expect(await model.infer('hello', { schema: { type: 'object' } })).toEqual({
      text: 'I would rather not.',
      inputTokens: 12,
      outputTokens: 7,
    })
  })

  test('one that fails is unavailable, with its name', async () => {
    const broken = new MockLanguageModelV4({
      doGenerate: async () => {
        throw new Error('no route to host')
      },
    })
    await expect(aiSdkModel({ model: broken }).infer('hello')).rejects.toMatchObject({
      code: 'model_unavailable',
      facts: { isRetryable: true },
    })
  })

  test('an embedding model comes with its dimension, or not at all', () => {
    const embeddingModel = new MockEmbeddingModelV4()
    expect(() => aiSdkModel({ model: saying(''), embeddingModel })).toThrow('needs its dimension')
  })

  test('makes suggestions whose provenance names it', async () => {
    const place = await working()
    await lived(place, ...EPISODES)
    await place.me.setModel(aiSdkModel({ model: saying(GOOD) }))
    const report = await place.stack.review.process({
      transitions: ['episode_to_belief'],
      force: true,
    })
    expect(report).toMatchObject({
      steps: [{ status: 'done', by: 'model', examined: 3 }],
      spent: { calls: 1, tokens: 19 },
    })
    const [suggestion] = await place.stack.getSuggestions()
    expect(suggestion?.content).toMatchObject({ statement: 'Each deploy on Friday failed' })
    expect(suggestion?.provenance).toMatchObject({
      llmModel: 'mock:one',
      label: { type: 'ModelDerived' },
      sourceType: 'consolidation',
    })
  })
})

describe('a server that speaks the OpenAI protocol', () => {
  const provider = (url: string) => createOpenAICompatible({ name: 'tiny', baseURL: url })

  test('is asked, and its answer held against the sources', async () => {
    const { url, requests } = await openAiServer(() => chat(GOOD))
    const place = await working()
    await lived(place, ...EPISODES)
    await place.me.setModel(aiSdkModel({ model: provider(url).chatModel('tiny-1') }))
    const { steps, spent } = await place.stack.review.process({
      transitions: ['episode_to_belief'],
      force: true,
    })
    expect(steps[0]).toMatchObject({ status: 'done', error: null })
    expect(steps[0]?.made).toHaveLength(1)
    expect(spent).toEqual({ calls: 1, tokens: 49 })
    expect(requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      body: { model: 'tiny-1', max_tokens: 2_000, temperature: 0 },
    })
  })

  test('is asked again when it is busy, and every attempt is an entry with its cost', async () => {
    const { url, requests } = await openAiServer((_, nth) =>
      nth < 3 ? { status: 503, body: { error: { message: 'busy' } } } : chat(GOOD),
    )
    const place = await working({ timer: atOnce })
    await lived(place, ...EPISODES)
    await place.me.setModel(aiSdkModel({ model: provider(url).chatModel('tiny-1') }))
    const { steps } = await place.stack.review.process({
      transitions: ['episode_to_belief'],
      force: true,
    })
    expect(steps[0]).toMatchObject({ status: 'done' })
    expect(requests).toHaveLength(3)
    const calls = (await place.stack.list('report')).filter(
      ({ body }) => body.topic === 'model_call',
    )
    expect(calls.map(({ body }) => body.fields)).toEqual([
      expect.objectContaining({ outcome: 'answered', tokens: 49, inputTokens: 40 }),
      expect.objectContaining({ outcome: 'failed', tokens: 0 }),
      expect.objectContaining({ outcome: 'failed', tokens: 0 }),
    ])
  })

  test('one that refuses the key is asked once, and nothing is written but that', async () => {
    const { url, requests } = await openAiServer(() => ({
      status: 401,
      body: { error: { message: 'who are you' } },
    }))
    const place = await working()
    await lived(place, ...EPISODES)
    await place.me.setModel(aiSdkModel({ model: provider(url).chatModel('tiny-1') }))
    const { steps } = await place.stack.review.process({
      transitions: ['episode_to_belief'],
      force: true,
    })
    expect(steps[0]).toMatchObject({ status: 'failed', error: 'model_unavailable', made: [] })
    expect(requests).toHaveLength(1)
    expect(await place.stack.getSuggestions()).toEqual([])
  })

  test('one that never answers times out, is paid for in full, and nothing is half-written', async () => {
    const { url } = await openAiServer(() => 'hang')
    const place = await working({ timer: impatient })
    await lived(place, ...EPISODES)
    await place.me.setModel(aiSdkModel({ model: provider(url).chatModel('tiny-1') }))
    const { steps, spent } = await place.stack.review.process({
      transitions: ['episode_to_belief'],
      force: true,
    })
    expect(steps[0]).toMatchObject({ status: 'failed', error: 'model_unavailable' })
    expect(spent.calls).toBe(1)
    expect(spent.tokens).toBeGreaterThan(2_000)
    expect(await place.stack.getSuggestions()).toEqual([])
    expect((await place.stack.ledger.audit()).ok).toBe(true)
  })

  holds(
    'S-64',
    'its vectors are used for search while its core is attached, and made anew once',
    async () => {
      const near = (text: string): readonly number[] =>
        /dog|puppy/i.test(text) ? [1, 0, 0] : [0, 1, 0]
      const { url, requests } = await openAiServer(({ body }) =>
        vectors((body.input as readonly string[]).map(near)),
      )
      const place = await working()
      const { me, stack } = place
      await me.note('I adopted a puppy yesterday')
      await me.note('Taxes are due in spring')
      const built = await stack.maintenance()
      expect(built.embedding).toMatchObject({ reIndexed: 2, indexed: 2 })
      const model = aiSdkModel({
        model: saying(''),
        embeddingModel: provider(url).embeddingModel('tiny-embed'),
        dimension: 3,
      })
      await me.setModel(model)
      const now = await stack.maintenance()
      expect(now.embedding).toEqual({
        reIndexed: 2,
        indexed: 2,
        model: 'tiny.embedding:tiny-embed',
        dimension: 3,
      })
      const asked = requests.length
      const [best] = await stack.search('dog', { recordTypes: ['note'] })
      expect(best?.content).toBe('I adopted a puppy yesterday')
      expect(requests.length).toBe(asked + 1) // the question, and nothing that has a vector
      expect((await stack.maintenance()).embedding).toMatchObject({ reIndexed: 0 })
      await me.setModel(null)
      expect((await stack.maintenance()).embedding).toMatchObject({ reIndexed: 0, indexed: 2 })
    },
  )

  test('vectors that cannot be had leave the words, and the component is named', async () => {
    const { url } = await openAiServer(() => ({ status: 500, body: {} }))
    const { me, stack } = await working()
    await me.note('I adopted a puppy yesterday')
    const embeddingModel = provider(url).embeddingModel('tiny-embed')
    await me.setModel(aiSdkModel({ model: saying(''), embeddingModel, dimension: 3 }))
    const [best] = await stack.search('puppy')
    expect(best?.content).toBe('I adopted a puppy yesterday')
    expect((await stack.health.componentErrors()).embedding).toMatchObject([{ hook: 'onSearch' }])
    await me.note('Another day')
    expect(await stack.health.failingComponents()).toEqual({ embedding: ['onSearch'] })
  })
})

const CALL_MS = 60_000 // that a model may take

const timer =
  (shortened: (ms: number) => number) =>
  (ms: number, run: () => void): (() => void) => {
    const waiting = setTimeout(run, shortened(ms))
    return () => clearTimeout(waiting)
  }

/** Nobody waits between attempts. */
const atOnce = timer((ms) => (ms < CALL_MS ? 1 : ms))

/** A call has no time at all. */
const impatient = timer((ms) => (ms < CALL_MS ? ms : 50))
