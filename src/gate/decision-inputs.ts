import { isDoor } from '../domain/distrust.ts'
import { type Caller, type Door, isTier, type LabelTiers, type Tier } from '../domain/doors.ts'
import type { Facts } from '../domain/entry.ts'
import { LABEL_NAMES } from '../domain/labels.ts'
import type { Case } from './case.ts'
import { mayRestate } from './restatement.ts'

/**
 * Everything that a decision on a draft took from outside the ledger and the sealed words. Recorded,
 * so that an audit knows the caller's ceiling, and a replay decides from equal inputs. Members at
 * their usual value are left out; none names anybody.
 */
export interface DecisionInputs extends Pick<Caller, 'person' | 'grant' | 'through'> {
  /** The cap on the tier that the caller asked for. */
  readonly tier: Tier | null
  /** Body fields that the caller gave, where known words could come with other fields. */
  readonly given: readonly string[] | null
  /** An oracle was there to settle a contest. */
  readonly oracle: boolean
}

export function inputsFact({ candidate, desk }: Case): Facts {
  const { draft, main } = candidate
  const { person, grant, through } = draft.caller
  const isRestating = mayRestate(candidate) && desk.saying(main.keys.identity).length > 0
  return {
    inputs: {
      ...(person ? { person } : {}),
      ...(grant === null ? {} : { grant: { ...grant } }),
      ...(through === undefined ? {} : { through }),
      ...(draft.supplied.trustTier === null ? {} : { tier: draft.supplied.trustTier }),
      ...(isRestating ? { given: draft.given } : {}),
      ...(main.keys.line !== null && desk.setting.hasOracle === true ? { oracle: true } : {}),
    },
  }
}

/** Null for an entry without inputs, of an earlier version; undefined for inputs that no gate writes. */
export function inputsIn({ inputs }: Facts): DecisionInputs | null | undefined {
  if (inputs === undefined) return null
  if (typeof inputs !== 'object' || inputs === null || Array.isArray(inputs)) return undefined
  const { person, grant, through, tier, given, oracle, ...more } = inputs as Facts
  const isSo =
    Object.keys(more).length === 0 &&
    (person === undefined || person === true) &&
    (oracle === undefined || oracle === true) &&
    (tier === undefined || isTier(tier)) &&
    (through === undefined || isDoorName(through)) &&
    (given === undefined || isNames(given)) &&
    (grant === undefined || isGrant(grant))
  if (!isSo) return undefined
  return {
    person: person === true,
    grant: (grant as LabelTiers | undefined) ?? null, // checked above
    ...(isDoorName(through) ? { through } : {}),
    tier: isTier(tier) ? tier : null,
    given: isNames(given) ? given : null,
    oracle: oracle === true,
  }
}

const isDoorName = (value: unknown): value is Door => typeof value === 'string' && isDoor(value)

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string')

const labels: ReadonlySet<string> = new Set(LABEL_NAMES)

const isGrant = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(([label, tier]) => labels.has(label) && isTier(tier))
