import { MunimentError } from './errors.ts'
import { LABEL_NAMES, type LabelName } from './labels.ts'
import type { Instant } from './time.ts'
import { USES, type Use } from './use.ts'

export const DOORS = ['lib', 'cli', 'explorer', 'hook', 'mcp', 'http', 'import', 'sync'] as const

export type Door = (typeof DOORS)[number]

export const TIERS = [0, 1, 2, 3] as const
export type Tier = (typeof TIERS)[number]

export const isTier = (value: unknown): value is Tier =>
  value === 0 || value === 1 || value === 2 || value === 3

export const lowerTier = (a: Tier, b: Tier): Tier => (a <= b ? a : b)

/** The highest tier each label may carry in; a label that is missing may not be claimed. */
export type LabelTiers = Readonly<Partial<Record<LabelName, Tier>>>

/**
 * What a door knows of its caller. The door makes it from what it can check itself (a terminal, a
 * token, a hook's own input); nothing in it is ever read from the content of a write.
 */
export interface Caller {
  readonly door: Door
  /** The operation called, for the ingestion path: `mcp:memory_note`. */
  readonly operation: string
  /** Whether the door could tell that a person is at the other end. */
  readonly person: boolean
  /** What a token or an import's origin allows; only ever narrower than the door's own table. */
  readonly grant: LabelTiers | null
  readonly session: string | null
  readonly turn: string | null
  /** Where whoever hands over a file stands; absent where what is said is the caller's own. */
  readonly through?: Door
  /**
   * The least use of this connection, fixed by the host. A call may ask for a stricter use, never for a
   * laxer one.
   */
  readonly use?: Use
  /** How many secrets the door took out of what was said; absent where none was found. */
  readonly redacted?: number
  /** The person vouches for tool and path of a capture; absent where no person does. */
  readonly vouched?: true
}

export interface DoorRule {
  readonly person: LabelTiers
  readonly other: LabelTiers
  /** The ceiling when a grant is shown; a door without it lets a grant only narrow. */
  readonly granted?: LabelTiers
}

/** What a label may count for at most, wherever it is claimed. */
export const TIER_OF_LABEL: Readonly<Record<LabelName, Tier>> = {
  UserAsserted: 3,
  ExternalFirstHand: 2,
  ModelDerived: 1,
  RecallReEntry: 0,
}
const HOST: LabelTiers = TIER_OF_LABEL
const PERSON: LabelTiers = { UserAsserted: 3, ModelDerived: 1, RecallReEntry: 0 }
const MODEL: LabelTiers = { ModelDerived: 1, RecallReEntry: 0 }
const NOTHING: LabelTiers = {}

/** What may be claimed at each door. Import and sync speak for another: nothing without a grant. */
export const DOOR_RULES: Readonly<Record<Door, DoorRule>> = {
  lib: { person: HOST, other: HOST },
  cli: { person: PERSON, other: MODEL },
  explorer: { person: PERSON, other: NOTHING },
  hook: { person: HOST, other: HOST },
  mcp: { person: MODEL, other: MODEL },
  http: { person: MODEL, other: MODEL, granted: HOST },
  import: { person: NOTHING, other: NOTHING, granted: HOST },
  sync: { person: NOTHING, other: NOTHING, granted: HOST },
}

/** The tier a caller may reach with a label, or nothing when the door does not let it be claimed. */
export function tierAtDoor(rule: DoorRule, caller: Caller, label: LabelName): Tier | undefined {
  const plain = caller.person ? rule.person : rule.other
  if (caller.grant === null) return plain[label]
  const ceiling = (rule.granted ?? plain)[label]
  const granted = caller.grant[label]
  if (ceiling === undefined || granted === undefined) return undefined
  return lowerTier(ceiling, granted)
}

/** The label that a caller speaks under where it does not say: the highest that it was given. */
export function labelAt({ door, person, grant }: Caller): LabelName {
  if (person) return 'UserAsserted'
  const isVouchedFor = door === 'http' && grant?.ExternalFirstHand !== undefined
  return isVouchedFor || door === 'lib' || door === 'hook' ? 'ExternalFirstHand' : 'ModelDerived'
}

const doors: ReadonlySet<unknown> = new Set(DOORS)

/** Doors at which models stand: whoever names no session there shares one with the others of the day. */
const SHARED: ReadonlySet<Door> = new Set(['cli', 'mcp', 'http'])

/** Of these, doors at which the caller says which session it is in. */
const SELF_NAMED: ReadonlySet<Door> = new Set(['cli', 'http'])

/**
 * The sessions that a caller reads and writes in; none for the host itself, and for a person. Where
 * the caller names its own session, a new name must not wash off what it was served that day.
 */
export function sessionsAt(caller: Caller, time: Instant): readonly string[] {
  const own = sessionAt(caller, time)
  if (own === null) return []
  const shared = isSelfNamed(caller) ? sessionAt({ ...caller, session: null }, time) : null
  return shared === null || shared === own ? [own] : [own, shared]
}

const standsAt = ({ door, through }: Caller): Door => through ?? door

const isSelfNamed = (caller: Caller): boolean => SELF_NAMED.has(standsAt(caller))

/** The one that it names, or shares; null for the host itself, and for a person who names none. */
export function sessionAt(caller: Caller, time: Instant): string | null {
  const { person, session } = caller
  if (session !== null) return session
  const door = standsAt(caller)
  return SHARED.has(door) && !person ? `${door}:${time.slice(0, DAY_CHARS)}` : null
}

const DAY_CHARS = '2026-01-01'.length

/** `unknown` becomes a caller here, once: a host in JavaScript may hand over anything. */
export function parseCaller(value: unknown): Caller {
  if (typeof value !== 'object' || value === null) throw notACaller('caller')
  const given = value as Partial<Caller> // checked below
  const { door, operation, person, grant, session, turn, through, redacted, use, vouched } = given
  if (!doors.has(door)) throw notACaller('door')
  if (through !== undefined && !doors.has(through)) throw notACaller('through')
  if (typeof operation !== 'string' || !operation.isWellFormed() || operation.trim() === '') {
    throw notACaller('operation')
  }
  if (typeof person !== 'boolean') throw notACaller('person')
  if (grant !== null && !isLabelTiers(grant)) throw notACaller('grant')
  if (use !== undefined && !USES.includes(use)) throw notACaller('use')
  if (redacted !== undefined && !isCount(redacted)) throw notACaller('redacted')
  if (vouched !== undefined && vouched !== true) throw notACaller('vouched')
  return { ...(value as Caller), session: session ?? null, turn: turn ?? null } // every member was looked at
}

/** At least one: where nothing was, nothing is said. */
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0

const isLabelTiers = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(
    ([name, tier]) => LABEL_NAMES.some((known) => known === name) && isTier(tier),
  )

const notACaller = (member: string): MunimentError =>
  new MunimentError('invalid_input', `A caller is not valid: ${member}.`, {
    issues: [{ path: `caller.${member}`, message: 'is missing or wrong' }],
  })
