import type { JsonValue } from '../domain/kinds/json-value.ts'
import { LIMITS } from '../domain/limits.ts'
import { checkJson, type JsonLimits } from './check-json.ts'
import { readJson } from './read-json.ts'

const DEPTH_MAX = 64 // arrays and objects inside one another

export type ParseJsonOptions = Partial<Pick<JsonLimits, 'depthMax' | 'valuesMax'>>

/**
 * JSON.parse for text from outside. What JSON.parse would quietly change is refused instead:
 * repeated keys, integers and numbers too large to hold, lone surrogates; and so are deep nesting, and
 * more values or keys than a document may have.
 */
export function parseJson(text: string, options: ParseJsonOptions = {}): JsonValue {
  const { depthMax = DEPTH_MAX, valuesMax = LIMITS.jsonValuesMax } = options
  checkJson(text, { depthMax, valuesMax, keysMax: LIMITS.jsonKeysMax })
  return readJson(text) as JsonValue // JSON gives nothing but JSON values
}
