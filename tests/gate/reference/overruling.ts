import { identityParts } from '../../../src/domain/identity.ts'
import type { Ref } from '../../../src/domain/ids.ts'
import { parseBody } from '../../../src/domain/kinds/table.ts'
import { contentHash } from '../../../src/hash/ledger.ts'
import { testSha256 } from '../../support/world.ts'
import { bodyOf } from '../sayings.ts'
import { type By, type GateDraft, POLICY_NUMBERS, type Step } from '../steps.ts'
import { toldStanding } from './authority.ts'
import { changeMemory, prepare, unlessEmpty, writeLine } from './bookkeeping.ts'
import { recall } from './lineage.ts'
import { judge } from './rules.ts'
import { type Bounded, bounded } from './sureness.ts'
import { doorTier, isExternal, isTrusted } from './tables.ts'
import { hasProposed, type speaker } from './turn.ts'
import type { Answer, Book, Moment, Remembered, Verdict } from './words.ts'

// "Overruling" of docs/firewall.md. A draft that was folded away is kept whole; let in, it is decided
// anew by every rule but the recognition and the burst counter.

type Who = ReturnType<typeof speaker>
type Kept = Book['kept'][number]
type Code = Extract<Answer, { type: 'error' }>['code']

/** What the same words are known by where they come again; a name, and no decision of the gate. */
const digestOf = ({ kind, saying }: GateDraft): string =>
  contentHash(testSha256, identityParts(kind, parseBody(kind, bodyOf(kind, saying))))

/** Under which words a rewording is kept; none past so many different ones of a memory. */
export function phraseFor(book: Book, draft: GateDraft, of: Ref): string | null {
  const isRewording = (phrase: string | null): boolean =>
    phrase !== null && !phrase.startsWith('proposal ') // proposed fields are counted apart
  const known = book.counted.filter(({ about, phrase }) => about === of && isRewording(phrase))
  const own = digestOf(draft)
  const isKnown = known.some(({ phrase }) => phrase === own)
  return isKnown || known.length < POLICY_NUMBERS[book.policy].phrasingsKept ? own : null
}

export function keepRewording(
  book: Book,
  entry: number,
  { onto, draft, tier }: { onto: Remembered; draft: Bounded; tier: Remembered['tier'] },
): void {
  const { asked: confidence, dropped: _, ...told } = draft
  book.kept.push({ entry, onto: onto.ref, draft: { ...told, confidence }, tier })
  const echo = recall(book, onto.ref)?.echo ?? { of: null, folded: [] }
  changeMemory(book, onto.ref, { echo: { ...echo, folded: [...echo.folded, entry] } })
}

export interface Meant {
  readonly memory: Remembered
  readonly kept: Kept | null
}

/** An entry means what it folded away; a memory its link, or the one rewording that it swallowed. */
export function meantBy(
  book: Book,
  what: Extract<Step, { type: 'overrule' }>['what'],
): Meant | Code {
  if (typeof what === 'number') {
    const kept = book.kept.find(({ entry }) => entry === what)
    const onto = kept && recall(book, kept.onto)
    return kept && onto ? { memory: onto, kept } : 'not_found'
  }
  const memory = recall(book, what)
  if (!memory) return 'not_found'
  const { of = null, folded = [] } = memory.echo ?? {}
  if (of !== null || folded.length === 0) return { memory, kept: null }
  return folded.length > 1 ? 'invalid_input' : meantBy(book, folded[0] ?? -1)
}

export function refusalOf(book: Book, by: By, { label }: Who): Code | null {
  const way = { ...by, grant: null }
  if (book.state === 'MAINTENANCE') return 'maintenance_mode'
  if (doorTier({ ...way, label }) === null) return 'scope'
  return isExternal(label) && !isTrusted(way) ? 'scope' : null
}

export const NOT_OVERRULED = {
  type: 'overruled',
  entry: null,
  ref: null,
  disposition: null,
  proposed: null,
} as const satisfies Answer

/** A wish waits for a person, one at a time. */
export function wishFor(
  book: Book,
  at: Moment,
  { memory, kept, who, by }: Meant & { who: Who; by: By },
): Answer {
  if (hasProposed(book, who.actor, memory)) return NOT_OVERRULED
  prepare(book, at)
  const facts = { change: 'overrule', ...(kept ? { of: kept.entry } : {}) }
  const tier = toldStanding(book, { ...who, ...by, grant: null })
  const line = {
    ...who,
    tier,
    op: 'memory.proposed',
    ref: memory.ref,
    rule: 'authority',
    facts,
  } as const
  const proposed = writeLine(book, at, line)
  const flags = [...memory.flags, { code: 'proposed', by: null, seq: proposed }]
  changeMemory(book, memory.ref, { flags })
  return { ...NOT_OVERRULED, proposed }
}

interface Anew {
  readonly draft: Bounded
  readonly verdict: Extract<Verdict, { type: 'admit' }>
}

/** As if nothing had been served and it had never been said before; at most as trusted as then. */
export function decideAnew(book: Book, { draft, tier }: Kept, at: Moment): Anew | Code {
  const supplied = { content: null, policy: null, tier, aheadMs: null }
  const again = bounded(book, { ...draft, supplied }, at)
  const verdict = judge({ ...book, recognises: false, bursts: [] }, again, at)
  if (verdict.type === 'error') return verdict.code
  return verdict.type === 'admit' ? { draft: again, verdict } : 'refused'
}

/** The word itself, and what the memory is taken for from then on. */
export function tellOverruled(
  book: Book,
  at: Moment,
  { memory, kept, who }: Meant & { readonly who: Who },
): number {
  const { ref } = memory
  const echo = memory.echo ?? { of: null, folded: [] }
  const facts = kept ? { of: kept.entry, into: kept.draft.ref } : { phrasingOf: echo.of }
  const folded = kept ? echo.folded.filter((entry) => entry !== kept.entry) : echo.folded
  const left = unlessEmpty({ of: kept ? echo.of : null, folded })
  const entry = writeLine(book, at, { ...who, op: 'echo.overruled', ref, rule: 'admit', facts })
  changeMemory(book, ref, { echo: left })
  return entry
}
