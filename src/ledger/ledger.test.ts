import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DOORS, TIERS } from '../domain/doors.ts'
import { ENTRY_OPS, type Entry } from '../domain/entry.ts'
import { LABEL_NAMES, labelNamed, SOURCE_TYPES } from '../domain/labels.ts'
import type { Provenance } from '../domain/provenance.ts'
import { DISPOSITIONS, RULE_NAMES } from '../domain/vocabulary.ts'
import { canonicalize } from './canonical.ts'
import { entryText, provenanceText } from './ledger.ts'

const hash = fc.stringMatching(/^[0-9a-f]{64}$/)
const ref = fc.uuid().map((id) => `note:${id}`)
const words = fc.string({ unit: 'binary', minLength: 1 })
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const time = fc.constant('2026-01-01T00:00:00.000Z')
const label = fc.constantFrom(...LABEL_NAMES).map(labelNamed)
const count = fc.nat(1_000_000)

const provenance = fc.record({
  sourceType: fc.constantFrom(...SOURCE_TYPES),
  label,
  sourceId: words,
  sourceEntity: orNull(words),
  ingestionPath: words,
  timestamp: time,
  eventTime: orNull(time),
  session: orNull(words),
  turn: orNull(words),
  relayed: fc.boolean(),
  captured: fc.boolean(),
  quote: orNull(fc.record({ of: ref, start: count, end: count })),
  document: orNull(words),
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  contentHash: hash,
  policyHash: hash,
  trustTier: fc.constantFrom(...TIERS),
  llmModel: orNull(words),
  derivedFrom: fc.array(ref),
  sourceEpisodes: fc.array(ref),
  depthNearest: orNull(count),
  depthFarthest: orNull(count),
})

const entry = fc.record({
  v: fc.constant(1),
  stack: fc.constantFrom('demo', 'a.b-c_d'),
  replica: fc.stringMatching(/^[0-9a-f]{32}$/),
  seq: count,
  unit: count,
  time,
  op: fc.constantFrom(...ENTRY_OPS),
  ref: orNull(ref),
  revision: orNull(count),
  actor: orNull(hash),
  door: orNull(fc.constantFrom(...DOORS)),
  label: orNull(label),
  tier: orNull(fc.constantFrom(...TIERS)),
  parents: fc.array(fc.record({ ref, seq: count })),
  commitment: orNull(hash),
  policy: orNull(hash),
  decision: fc.record({
    rule: orNull(fc.constantFrom(...RULE_NAMES)),
    disposition: orNull(fc.constantFrom(...DISPOSITIONS)),
    reasons: fc.array(words),
    facts: fc.dictionary(words, fc.oneof(words, count, fc.boolean(), fc.array(ref))),
  }),
  prevHash: hash,
})

describe('the templates', () => {
  test('write a certificate as the general writer does', () => {
    fc.assert(
      fc.property(provenance, (made) => {
        const certificate = made as unknown as Provenance // brands are not made up here
        expect(provenanceText(certificate)).toBe(canonicalize(certificate))
      }),
    )
  })

  test('write an entry as the general writer does', () => {
    fc.assert(
      fc.property(entry, (made) => {
        const whole = made as unknown as Entry // brands are not made up here
        expect(entryText(whole)).toBe(canonicalize(whole))
      }),
    )
  })
})
