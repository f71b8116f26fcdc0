import { PRINT_FORMAT, type Print, SORTS } from './print.ts'

const WHOLE = 1_000

/**
 * How likely a text says again what a source said, in thousandths: all of its words are the source's,
 * plus the share of the source that it repeats. Null where it says anything that the source does not:
 * another number, name, day, quantifier or negation is another statement.
 */
export function likenessOf(said: Print, source: Print): number | null {
  const [ours, theirs] = [read(said), read(source)]
  if (ours === null || theirs === null || ours.fixed !== theirs.fixed) return null
  for (const term of ours.terms.keys()) if (!theirs.terms.has(term)) return null
  for (const name of theirs.names) if (!ours.terms.has(name)) return null
  const names = new Set([...ours.names, ...theirs.names])
  if (orderOf(ours, names) !== orderOf(theirs, names)) return null
  return WHOLE + Math.floor((ours.terms.size * WHOLE) / theirs.terms.size)
}

interface Read {
  /** Each word once, in the order in which the words first come. */
  readonly terms: ReadonlySet<number>
  readonly names: ReadonlySet<number>
  readonly fixed: string
}

const known = new WeakMap<Print, Read>()

/** Null for a print of an older format, and for a text without words. */
function read(print: Print): Read | null {
  if (print[0] !== PRINT_FORMAT || print.length === 1) return null
  const before = known.get(print)
  if (before) return before
  const terms = new Set<number>()
  const names = new Set<number>()
  const fixed: number[] = []
  for (let at = 1; at < print.length; at += 2) {
    const term = print[at + 1] ?? 0
    if (print[at] === SORTS.fixed) fixed.push(term)
    else terms.add(term)
    if (print[at] === SORTS.name) names.add(term)
  }
  if (terms.size === 0) return null
  const found = { terms, names, fixed: fixed.join() }
  known.set(print, found)
  return found
}

/** Who does something to whom is told by the order of the names. */
const orderOf = ({ terms }: Read, names: ReadonlySet<number>): string =>
  [...terms].filter((term) => names.has(term)).join()
