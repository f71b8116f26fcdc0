import type { Change } from '../domain/change.ts'
import type { Ref } from '../domain/ids.ts'
import { readEntry } from '../hash/ledger.ts'
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
  /** The reason that was given; where a belief shall be superseded, the new words. */
  readonly text: string | null
  readonly seq: number
}

/** The wish that waits for a person: the last one that was made. */
export async function wishAbout({ read }: Pick<Uses, 'read'>, ref: Ref): Promise<Wish | null> {
  const rows = await read({ type: 'entriesAbout', ref })
  const entry = rows
    .map(({ bytes }) => readEntry(bytes))
    .findLast(({ op }) => op === 'memory.proposed')
  if (!entry) return null
  const { change, amount, confidence, into } = entry.decision.facts
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
    text,
    seq: entry.seq,
  }
}

/** The same as a change; null where it is no change of this memory alone. */
export function changeWished({ change, amount, confidence, tags, into }: Wish): Change | null {
  switch (change) {
    case 'forget':
    case 'recover':
    case 'deactivate':
      return { type: change }
    case 'protect':
      return { type: 'protect', on: false }
    case 'weaken':
      return { type: 'weaken', amount: amount ?? 0 }
    case 'describe':
      return { type: 'describe', confidence, tags }
    case 'process':
      return { type: 'process', into: into ?? [] }
    default:
      return null
  }
}
