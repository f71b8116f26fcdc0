import type { Ref } from '../../../src/domain/ids.ts'
import { textOf } from '../sayings.ts'
import type { GateDraft } from '../steps.ts'
import { recall, sourcesOf } from './lineage.ts'
import { doubtIn, sentencesIn, tellingIn } from './speech.ts'
import { isReasoned } from './tables.ts'
import type { Book } from './words.ts'

/** "Hedges" of docs/firewall.md: which source it is surer than, and how open both leave it. */
export interface Dropped {
  readonly of: Ref
  readonly said: number
  readonly source: number
}

export const sureAtMost = ({ source }: Dropped): number => (source === 2 ? 0.5 : 0.75)

export function droppedHedge(book: Book, draft: GateDraft): Dropped | null {
  if (!isReasoned(draft)) return null
  const sources = groundsOf(book, draft).flatMap(({ ref, text }) =>
    sentencesIn(text).map((sentence) => ({ ref, ...sentence })),
  )
  const { kind, saying } = draft
  const { value } = saying.claim
  const asText = typeof value === 'string' ? value : JSON.stringify(value)
  // A claim is held against those that name its value.
  const said = kind === 'claim' ? [{ text: asText }] : sentencesIn(textOf(kind, saying))
  const losses = said.flatMap(({ text }): readonly Dropped[] => {
    const words = tellingIn(text)
    const shareOf = (other: string): number =>
      words.filter((word) => tellingIn(other).includes(word)).length
    const most = Math.max(0, ...sources.map((source) => shareOf(source.text)))
    if (most === 0 || most * 2 < words.length || (kind === 'claim' && most < words.length))
      return []
    const nearest = sources.filter((source) => shareOf(source.text) === most)
    // One that says it for sure is enough.
    const surest = Math.min(...nearest.map((source) => doubtIn(source.text)))
    const [of] = nearest.filter((source) => doubtIn(source.text) === surest)
    return of && surest > doubtIn(text) ? [{ of: of.ref, said: doubtIn(text), source: surest }] : []
  })
  const loss = ({ said: ours, source }: Dropped): number => source - ours
  const worst = Math.max(...losses.map(loss))
  return losses.find((each) => loss(each) === worst) ?? null
}

/** What the memory is made from, then what its captures are made from. */
function groundsOf(book: Book, draft: GateDraft) {
  const { captures } = draft
  const before = captures.slice(0, -1).map(({ ref }) => ref)
  return [...sourcesOf(book, draft), ...before].flatMap((ref) => {
    const captured = captures.find((capture) => capture.ref === ref)
    const text = captured ? captured.phrase : recall(book, ref)?.text
    return text === undefined ? [] : [{ ref, text }]
  })
}
