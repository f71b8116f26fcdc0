import { LimitError } from '../errors.ts'
import { LIMITS } from '../limits.ts'
import { refusalOf } from './json-value.ts'

interface Budget {
  nodes: number
}

/**
 * A private copy of a caller's input, without `undefined` members. Copying first means that nobody
 * can change a body between check and seal. Data that is not plain becomes a symbol with the
 * reason; no schema takes a symbol, so the member is refused in place.
 */
export const snapshot = (input: unknown): unknown => copy(input, 1, { nodes: 0 })

function copy(value: unknown, depth: number, budget: Budget): unknown {
  if (typeof value !== 'object' || value === null) {
    return value === 0 ? 0 : value // −0 has no JSON form of its own, so 0 is kept and read back
  }
  if (depth > LIMITS.bodyDepthMax) throw new LimitError('bodyDepthMax', LIMITS.bodyDepthMax, depth)
  return Array.isArray(value) ? copyList(value, depth, budget) : copyObject(value, depth, budget)
}

function copyList(list: readonly unknown[], depth: number, budget: Budget): unknown {
  spend(budget, list.length)
  // Array.from visits holes, so a gap is refused as a missing item.
  return Array.from(list, (item) => copy(item, depth + 1, budget))
}

function copyObject(object: object, depth: number, budget: Budget): unknown {
  const refusal = refusalOf(object)
  if (refusal !== undefined) return refusal
  const members: Record<string, unknown> = {}
  const names = Object.keys(object)
  spend(budget, names.length)
  for (const name of names) {
    const member = copy((object as Record<string, unknown>)[name], depth + 1, budget)
    if (member !== undefined) members[name] = member
  }
  return members
}

/** A member or item takes a byte at least, so branches shared without end cannot unfold. */
function spend(budget: Budget, nodes: number): void {
  budget.nodes += nodes
  if (budget.nodes > LIMITS.bodyBytesMax) {
    throw new LimitError('bodyBytesMax', LIMITS.bodyBytesMax, budget.nodes)
  }
}
