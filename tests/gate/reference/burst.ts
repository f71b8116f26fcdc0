import { type GateDraft, POLICY_NUMBERS } from '../steps.ts'
import { doubtsOf } from './doubt.ts'
import { linkOf } from './likeness.ts'
import { isAnotherStay, recall, saying } from './lineage.ts'
import { asserts, isLive } from './tables.ts'
import { type Book, type BurstCount, instant, type Moment, meaning, type Verdict } from './words.ts'

/** The counter with this write in it; null for what is never counted. */
export function counting(
  book: Book,
  draft: GateDraft,
  { time, reading }: Moment,
): BurstCount | null {
  if (!asserts(draft.kind) || draft.label === 'RecallReEntry') return null
  if (draft.revises && !draft.isRestated) return null
  const { actor } = draft
  const known = saying(book, draft)
  const isFirstHand = draft.label === 'UserAsserted' || draft.label === 'ExternalFirstHand'
  const isOther = known.length > 0 && known.every((each) => isAnotherStay(draft, each))
  if (isFirstHand && isOther) return null
  // Rewordings of one memory are counted together, on the words of the original.
  const link = linkOf(book, draft, reading)
  const original = link ? recall(book, link.ref) : undefined
  const says = original?.says ?? meaning(draft.kind, draft.saying)
  const before = book.bursts.find((count) => count.actor === actor && count.says === says)
  const kept = POLICY_NUMBERS[book.policy].quarantineBurstThreshold + 1
  // Times of before a clock correction lie far ahead of it, and count no more.
  const { burstWindowMs } = POLICY_NUMBERS[book.policy]
  const isCorrected = book.lines.some(({ op }) => op === 'clock.corrected')
  const past = (before?.times ?? []).filter((at) => !isCorrected || at - time <= burstWindowMs)
  // A repeat writes no entry, so a clock that was set back would otherwise turn the counter around.
  const times = [...past, Math.max(time, past.at(-1) ?? time)].slice(-kept)
  return { actor, says, times, quarantined: before?.quarantined ?? null }
}

export function burst(book: Book, draft: GateDraft, at: Moment): Verdict | null {
  const { quarantineBurstThreshold, burstWindowMs } = POLICY_NUMBERS[book.policy]
  const count = counting(book, draft, at)
  if (!count || count.times.length <= quarantineBurstThreshold) return null
  const [first = at.time] = count.times
  const last = count.times.at(-1) ?? at.time
  if (last - first > burstWindowMs) return null
  const facts = { count: count.times.length, first: instant(first), last: instant(last) }
  const standing = count.quarantined && recall(book, count.quarantined)
  const aside = standing && standing.disposition === 'Quarantined' ? standing : null
  const isReworded = linkOf(book, draft, at.reading) !== null
  const live = saying(book, draft).filter(isLive)
  const own = live.find(({ actor }) => actor === draft.actor)
  const another = doubtsOf(book, draft).length > 0 ? undefined : live[0]
  const onto = isReworded ? null : (own ?? another ?? aside)
  const answer = { rule: 'burst', disposition: 'Quarantined', facts } as const
  return onto
    ? { type: 'collapse', onto, reasons: ['burst', 'repeated'], ...answer }
    : { type: 'admit', reasons: ['burst'], ...answer }
}
