import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { isRecordKind, KINDS } from '../../domain/ids.ts'
import type { ToolContext } from '../../operations/tool.ts'
import { PROMPTS } from './prompts.ts'
import { RESOURCE_TEMPLATES } from './resources.ts'

type CompletionParams = CompleteRequest['params']

/** The protocol allows no more values in an answer. */
const VALUES_MAX = 100
const NEWEST = 500

/** Values that begin with the typed text, for an argument of a prompt or of an address. */
export async function complete(
  context: ToolContext,
  asked: CompletionParams,
): Promise<CompleteResult> {
  const { ref, argument } = asked
  const names = ref.type === 'ref/prompt' ? argumentsOf(ref.name) : variablesOf(ref.uri)
  if (!names?.includes(argument.name)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such argument.')
  }
  const typed = argument.value.toLowerCase()
  const all = await valuesFor(context, asked)
  const values = [...new Set(all)].filter((value) => value.toLowerCase().startsWith(typed))
  const shown = values.slice(0, VALUES_MAX)
  return {
    completion: { values: shown, total: values.length, hasMore: values.length > VALUES_MAX },
  }
}

const argumentsOf = (prompt: string): readonly string[] | undefined =>
  PROMPTS.find(({ name }) => name === prompt)?.arguments.map(({ name }) => name)

const variablesOf = (address: string): readonly string[] | undefined =>
  RESOURCE_TEMPLATES.some(({ uriTemplate }) => uriTemplate === address)
    ? [...address.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    : undefined

async function valuesFor(
  { stack, caller }: ToolContext,
  { argument, context: given }: CompletionParams,
): Promise<readonly string[]> {
  switch (argument.name) {
    case 'kind':
      return KINDS
    case 'id':
    case 'about': {
      const kind = given?.arguments?.kind ?? argument.value.split(':')[0] ?? ''
      if (!isRecordKind(kind))
        return argument.name === 'about' ? KINDS.map((each) => `${each}:`) : []
      const found = await stack.list(kind, { limit: NEWEST, caller })
      return found.map(({ id, ref }) => (argument.name === 'id' ? id : ref))
    }
    case 'subject': {
      const { lines } = await stack.claims.timelines({ limit: VALUES_MAX, caller })
      return lines.map(({ subject }) => subject)
    }
    default:
      return []
  }
}
