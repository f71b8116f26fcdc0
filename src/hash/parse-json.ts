import type { JsonValue } from '../domain/kinds/json-value.ts'
import { checkJson } from './check-json.ts'
import { readJson } from './read-json.ts'

const DEPTH_MAX = 64 // arrays and objects inside one another

export interface ParseJsonOptions {
  readonly depthMax?: number
}

/**
 * JSON.parse for text from outside. What JSON.parse would quietly change is refused instead:
 * repeated keys, integers and numbers too large to hold, lone surrogates; and so is deep nesting.
 */
export function parseJson(text: string, options: ParseJsonOptions = {}): JsonValue {
  checkJson(text, options.depthMax ?? DEPTH_MAX)
  return readJson(text) as JsonValue // JSON gives nothing but JSON values
}
