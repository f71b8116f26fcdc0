import type { Tier } from '../../../src/domain/doors.ts'
import type { Ref } from '../../../src/domain/ids.ts'
import { captureId } from '../../../src/ledger/chance.ts'
import { idAt, testSha256 } from '../../support/world.ts'
import type { GateDraft } from '../steps.ts'
import type { Quoting } from './quoting.ts'
import {
  doorTier,
  isExternal,
  isLive,
  isReasoned,
  mayCite,
  mayRevise,
  needsSource,
} from './tables.ts'
import { type Book, meaning, type Remembered } from './words.ts'

export const kindIn = (ref: Ref): string => ref.slice(0, ref.indexOf(':'))

export const recall = (book: Book, ref: Ref): Remembered | undefined =>
  book.memories.find((memory) => memory.ref === ref)

/** A revision has every source that the memory had before it. */
const inheritedBy = (book: Book, { ref, revises }: GateDraft): readonly Ref[] =>
  (revises && recall(book, ref)?.parents) || []

/** All it is made from: what it had, what the caller cites, and the last capture for it. */
export function sourcesOf(book: Book, draft: GateDraft): readonly Ref[] {
  const { parents, captures } = draft
  const last = captures.at(-1)
  const cited = last ? [...parents, last.ref] : parents
  return [...new Set([...inheritedBy(book, draft), ...cited])]
}

/** Everything wrong with a draft's sources, as (code, ref) pairs. */
export function faultsOf(book: Book, draft: GateDraft): readonly (readonly [string, Ref | null])[] {
  const sources = sourcesOf(book, draft)
  const faults: (readonly [string, Ref | null])[] = []
  const isSeed = draft.sourceType === 'seed' && book.state === 'INITIALIZING'
  if (sources.length === 0 && needsSource(draft.kind) && !isSeed) {
    faults.push(['source_needed', null])
  }
  const inherited = inheritedBy(book, draft)
  for (const ref of sources) {
    if (!inherited.includes(ref)) faults.push(...faultsOfSource(book, draft, ref))
  }
  const isOwnKind = (ref: Ref): boolean => mayRevise(draft.kind, kindIn(ref))
  if (sources.length > 0 && sources.every(isOwnKind)) {
    faults.push(['parent_alone', sources[0] ?? null])
  }
  for (const ref of new Set(draft.evidence)) {
    if (!recall(book, ref)) faults.push(['evidence_missing', ref])
  }
  if (draft.revises && sources.some((ref) => descends(book, ref, draft.ref))) {
    faults.push(['cycle', draft.ref])
  }
  return faults
}

function faultsOfSource(book: Book, draft: GateDraft, ref: Ref): readonly [string, Ref][] {
  if (ref === draft.ref) return [['cycle', ref]]
  const kind = kindIn(ref)
  if (!mayCite(draft.kind, kind) && !mayRevise(draft.kind, kind)) return [['parent_kind', ref]]
  if (draft.captures.some((capture) => capture.ref === ref)) return []
  const parent = recall(book, ref)
  if (!parent) return [['parent_missing', ref]]
  if (parent.disposition === 'Quarantined') return [['parent_quarantined', ref]]
  if (parent.disposition === 'Rejected') return [['parent_rejected', ref]]
  if (parent.disposition === 'Distrusted') return [['parent_distrusted', ref]]
  return []
}

/** Whether `ref` is `to`, or anything it was made from is. */
export function descends(book: Book, ref: Ref, to: Ref): boolean {
  if (ref === to) return true
  const parents = recall(book, ref)?.parents ?? []
  return parents.some((parent) => descends(book, parent, to))
}

interface Hops {
  readonly near: number | null
  readonly far: number | null
}

type Source = Hops & { readonly kind: string }

type Subject = Pick<GateDraft, 'kind' | 'label' | 'sourceType'>

/** Inference hops to first-hand memory: over the shortest way, and over the longest. */
export function hopsOf(subject: Subject, sources: readonly Source[]): Hops {
  if (isExternal(subject.label) && !isReasoned(subject)) return { near: 0, far: 0 }
  const hop = (source: Source): number =>
    isReasoned(subject) && !mayRevise(subject.kind, source.kind) ? 1 : 0
  const near = sources.flatMap((source) =>
    source.near === null ? [] : [source.near + hop(source)],
  )
  const far = sources.flatMap((source) => (source.far === null ? [] : [source.far + hop(source)]))
  return {
    near: near.length > 0 ? Math.min(...near) : null,
    // A way that ends at nothing first-hand is longer than every other.
    far: far.length > 0 && far.length === sources.length ? Math.max(...far) : null,
  }
}

/** What a draft's own words were captured as: met with, even if what is made of them was not. */
export const captureType = ({ label, sourceType }: GateDraft): GateDraft['sourceType'] =>
  isExternal(label) && (sourceType === 'inference' || sourceType === 'consolidation')
    ? 'direct_experience'
    : sourceType

/** The hops of every capture in order, and then of the memory itself. */
export function allHops(book: Book, draft: GateDraft): readonly Hops[] {
  const known: (Source & { readonly ref: Ref })[] = []
  for (const { ref, kind } of draft.captures) {
    const before = known.at(-1)
    const subject = { kind, label: draft.label, sourceType: captureType(draft) }
    known.push({ ref, kind, ...hopsOf(subject, before ? [before] : []) })
  }
  const sources = sourcesOf(book, draft).flatMap((ref) => {
    const found = known.find((capture) => capture.ref === ref) ?? recall(book, ref)
    return found ? [found] : []
  })
  return [...known, hopsOf(draft, sources)]
}

/** Who an assessment is about and how it scores him, as `sayings` phrases one. */
function assessed(bytes: string): { readonly actor: string; readonly score: number } {
  const [, isAnn, tenths] = JSON.parse(bytes)
  return { actor: isAnn ? 'ann' : 'bob', score: tenths / 10 }
}

/** How far an actor was last said to be trusted: below 0.3 not at all, below 0.6 a little. */
export function tierByTrust(book: Book, actor: string): Tier {
  const [last] = book.memories
    .filter(({ kind, distrust }) => kind === 'assessment' && distrust === null)
    .filter(({ bytes }) => assessed(bytes).actor === actor)
    .sort((a, b) => b.seq - a.seq)
  const score = last ? assessed(last.bytes).score : 1
  if (score < 0.3) return 0
  return score < 0.6 ? 1 : 3
}

/** Section 18.21; a quote that states the memory counts instead of what it was made from. */
export function tierOf(book: Book, draft: GateDraft, quoting: Pick<Quoting, 'lift'>) {
  const own = boundTier(book, draft, { lift: null })
  const lifted =
    quoting.lift === null || doorTier(draft) === 0 ? own : boundTier(book, draft, quoting)
  const lift = lifted.tier > own.tier ? { from: own.tier, to: lifted.tier } : null
  return { ...(lift ? lifted : own), lift }
}

function boundTier(book: Book, draft: GateDraft, { lift }: Pick<Quoting, 'lift'>) {
  const caps: string[] = []
  let tier: Tier = lift ?? doorTier(draft) ?? 0
  const { tier: given } = draft.supplied
  if (given !== null && given < tier) {
    tier = given
    caps.push('tier_supplied')
  }
  for (const ref of isReasoned(draft) && lift === null ? sourcesOf(book, draft) : []) {
    const parent = recall(book, ref)
    if (!parent || parent.tier >= tier) continue
    tier = parent.tier
    if (!caps.includes('tier_of_parents')) caps.push('tier_of_parents')
  }
  const isBound = draft.revises && !isExternal(draft.label) && lift === null
  const before = isBound ? recall(book, draft.ref) : undefined
  if (before && before.tier < tier) {
    tier = before.tier
    caps.push('tier_of_revised')
  }
  const trusted = tierByTrust(book, draft.actor)
  if (trusted < tier) {
    tier = trusted
    caps.push('tier_of_assessment')
  }
  return { tier, caps }
}

/** What the engine calls words captured for a draft; a name, and no decision of the gate. */
export const captureRef = (of: Ref, kind: string, index: number): Ref =>
  `${kind}:${captureId(testSha256, of.slice(of.indexOf(':') + 1), { index, revision: 1 })}` as Ref // a kind and an id

export const refAt = (kind: string, n: number): Ref => `${kind}:${idAt(n)}` as Ref // a kind and an id

/** Live ones first, then the oldest. */
export function saying(book: Book, draft: GateDraft): readonly Remembered[] {
  const says = meaning(draft.kind, draft.saying)
  const found = book.memories.filter((memory) => memory.says === says)
  return [...found.filter(isLive), ...found.filter((memory) => !isLive(memory))]
}

/** A claim that gives dates, and gives others than the known claim has. */
export function isAnotherStay({ kind, saying: { claim } }: GateDraft, memory: Remembered): boolean {
  if (kind !== 'claim' || (claim.start === null && claim.end === null)) return false
  return claim.start !== memory.claim.start || claim.end !== memory.claim.end
}
