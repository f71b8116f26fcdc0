import { type Ref, splitRef, toRef, tryParseRef } from '../../domain/ids.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Uses } from '../engine.ts'
import { openSealed } from '../read/memory-view.ts'

/** A suggestion as erasing looks at it: it holds words of others and has no lineage of its own. */
interface Suggested {
  readonly ref: Ref
  readonly sources: readonly Ref[]
  /** What it became when it was accepted. */
  readonly into: readonly Ref[]
}

const PAGE = 500

/** Which suggestions memories came from, and which were made from memories. */
export interface SuggestionsAround {
  /** Suggestions that became this memory: they say the same, and go with it. */
  origins(ref: Ref): readonly Ref[]
  /** Suggestions made from it, and what it became where it is one itself. */
  following(ref: Ref): Promise<readonly Ref[]>
}

/** Read once for a plan: those that are still there, whatever was answered to them. */
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
  const { sourceRefs } = openSealed(sealed).body as { readonly sourceRefs?: unknown } // looked at next
  return Array.isArray(sourceRefs) ? sourceRefs.flatMap(refIn) : []
}

/** Entries stay when content goes, so that it is known of an erased suggestion too. */
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
