import { ERROR_CODES } from '../../domain/errors.ts'
import { isKind } from '../../domain/ids.ts'
import type { Operation } from '../../operations/operation.ts'
import { OPERATIONS } from '../../operations/operations.ts'
import { type OutputSchemas, outputSchemas } from '../../operations/output-schemas.ts'
import { inputSchema, type Node } from '../cli/spec/arguments.ts'
import { kebab } from '../cli/spec/names.ts'

type Json = Readonly<Record<string, unknown>>

export const operations = (): readonly Operation[] => Object.values(OPERATIONS)

const PROBLEM = {
  description: 'A refusal or a failure.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
} as const

const STACK = {
  name: 'stack',
  in: 'path',
  required: true,
  description: 'The stack, by its id.',
  schema: { type: 'string' },
} as const

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
})

const HEADERS: readonly Json[] = [
  header(
    'Muniment-Session',
    'The session this belongs to: what was served in it bounds what is written in it.',
  ),
  header('Muniment-Turn', 'The turn within the session.'),
  header('Muniment-Model', 'The model whose words these are, for their provenance.'),
]

const KEY = header(
  'Idempotency-Key',
  'A write that is sent again with the same key is not done again.',
)

/** The whole door in OpenAPI 3.1, generated from the table of operations. */
export function openApi(version: string): Json {
  const outputs = outputSchemas('#/components/schemas/')
  const paths = Object.fromEntries(
    operations().map((operation) => [
      `/v1/stacks/{stack}/${kebab(operation.name)}`,
      pathOf(operation, outputs),
    ]),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Muniment',
      version,
      description: 'Memory for AI agents with provenance.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, {}],
    paths: {
      '/v1/stacks': { get: plain('stacks', 'The stacks that this caller may see.') },
      '/v1/stacks/{stack}/changes': {
        get: {
          ...plain('changes', 'One server-sent event for every new entry of the ledger.'),
          parameters: [STACK, header('Last-Event-ID', 'Go on behind this entry.')],
        },
      },
      ...paths,
      '/healthz': { get: plain('healthz', 'Whether this server answers.') },
      '/metrics': { get: plain('metrics', 'Figures, as Prometheus reads them.') },
    },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: problemSchema(), ...outputs.shared },
    },
  }
}

const plain = (operationId: string, summary: string): Json => ({
  operationId,
  summary,
  responses: { 200: { description: 'The answer.' }, default: PROBLEM },
})

function pathOf(operation: Operation, outputs: OutputSchemas): Json {
  const { name, summary, right } = operation
  const { $schema: _, ...schema } = inputSchema(operation) as Node & Json // written by zod
  const answer = {
    description: 'The answer.',
    content: { 'application/json': { schema: outputs.of[name] ?? {} } },
  }
  const post = {
    operationId: name,
    summary,
    description: RIGHTS[right],
    parameters: [STACK, ...HEADERS, KEY],
    requestBody: { content: { 'application/json': { schema, example: operation.example } } },
    responses: { [isKind(name) ? 201 : 200]: answer, default: PROBLEM },
  }
  if (right !== 'read') return { post }
  const query = Object.entries(schema.properties ?? {}).map(([field, node]) => ({
    name: field,
    in: 'query',
    required: schema.required?.includes(field) ?? false,
    ...(node.description === undefined ? {} : { description: node.description }),
    schema: node,
  }))
  const get = {
    operationId: `${name}_by_get`,
    summary,
    parameters: [STACK, ...query, ...HEADERS.slice(0, 2)],
    responses: { 200: answer, 304: { description: 'As it was.' }, default: PROBLEM },
  }
  return { get, post }
}

const RIGHTS = {
  read: 'For every reader.',
  write: 'For everyone who may write; what a model may not change is put up for review.',
  person: 'For a person: a personal token, or a page that a person signed in to.',
} as const

const problemSchema = (): Json => ({
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'hint', 'issues'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: ERROR_CODES },
    hint: { type: ['string', 'null'], description: 'What to do next.' },
    issues: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    facts: { type: 'object' },
  },
})
