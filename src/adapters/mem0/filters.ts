import { MunimentError } from '../../domain/errors.ts'
import type { JsonObject } from '../../domain/kinds/json-value.ts'

/** Conditions on the fields of a memory: values, operators, and AND, OR, NOT over lists of filters. */
export type Filters = Readonly<Record<string, unknown>>

type Test = (value: unknown, wanted: unknown) => boolean

const isListed: Test = (value, wanted) => Array.isArray(wanted) && wanted.includes(value)
const contains = (value: unknown, wanted: unknown): boolean =>
  typeof value === 'string' && typeof wanted === 'string' && value.includes(wanted)

/** A comparison of two numbers or two texts; values of other types are in no order. */
const ordered =
  (test: (a: number | string, b: number | string) => boolean): Test =>
  (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return test(a, b)
    return typeof a === 'string' && typeof b === 'string' && test(a, b)
  }

const TESTS: Readonly<Record<string, Test>> = {
  eq: (value, wanted) => value === wanted,
  ne: (value, wanted) => value !== wanted,
  gt: ordered((a, b) => a > b),
  gte: ordered((a, b) => a >= b),
  lt: ordered((a, b) => a < b),
  lte: ordered((a, b) => a <= b),
  in: isListed,
  nin: (value, wanted) => !isListed(value, wanted),
  contains,
  icontains: (value, wanted) => contains(lower(value), lower(wanted)),
}

const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)

export function matches(fields: JsonObject, filters: Filters): boolean {
  return Object.entries(filters).every(([name, wanted]) => {
    if (wanted === undefined) return true
    const all = Array.isArray(wanted) ? (wanted as readonly Filters[]) : [wanted as Filters]
    if (name === 'AND') return all.every((each) => matches(fields, each))
    if (name === 'OR') return all.some((each) => matches(fields, each))
    if (name === 'NOT') return !all.some((each) => matches(fields, each))
    return isMet(Object.hasOwn(fields, name) ? fields[name] : undefined, wanted)
  })
}

function isMet(value: unknown, wanted: unknown): boolean {
  if (wanted === '*') return value !== undefined
  if (Array.isArray(wanted)) return isListed(value, wanted)
  if (typeof wanted !== 'object' || wanted === null) return value === wanted
  return Object.entries(wanted).every(([operator, operand]) => {
    const test = Object.hasOwn(TESTS, operator) ? TESTS[operator] : undefined
    if (test) return test(value, operand)
    throw new MunimentError('invalid_input', `${operator} is no operator of a filter.`)
  })
}
