/** An array without holes and without properties of its own, so that its items say all of it. */
export const isPlainArray = (value: readonly unknown[]): boolean =>
  Object.getPrototypeOf(value) === Array.prototype && Object.keys(value).length === value.length

/** An object that is only its members: no class behind it, no symbols on it. */
export function isPlainObject(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  return Object.getOwnPropertySymbols(value).length === 0
}
