import { once } from 'node:events'
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server'
import { onTestFinished } from 'vitest'
import { McpSessions } from '../../../src/doors/http/mcp-sessions.ts'
import { makeServer } from '../../../src/doors/mcp/server.ts'

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='
const IMAGE = { type: 'image', data: PNG, mimeType: 'image/png' } as const
const said = (text: string) => ({ type: 'text', text }) as const
const embedded = (uri: string) =>
  ({
    type: 'resource',
    resource: { uri, mimeType: 'text/plain', text: 'An embedded text.' },
  }) as const

type Content = CallToolResult['content']
type Given = Readonly<Record<string, unknown>>
type Tool = (ctx: ServerContext, given: Given) => Content | Promise<Content>

async function elicited(ctx: ServerContext, message: string, properties: object): Promise<Content> {
  const requestedSchema = { type: 'object', properties, required: [] }
  const params = { message, requestedSchema } as Parameters<typeof ctx.mcpReq.elicitInput>[0] // as the runner asks
  const { action, content } = await ctx.mcpReq.elicitInput(params)
  return [said(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`)]
}

const titled = ['value1', 'value2', 'value3'].map((value) => ({ const: value, title: value }))
const OPTIONS = ['option1', 'option2', 'option3']

/** The tools that the runner calls by name. */
const TOOLS: Readonly<Record<string, Tool>> = {
  test_simple_text: () => [said('This is a simple text response for testing.')],
  test_image_content: () => [IMAGE],
  test_audio_content: () => [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: () => [embedded('test://embedded-resource')],
  test_multiple_content_types: () => [
    said('Multiple content types test:'),
    IMAGE,
    embedded('test://mixed-content-resource'),
  ],
  test_tool_with_logging: async ({ mcpReq }) => {
    for (const data of [
      'Tool execution started',
      'Tool processing data',
      'Tool execution completed',
    ]) {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })
    }
    return [said('Logged.')]
  },
  test_tool_with_progress: async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 0
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 }
      await mcpReq.notify({ method: 'notifications/progress', params })
    }
    return [said('Done.')]
  },
  test_sampling: async ({ mcpReq }, { prompt }) => {
    const messages = [{ role: 'user' as const, content: said(String(prompt)) }]
    const { content } = await mcpReq.requestSampling({ messages, maxTokens: 100 })
    return [said(`LLM response: ${JSON.stringify(content)}`)]
  },
  test_elicitation: (ctx, { message }) =>
    elicited(ctx, String(message), { username: { type: 'string' }, email: { type: 'string' } }),
  test_elicitation_sep1034_defaults: (ctx) =>
    elicited(ctx, 'Please look at the defaults', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  test_elicitation_sep1330_enums: (ctx) =>
    elicited(ctx, 'Please choose', {
      untitledSingle: { type: 'string', enum: OPTIONS },
      titledSingle: { type: 'string', oneOf: titled },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
      titledMulti: { type: 'array', items: { anyOf: titled } },
    }),
  test_reconnection: (ctx) => {
    ctx.http?.closeSSE?.()
    return [said('Reconnected.')]
  },
}

const DIALECT = {
  name: 'json_schema_2020_12_tool',
  description: 'Tool with JSON Schema 2020-12 features',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object' as const,
    $defs: {
      address: {
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  },
}

const MESSAGES: Readonly<Record<string, (given: Given) => readonly Content[number][]>> = {
  test_simple_prompt: () => [said('This is a simple prompt for testing.')],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    said(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri }) => [
    embedded(String(resourceUri)),
    said('Please process the embedded resource above.'),
  ],
  test_prompt_with_image: () => [IMAGE, said('Please analyze the image above.')],
}

/** Our own server with the tools, resources and prompts that the runner knows by name. */
function fixture(): McpServer {
  const mcp = makeServer({
    version: '1',
    tools: [],
    contextFor: () => Promise.reject(new Error('the fixture has no memory')),
    onFault: () => {},
    underWay: () => {},
  })
  const { server } = mcp
  server.setRequestHandler('tools/list', () => ({
    tools: [
      DIALECT,
      ...[...Object.keys(TOOLS), 'test_error_handling'].map((name) => ({
        name,
        description: name,
        inputSchema: { type: 'object' as const },
      })),
    ],
  }))
  server.setRequestHandler(
    'tools/call',
    async ({ params: { name, arguments: given = {} } }, ctx) => {
      const tool = TOOLS[name]
      if (tool) return { content: await tool(ctx, given) }
      return {
        isError: true,
        content: [said('This tool intentionally returns an error for testing')],
      }
    },
  )
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const isBinary = uri === 'test://static-binary'
    const body = isBinary
      ? { mimeType: 'image/png', blob: PNG }
      : { mimeType: 'text/plain', text: `{"id":"123","of":"${uri}"}` }
    return { contents: [{ uri, ...body }] }
  })
  for (const method of ['resources/subscribe', 'resources/unsubscribe'] as const) {
    server.setRequestHandler(method, () => ({}))
  }
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: given = {} } }) => ({
    messages: (MESSAGES[name]?.(given) ?? []).map((content) => ({
      role: 'user' as const,
      content,
    })),
  }))
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['test'], total: 1, hasMore: false },
  }))
  return mcp
}

type Parts = ConstructorParameters<typeof McpSessions>[0]
type Call = Parameters<McpSessions['answer']>[1]

/** The fixture behind our own sessions over HTTP; the address. */
export async function servedFixture(): Promise<string> {
  const held = { held: null, release: () => {} }
  const sessions = new McpSessions({
    stacks: { hold: async () => held } as unknown as Parts['stacks'], // the fixture has no stack
    now: Date.now,
    makeServer: fixture,
  })
  const call = { stackId: 'fixture', toolset: 'default', access: { id: 'fixture' } } as Call // never looked at
  const listener = getRequestListener((request) => sessions.answer(request, call))
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    await sessions.close()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number } // a socket, since it listens on one
  return `http://127.0.0.1:${port}/mcp`
}
