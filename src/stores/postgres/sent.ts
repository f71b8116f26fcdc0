/** Marks a promise as handled, because its failure is read later. */
export function sent<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}
