import { MunimentError } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import type { Stack } from '../../stack.ts'

/** Resolves short refs; an unknown ref is reported with its field. */
export async function resolved(
  stack: Stack,
  field: string,
  given: readonly string[],
): Promise<readonly Ref[]> {
  return Promise.all(given.map((text, index) => resolveOne(stack, `${field}.${index}`, text)))
}

export async function resolveOne(stack: Stack, field: string, text: string): Promise<Ref> {
  try {
    return await stack.lookup.resolveRef(text)
  } catch (error) {
    if (!(error instanceof MunimentError)) throw error
    const { code, message, hint, facts } = error
    const issues = [{ path: field, message }]
    throw new MunimentError(code, message, { issues, facts, ...(hint ? { hint } : {}) })
  }
}
