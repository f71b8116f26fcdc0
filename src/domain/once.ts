/** Made when it is first asked for, and kept: what few calls need costs the others nothing. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
