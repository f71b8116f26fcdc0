import { historyOfChanges } from './changes.ts'
import { longHistory } from './history.ts'
import type { Lie } from './lies.ts'
import { isChange } from './lies-about-changes.ts'
import { type Told, tellLies } from './told-lies.ts'
import type { Copy, Members } from './vandal.ts'

export const TIMEOUT_MS = 480_000 // thousands of ledgers are verified twice

type Lies = (truth: Members) => Lie[]

/** Changes are lied about in a ledger of little else, so that a lie costs less to look into. */
export async function toldInBoth(
  lies: { readonly ofOthers: Lies; readonly ofChanges: Lies },
  repair: (copy: Copy, seq: number) => void,
): Promise<Told[]> {
  const only = (liesOf: Lies, of: boolean) => (truth: Members) =>
    isChange(truth) === of ? liesOf(truth) : []
  return [
    ...(await tellLies(await longHistory(), only(lies.ofOthers, false), repair)),
    ...(await tellLies(await historyOfChanges(), only(lies.ofChanges, true), repair)),
  ]
}

export const names = (told: readonly Told[]): string[] => told.map(({ told }) => told)
