import type { ChangeResult } from '../domain/change.ts'
import { VERDICTS, type Verdict } from '../domain/claim-state.ts'
import { MunimentError } from '../domain/errors.ts'
import { parseRef, type Ref } from '../domain/ids.ts'
import type { ClaimBody } from '../domain/kinds/claim.ts'
import type { JsonValue } from '../domain/kinds/json-value.ts'
import type { MemoryState } from '../domain/state.ts'
import type { StoredMemory } from '../ports/store.ts'
import { type LineOf, lineOf } from './answering.ts'
import { type ClaimResult, type RememberOptions, remember } from './claiming.ts'
import { oneOf } from './given.ts'
import { openSealed } from './memory-view.ts'
import { type ActOptions, speakerOf } from './speaker.ts'
import type { Uses } from './uses.ts'

export interface AdjudicateOptions extends ActOptions {
  readonly verdict: Verdict
  /** First-hand memories it rests on; a person's own word needs none. */
  readonly evidence?: readonly string[]
  readonly reason?: string
}

/** Decides a contest. Of a line, the claim that waits for it, or else the newest of its sides. */
export async function adjudicate(
  uses: Uses,
  target: string | LineOf,
  { verdict, evidence = [], reason, ...who }: AdjudicateOptions,
): Promise<ChangeResult> {
  oneOf('verdict', verdict, VERDICTS)
  const refs = evidence.map((ref) => parseRef(ref))
  const { ref, line } = await contestedAt(uses, target)
  if (line === null) return { changed: false, reason: 'wrong_kind', entry: null, flagged: [] }
  const change = { type: 'adjudicate', verdict, evidence: [...new Set(refs)], line } as const
  const speaker = speakerOf(uses.stackId, 'adjudicate', who)
  return uses.change({ ref, change, text: reason ?? null, ...speaker })
}

async function contestedAt(uses: Uses, target: string | LineOf): Promise<MemoryState> {
  if (typeof target === 'string') return (await claimAt(uses, parseRef(target))).state
  const states = (await uses.read({ type: 'line', line: lineOf(uses, target) }))
    .map(({ state }) => state)
    .reverse()
  const found = states.find(({ review }) => review === 'contest') ?? states[0]
  if (found) return found
  throw new MunimentError('not_found', `Nothing is said of ${target.subject} ${target.predicate}.`)
}

async function claimAt({ read }: Uses, ref: Ref): Promise<StoredMemory> {
  const stored = await read({ type: 'memory', ref })
  if (stored) return stored
  throw new MunimentError('not_found', `${ref} does not exist in this stack.`)
}

export interface Superseding extends ClaimResult {
  /** What became of the claims it takes the place of; null where nothing contests it. */
  readonly verdict: ChangeResult | null
}

/**
 * Another value in the place of a claim. What the same voice said is succeeded by the write itself;
 * another's word gives way only to a verdict, which the one who supersedes must be allowed to give.
 */
export async function supersedeClaim(
  uses: Uses,
  ref: Ref,
  {
    value,
    options,
  }: {
    readonly value: JsonValue
    readonly options: RememberOptions & { readonly reason?: string }
  },
): Promise<Superseding> {
  const { state, sealed } = await claimAt(uses, ref)
  if (state.kind !== 'claim' || sealed === null) {
    throw new MunimentError('invalid_input', 'Only a claim is superseded by a value.')
  }
  const { subject, predicate, cardinality, criticality } = openSealed(sealed).body as ClaimBody // its kind
  const { reason, ...said } = options
  const line = [subject, predicate, value] as const
  const written = await remember(uses, line, { cardinality, criticality, ...said })
  if (written.claimRef === null || written.contestedWith.length === 0) {
    return { ...written, verdict: null }
  }
  const { actor, caller, session, turn, label } = said
  const who = Object.entries({ actor, caller, session, turn, label, reason })
  const given: ActOptions = Object.fromEntries(who.filter(([, member]) => member !== undefined))
  const asPerson = speakerForVerdict(given)
  return {
    ...written,
    verdict: await adjudicate(uses, written.claimRef, { verdict: 'affirm', ...asPerson }),
  }
}

/** What is remembered without a label is a person's word, and so is the verdict that goes with it. */
const speakerForVerdict = (given: ActOptions): ActOptions =>
  given.label === undefined && given.caller === undefined
    ? { ...given, label: { type: 'External', kind: 'UserAsserted' } }
    : given
