import type { MatchCondition } from '@langchain/langgraph-checkpoint'

type Compare = (value: unknown, wanted: unknown) => boolean

/** LangGraph's operators; numbers are compared as numbers, everything else by identity. */
const OPERATORS: Readonly<Record<string, Compare>> = {
  $eq: (value, wanted) => value === wanted,
  $ne: (value, wanted) => value !== wanted,
  $gt: (value, wanted) => Number(value) > Number(wanted),
  $gte: (value, wanted) => Number(value) >= Number(wanted),
  $lt: (value, wanted) => Number(value) < Number(wanted),
  $lte: (value, wanted) => Number(value) <= Number(wanted),
  $in: (value, wanted) => Array.isArray(wanted) && wanted.includes(value),
  $nin: (value, wanted) => !Array.isArray(wanted) || !wanted.includes(value),
}

const isOperators = (wanted: unknown): wanted is Readonly<Record<string, unknown>> =>
  typeof wanted === 'object' &&
  wanted !== null &&
  Object.keys(wanted).every((name) => Object.hasOwn(OPERATORS, name))

/** True when every field of the filter fits the value. */
export const matchesFilter = (
  value: Readonly<Record<string, unknown>>,
  filter: Readonly<Record<string, unknown>>,
): boolean =>
  Object.entries(filter).every(([field, wanted]) => {
    const own = Object.hasOwn(value, field) ? value[field] : undefined
    if (!isOperators(wanted)) return own === wanted
    return Object.entries(wanted).every(([name, each]) => OPERATORS[name]?.(own, each) === true)
  })

export const startsWith = (namespace: readonly string[], prefix: readonly string[]): boolean =>
  prefix.length <= namespace.length && prefix.every((label, at) => namespace[at] === label)

/** `*` stands for any one label. */
export function matchesCondition(
  namespace: readonly string[],
  { matchType, path }: MatchCondition,
): boolean {
  if (path.length > namespace.length) return false
  const from = matchType === 'suffix' ? namespace.length - path.length : 0
  return path.every((label, at) => label === '*' || namespace[from + at] === label)
}
