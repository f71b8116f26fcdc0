import { DOORS, type Door } from '../../../../src/domain/doors.ts'

/** What is not to be believed, as the operation takes it: one of these. */
export type Doubt =
  | { readonly actor: string }
  | { readonly inSession: string }
  | { readonly door: Door }
  | { readonly ref: string }

export type Named = 'actor' | 'session' | 'door' | 'ref'

export const KINDS: readonly { readonly kind: Named; readonly words: string }[] = [
  { kind: 'actor', words: 'an actor' },
  { kind: 'session', words: 'a session' },
  { kind: 'door', words: 'a door' },
  { kind: 'ref', words: 'one memory' },
]

export function doubtIn(query: URLSearchParams): Doubt | null {
  const [actor, session, ref] = ['actor', 'session', 'ref'].map((name) => query.get(name))
  if (actor) return { actor }
  if (session) return { inSession: session }
  if (ref) return { ref }
  const door = DOORS.find((each) => each === query.get('door'))
  return door ? { door } : null
}

export function named(doubt: Doubt): { readonly kind: Named; readonly name: string } {
  if ('actor' in doubt) return { kind: 'actor', name: doubt.actor }
  if ('inSession' in doubt) return { kind: 'session', name: doubt.inSession }
  if ('door' in doubt) return { kind: 'door', name: doubt.door }
  return { kind: 'ref', name: doubt.ref }
}
