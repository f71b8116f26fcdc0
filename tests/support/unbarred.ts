/** Structured content as it was before the fence put a bar before each line of stored words. */
export function unbarred<T>(value: T): T
export function unbarred(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(/^\|!? /gm, '')
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((each: unknown) => unbarred(each))
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [unbarred(name), unbarred(member)]),
  )
}
