import type { Entry, SealedRow } from '../../domain/entry.ts'
import { type Ref, splitRef } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import { HEDGE_LEXICON } from '../../domain/words/lexicons.ts'
import { STATEMENT_RULES } from '../../domain/words/stating-sentence.ts'
import type { Sealed } from '../../fold/fold-memory.ts'
import { quotedIn, standsThere, statesThere, writtenIn } from '../../gate/quote.ts'
import { Words } from '../../gate/words.ts'
import { contentHash } from '../../ledger/ledger.ts'
import type { Reading } from '../history/why.ts'
import { found, type Progress, type ToRead } from './progress.ts'

/** Quotes are checked at the end: sources lie anywhere before, and few memories are cited. */
export function noteQuote(
  progress: Progress,
  { seq, ref, decision }: Entry,
  { body, provenance: { quote } }: Sealed,
): void {
  if (quote === null || ref === null) return
  const { stack, policies, memories } = progress
  const policy: Partial<Policy> | undefined =
    stack.policyHash === null ? undefined : policies.get(stack.policyHash)
  const source = memories.get(quote.of)
  const quoted = quotedIn(splitRef(ref).kind, body)
  if (!source || quoted === null) return // reported elsewhere
  const hedges = policy?.lexicons?.hedges
  const { kind } = splitRef(ref)
  const isOurs = (): boolean =>
    policy?.lexicons?.statements === contentHash(progress.sha256, STATEMENT_RULES)
  const lifted = decision.facts.lift !== undefined && isOurs() ? writtenIn(kind, body) : null
  progress.quotes.push({ seq, ref, quote, quoted, lifted, hedges, sourceSeq: source.revisionSeq })
}

/** Repeats the gate's check of each quote; erased sources have a note already. */
export async function checkQuotes(progress: Progress, reading: Reading): Promise<void> {
  if (progress.quotes.length === 0) return
  const sources = new Map<number, ToRead[]>()
  for (const each of progress.quotes) {
    const quotes = sources.get(each.sourceSeq)
    if (quotes) quotes.push(each)
    else sources.set(each.sourceSeq, [each])
  }
  for (const [sourceSeq, quotes] of sources) await checkSource(progress, reading, sourceSeq, quotes)
}

async function checkSource(
  progress: Progress,
  { store, stackId }: Reading,
  sourceSeq: number,
  quotes: readonly ToRead[],
): Promise<void> {
  const rows = await store.read(stackId, {
    type: 'table',
    name: 'sealed',
    from: sourceSeq,
    to: sourceSeq,
  })
  const ours = contentHash(progress.sha256, HEDGE_LEXICON)
  for (const { seq, ref, quote, quoted, lifted, hedges } of quotes) {
    const text = textIn(rows, quote.of)
    if (text === null) continue
    const by = { quoted, hedges: hedges === ours ? 'ours' : 'others' } as const
    if (!standsThere(quote, text, by)) {
      const detail = `quotes what ${quote.of} does not say there`
      found(progress, 'entry.operation', { seq, ref, detail })
    } else if (lifted !== null && !statesThere(quote, text, lifted)) {
      const detail = `is lifted by a sentence of ${quote.of} that does not state it`
      found(progress, 'entry.operation', { seq, ref, detail })
    }
  }
}

/** Null where the text is missing or unreadable; the audit of its own entry reports the problem. */
function textIn(rows: readonly SealedRow[], ref: Ref): string | null {
  try {
    return new Words(rows).of(ref)
  } catch {
    return null
  }
}
