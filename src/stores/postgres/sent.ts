/** Looked at when its turn comes; until then nobody takes its failure for a forgotten one. */
export function sent<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}
