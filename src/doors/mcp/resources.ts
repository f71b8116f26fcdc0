import { type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server'
import { isRecordKind } from '../../domain/ids.ts'
import { cutTo } from '../../operations/text/words.ts'
import type { ToolAnswer, ToolContext } from '../../operations/tool.ts'
import { runAsk } from '../../operations/tools/ask.ts'
import { runLineage } from '../../operations/tools/lineage.ts'
import { runOperation } from '../../operations/tools/operation.ts'
import { reviewTool, uncertainTool } from '../../operations/tools/review.ts'
import { loadTool } from '../../operations/tools/search.ts'

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
      return loadTool.run(context, loadTool.input.parse({}))
    case 'review':
      return reviewTool.run(context, reviewTool.input.parse({}))
    case 'uncertain':
      return uncertainTool.run(context, uncertainTool.input.parse({}))
    case 'stats':
      return runOperation(context, 'stats', {})
    case 'memory/2':
      return runOperation(context, 'show', { ref: `${kind}:${id}` })
    case 'lineage/2':
      return isRecordKind(kind) ? runLineage(context, { memory_type: kind, memory_id: id }) : null
    case 'subject/1':
      return runAsk(context, { subject: kind })
    default:
      return null
  }
}

/** True for an address of this server, whether or not a memory lies there. */
export function isAddress(uri: string): boolean {
  const [place, ...more] = partsOf(uri) ?? []
  if (more.length === 0) return RESOURCES.some((each) => each.uri === uri)
  return RESOURCE_TEMPLATES.some(
    ({ name, uriTemplate }) => name === place && uriTemplate.match(/\{/g)?.length === more.length,
  )
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
