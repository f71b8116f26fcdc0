// The canonical form of RFC 8785, written for the eye. JavaScript's own JSON.stringify already
// writes numbers and strings as the RFC wants; what is left is the order of members, which is the
// order of UTF-16 code units, as Array.sort has it.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [member: string]: Json }

export function canonical(value: Json): string {
  if (typeof value === 'string') return canonicalString(value)
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  if (isList(value)) return `[${value.map(canonical).join(',')}]`
  const object = value
  const members = Object.keys(object)
    .sort()
    .map((name) => `${canonicalString(name)}:${canonical(object[name] as Json)}`)
  return `{${members.join(',')}}`
}

function canonicalString(text: string): string {
  if (!text.isWellFormed()) throw new Error('a lone surrogate has no UTF-8 form')
  return JSON.stringify(text)
}

/** The value in canonical bytes, or undefined when the bytes are not canonical. */
export function readCanonical(bytes: Uint8Array): Json | undefined {
  try {
    // A byte order mark must stay visible: it is a byte that the canonical form does not have.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const value = JSON.parse(text) as Json
    return canonical(value) === text ? value : undefined
  } catch {
    return undefined
  }
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value)
}

export function hasExactly(value: Json | undefined, members: readonly string[]): boolean {
  return isObject(value) && same(Object.keys(value).sort(), [...members].sort())
}

export function same(left: Json | undefined, right: Json | undefined): boolean {
  if (left === undefined || right === undefined) return left === right
  return canonical(left) === canonical(right)
}
