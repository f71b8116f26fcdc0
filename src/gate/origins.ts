import { type Doubted, keyNameOf } from '../domain/distrust.ts'
import type { Desk } from './desk.ts'

export type Origin = Exclude<Doubted, { type: 'memory' }>

/** What entries call an origin; undefined where nobody was ever named so. */
export function originMark(desk: Desk, { type, name }: Origin): string | undefined {
  if (type === 'door') return name
  const key = keyNameOf(type, name)
  return desk.actorKey(key) === undefined ? undefined : desk.pseudonym(key)
}

/** Where a draft comes from. */
interface From {
  readonly actor: string
  readonly door: string
  readonly session: string | null
}

const NONE: readonly number[] = []

/** The entries by which what comes from here is not believed. */
export function distrustsOf(desk: Desk, from: From): readonly number[] {
  const { distrusted } = desk.stack
  if (distrusted.length === 0) return NONE
  return distrusted
    .filter(({ origin, of }) => {
      const name = from[origin]
      return name !== null && originMark(desk, { type: origin, name }) === of
    })
    .map(({ seq }) => seq)
}
