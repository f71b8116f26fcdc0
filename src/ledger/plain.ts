/** An array without holes and without own properties, so that the items are the whole value. */
export const isPlainArray = (value: readonly unknown[]): boolean =>
  Object.getPrototypeOf(value) === Array.prototype && Object.keys(value).length === value.length

/** An object with only string-keyed members: no class, no symbols. */
export function isPlainObject(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  return Object.getOwnPropertySymbols(value).length === 0
}
