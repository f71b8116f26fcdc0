import type { Change } from '../../domain/change.ts'
import { LINE_KINDS, VERDICTS } from '../../domain/claim-state.ts'
import { DISTRUST_BASES, type DistrustBasis } from '../../domain/distrust.ts'
import { lowerTier, type Tier } from '../../domain/doors.ts'
import type { Entry } from '../../domain/entry.ts'
import { ERASE_BASES, type EraseBasis } from '../../domain/erasure.ts'
import { type Hash, parseRef, type Ref } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import { isInstant } from '../../domain/time.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { Uses } from '../engine.ts'
import { openNote } from '../read/memory-view.ts'
import { type Besides, besidesOn } from '../write/annotations.ts'

/** What a model wished for and may not do itself, as its entry and what it sealed say. */
export interface Wish {
  readonly change: string
  readonly amount: number | null
  readonly confidence: number | null
  readonly tags: readonly string[] | null
  /** What came of a capture that shall be done with. */
  readonly into: readonly Ref[] | null
  /** When a claim shall end, and how a contest shall be decided by what. */
  readonly at: string | null
  readonly verdict: string | null
  readonly evidence: readonly Ref[]
  /** Why something shall be erased. */
  readonly basis: EraseBasis | null
  /** Why it shall not be believed. */
  readonly doubt: DistrustBasis | null
  /** The reason that was given; where a belief shall be superseded, the new words. */
  readonly text: string | null
  /** What its words count for, not what the memory does. */
  readonly tier: Tier
  /** Of a revision: the fields that were given, and the sources that were cited for them. */
  readonly fields: Readonly<Record<string, unknown>> | null
  readonly from: readonly Ref[]
  /** Of a protection: on or off. Of a line: what kind it shall be. */
  readonly on: boolean | null
  readonly to: string | null
  readonly seq: number
}

/** The proposals that wait for a person, at most one of each actor; the oldest first. */
export async function wishesAbout(
  uses: Pick<Uses, 'read'>,
  { ref, flags }: Pick<MemoryState, 'ref' | 'flags'>,
  besides: Besides = besidesOn(uses),
): Promise<readonly Wish[]> {
  const open = new Set(flags.flatMap(({ code, seq }) => (code === 'proposed' ? [seq] : [])))
  const rows = await uses.read({ type: 'entries', about: ref })
  const entries = rows.map(({ bytes }) => readEntry(bytes)).filter(({ seq }) => open.has(seq))
  const ofActor = new Map<Entry['actor'], Entry[]>()
  for (const entry of entries) {
    ofActor.set(entry.actor, [...(ofActor.get(entry.actor) ?? []), entry])
  }
  const wishes = await Promise.all([...ofActor.values()].map((own) => wishIn(uses, own, besides)))
  return wishes.flat()
}

/** The proposal of one actor; revisions that it sent one after another are one. */
async function wishIn(
  { read }: Pick<Uses, 'read'>,
  entries: readonly Entry[],
  besides: Besides,
): Promise<readonly Wish[]> {
  const entry = entries.at(-1)
  if (entry === undefined) return []
  const { change, amount, confidence, into, at, verdict, evidence, basis, on, to } =
    entry.decision.facts
  const [sealed] = entry.commitment
    ? await read({ type: 'table', name: 'sealed', from: entry.seq, to: entry.seq })
    : []
  const { text, tags } = sealed ? openNote(sealed) : { text: null, tags: null }
  const revision = change === 'revise' ? await revisionIn(read, entries) : NO_REVISION
  const wish = {
    change: String(change),
    amount: typeof amount === 'number' ? amount : null,
    confidence: typeof confidence === 'number' ? confidence : null,
    tags,
    into: Array.isArray(into) ? (into as readonly Ref[]) : null, // the gate writes refs there
    at: typeof at === 'string' ? at : null,
    verdict: typeof verdict === 'string' ? verdict : null,
    evidence: Array.isArray(evidence) ? evidence.map((ref) => parseRef(ref)) : [],
    basis: ERASE_BASES.find((each) => each === basis) ?? null,
    doubt: DISTRUST_BASES.find((each) => each === basis) ?? null,
    text,
    // Words of several entries count for no more than the least of them.
    tier: (await Promise.all(entries.map((each) => besides.tierOf(each)))).reduce(lowerTier),
    ...revision,
    on: typeof on === 'boolean' ? on : null,
    to: typeof to === 'string' ? to : null,
    seq: entry.seq,
  }
  return [wish]
}

const NO_REVISION: Pick<Wish, 'fields' | 'from'> = { fields: null, from: [] }

/** Of two proposals for a field the later one counts. */
async function revisionIn(
  read: Uses['read'],
  entries: readonly Entry[],
): Promise<Pick<Wish, 'fields' | 'from'>> {
  let fields: Readonly<Record<string, unknown>> = {}
  let from: readonly Ref[] = []
  for (const { seq, decision } of entries) {
    const [sealed] = await read({ type: 'table', name: 'sealed', from: seq, to: seq })
    fields = { ...fields, ...(sealed && openNote(sealed).fields) }
    from = [...new Set([...from, ...((decision.facts.from ?? []) as readonly Ref[])])] // the gate's
  }
  return { fields, from }
}

/** The same as a change; null where it is no change of this memory alone. */
export function changeWished(
  { change, amount, confidence, tags, into, at, verdict, evidence, on, to }: Wish,
  line: Hash | null,
): Change | null {
  switch (change) {
    case 'forget':
    case 'recover':
    case 'deactivate':
    case 'retract':
    case 'reopen':
    case 'overrule':
      return { type: change }
    case 'protect':
      return { type: 'protect', on: on ?? false }
    case 'verify':
    case 'reinforce':
      return { type: change, evidence }
    case 'recast': {
      const cardinality = LINE_KINDS.find((each) => each === to)
      return cardinality ? { type: 'recast', cardinality } : null
    }
    case 'weaken':
      return { type: 'weaken', amount: amount ?? 0 }
    case 'describe':
      return { type: 'describe', confidence, tags }
    case 'process':
      return { type: 'process', into: into ?? [] }
    case 'end':
      return isInstant(at) ? { type: 'end', at } : null
    case 'adjudicate': {
      const known = VERDICTS.find((each) => each === verdict)
      return known && line ? { type: 'adjudicate', verdict: known, evidence, line } : null
    }
    default:
      return null
  }
}
