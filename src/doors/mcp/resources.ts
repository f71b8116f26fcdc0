import { type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { isRecordKind } from '../../domain/ids.ts'
import { READ_TOOLS } from '../../operations/tools.ts'
import { cutTo } from '../cut.ts'
import { ask } from './claims.ts'
import type { ToolAnswer, ToolContext } from './context.ts'
import { lineage, review, uncertain } from './meta.ts'
import { runOperation } from './operation.ts'
import { load } from './read.ts'

const MIME = 'text/plain'
const URI_CHARS_MAX = 4_000
const URI_SHOWN_MAX = 200

/** Addresses a client may read without a tool: equal words, equally fenced. */
export const RESOURCES = [
  {
    uri: 'memory://working',
    name: 'working-memory',
    title: 'Working memory',
    description: 'What matters most, within a budget of tokens.',
    mimeType: MIME,
  },
  {
    uri: 'memory://review',
    name: 'review',
    title: 'What waits for a person',
    description: 'The review queue.',
    mimeType: MIME,
  },
  {
    uri: 'memory://uncertain',
    name: 'uncertain',
    title: 'What is uncertain',
    description: 'Memories of low confidence, those first on which most rests.',
    mimeType: MIME,
  },
  {
    uri: 'memory://stats',
    name: 'stats',
    title: 'How much there is',
    description: 'How many memories of each kind there are.',
    mimeType: MIME,
  },
] as const

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: 'memory://memory/{kind}/{id}',
    name: 'memory',
    title: 'One memory',
    description: 'A memory with its birth certificate.',
    mimeType: MIME,
  },
  {
    uriTemplate: 'memory://lineage/{kind}/{id}',
    name: 'lineage',
    title: 'Where it comes from',
    description: 'What a memory was made from, down to the first words.',
    mimeType: MIME,
  },
  {
    uriTemplate: 'memory://subject/{subject}',
    name: 'subject',
    title: 'All that is said of a subject',
    description: 'What claims about a subject come to, line by line.',
    mimeType: MIME,
  },
] as const

export async function readResource(context: ToolContext, uri: string): Promise<ReadResourceResult> {
  const answer = await answerTo(context, uri)
  if (answer === null) {
    throw new ResourceNotFoundError(cutTo(uri, URI_SHOWN_MAX))
  }
  return { contents: [{ uri, mimeType: MIME, text: answer.text }] }
}

async function answerTo(context: ToolContext, uri: string): Promise<ToolAnswer | null> {
  const parts = partsOf(uri)
  const [place, ...more] = parts ?? []
  const [kind = '', id = ''] = more
  switch (more.length === 0 ? place : `${place}/${more.length}`) {
    case 'working':
      return load(context, READ_TOOLS.load.input.parse({}))
    case 'review':
      return review(context, READ_TOOLS.review.input.parse({}))
    case 'uncertain':
      return uncertain(context, READ_TOOLS.uncertain.input.parse({}))
    case 'stats':
      return runOperation(context, 'stats', {})
    case 'memory/2':
      return runOperation(context, 'show', { ref: `${kind}:${id}` })
    case 'lineage/2':
      return isRecordKind(kind) ? lineage(context, { memory_type: kind, memory_id: id }) : null
    case 'subject/1':
      return ask(context, { subject: kind })
    default:
      return null
  }
}

const ADDRESS = /^memory:\/\/([\w-]+)((?:\/[^/?#]+)*)$/

function partsOf(uri: string): readonly string[] | null {
  const [, place = '', rest = ''] = (uri.length <= URI_CHARS_MAX && ADDRESS.exec(uri)) || []
  try {
    return place === '' ? null : [place, ...rest.split('/').slice(1).map(decodeURIComponent)]
  } catch {
    return null // malformed escapes
  }
}
