import { z } from 'zod'
import { CHANGE_RULE_NAMES, DISPOSITIONS, RULE_NAMES } from './dispositions.ts'
import { DOORS } from './doors.ts'
import { MunimentError } from './errors.ts'
import { LATER_SIGNALS, SIGNALS } from './fusion.ts'
import { isHash } from './ids.ts'
import { KINDS, RECORD_KINDS } from './kind-names.ts'
import { LABEL_NAMES } from './labels.ts'
import { LIMITS } from './limits.ts'
import { once } from './once.ts'
import { DEFAULT_NUMBERS, type Policy, RETIRED_NUMBERS } from './policy.ts'
import { USES } from './use.ts'

const share = once(() => z.number().min(0).max(1))
const WINDOW_MS_MAX = 3_155_760_000_000 // a hundred years; longer windows never end
const COUNT_MAX = 100_000

/** Divisors, which must not be zero. */
const isDivisor = (name: string): boolean => /PeriodDays|Damping$/.test(name)

const countOf = (name: string) =>
  z
    .int()
    .min(isDivisor(name) ? 1 : 0)
    .max(name.endsWith('Ms') ? WINDOW_MS_MAX : COUNT_MAX)

/** Shares stay within 0 to 1, counts stay whole, and every number in use is required. */
const numbers = () =>
  z.strictObject({
    ...Object.fromEntries(
      Object.entries(DEFAULT_NUMBERS).map(([name, value]) => [
        name,
        Number.isInteger(value) && name !== 'strengthAtBirth' ? countOf(name) : share(),
      ]),
    ),
    ...Object.fromEntries(RETIRED_NUMBERS.map((name) => [name, countOf(name).exactOptional()])),
  })

const kind = () =>
  z.strictObject({
    sources: z.strictObject({
      min: z.union([z.literal(0), z.literal(1)]),
      from: z.array(z.enum(KINDS)),
      revises: z.boolean(),
    }),
    asserts: z.boolean(),
    decay: z
      .strictObject({ rate: share(), periodDays: z.number().gt(0), floor: share() })
      .nullable(),
    load: z
      .strictObject({
        base: share(),
        bonus: z.strictObject({ from: z.string(), divisor: z.number().gt(0) }).exactOptional(),
        baseByScope: z.record(z.string(), share()).exactOptional(),
      })
      .nullable(),
  })

const tiers = () =>
  z.strictObject(
    Object.fromEntries(LABEL_NAMES.map((name) => [name, z.int().min(0).max(3).exactOptional()])),
  )
const door = () =>
  z.strictObject({ person: tiers(), other: tiers(), granted: tiers().exactOptional() })

const limits = () =>
  z.strictObject(
    Object.fromEntries(Object.entries(LIMITS).map(([name, value]) => [name, z.literal(value)])),
  )

const exactly = (names: readonly string[]) =>
  z.tuple(names.map((name) => z.literal(name)) as [z.ZodLiteral, ...z.ZodLiteral[]]) // not empty

const tier = once(() => z.int().min(0).max(3))
const WEIGHT_MAX = 1_000 // either way; a larger weight drowns every other signal
const weight = once(() => z.number().min(-WEIGHT_MAX).max(WEIGHT_MAX))

const recall = () =>
  z.strictObject({
    weights: z.strictObject(
      Object.fromEntries(
        SIGNALS.map((name) => [
          name,
          LATER_SIGNALS.includes(name) ? weight().exactOptional() : weight(),
        ]),
      ),
    ),
    calibration: z.strictObject({ slope: z.number().gt(0).max(WEIGHT_MAX), offset: weight() }),
    answer: z.strictObject({
      best: weight(),
      coverage: weight(),
      otherSaid: weight(),
      offset: weight(),
      abstainBelow: share(),
    }),
    repeatShare: share(),
    repeatCost: z.number().min(0).max(WEIGHT_MAX),
  })

/** A policy is complete, with known names only. Rules and limits are listed, and fixed. */
const policy = once(() =>
  z.strictObject({
    format: z.literal('muniment/policy/1'),
    rules: exactly(RULE_NAMES),
    changeRules: exactly(CHANGE_RULE_NAMES),
    kinds: z.strictObject(Object.fromEntries(RECORD_KINDS.map((name) => [name, kind()]))),
    doors: z.strictObject(Object.fromEntries(DOORS.map((name) => [name, door()]))),
    numbers: numbers(),
    limits: limits(),
    lexicons: z.record(z.string(), z.custom<string>(isHash, 'expected 64 lower-case hex digits')),
    notBelieved: z.array(z.enum(DISPOSITIONS)),
    uses: z.strictObject(Object.fromEntries(USES.map((name) => [name, tier()]))),
    recall: recall(),
  }),
)

/** `unknown` becomes a policy here, once; every bad field is named. */
export function parsePolicy(value: unknown): Policy {
  const parsed = policy().safeParse(value)
  if (parsed.success) return parsed.data as unknown as Policy // the schema is the type, written out
  const issues = parsed.error.issues.map(({ path, message }) => ({
    path: ['policy', ...path.map(String)].join('.'),
    message,
  }))
  throw new MunimentError('invalid_input', 'This is not a policy; the one in force stays.', {
    issues,
  })
}
