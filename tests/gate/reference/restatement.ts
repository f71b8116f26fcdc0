import type { Ref } from '../../../src/domain/ids.ts'
import { contentHash } from '../../../src/ledger/ledger.ts'
import { testSha256 } from '../../support/world.ts'
import { bodyOf, textOf } from '../sayings.ts'
import type { GateDraft } from '../steps.ts'
import { hasAuthority } from './authority.ts'
import { changeMemory, firstOf, isCounted, repeatOf, writeLine } from './bookkeeping.ts'
import { burst } from './burst.ts'
import { doubtsOf } from './doubt.ts'
import { recall, sourcesOf, tierOf } from './lineage.ts'
import { sureNow } from './sureness.ts'
import { asserts, doorTier, isExternal, isLive } from './tables.ts'
import {
  type Book,
  fold,
  type Moment,
  meaning,
  type Remembered,
  type Result,
  type Verdict,
} from './words.ts'

/** "The same words with other fields", clause by clause. In these lives the other field is a tag. */
export type Restated =
  | { readonly says: 'nothing new' }
  | { readonly says: 'revise'; readonly draft: GateDraft }
  | { readonly says: 'propose'; readonly of: Remembered; readonly tags: readonly string[] }
  | { readonly says: 'apart' }

const NOTHING_NEW: Restated = { says: 'nothing new' }

export function restated(book: Book, draft: GateDraft, { time }: Moment): Restated {
  const { kind, saying, label, revises } = draft
  if (!asserts(kind) || kind === 'claim' || revises || label === 'RecallReEntry') return NOTHING_NEW
  if (recall(book, draft.ref) || saying.variant === 0) return NOTHING_NEW
  const says = meaning(kind, saying)
  const same = book.memories.filter((memory) => memory.says === says)
  const isNew = (memory: Remembered): boolean => variantIn(memory) !== saying.variant
  const known = same.filter((memory) => isLive(memory) && !memory.captured)
  const isDoubted = doubtsOf(book, draft).length > 0
  const tags = [`variant ${saying.variant}`]
  const own = known.find(
    (memory) =>
      memory.actor === draft.actor &&
      memory.label === label &&
      (!isExternal(label) || memory.document === draft.document),
  )
  if (own) {
    if (!isNew(own)) return NOTHING_NEW
    if (isDoubted) return { says: 'apart' }
    if (!hasAuthority(book, draft, own)) return { says: 'propose', of: own, tags }
    return { says: 'revise', draft: { ...revisionOf(draft, own), confidence: sureNow(own, time) } }
  }
  if (isExternal(label)) return NOTHING_NEW
  const others = known.length > 0 ? known : same.filter(({ captured }) => captured)
  const [first] = others
  if (!first || !others.every(isNew)) return NOTHING_NEW
  if (isDoubted || first.captured) return { says: 'apart' }
  return { says: 'propose', of: first, tags }
}

/** Recorded of a decision: the caller's ceiling, and the fields that came with known words. */
export function inputsOf(book: Book, draft: GateDraft): object {
  const { kind, saying, label, revises, person, grant, supplied } = draft
  const says = meaning(kind, saying)
  const canRestate = asserts(kind) && kind !== 'claim' && !revises && label !== 'RecallReEntry'
  const isKnown = canRestate && book.memories.some((memory) => memory.says === says)
  return {
    ...(person ? { person } : {}),
    ...(grant ? { grant } : {}),
    ...(supplied.tier === null ? {} : { tier: supplied.tier }),
    ...(isKnown ? { given: Object.keys(bodyOf(kind, saying)) } : {}),
  }
}

const variantIn = ({ bytes }: Remembered): number => JSON.parse(bytes)[1]

/** The words stay as they were written first; the words again are not captured a second time. */
function revisionOf(draft: GateDraft, own: Remembered): GateDraft {
  const { kind, saying, captures, supplied } = draft
  const [only, ...more] = captures
  const isOwnWords =
    only?.kind === 'raw' && more.length === 0 && fold(only.phrase) === fold(textOf(kind, saying))
  return {
    ...draft,
    ref: own.ref,
    saying: { ...saying, phrase: JSON.parse(own.bytes)[2] },
    captures: isOwnWords ? [] : captures,
    supplied: supplied.content === 'own' ? { ...supplied, content: null } : supplied,
    revises: { expectedVersion: null },
    isRestated: true,
  }
}

interface Proposing {
  readonly of: Remembered
  readonly tags: readonly string[]
  readonly at: Moment
}

const proposalKey = ({ actor }: GateDraft, { of, tags }: Omit<Proposing, 'at'>) => {
  const phrase = `proposal ${actor} ${contentHash(testSha256, { tags })}`
  return { about: of.ref, actor: null, door: null, rule: 'authority', phrase } as const
}

/** One entry for each proposal; the same one again is counted. */
export function proposeRevision(book: Book, draft: GateDraft, { of, tags, at }: Proposing): Result {
  const { actor, door, label } = draft
  const { ref } = of
  const answer = {
    ref,
    rule: 'authority',
    disposition: 'PendingReview',
    reasons: ['proposed'],
    tier: of.tier,
    captures: [],
    isKept: false,
  } as const
  const key = proposalKey(draft, { of, tags })
  const known = repeatOf(book, key, at)
  if (known) return { ...answer, entry: known.entry }
  const { tier } = tierOf(book, draft, { lift: null })
  const most = doorTier({ door: 'lib', person: false, grant: null, label })
  const from = sourcesOf(book, draft).filter((each: Ref) => recall(book, each))
  const facts = { change: 'revise', ...(from.length > 0 ? { from } : {}) }
  const told = tier < (most ?? 0) ? { tier } : {}
  const line = { op: 'memory.proposed', ref, actor, door, label, rule: 'authority' } as const
  const entry = writeLine(book, at, { ...line, ...told, facts, seals: true })
  firstOf(book, key, entry)
  const flag = { code: 'proposed', by: ref, seq: entry }
  changeMemory(book, ref, { flags: [...(recall(book, ref)?.flags ?? []), flag] })
  return { ...answer, entry }
}

/** A person decides. Of one actor, fields for one memory wait together and beside nothing else. */
export function authority(book: Book, draft: GateDraft, at: Moment): Verdict | null {
  const told = restated(book, draft, at)
  if (told.says !== 'propose') return null
  const { of, tags } = told
  if (isCounted(book, proposalKey(draft, { of, tags }))) return { type: 'propose', of, tags }
  const ownIn = ({ flags }: Remembered) =>
    flags.filter(({ code, seq }) => code === 'proposed' && book.lines[seq]?.actor === draft.actor)
  const isBesideOther = ownIn(of).some(({ by }) => by !== of.ref)
  const isFull = book.memories.flatMap(ownIn).length >= 64
  if (!isBesideOther && !isFull) return { type: 'propose', of, tags }
  const reasons = [isBesideOther ? 'proposals_waiting' : 'proposals_full']
  return { type: 'refuse', rule: 'authority', reasons, facts: { ref: of.ref } }
}

/** The draft that is judged: its author's revision, unless there were too many of them. */
export function asRevision(book: Book, draft: GateDraft, at: Moment): GateDraft {
  if (burst(book, draft, at)) return draft
  const told = restated(book, draft, at)
  return told.says === 'revise' ? told.draft : draft
}
