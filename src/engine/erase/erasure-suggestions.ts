import { type Ref, splitRef, toRef, tryParseRef } from '../../domain/ids.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Uses } from '../engine.ts'
import { openSealed } from '../read/memory-view.ts'

/** A suggestion for an erasure: its body quotes sources without lineage. */
interface Suggested {
  readonly ref: Ref
  readonly sources: readonly Ref[]
  /** Memories from the accepted suggestion. */
  readonly into: readonly Ref[]
}

const PAGE = 500

/** Links between suggestions and memories in both directions. */
export interface SuggestionsAround {
  /** Suggestions that became this memory: they hold its words and are erased too. */
  origins(ref: Ref): readonly Ref[]
  /** Suggestions from this memory, and for a suggestion the memory from its acceptance. */
  following(ref: Ref): Promise<readonly Ref[]>
}

/** Reads all remaining suggestions once for a plan, answered or not. */
export async function suggestionsAround(uses: Pick<Uses, 'read'>): Promise<SuggestionsAround> {
  const madeFrom = new Map<Ref, Ref[]>()
  const became = new Map<Ref, Ref[]>()
  for await (const { ref, sources, into } of suggestionsIn(uses)) {
    for (const source of sources) madeFrom.set(source, [...(madeFrom.get(source) ?? []), ref])
    for (const memory of into) became.set(memory, [...(became.get(memory) ?? []), ref])
  }
  return {
    origins: (ref) => became.get(ref) ?? [],
    following: async (ref) => [...(madeFrom.get(ref) ?? []), ...(await intoOf(uses, ref))],
  }
}

async function* suggestionsIn(uses: Pick<Uses, 'read'>): AsyncGenerator<Suggested> {
  for (let before: number | null = null; ; ) {
    const page: readonly StoredMemory[] = await uses.read({
      type: 'memories',
      where: { kind: 'suggestion', present: true },
      after: before,
      limit: PAGE,
    })
    for (const { state, sealed } of page) {
      const into = ANSWERED.has(state.facets.status ?? '') ? await intoOf(uses, state.ref) : []
      yield { ref: state.ref, sources: sourcesIn(sealed), into }
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    before = last.state.seq
  }
}

const ANSWERED: ReadonlySet<string> = new Set(['promoted', 'modified'])

function sourcesIn(sealed: StoredMemory['sealed']): readonly Ref[] {
  if (sealed === null) return []
  const { sourceRefs } = openSealed(sealed).body as { readonly sourceRefs?: unknown } // checked below
  return Array.isArray(sourceRefs) ? sourceRefs.flatMap(refIn) : []
}

/** Reads entries, which stay after an erasure of the suggestion. */
async function intoOf({ read }: Pick<Uses, 'read'>, ref: Ref): Promise<readonly Ref[]> {
  if (splitRef(ref).kind !== 'suggestion') return []
  const rows = await read({ type: 'entries', about: ref })
  return rows.flatMap(({ bytes }) => {
    const { op, decision } = readEntry(bytes)
    return op === 'suggestion.resolved' ? refIn(decision.facts.into) : []
  })
}

function refIn(value: unknown): readonly Ref[] {
  const parts = tryParseRef(value)
  return parts ? [toRef(parts.kind, parts.id)] : []
}
