import { splitRef } from '../../../domain/ids.ts'
import type { OperationName } from '../../../protocol/operations.ts'
import type { Stack } from '../../../stack/stack.ts'
import { REF_FIELDS } from '../spec/schema.ts'

type Input = Readonly<Record<string, unknown>>

/** `self-narrative:1a2b` is what the command is called; the kind is spelt with an underscore. */
const spelt = (text: string): string =>
  text.replace(/^[a-z-]+:/, (kind) => kind.replaceAll('-', '_'))

/** Short refs become whole ones; what is no text is left for the schema to refuse. */
export async function resolveRefs(stack: Stack, name: OperationName, input: Input): Promise<Input> {
  const one = async (text: unknown): Promise<unknown> =>
    typeof text === 'string' ? stack.resolveRef(spelt(text)) : text
  const resolved: Record<string, unknown> = { ...input }
  for (const field of REF_FIELDS) {
    const value = input[field]
    if (value === undefined) continue
    resolved[field] = Array.isArray(value) ? await Promise.all(value.map(one)) : await one(value)
  }
  if (name === 'list' && typeof input.after === 'string') {
    const text = input.after.includes(':') ? input.after : `${input.kind}:${input.after}`
    resolved.after = splitRef(await stack.resolveRef(spelt(text))).id
  }
  return resolved
}
