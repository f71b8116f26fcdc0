import { type Doubted, keyNameOf } from '../domain/distrust.ts'
import type { Desk } from './desk.ts'

export type Origin = Exclude<Doubted, { type: 'memory' }>

/** The name of an origin in entries; undefined where no entry has named the origin yet. */
export function originMark(desk: Desk, { type, name }: Origin): string | undefined {
  if (type === 'door') return name
  const key = keyNameOf(type, name)
  return desk.actorKey(key) === undefined ? undefined : desk.pseudonym(key)
}

/** The origin of a draft. */
interface From {
  readonly actor: string
  readonly door: string
  readonly session: string | null
}

const NONE: readonly number[] = []

/** The distrust entries in force that cover an origin. */
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
