import type { JsonValue } from '../domain/kinds/json-value.ts'
import { LIMITS } from '../domain/limits.ts'
import { checkJson, type JsonLimits } from './check-json.ts'
import { readJson } from './read-json.ts'

const DEPTH_MAX = 64 // nested arrays and objects

export type ParseJsonOptions = Partial<Pick<JsonLimits, 'depthMax' | 'valuesMax'>>

/**
 * JSON.parse for text from outside. Refuses input that JSON.parse would change silently: repeated
 * keys, integers and numbers too large to hold, lone surrogates. Deep nesting and too many values
 * or keys are refused too.
 */
export function parseJson(text: string, options: ParseJsonOptions = {}): JsonValue {
  const { depthMax = DEPTH_MAX, valuesMax = LIMITS.jsonValuesMax } = options
  checkJson(text, { depthMax, valuesMax, keysMax: LIMITS.jsonKeysMax })
  return readJson(text) as JsonValue // JSON.parse returns only JSON values
}
