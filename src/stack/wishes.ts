import type { Change } from '../domain/change.ts'
import { VERDICTS } from '../domain/claim-state.ts'
import { DISTRUST_BASES, type DistrustBasis } from '../domain/distrust.ts'
import type { Tier } from '../domain/doors.ts'
import type { Entry } from '../domain/entry.ts'
import { ERASE_BASES, type EraseBasis } from '../domain/erasure.ts'
import { type Hash, parseRef, type Ref } from '../domain/ids.ts'
import { isInstant } from '../domain/time.ts'
import { readEntry } from '../hash/ledger.ts'
import { type Besides, besidesOn } from './beside.ts'
import { openNote } from './memory-view.ts'
import type { Uses } from './uses.ts'

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
  /** Which entry folded away what shall be let in. */
  readonly of: number | null
  readonly seq: number
}

/** The wish that waits for a person: the last one that was made. */
export async function wishAbout(
  uses: Pick<Uses, 'read'>,
  ref: Ref,
  besides: Besides = besidesOn(uses),
): Promise<Wish | null> {
  const { read } = uses
  const rows = await read({ type: 'entriesAbout', ref })
  const entries = rows.map(({ bytes }) => readEntry(bytes))
  const entry = entries.findLast(({ op }) => op === 'memory.proposed')
  if (!entry) return null
  const revision =
    entry.decision.facts.change === 'revise' ? await revisionAbout(uses, ref, entries) : NO_REVISION
  const { change, amount, confidence, into, at, verdict, evidence, basis, of } =
    entry.decision.facts
  const [sealed] = entry.commitment
    ? await read({ type: 'sealed', from: entry.seq, to: entry.seq })
    : []
  const { text, tags } = sealed ? openNote(sealed) : { text: null, tags: null }
  return {
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
    tier: await besides.tierOf(entry),
    ...revision,
    of: typeof of === 'number' ? of : null,
    seq: entry.seq,
  }
}

const NO_REVISION: Pick<Wish, 'fields' | 'from'> = { fields: null, from: [] }

/** All revisions that wait, as one: of two proposals for a field the later one counts. */
async function revisionAbout(
  { read }: Pick<Uses, 'read'>,
  ref: Ref,
  entries: readonly Entry[],
): Promise<Pick<Wish, 'fields' | 'from'>> {
  const stored = await read({ type: 'memory', ref })
  const waiting = new Set(stored?.state.flags.map(({ seq }) => seq))
  let fields: Readonly<Record<string, unknown>> = {}
  let from: readonly Ref[] = []
  for (const { seq, decision } of entries.filter((entry) => waiting.has(entry.seq))) {
    if (decision.facts.change !== 'revise') continue
    const [sealed] = await read({ type: 'sealed', from: seq, to: seq })
    fields = { ...fields, ...(sealed && openNote(sealed).fields) }
    from = [...new Set([...from, ...((decision.facts.from ?? []) as readonly Ref[])])] // the gate's
  }
  return { fields, from }
}

/** The same as a change; null where it is no change of this memory alone. */
export function changeWished(
  { change, amount, confidence, tags, into, at, verdict, evidence }: Wish,
  line: Hash | null,
): Change | null {
  switch (change) {
    case 'forget':
    case 'recover':
    case 'deactivate':
    case 'retract':
    case 'reopen':
      return { type: change }
    case 'protect':
      return { type: 'protect', on: false }
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
