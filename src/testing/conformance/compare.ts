import { fail, strictEqual } from 'node:assert/strict'
import { MunimentError } from '../../domain/errors.ts'
import { canonicalize } from '../../ledger/canonical.ts'
import { toHex } from '../../ledger/sha256.ts'

/** Turns nested bytes into hex, so that a Buffer and a Uint8Array compare as equal. */
function readable(value: unknown): unknown {
  if (value instanceof Uint8Array) return `bytes:${toHex(value)}`
  if (Array.isArray(value)) return value.map(readable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, readable(member)]))
}

export const textOf = (value: unknown): string => canonicalize(readable(value))

/** Asserts equal plain data. A member undefined on one side only is a difference too. */
export function same(actual: unknown, expected: unknown, what: string): void {
  strictEqual(textOf(actual), textOf(expected), what)
}

/** Asserts equal rows in any order, for queries without a promised order. */
export function sameRows(
  actual: readonly unknown[],
  expected: readonly unknown[],
  what: string,
): void {
  same(actual.map(textOf).sort(), expected.map(textOf).sort(), what)
}

/** The coded error thrown by the work. Any other end is a failure. */
export async function errorOf(work: () => Promise<unknown>, what: string): Promise<MunimentError> {
  try {
    await work()
  } catch (error) {
    if (error instanceof MunimentError) return error
    throw error
  }
  return fail(`${what}: nothing was thrown`)
}
