import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Request {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

type Answer = { readonly status?: number; readonly body: unknown } | 'hang'

/** A small server that speaks as much of the OpenAI protocol as a chat and an embedding need. */
export async function openAiServer(answer: (request: Request, nth: number) => Answer) {
  const requests: Request[] = []
  const server: Server = createServer(async (request, response) => {
    const seen = { path: request.url ?? '', body: JSON.parse(await bodyOf(request)) }
    requests.push(seen)
    const given = answer(seen, requests.length)
    if (given === 'hang') return
    response.writeHead(given.status ?? 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(given.body))
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // it listens on a port
  return { url: `http://127.0.0.1:${port}/v1`, requests }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer) // of a stream without encoding
  return Buffer.concat(chunks).toString('utf8')
}

export const chat = (content: string, usage = { prompt_tokens: 40, completion_tokens: 9 }) => ({
  body: {
    id: 'chat-1',
    object: 'chat.completion',
    created: 0,
    model: 'tiny',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
  },
})

export const vectors = (list: readonly (readonly number[])[]) => ({
  body: {
    object: 'list',
    model: 'tiny-embed',
    data: list.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  },
})
