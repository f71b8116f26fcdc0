import { MunimentError } from './errors.ts'
import { LABEL_NAMES, type LabelName } from './labels.ts'
import type { Instant } from './time.ts'

/** Purposes of a read: to talk, to plan, or to act on the memory. */
export const USES = ['chat', 'plan', 'act'] as const
/** The use of what is read: quoting, planning or acting. */
export type Use = (typeof USES)[number]

/** The stricter of two uses: the later in the list takes a higher tier. */
export const stricterUse = (a: Use, b: Use): Use => (USES.indexOf(a) >= USES.indexOf(b) ? a : b)

/** Talking takes every tier and shows the tier; acting takes first-hand memories. */
export const DEFAULT_USES: Readonly<Record<Use, Tier>> = { chat: 0, plan: 1, act: 2 }

export const DOORS = ['lib', 'cli', 'explorer', 'hook', 'mcp', 'http', 'import', 'sync'] as const

/** The way into a stack: library, command line, MCP, HTTP, hook, explorer, import. */
export type Door = (typeof DOORS)[number]

export const TIERS = [0, 1, 2, 3] as const
/** The trust in words, from 0 to 3. */
export type Tier = (typeof TIERS)[number]

export const isTier = (value: unknown): value is Tier =>
  value === 0 || value === 1 || value === 2 || value === 3

export const lowerTier = (a: Tier, b: Tier): Tier => (a <= b ? a : b)

/** The highest tier of each label; a missing label may not be claimed. */
export type LabelTiers = Readonly<Partial<Record<LabelName, Tier>>>

/**
 * A door's knowledge of its caller, from facts the door can check: a terminal, a token, a hook's
 * own input. Nothing here is ever read from the content of a write.
 */
export interface Caller {
  readonly door: Door
  /** The operation called, for the ingestion path: `mcp:memory_note`. */
  readonly operation: string
  /** True if the door can tell that a person is at the other end. */
  readonly person: boolean
  /** Tiers allowed by a token or an import's origin; only ever narrower than the door's table. */
  readonly grant: LabelTiers | null
  readonly session: string | null
  readonly turn: string | null
  /** Door of the party that hands over a file; absent where the caller speaks for itself. */
  readonly through?: Door
  /** The least use of this connection, fixed by the host. A call may only ask for stricter use. */
  readonly use?: Use
  /** Count of secrets removed by the door; absent where the door found none. */
  readonly redacted?: number
  /** The person vouches for tool and path of a capture; absent where no person does. */
  readonly vouched?: true
}

export interface DoorRule {
  readonly person: LabelTiers
  readonly other: LabelTiers
  /** The ceiling with a grant; a door without this member lets a grant only narrow. */
  readonly granted?: LabelTiers
}

/** The highest tier of a label at any door. */
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

/** Labels at each door. Import and sync speak for others, so nothing is allowed without a grant. */
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

/** The tier of a caller with a label; undefined if the door does not allow the label. */
export function tierAtDoor(
  rule: DoorRule,
  caller: Pick<Caller, 'person' | 'grant'>,
  label: LabelName,
): Tier | undefined {
  const plain = caller.person ? rule.person : rule.other
  if (caller.grant === null) return plain[label]
  const ceiling = (rule.granted ?? plain)[label]
  const granted = caller.grant[label]
  if (ceiling === undefined || granted === undefined) return undefined
  return lowerTier(ceiling, granted)
}

/** The label of a caller that states none: the highest label given to the caller. */
export function labelAt({ door, person, grant }: Caller): LabelName {
  if (person) return 'UserAsserted'
  const isVouchedFor = door === 'http' && grant?.ExternalFirstHand !== undefined
  return isVouchedFor || door === 'lib' || door === 'hook' ? 'ExternalFirstHand' : 'ModelDerived'
}

const doors: ReadonlySet<unknown> = new Set(DOORS)

/** Doors for models: callers without a session share a session per door and day. */
const SHARED: ReadonlySet<Door> = new Set(['cli', 'mcp', 'http'])

/** Shared doors at which the caller names its own session. */
const SELF_NAMED: ReadonlySet<Door> = new Set(['cli', 'http'])

/**
 * The sessions a caller reads and writes in; none for the host, or a person without a session. A
 * self-named caller also gets the shared session, so a new name cannot wash off memories served
 * that day.
 */
export function sessionsAt(caller: Caller, time: Instant): readonly string[] {
  const own = sessionAt(caller, time)
  if (own === null) return []
  const shared = isSelfNamed(caller) ? sessionAt({ ...caller, session: null }, time) : null
  return shared === null || shared === own ? [own] : [own, shared]
}

const standsAt = ({ door, through }: Caller): Door => through ?? door

const isSelfNamed = (caller: Caller): boolean => SELF_NAMED.has(standsAt(caller))

/** The named or shared session; null for the host, and for a person without a session. */
export function sessionAt(caller: Caller, time: Instant): string | null {
  const { person, session } = caller
  if (session !== null) return session
  const door = standsAt(caller)
  return SHARED.has(door) && !person ? `${door}:${time.slice(0, DAY_CHARS)}` : null
}

const DAY_CHARS = '2026-01-01'.length

/** `unknown` becomes a caller here, once: a host in JavaScript may pass any value. */
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
  return { ...(value as Caller), session: session ?? null, turn: turn ?? null } // every member was checked
}

/** At least 1, because a count of zero is written as an absent member. */
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
