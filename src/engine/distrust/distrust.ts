import {
  DISTRUST_BASES,
  type DistrustBasis,
  type Doubted,
  isDoor,
  keyNameOf,
  type OriginKind,
  type StandingDistrust,
} from '../../domain/distrust.ts'
import { DOORS } from '../../domain/doors.ts'
import { MunimentError } from '../../domain/errors.ts'
import { parseRef, type Ref } from '../../domain/ids.ts'
import type { ActorKey } from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import type { EntryPointer } from '../../domain/write.ts'
import { pseudonymOf, readEntry } from '../../ledger/ledger.ts'
import type { Engine } from '../engine.ts'
import { given, nameOf, oneOf, readable, wrong } from '../write/arguments.ts'
import { type ActOptions, speakerOf } from '../write/speaker.ts'

/** One memory, or all memories of an actor, a door or a session. */
export type DistrustWhat =
  | string
  | { readonly actor: string }
  | { readonly door: string }
  | { readonly session: string }

export interface DistrustOptions extends ActOptions {
  /** The basis as a code, which stays in the ledger. */
  readonly basis?: DistrustBasis
  /** The reason in words; only for one memory, because words are sealed with a memory. */
  readonly reason?: string
}

/** The result of a change of trust. */
export interface Turned {
  /** The entry of the change; null without a change. */
  readonly entry: EntryPointer | null
  /** Newly distrusted memories, or newly trusted ones. */
  readonly memories: readonly Ref[]
  /** Believed memories with a lost source: each waits for review. */
  readonly flagged: readonly Ref[]
  /** Memories with a regained source, now out of the queue. */
  readonly cleared: readonly Ref[]
  /** The proposal of a caller without the authority; a person decides. */
  readonly proposed: EntryPointer | null
}

/** Distrusts or trusts an origin, with all consequences in one commit. */
export async function turn(
  engine: Engine,
  what: DistrustWhat,
  { on, options }: { readonly on: boolean; readonly options: DistrustOptions | null | undefined },
): Promise<Turned> {
  const { basis = 'other', reason, ...by } = given(options)
  const doubted = doubtedIn(what)
  if (reason !== undefined && doubted.type !== 'memory') {
    throw new MunimentError('invalid_input', 'A reason in words is kept of one memory only.', {
      hint: `Say why as a code: basis is one of ${DISTRUST_BASES.join(', ')}.`,
    })
  }
  const outcome = await engine.submit('distrust', {
    on,
    what: doubted,
    basis: oneOf('basis', basis, DISTRUST_BASES),
    text: reason === undefined ? null : nameOf('reason', reason),
    ...speakerOf(engine.stackId, on ? 'distrust' : 'trust', by),
  })
  return outcome.type === 'changed'
    ? { entry: null, memories: [], flagged: [], cleared: [], proposed: outcome.result.entry }
    : { ...outcome.result, proposed: null }
}

export function doubtedIn(what: DistrustWhat): Doubted {
  if (typeof what === 'string') return { type: 'memory', ref: parseRef(what) }
  const members = readable(() => Object.entries({ ...what }))
  const [[type, value] = ['', ''], ...more] = members
  if (more.length > 0) throw notOne()
  switch (type) {
    case 'actor':
    case 'session':
      return { type, name: nameOf(type, value) }
    case 'door': {
      const name = nameOf(type, value)
      if (!isDoor(name)) throw wrong('door', `one of ${DOORS.join(', ')}`)
      return { type, name }
    }
    default:
      throw notOne()
  }
}

const notOne = (): MunimentError =>
  new MunimentError(
    'invalid_input',
    'What not to believe is a ref, an actor, a door or a session.',
    {
      hint: 'distrust("note:…"), distrust({ actor: "…" }), { door: "…" } or { session: "…" }',
    },
  )

/** A distrusted origin for display. */
export interface DistrustedOrigin {
  readonly origin: OriginKind
  /** Null once the key behind the pseudonym is gone. */
  readonly name: string | null
  readonly since: Instant
  readonly basis: DistrustBasis
  /** Number of newly distrusted memories. */
  readonly memories: number
  readonly entry: number
}

/** Distrusted origins, oldest first. */
export async function distrustedOrigins(engine: Engine): Promise<readonly DistrustedOrigin[]> {
  const { stack } = await engine.read({ type: 'standing' })
  if (stack.distrusted.length === 0) return []
  const keys = await engine.read({ type: 'table', name: 'actorKeys' })
  return Promise.all(
    stack.distrusted.map(async (standing) => {
      const [row] = await engine.read({ type: 'entries', from: standing.seq, limit: 1 })
      if (!row) throw new MunimentError('data_loss', `The entry ${standing.seq} is missing.`)
      const { time, decision } = readEntry(row.bytes)
      const { basis, memories } = decision.facts
      return {
        origin: standing.origin,
        name: nameBehind(engine, standing, keys),
        since: time,
        basis: DISTRUST_BASES.find((each) => each === basis) ?? 'other',
        memories: Number(memories),
        entry: standing.seq,
      }
    }),
  )
}

function nameBehind(
  { sha256 }: Pick<Engine, 'sha256'>,
  { origin, of }: StandingDistrust,
  keys: readonly ActorKey[],
): string | null {
  if (origin === 'door') return of
  const prefix = keyNameOf(origin, '')
  const found = keys.find(
    ({ actor, key }) => actor.startsWith(prefix) && pseudonymOf(sha256, key, actor) === of,
  )
  return found?.actor.slice(prefix.length) ?? null
}
