import type { Figure } from './figure.ts'
import type { OpenMark } from './open-rows.ts'

interface Bar {
  readonly must: string
  /** The bar as a share: so many of a hundred cases may go wrong. */
  readonly percentMax: number
  /** The bar as a count, where a share says nothing. */
  readonly badMax?: number
}

export const isMet = ({ bad, of }: Figure, { percentMax, badMax }: Bar): boolean =>
  bad <= (badMax ?? Math.floor((of * percentMax) / 100))

/** Says why a row fails, or undefined: an open row must be as bad as its mark says, and no worse. */
export function problemOf(
  figure: Figure,
  bar: Bar,
  open: OpenMark | undefined,
): string | undefined {
  const seen = `${figure.bad} of ${figure.of} went wrong`
  if (open === undefined) return isMet(figure, bar) ? undefined : `${seen}; bar: ${bar.must}.`
  if (isMet(figure, bar)) return `${seen}, so the bar is met: take the mark out of open-rows.ts.`
  if (figure.bad > open.bad) return `${seen}, worse than ${open.bad} of the mark in open-rows.ts.`
  return undefined
}
