import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { systemTimer } from '../../src/compose/node-world.ts'
import {
  type AiSdkEmbeddingModel,
  aiSdkEmbedder,
} from '../../src/recall/embed/providers/ai-sdk-embedder.ts'
import {
  type HttpEmbedderOptions,
  httpEmbedder,
} from '../../src/recall/embed/providers/http-embedder.ts'
import { transformersEmbedder } from '../../src/recall/embed/providers/transformers-embedder.ts'

interface Asked {
  readonly path: string | undefined
  readonly key: string | undefined
  readonly body: { readonly model: string; readonly input: readonly string[] }
}
type Answer = (asked: Asked) => { status?: number; text?: string } | 'nothing'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A server on this machine that answers as it is told; gives its address and what it was asked. */
async function serving(answer: Answer): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { url: path, headers } = request
    const body = JSON.parse(Buffer.concat(parts).toString('utf8'))
    const one = { path, key: headers.authorization, body }
    asked.push(one)
    const told = answer(one)
    if (told === 'nothing') return
    response.writeHead(told.status ?? 200, { 'content-type': 'application/json' })
    response.end(told.text ?? '')
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked }
}

/** The text's first two letters as a vector: enough to see whose vector came back. */
const letters = (text: string): readonly number[] => [text.charCodeAt(0), text.charCodeAt(1) || 0]

const openAi: Answer = ({ body }) => ({
  text: JSON.stringify({
    data: body.input.map((text, index) => ({ index, embedding: letters(text) })).reverse(),
  }),
})

const over = (url: string, options: Partial<HttpEmbedderOptions> = {}) =>
  httpEmbedder({ url, model: 'm', dimension: 2, ...options }, { fetch, timer: systemTimer })

const LENGTH = 44 // of a vector of two components
const unavailable = { code: 'embedder_unavailable' }

describe('over HTTP', () => {
  test('vectors come back in the order of the texts, whatever the order of the answer', async () => {
    const { url, asked } = await serving(openAi)
    const embedder = over(`${url}/`, { key: 'secret', batchTextsMax: 2 })
    const { values, ...rest } = await embedder.embed(['a', 'b', 'c\u0003'])
    expect(rest).toEqual({ embedder: 'http:m:2', dimension: 2, count: 3 })
    expect([...values]).toEqual([LENGTH, 0, LENGTH, 0, LENGTH, 1])
    expect(asked.map(({ body }) => body.input)).toEqual([['a', 'b'], ['c\u0003']])
    expect(asked[0]).toMatchObject({ path: '/v1/embeddings', key: 'Bearer secret' })
    expect(asked[0]?.body).toEqual({ model: 'm', input: ['a', 'b'], encoding_format: 'float' })
  })

  test('the dimension is asked for where the model takes it', async () => {
    const { url, asked } = await serving(openAi)
    await over(url, { asksDimension: 'yes' }).embed(['a'])
    expect(asked[0]?.body).toMatchObject({ dimensions: 2 })
    expect(asked[0]?.key).toBeUndefined()
  })

  test('nothing to embed asks nothing', async () => {
    const { url, asked } = await serving(openAi)
    expect((await over(url).embed([])).count).toBe(0)
    expect(asked).toEqual([])
  })

  test.each<[string, Answer]>([
    ['a refusal', () => ({ status: 401, text: '{"error":"secret words"}' })],
    ['a page', () => ({ text: '<html>' })],
    ['no list', () => ({ text: '{"data":7}' })],
    ['a list of nothing', () => ({ text: '{"data":[null]}' })],
    ['one vector too few', () => ({ text: '{"data":[]}' })],
    ['an item without a vector', () => ({ text: '{"data":[{"index":0}]}' })],
    ['another dimension', () => ({ text: '{"data":[{"index":0,"embedding":[1,2,3]}]}' })],
    ['no number', () => ({ text: '{"data":[{"index":0,"embedding":[1,"x"]}]}' })],
    ['no number at all', () => ({ text: '{"data":[{"index":0,"embedding":[1,null]}]}' })],
  ])('%s is a coded error that repeats none of it', async (_, answer) => {
    const { url } = await serving(answer)
    const failed = await over(url)
      .embed(['a'])
      .catch((error: unknown) => error)
    expect(failed).toMatchObject(unavailable)
    expect(String(failed)).not.toContain('secret')
  })

  test('a server that is not there is a coded error', async () => {
    const { url } = await serving(openAi)
    for (const server of servers.splice(0)) await new Promise((done) => server.close(done))
    await expect(over(url).embed(['a'])).rejects.toMatchObject(unavailable)
  })

  test('a server that does not answer in time is a coded error', async () => {
    const { url } = await serving(() => 'nothing')
    await expect(over(url, { timeoutMs: 20 }).embed(['a'])).rejects.toMatchObject({
      ...unavailable,
      cause: { message: 'no answer in 20 ms' },
    })
  })

  test('whoever asked may call it off', async () => {
    const { url } = await serving(() => 'nothing')
    const ending = new AbortController()
    const asked = over(url).embed(['a'], { signal: ending.signal })
    ending.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
  })
})

describe('through the AI SDK', () => {
  const model = (given: Partial<AiSdkEmbeddingModel> = {}): AiSdkEmbeddingModel => ({
    provider: 'p',
    modelId: 'm',
    maxEmbeddingsPerCall: 2,
    doEmbed: async ({ values }) => ({ embeddings: values.map(letters) }),
    ...given,
  })

  test('texts go in calls of the size that the model takes', async () => {
    const sizes: number[] = []
    const embedder = aiSdkEmbedder({
      dimension: 2,
      model: model({
        doEmbed: async ({ values }) => {
          sizes.push(values.length)
          return { embeddings: values.map(letters) }
        },
      }),
    })
    const { embedder: by, count, values } = await embedder.embed(['a', 'b', 'c'])
    expect([by, count, sizes]).toEqual(['p:m', 3, [2, 1]])
    expect([...values]).toEqual([LENGTH, 0, LENGTH, 0, LENGTH, 0])
  })

  test('a limit may be told late, or not at all', async () => {
    for (const maxEmbeddingsPerCall of [Promise.resolve(1), undefined]) {
      const embedder = aiSdkEmbedder({ model: model({ maxEmbeddingsPerCall }), dimension: 2 })
      expect((await embedder.embed(['a', 'b'])).count).toBe(2)
    }
  })

  test('a model that fails, or makes vectors of another dimension, is a coded error', async () => {
    const failing = model({ doEmbed: () => Promise.reject(new Error('quota')) })
    await expect(
      aiSdkEmbedder({ model: failing, dimension: 2 }).embed(['a']),
    ).rejects.toMatchObject({ ...unavailable, cause: { message: 'quota' } })
    await expect(
      aiSdkEmbedder({ model: model(), dimension: 3 }).embed(['a']),
    ).rejects.toMatchObject(unavailable)
  })
})

describe('through transformers.js', () => {
  const module = {
    pipeline: async () => async (texts: string[]) => ({
      dims: [texts.length, 2],
      data: Float32Array.from(texts.flatMap(letters)),
    }),
  }

  test('the package is loaded with the first text and once', async () => {
    let loads = 0
    const load = async () => {
      loads += 1
      return module
    }
    const embedder = transformersEmbedder({ load, model: 'm', dimension: 2 })
    expect(loads).toBe(0)
    await embedder.embed(['a'])
    const { embedder: by, values } = await embedder.embed(['a', 'b'])
    expect([by, loads]).toEqual(['transformers:m:mean', 1])
    expect([...values]).toEqual([LENGTH, 0, LENGTH, 0])
  })

  test('a package that is not there is a coded error, and is looked for again', async () => {
    let loads = 0
    const load = async () => {
      loads += 1
      if (loads === 1) throw new Error('Cannot find package')
      return module
    }
    const embedder = transformersEmbedder({ load, model: 'm', dimension: 2 })
    await expect(embedder.embed(['a'])).rejects.toMatchObject(unavailable)
    expect((await embedder.embed(['a'])).count).toBe(1)
  })

  test('an array of another shape is a coded error', async () => {
    const embedder = transformersEmbedder({ load: async () => module, model: 'm', dimension: 3 })
    await expect(embedder.embed(['a'])).rejects.toMatchObject(unavailable)
  })
})
