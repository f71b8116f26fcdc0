import { describe, expect, test } from 'vitest'
import { testPolicy } from '../../tests/support/gate-bench.ts'
import type { Entry, StoredEntry } from '../domain/entry.ts'
import { InvariantError } from '../domain/errors.ts'
import type { Hash, Ref } from '../domain/ids.ts'
import { label } from '../domain/labels.ts'
import type { Provenance } from '../domain/provenance.ts'
import type { MemoryState } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import { type FoldInput, foldMemory, isLive } from './fold-memory.ts'

const REF = 'goal:01980000-0000-7000-8000-000000000001' as Ref
const policy = testPolicy()
const at = (minute: number): Instant =>
  `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z` as Instant
const hash = (digit: string): Hash => digit.repeat(64) as Hash

const provenance: Provenance = {
  sourceType: 'inference',
  label: label.modelDerived(),
  sourceId: 'ann',
  sourceEntity: null,
  ingestionPath: 'lib:goal',
  timestamp: at(0),
  eventTime: null,
  session: 's',
  turn: null,
  relayed: false,
  captured: false,
  quote: null,
  document: 'd',
  confidence: 0.7,
  contentHash: hash('c'),
  policyHash: hash('p'),
  trustTier: 1,
  llmModel: 'm',
  derivedFrom: ['episode:01980000-0000-7000-8000-000000000002' as Ref],
  sourceEpisodes: [],
  depthNearest: 1,
  depthFarthest: 2,
}

const sealedAs = (over: Partial<Provenance> = {}, body: object = { goalType: 'task' }) => ({
  body,
  provenance: { ...provenance, ...over },
  keys: { identity: hash('1'), line: null },
})

function stored(
  over: Omit<Partial<Entry>, 'decision'> & { decision?: Partial<Entry['decision']> },
) {
  const decision = { rule: null, disposition: null, reasons: [], facts: {}, ...over.decision }
  const entry = { seq: 5, unit: 5, time: at(0), op: 'tally', ref: REF, ...over, decision }
  return { entry, hash: hash('e'), bytes: new Uint8Array() } as unknown as StoredEntry // what the fold reads
}

const birth = stored({
  op: 'memory.saved',
  revision: 1,
  tier: 1,
  door: 'lib',
  decision: { rule: 'admit', disposition: 'CommittedInferred' },
})

const fold = (
  before: MemoryState | undefined,
  entry: StoredEntry,
  sealed: FoldInput['sealed'] = null,
) => foldMemory(before, entry, { sealed, policy })

const born = (body?: object): MemoryState => {
  const state = fold(undefined, birth, sealedAs({}, body))
  if (!state) throw new Error('not born')
  return state
}

describe('the fold of a memory', () => {
  test('starts with its certificate and the policy’s strength', () => {
    expect(born()).toMatchObject({
      ref: REF,
      kind: 'goal',
      seq: 5,
      revision: 1,
      revisionSeq: 5,
      label: 'ModelDerived',
      sourceId: 'ann',
      door: 'lib',
      document: 'd',
      session: 's',
      disposition: 'CommittedInferred',
      tier: 1,
      depthNearest: 1,
      depthFarthest: 2,
      confidence: { value: 0.7, at: at(0) },
      strength: { value: 1, at: at(0) },
      restatedAt: null,
      isProtected: false,
    })
    expect(born({ goalType: 'commitment' }).isProtected).toBe(true)
  })

  test('takes a revision’s certificate and keeps its birth', () => {
    const revision = stored({
      op: 'memory.revised',
      seq: 9,
      unit: 9,
      time: at(3),
      revision: 2,
      tier: 3,
      door: 'cli',
      decision: { rule: 'admit', disposition: 'CommittedCheap' },
    })
    const revised = fold(
      born(),
      revision,
      sealedAs({ label: label.userAsserted(), confidence: 0.9 }),
    )
    expect(revised).toMatchObject({
      seq: 5,
      bornAt: at(0),
      strength: { value: 1, at: at(0) },
      revision: 2,
      revisionSeq: 9,
      tier: 3,
      door: 'cli',
      label: 'UserAsserted',
      disposition: 'CommittedCheap',
      confidence: { value: 0.9, at: at(3) },
    })
  })

  test('is dated anew by a restatement and by its tally, by no other telling', () => {
    const told = (
      op: Entry['op'],
      rule: 'restate' | 'echo',
      facts: Entry['decision']['facts'] = {},
    ) => fold(born(), stored({ op, time: at(4), decision: { rule, facts } }))
    expect(told('memory.collapsed', 'restate')?.restatedAt).toBe(at(4))
    expect(told('memory.collapsed', 'echo')?.restatedAt).toBeNull()
    expect(told('tally', 'restate', { last: at(2) })?.restatedAt).toBe(at(2))
    expect(told('tally', 'echo', { last: at(2) })?.restatedAt).toBeNull()
  })

  test('an echo changes nothing at all', () => {
    const before = born()
    expect(fold(before, stored({ op: 'memory.collapsed', decision: { rule: 'echo' } }))).toBe(
      before,
    )
  })

  test('is rejected by a person and by nothing else', () => {
    expect(fold(born(), stored({ op: 'quarantine.rejected' }))?.disposition).toBe('Rejected')
    for (const op of ['genesis', 'policy', 'state', 'enforcement.off', 'enforcement.on'] as const) {
      const before = born()
      expect(fold(before, stored({ op }))).toBe(before)
    }
  })

  test('a refusal keeps nothing, unless it seals the noise it refused', () => {
    expect(fold(undefined, stored({ op: 'memory.refused', ref: null }))).toBeUndefined()
    const noise = stored({
      op: 'memory.refused',
      ref: 'suggestion:01980000-0000-7000-8000-000000000003' as Ref,
      revision: 1,
      tier: 1,
      door: 'lib',
      decision: { rule: 'lint', disposition: 'Rejected' },
    })
    const kept = fold(undefined, noise, sealedAs({}, {}))
    expect(kept).toMatchObject({ kind: 'suggestion', disposition: 'Rejected' })
  })

  test('stops at a second birth, a birth without content and a revision out of turn', () => {
    expect(() => fold(born(), birth, sealedAs())).toThrow(InvariantError)
    expect(() => fold(undefined, birth)).toThrow(InvariantError)
    const third = stored({ op: 'memory.revised', revision: 3, tier: 1, door: 'lib' })
    expect(() => fold(born(), third, sealedAs())).toThrow(InvariantError)
    expect(() => fold(undefined, third, sealedAs())).toThrow(InvariantError)
  })
})

describe('a live memory', () => {
  test('is believed and can come to mind', () => {
    const memory = born()
    expect(isLive(memory, policy)).toBe(true)
    for (const disposition of ['Quarantined', 'Rejected', 'Superseded', 'Invalidated'] as const) {
      expect(isLive({ ...memory, disposition }, policy)).toBe(false)
    }
    for (const disposition of ['Contested', 'PendingConflict', 'CommittedCheap'] as const) {
      expect(isLive({ ...memory, disposition }, policy)).toBe(true)
    }
    expect(isLive({ ...memory, strength: { value: 0, at: at(0) } }, policy)).toBe(false)
  })
})
