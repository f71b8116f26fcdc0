import { z } from 'zod'
import { type Caller, DOORS, isTier, type Tier } from './doors.ts'
import type { Facts } from './entry.ts'
import { once } from './errors.ts'
import { LABEL_NAMES } from './labels.ts'

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

const recordedInputs = once(() => {
  const tier = z.custom<Tier>(isTier)
  return z.strictObject({
    person: z.literal(true).optional(),
    grant: z.partialRecord(z.enum(LABEL_NAMES), tier).optional(),
    through: z.enum(DOORS).optional(),
    tier: tier.optional(),
    given: z.array(z.string()).optional(),
    oracle: z.literal(true).optional(),
  })
})

/** Null for an entry without inputs, of an earlier version; undefined for inputs that no gate writes. */
export function inputsIn({ inputs }: Facts): DecisionInputs | null | undefined {
  if (inputs === undefined) return null
  const { data } = recordedInputs().safeParse(inputs)
  if (data === undefined) return undefined
  const { person, oracle, through, grant = null, tier = null, given = null } = data
  const door = through === undefined ? {} : { through }
  return { person: person === true, oracle: oracle === true, grant, tier, given, ...door }
}
