import { createHash } from 'node:crypto'
import { pamHash } from '../formats/pam.ts'
import type { OutMemory } from './memories.ts'

/** mem0’s shape of `getAll`. */
export async function* mem0Text(memories: AsyncIterable<OutMemory>): AsyncGenerator<string, void> {
  yield '{"results":['
  yield* joined(memories, (memory) => ({
    id: memory.ref.slice(memory.ref.indexOf(':') + 1),
    memory: memory.text,
    hash: createHash('md5').update(memory.text).digest('hex'), // mem0 names its words by MD5
    metadata: {
      muniment: memory.ref,
      kind: memory.kind,
      tier: memory.tier,
      source: memory.document ?? memory.path,
    },
    created_at: memory.time,
    updated_at: null,
  }))
  yield '\n]}\n'
}

export interface PamParts {
  readonly owner: string
  readonly exportedAt: string
}

/** A PAM 1.0 store. */
export async function* pamText(
  memories: AsyncIterable<OutMemory>,
  { owner, exportedAt }: PamParts,
): AsyncGenerator<string, void> {
  const head = {
    schema: 'portable-ai-memory',
    schema_version: '1.0',
    spec_uri: 'https://portable-ai-memory.org/spec/v1.0',
    export_date: exportedAt,
    owner: { id: owner },
  }
  yield `${JSON.stringify(head).slice(0, -1)},"memories":[`
  yield* joined(memories, pamMemory)
  yield '\n]}\n'
}

const PAM_TYPES: Readonly<Record<string, string>> = {
  goal: 'goal',
  relationship: 'relationship',
  value: 'preference',
  raw: 'context',
  episode: 'context',
}

const PAM_TAG = /^[a-z0-9][a-z0-9_-]*$/

function pamMemory(memory: OutMemory): object {
  const { text, time, session, confidence } = memory
  return {
    id: memory.ref,
    type: PAM_TYPES[memory.kind] ?? 'fact',
    status: 'active',
    content: text,
    content_hash: pamHash(text),
    tags: memory.tags.filter((tag) => PAM_TAG.test(tag)),
    confidence: { current: confidence },
    temporal: { created_at: time },
    provenance: {
      platform: 'muniment',
      ...(session === null ? {} : { conversation_ref: session }),
      extraction_method: memory.label === 'UserAsserted' ? 'explicit_user_input' : 'api_export',
    },
    metadata: {
      muniment: memory.ref,
      kind: memory.kind,
      label: memory.label,
      tier: memory.tier,
      source: memory.document ?? memory.path,
    },
  }
}

/** One object on a line, with commas between. */
async function* joined(
  memories: AsyncIterable<OutMemory>,
  shape: (memory: OutMemory) => object,
): AsyncGenerator<string, void> {
  let comma = ''
  for await (const memory of memories) {
    yield `${comma}\n${JSON.stringify(shape(memory))}`
    comma = ','
  }
}
