import type { Figure } from './figure.ts'

interface Bar {
  readonly must: string
  /** The bar as a share: so many of a hundred cases may go wrong. */
  readonly percentMax: number
  /** The bar as a count, where a share says nothing. */
  readonly badMax?: number
}

export const isMet = ({ bad, of }: Figure, { percentMax, badMax }: Bar): boolean =>
  bad <= (badMax ?? Math.floor((of * percentMax) / 100))

/** Says why a row fails, or undefined. */
export function problemOf(figure: Figure, bar: Bar): string | undefined {
  const seen = `${figure.bad} of ${figure.of} went wrong`
  return isMet(figure, bar) ? undefined : `${seen}; bar: ${bar.must}.`
}
