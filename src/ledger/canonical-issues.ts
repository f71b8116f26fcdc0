import { type FieldIssue, MunimentError } from '../domain/errors.ts'
import { isPlainArray, isPlainObject } from './plain.ts'

interface Walk {
  readonly depthMax: number
  readonly issues: FieldIssue[]
  /** The containers of the current value: meeting one of these again is a cycle. */
  readonly holders: Set<object>
  /** The greatest depth at which each object was met; only a deeper visit finds more. */
  readonly deepest: Map<object, number>
}

/**
 * The refusal of a value, naming every bad place. The writer keeps no paths, for speed; this walk
 * visits a bad value again.
 */
export function notCanonical(refused: { root: unknown; depthMax: number }): MunimentError {
  const issues: FieldIssue[] = []
  const walk: Walk = { depthMax: refused.depthMax, issues, holders: new Set(), deepest: new Map() }
  inspect(refused.root, '', walk)
  // Only an accessor or a proxy can refuse once and then pass.
  if (issues.length === 0) issues.push({ path: '', message: 'changed while it was read' })
  return new MunimentError('not_canonical', 'The value has no canonical JSON form.', { issues })
}

function inspect(value: unknown, path: string, walk: Walk): void {
  const message = problemOf(value, walk)
  if (message !== undefined) {
    walk.issues.push({ path, message })
    return
  }
  if (typeof value !== 'object' || value === null) return
  const depth = walk.holders.size
  if ((walk.deepest.get(value) ?? -1) >= depth) return
  walk.deepest.set(value, depth)
  walk.holders.add(value)
  inspectMembers(value, path, walk)
  walk.holders.delete(value)
}

function inspectMembers(value: object, path: string, walk: Walk): void {
  for (const [key, member] of Object.entries(value)) {
    // An ill-formed key cannot be part of a path sent as text.
    if (key.isWellFormed()) inspect(member, `${path}/${pointerPart(key)}`, walk)
    else walk.issues.push({ path, message: 'a key has a lone surrogate' })
  }
}

function problemOf(value: unknown, walk: Walk): string | undefined {
  switch (typeof value) {
    case 'boolean':
      return undefined
    case 'string':
      return value.isWellFormed() ? undefined : 'lone surrogate'
    case 'number':
      return Number.isFinite(value) ? undefined : 'not a finite number'
    case 'object':
      return value === null ? undefined : problemOfObject(value, walk)
    case 'undefined':
    case 'bigint':
    case 'function':
    case 'symbol':
      return `${typeof value} has no JSON form`
  }
}

function problemOfObject(value: object, walk: Walk): string | undefined {
  if (walk.holders.has(value)) return 'holds itself'
  if (walk.holders.size >= walk.depthMax) return `nested deeper than ${walk.depthMax}`
  if (Array.isArray(value)) {
    return isPlainArray(value) ? undefined : 'not a plain, dense array'
  }
  return isPlainObject(value) ? undefined : 'not a plain object'
}

/** RFC 6901. */
const pointerPart = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1')
