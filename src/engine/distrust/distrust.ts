import {
  DISTRUST_BASES,
  DISTRUST_LIMITS,
  type DistrustBasis,
  type Doubted,
  isDoor,
  keyNameOf,
  type OriginKind,
  type StandingDistrust,
} from '../../domain/distrust.ts'
import { DOORS } from '../../domain/doors.ts'
import { LimitError, MunimentError } from '../../domain/errors.ts'
import { type Hash, parseRef, type RecordKind, type Ref } from '../../domain/ids.ts'
import type { ActorKey, MemoryState } from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import type { Disposition } from '../../domain/vocabulary.ts'
import type { EntryPointer } from '../../domain/write.ts'
import { fallOf } from '../../fold/distrust.ts'
import { tierNow } from '../../fold/effective.ts'
import { isOf } from '../../gate/commands/distrust.ts'
import { pseudonymOf, readEntry } from '../../ledger/ledger.ts'
import type { ClaimRow } from '../../ports/store.ts'
import { type Answer, answerFrom, gatedAnswer, lineThen } from '../claims/answer.ts'
import { bodyIn } from '../claims/open-claim.ts'
import type { Engine } from '../engine.ts'
import { tierMinOf, type UseOptions, WITHHELD_TEXT } from '../read/use-gate.ts'
import {
  type ActOptions,
  given,
  nameOf,
  oneOf,
  readable,
  speakerOf,
  wrong,
} from '../write/arguments.ts'

/** One memory, or all memories of an actor, a door or a session. */
export type DistrustWhat =
  | string
  | { readonly actor: string }
  | { readonly door: string }
  | { readonly session: string }

interface DistrustOptions extends ActOptions {
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

function doubtedIn(what: DistrustWhat): Doubted {
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

export interface DistrustedOrigin {
  readonly origin: OriginKind
  /** Null once the key behind the pseudonym is gone. */
  readonly name: string | null
  readonly since: Instant
  readonly basis: DistrustBasis
  readonly memories: number
  readonly entry: number
}

/** Distrusted origins, oldest first. */
async function distrustedOrigins(engine: Engine): Promise<readonly DistrustedOrigin[]> {
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

/** A memory to become distrusted, because of its origin or sources. */
export interface Losing {
  readonly ref: Ref
  readonly kind: RecordKind
  readonly disposition: Disposition
  readonly why: 'origin' | 'own' | 'ground'
}

export interface WhatIf {
  /** In the order of the entries of a distrust. */
  readonly memories: readonly Losing[]
  /** Memories with a lost source, still believed. */
  readonly flagged: readonly { readonly ref: Ref; readonly by: Ref }[]
  /** Changed answers, before and after. */
  readonly answers: readonly { readonly before: Answer; readonly after: Answer }[]
}

interface WhatIfOptions extends UseOptions {
  readonly distrust: DistrustWhat
}

/** Computes the effects of a distrust without a write. */
async function whatIf(engine: Engine, options: WhatIfOptions): Promise<WhatIf> {
  const { distrust, ...use } = given(options)
  const what = doubtedIn(distrust)
  const family = await familyOf(engine, what)
  const { turned, flagged } = fallOf(family, {
    isDoubted: what.type === 'memory' ? ({ ref }) => ref === what.ref : isOf(what),
    why: what.type === 'memory' ? 'own' : 'origin',
  })
  const losing = turned.filter(({ memory }) => memory.distrust === null)
  const fallen = new Set(losing.map(({ memory }) => memory.ref))
  const lines = new Set(losing.flatMap(({ memory }) => memory.line ?? []))
  const answers: WhatIf['answers'][number][] = []
  for (const line of lines) answers.push(await turnedAnswer(engine, line, { fallen, use }))
  return {
    memories: losing.map(({ memory: { ref, kind, disposition }, why }) => {
      return { ref, kind, disposition, why }
    }),
    flagged,
    answers: answers.filter(
      ({ before, after }) => JSON.stringify(before) !== JSON.stringify(after),
    ),
  }
}

async function familyOf(engine: Engine, what: Doubted): Promise<readonly MemoryState[]> {
  const visitMax = DISTRUST_LIMITS.distrustVisitMax
  const family = await engine.read({ type: 'doubted', what, visitMax })
  if (family === null) throw new LimitError('distrustVisitMax', visitMax, visitMax + 1)
  if (what.type !== 'memory' || family.some(({ ref }) => ref === what.ref)) return family
  throw new MunimentError('not_found', `${what.ref} does not exist in this stack.`)
}

/** Subject and predicate are words too, hidden where the use may read no claim of the timeline. */
const WITHHELD_LINE = { subject: WITHHELD_TEXT, predicate: WITHHELD_TEXT }

/** Folds one reading of the timeline twice: as stored, and without the distrusted claims. */
async function turnedAnswer(
  engine: Engine,
  hash: Hash,
  { fallen, use }: { readonly fallen: ReadonlySet<Ref>; readonly use: UseOptions },
) {
  const then = await lineThen(engine, hash)
  const words = then.claims.flatMap(({ sealed }) => sealed ?? [])[0]
  if (words === undefined) throw new MunimentError('data_loss', 'A line has claims without words.')
  const { subject, predicate } = bodyIn(words)
  const tierMin = tierMinOf(then.policy, use, 0)
  const without = (row: ClaimRow): ClaimRow =>
    fallen.has(row.state.ref) ? { ...row, state: { ...row.state, disposition: 'Distrusted' } } : row
  const isReadable = then.claims.some(({ state }) => tierNow(state) >= tierMin)
  const line = isReadable ? { subject, predicate } : WITHHELD_LINE
  return {
    before: gatedAnswer(answerFrom(line, then), tierMin),
    after: gatedAnswer(answerFrom(line, { ...then, claims: then.claims.map(without) }), tierMin),
  }
}

export class Sources {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /**
   * The effects of distrusting a memory, an actor, a door or a session.
   * @example
   * const { memories, answers } = await stack.sources.whatIf({ distrust: { actor: 'deploy-bot' } })
   */
  async whatIf(options: WhatIfOptions): Promise<WhatIf> {
    return whatIf(this.#engine, options)
  }

  /**
   * Distrusts an origin: dependent memories answer nothing, keep their words, and may return.
   * @example await stack.sources.distrust({ actor: 'deploy-bot' }, { basis: 'compromised' })
   */
  async distrust(what: DistrustWhat, options?: DistrustOptions | null): Promise<Turned> {
    return turn(this.#engine, what, { on: true, options })
  }

  /**
   * Trusts an origin again: memories return unless another distrusted origin remains.
   * @example
   * await stack.sources.distrust({ actor: 'deploy-bot' })
   * await stack.sources.trust({ actor: 'deploy-bot' })
   */
  async trust(what: DistrustWhat, options?: DistrustOptions | null): Promise<Turned> {
    return turn(this.#engine, what, { on: false, options })
  }

  /**
   * Origins that are distrusted at present.
   * @example
   * for (const { origin, name } of await stack.sources.distrusted()) console.log(origin, name)
   */
  async distrusted(): Promise<readonly DistrustedOrigin[]> {
    return distrustedOrigins(this.#engine)
  }
}
