import type { StoredEntry } from '../domain/entry.ts'
import type { ErasedMark } from '../domain/erasure.ts'
import { assert } from '../domain/errors.ts'
import { type Ref, ZERO_HASH } from '../domain/ids.ts'
import { labelName } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import type { MemoryState } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import { atBirth, linkIn } from './at-birth.ts'
import { countedGuard, countedTier } from './counted-tier.ts'
import { markedAtBirth } from './distrust.ts'

/** What a row says of content that is gone: the same for every memory, so that it tells nothing. */
const NOTHING_SAID = {
  sourceType: 'external',
  sourceId: '',
  document: null,
  session: null,
  captured: false,
  contentHash: ZERO_HASH,
  identity: ZERO_HASH,
  line: null,
  claim: null,
  disposition: 'Invalidated',
  depthNearest: null,
  depthFarthest: null,
  parentsAdded: 0,
  isProtected: false,
  guard: null,
  restatedAt: null,
  facets: { subtype: null, status: null, name: null, context: null, contextTags: [], tags: [] },
  weight: 0,
  accesses: 0,
  accessedAt: null,
  verifications: 0,
  verifiedAt: null,
  reinforcements: 0,
  evidence: [],
  anchors: [],
  flags: [],
  notes: {},
  moves: [],
  review: null,
  distrust: null,
  rewordingOf: null,
} as const

/** What is left is what its entries say without their content, so that it can be folded without. */
export function blankedBy(before: MemoryState, { entry }: StoredEntry): MemoryState {
  const { seq, time, decision } = entry
  const none = { value: 0, at: time }
  const { dated, silent, by, until } = decision.facts
  const erased: ErasedMark = {
    seq,
    dated: dated === true,
    ...(silent === true ? { silent } : {}),
    ...(before.distrust === null ? {} : { distrusted: true }),
    ...(by === undefined ? {} : { by: by as Ref }), // of facts that were written or checked
    ...(until === undefined ? {} : { until: until as Instant }),
  }
  return { ...before, ...NOTHING_SAID, confidence: none, strength: none, erased }
}

/** A memory whose content was erased later, as far as its birth and revisions tell without it. */
export function hollow(
  before: MemoryState | undefined,
  { entry, hash }: StoredEntry,
  policy: Policy,
): MemoryState {
  const { op, seq, time, label, door, decision } = entry
  assert(label !== null && door !== null, 'a birth is certified')
  const { nearest, farthest } = depthIn(decision.facts.depth)
  return {
    ...NOTHING_SAID,
    erased: null,
    confidence: { value: 0, at: time },
    distrust: markedAtBirth(entry, labelName(label)),
    rewordingOf: linkIn(entry),
    ...(before ?? atBirth(entry, policy)),
    // A capture alone does not say in its entry how far it is from what was met with.
    captured: before?.captured ?? (op === 'memory.saved' && decision.facts.depth === undefined),
    revision: entry.revision ?? 1,
    revisionSeq: seq,
    entryHash: hash,
    label: labelName(label),
    door,
    tier: countedTier(entry),
    guard: countedGuard(before?.guard ?? null, entry),
    disposition: decision.disposition ?? 'Invalidated',
    depthNearest: nearest,
    depthFarthest: farthest,
    parents: entry.parents.map((parent) => parent.ref),
  }
}

function depthIn(fact: unknown): { nearest: number | null; farthest: number | null } {
  const { nearest = null, farthest = null } = { ...(fact as Partial<Depth> | undefined) } // below
  return { nearest: numberOrNull(nearest), farthest: numberOrNull(farthest) }
}

interface Depth {
  readonly nearest: unknown
  readonly farthest: unknown
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null)
