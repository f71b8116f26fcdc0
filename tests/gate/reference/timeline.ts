import type { GateDraft } from '../steps.ts'
import { isExternal } from './tables.ts'
import type { Remembered } from './words.ts'

type Window = Pick<GateDraft['saying']['claim'], 'start' | 'end'>

/** Some moment lies in both windows. */
export function doMeet(a: Window, b: Window): boolean {
  const from = Math.max(...[a, b].map(({ start }) => (start ? Date.parse(start) : -Infinity)))
  const until = Math.min(...[a, b].map(({ end }) => (end ? Date.parse(end) : Infinity)))
  return from < until
}

/** The first first-hand claim that says what kind of line it is; where there is none, the first at all. */
export function isSetLine(
  claims: readonly (Pick<Remembered, 'claim' | 'label'> & { readonly disposition: string })[],
): boolean {
  const there = claims.filter(
    ({ disposition }) => !['Quarantined', 'Rejected', 'Distrusted'].includes(disposition),
  )
  const said = there.filter(({ label }) => isExternal(label))
  const heard = said.length > 0 ? said : there
  const first = heard.find(({ claim }) => claim.cardinality !== 'Unknown')
  return first?.claim.cardinality === 'SetValued'
}
