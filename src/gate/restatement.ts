import { isBelieved } from '../domain/distrust.ts'
import type { ClaimBody } from '../domain/kinds/claim.ts'
import { identityParts, normaliseValue } from '../domain/kinds/content.ts'
import { contentText, definitionOf, parseBody } from '../domain/kinds/table.ts'
import { isFirstHand, labelName } from '../domain/labels.ts'
import { kindPolicyOf, likelyInFlood } from '../domain/policy.ts'
import type { MemoryState } from '../domain/state.ts'
import type { Instant } from '../domain/time.ts'
import { mayChange } from '../fold/authority.ts'
import { confidenceAt } from '../fold/effective.ts'
import { canonicalize } from '../ledger/canonical.ts'
import { draftCallerOf } from './change-caller.ts'
import type { Desk } from './desk.ts'
import { type Candidate, type Likeness, stampOne } from './stamp.ts'
import { isFloodAt } from './tally.ts'

export type Fields = Readonly<Record<string, unknown>>

/** Known words that come with other fields than the memory has. */
export type Restatement =
  /** The author of the memory gives the fields: they become its next revision. */
  | { readonly type: 'revision'; readonly candidate: Candidate }
  /** An author without the authority gives the fields: a person decides. */
  | { readonly type: 'proposal'; readonly of: MemoryState; readonly fields: Fields }
  /** No memory with these words can take the fields: the draft becomes a memory of its own. */
  | { readonly type: 'apart' }

interface Restating {
  readonly candidate: Candidate
  readonly desk: Desk
  readonly isDistrusted: boolean
  readonly time: Instant
}

/** Null for new words, and for known words that bring no other fields. */
export function restatementOf(restating: Restating): Restatement | null {
  const { candidate, desk, isDistrusted } = restating
  const { draft, main } = candidate
  if (draft.revises !== null) return draft.revises.orPropose ? unauthorised(restating) : null
  if (!mayRestate(candidate) || !kindPolicyOf(desk.policy, main.kind).asserts) return null
  // The shape rule decides on a draft with a known id.
  if (desk.memory(main.ref)) return null
  const saying = desk.saying(main.keys.identity)
  const known = saying.filter((memory) => isRevisable(memory, desk))
  const own = known.find((memory) => isAuthor(candidate, memory))
  if (own) {
    const fields = newFields(candidate, own, desk)
    if (fields === null) return null
    if (isDistrusted) return { type: 'apart' }
    if (!mayRevise(candidate, own, desk)) return { type: 'proposal', of: own, fields }
    return { type: 'revision', candidate: revisionOf(restating, own, fields) }
  }
  // A person, a tool or the host with the same words is another witness, with a memory of its own.
  if (isFirstHand(draft.origin.label)) return null
  const others = known.length > 0 ? known : saying.filter(({ captured }) => captured)
  const [first] = others
  if (!first || others.some((other) => newFields(candidate, other, desk) === null)) return null
  const fields = newFields(candidate, first, desk)
  if (fields === null || isDistrusted || first.captured) return { type: 'apart' }
  return { type: 'proposal', of: first, fields }
}

/** True where known words with other fields mean one memory; a claim is then another claim. */
export function mayRestate({ draft, main }: Candidate): boolean {
  return (
    main.kind !== 'claim' &&
    definitionOf(main.kind).asserts &&
    draft.revises === null &&
    draft.origin.label.type !== 'RecallReEntry' &&
    draft.consequence?.type !== 'supersedes'
  )
}

const isRevisable = (memory: MemoryState, { policy }: Desk): boolean =>
  !memory.captured && memory.erased === null && isBelieved(memory.disposition, policy)

export const mayRevise = (candidate: Candidate, memory: MemoryState, desk: Desk): boolean =>
  mayChange(draftCallerOf(candidate, desk), memory, { type: 'revise' })

/** An actor is the author under an equal label, and for a witness with an equal document. */
function isAuthor({ draft: { origin } }: Candidate, memory: MemoryState): boolean {
  const isActor = memory.sourceId === origin.sourceId && memory.label === labelName(origin.label)
  return isActor && (!isFirstHand(origin.label) || memory.document === origin.document)
}

/** An update of a memory by its ref becomes a proposal where the caller lacks the authority. */
function unauthorised({ candidate, desk }: Restating): Restatement | null {
  const memory = desk.memory(candidate.main.ref)
  if (!memory || !isRevisable(memory, desk) || mayRevise(candidate, memory, desk)) return null
  const fields = newFields(candidate, memory, desk)
  return fields && { type: 'proposal', of: memory, fields }
}

/** The given fields that differ from the memory's; null where none differ. */
function newFields({ draft, main }: Candidate, memory: MemoryState, desk: Desk): Fields | null {
  const known = bodyOf(memory, desk)
  if (known === null) return null
  const said = main.body as Fields
  const names = draft.given.filter((name) => isOther(main.kind, known, { name, value: said[name] }))
  return names.length === 0
    ? null
    : Object.fromEntries(names.map((name) => [name, said[name] ?? null]))
}

/** Case and spaces make no difference between words; every other field counts to the letter. */
function isOther(
  kind: MemoryState['kind'],
  known: Fields,
  { name, value }: { readonly name: string; readonly value: unknown },
): boolean {
  const before = known[name]
  if (isSame(before, value)) return false
  const isWord = contentText(kind, { ...known, [name]: value }) !== contentText(kind, known)
  return !isWord || !isSame(normaliseValue(before), normaliseValue(value))
}

const isSame = (a: unknown, b: unknown): boolean =>
  canonicalize(filled(a)) === canonicalize(filled(b))

/** An empty list counts as no list. */
const filled = (value: unknown): unknown =>
  value === undefined || (Array.isArray(value) && value.length === 0) ? null : value

/** The body with the tags from later descriptions. */
function bodyOf({ ref, facets }: MemoryState, desk: Desk): Fields | null {
  const body = desk.words.bodyOf(ref) as Fields | null
  if (body === null) return null
  return facets.tags.length === 0 && body.tags === undefined ? body : { ...body, tags: facets.tags }
}

/** The draft as a revision of the memory: the draft's fields over the memory's fields. */
function revisionOf(
  { candidate, desk, time }: Restating,
  memory: MemoryState,
  fields: Fields,
): Candidate {
  const { draft, main } = candidate
  const merged = merge(candidate, memory, { fields, desk })
  const captures = candidate.captures.filter((capture) => !isOwnWords(candidate, capture))
  const dropped = new Set(candidate.captures.map(({ ref }) => ref))
  for (const { ref } of captures) dropped.delete(ref)
  const derivedFrom = main.derivedFrom.filter((ref) => !dropped.has(ref))
  const { contentHash } = draft.supplied
  return {
    ...candidate,
    captures,
    main: stampOne(
      { kind: main.kind, id: memory.id, body: merged, derivedFrom },
      desk.setting.sha256,
    ),
    draft: {
      ...draft,
      id: memory.id,
      body: merged,
      derivedFrom,
      // Repetition moves no number.
      confidence: confidenceAt(memory, desk.policy, time),
      captures: draft.captures.filter(({ id }) => captures.some((each) => each.id === id)),
      // The caller vouched for the body as given; the merged body has a hash of its own.
      supplied: {
        ...draft.supplied,
        contentHash: contentHash === main.contentHash ? null : contentHash,
      },
      revises: { expectedVersion: null },
    },
  }
}

/** The body as given wins where merged fields would change the identity of the words. */
function merge(
  { main }: Candidate,
  memory: MemoryState,
  { fields, desk }: { readonly fields: Fields; readonly desk: Desk },
): object {
  const known = bodyOf(memory, desk) ?? {}
  const entries = Object.entries({ ...known, ...fields }).filter(([, value]) => value !== null)
  const merged = parseBody(main.kind, Object.fromEntries(entries))
  const saysSame = isSame(identityParts(main.kind, merged), identityParts(main.kind, main.body))
  return saysSame ? merged : main.body
}

/** The words themselves were captured with the memory; once is enough. */
const isOwnWords = (
  { main, captures }: Candidate,
  { kind, body }: Candidate['captures'][number],
): boolean =>
  captures.length === 1 &&
  kind === 'raw' &&
  isSame(normaliseValue(contentText(kind, body)), normaliseValue(contentText(main.kind, main.body)))

/**
 * The memory that a model's draft repeats in other words; null for most drafts. The link groups
 * both on reading and decides nothing: a person's words and captures are never linked.
 */
export function rewordingOf(candidate: Candidate, desk: Desk, time: Instant): Likeness | null {
  const { draft, main, likes } = candidate
  if (isFirstHand(draft.origin.label) || !kindPolicyOf(desk.policy, main.kind).asserts) return null
  // A draft that supersedes a memory declares the replacement, and repeats nearly all words on
  // purpose.
  if (draft.consequence !== null || namesItsOwnTime(main.body)) return null
  // Equal words are no rewording.
  if (desk.saying(main.keys.identity).length > 0) return null
  const links = likes.flatMap(({ ref, score, identity }) => {
    const near = desk.memory(ref)
    if (identity !== undefined && near?.identity !== identity) return []
    // Links lead to the original, so that all rewordings of a memory are in a single group.
    const original = near?.rewordingOf ? (desk.memory(near.rewordingOf) ?? near) : near
    if (!original || !near || ![near, original].every((each) => mayLink(candidate, each))) return []
    return score < likeFrom(candidate, original, { desk, time }) ? [] : { original, score }
  })
  // The oldest original, so that similar groups grow together.
  const [oldest] = links.toSorted((a, b) => a.original.seq - b.original.seq || b.score - a.score)
  return oldest ? { ref: oldest.original.ref, score: oldest.score } : null
}

/** During a flood of rewordings by an actor, fewer shared words make another rewording. */
function likeFrom(
  { draft, repeatMarkOf }: Candidate,
  { identity }: MemoryState,
  { desk, time }: { readonly desk: Desk; readonly time: Instant },
): number {
  const { policy } = desk
  const { echoLikelyFrom } = policy.numbers
  // Only drafts that the burst rule counts can be part of a flood.
  if (draft.revises || draft.origin.label.type === 'RecallReEntry') return echoLikelyFrom
  const mark = repeatMarkOf(identity)
  const burst = mark === null ? undefined : desk.burst(draft.origin.sourceId, mark)
  return isFloodAt(burst, { policy, time }) ? likelyInFlood(policy) : echoLikelyFrom
}

/** Two kinds are two statements; claims of two timelines are two claims, whatever their words. */
const mayLink = ({ main }: Candidate, memory: MemoryState): boolean =>
  memory.erased === null &&
  memory.ref !== main.ref &&
  memory.kind === main.kind &&
  memory.line === main.keys.line

/** Two stays in the same city are two claims. */
export const namesItsOwnTime = (body: object): boolean => {
  const { validTime } = body as Partial<ClaimBody> // other kinds have no valid time
  return (validTime?.start ?? validTime?.end ?? null) !== null
}
