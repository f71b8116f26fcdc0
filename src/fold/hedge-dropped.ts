import { type Hedging, hedgingOf } from '../domain/words/lexicons.ts'
import { type Sentence, sentencesOf } from '../domain/words/sentence-words.ts'
import { tellingWords, termOf } from '../domain/words/terms.ts'

/** What a statement rests on: a name for it, and its words. */
export interface Ground<Name> {
  readonly of: Name
  readonly text: string
}

/** A statement that is surer than the sentence it comes from. */
export interface HedgeDropped<Name> {
  readonly of: Name
  /** How far the statement commits itself, and how far its ground does. */
  readonly said: Hedging
  readonly source: Hedging
}

const SHARED_MIN = 500 // thousandths of a sentence's telling words that its ground must have

interface Read {
  readonly hedging: Hedging
  readonly terms: ReadonlySet<string>
}

const termsIn = (text: string): ReadonlySet<string> => new Set(tellingWords(text).map(termOf))

const read = ({ text }: Pick<Sentence, 'text'>): Read => ({
  hedging: hedgingOf(text),
  terms: termsIn(text),
})

/** Thousandths of what is said that stand in the other sentence too. */
function shared(said: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let count = 0
  for (const term of said) if (other.has(term)) count += 1
  return said.size === 0 ? 0 : Math.floor((count * 1_000) / said.size)
}

/**
 * Each sentence is held against the sentence of its grounds that says most of it; of several that
 * say as much the surest counts. The worst loss is told; none where every sentence is as unsure as
 * its ground. A value stands for a claim: its ground is any sentence that names it.
 */
export function hedgeDropped<Name>(
  statement: { readonly text: string; readonly value?: string },
  grounds: readonly Ground<Name>[],
): HedgeDropped<Name> | null {
  const sources = grounds.flatMap(({ of, text }) =>
    sentencesOf(text).map((sentence) => ({ of, ...read(sentence) })),
  )
  if (!sources.some(({ hedging }) => hedging > 0)) return null
  const { value } = statement
  const said = value === undefined ? sentencesOf(statement.text).map(read) : [readValue(value)]
  let worst: HedgeDropped<Name> | null = null
  for (const { terms, hedging } of said) {
    const min = value === undefined ? SHARED_MIN : 1_000
    const best = surestOf(
      sources.map((source) => ({ ...source, share: shared(terms, source.terms) })),
      min,
    )
    if (!best || best.hedging <= hedging) continue
    if (worst === null || best.hedging - hedging > worst.source - worst.said) {
      worst = { of: best.of, said: hedging, source: best.hedging }
    }
  }
  return worst
}

const readValue = (value: string): Read => ({ hedging: hedgingOf(value), terms: termsIn(value) })

function surestOf<Source extends { readonly share: number; readonly hedging: Hedging }>(
  sources: readonly Source[],
  min: number,
): Source | undefined {
  const most = sources.reduce((high, { share }) => Math.max(high, share), min)
  return sources
    .filter(({ share }) => share >= most)
    .reduce<Source | undefined>(
      (sure, each) => (sure && sure.hedging <= each.hedging ? sure : each),
      undefined,
    )
}
