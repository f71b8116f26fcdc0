import { splitRef } from '../domain/ids.ts'
import type { Stack } from '../stack.ts'
import type { OperationName } from './operations.ts'

type Input = Readonly<Record<string, unknown>>

/** Fields that name memories; their schemas only describe texts. */
export const REF_FIELDS: ReadonlySet<string> = new Set([
  'ref',
  'derivedFrom',
  'evidence',
  'covers',
  'whyNot',
])

/** Commands write `self-narrative:1a2b`; the kind is spelt with an underscore. */
const spelt = (text: string): string =>
  text.replace(/^[a-z-]+:/, (kind) => kind.replaceAll('-', '_'))

/** Expands short refs; the schema refuses anything but text. */
export async function resolveRefs(stack: Stack, name: OperationName, input: Input): Promise<Input> {
  const one = async (text: unknown): Promise<unknown> =>
    typeof text === 'string' ? stack.lookup.resolveRef(spelt(text)) : text
  const resolved: Record<string, unknown> = { ...input }
  for (const field of REF_FIELDS) {
    const value = input[field]
    if (value === undefined) continue
    resolved[field] = Array.isArray(value) ? await Promise.all(value.map(one)) : await one(value)
  }
  if (typeof input.after === 'string') resolved.after = await afterOf(stack, name, input)
  return resolved
}

/** A list of one kind continues after an id, the queue after a ref. */
async function afterOf(stack: Stack, name: OperationName, input: Input): Promise<string> {
  const after = String(input.after)
  const isOfKind = name === 'list' && input.kind !== undefined && !after.includes(':')
  const ref = await stack.lookup.resolveRef(spelt(isOfKind ? `${input.kind}:${after}` : after))
  return name === 'list' ? splitRef(ref).id : ref
}
