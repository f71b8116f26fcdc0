import type { RecordKind } from '../../../src/domain/ids.ts'
import type { GateDraft } from '../steps.ts'
import { type Dropped, droppedHedge, sureAtMost } from './hedging.ts'
import { recall } from './lineage.ts'
import { type Book, type Moment, meaning, type Remembered } from './words.ts'

const DAY = 86_400_000

/** How fast confidence fades: by so much, in so many days, down to the floor. */
const FADES: Partial<Record<RecordKind, readonly [rate: number, days: number, floor: number]>> = {
  episode: [0.01, 30, 0.5],
  note: [0.015, 30, 0.4],
  claim: [0.01, 30, 0.5],
  belief: [0.01, 30, 0.5],
  goal: [0.01, 30, 0.5],
  relationship: [0.01, 30, 0.5],
  value: [0.005, 60, 0.7],
  drive: [0.005, 60, 0.6],
}

export function sureNow({ kind, sure, sureAt }: Remembered, now: number): number {
  const [rate, period, floor] = FADES[kind] ?? [0, 1, 1]
  if (sure <= floor) return sure
  const days = Math.max(0, Math.floor((now - sureAt) / DAY))
  return Math.max(floor, Math.round((sure - (rate * days) / period) * 1e9) / 1e9)
}

/** A draft as sure as it may be, and as sure as it was asked for. */
export type Bounded = GateDraft & { readonly asked: number; readonly dropped: Dropped | null }

/** No surer than what it rests on; and rewording makes nobody surer but a person. */
export function bounded(book: Book, draft: GateDraft, { time }: Moment): Bounded {
  const before = draft.revises && recall(book, draft.ref)
  const dropped = droppedHedge(book, draft)
  const { confidence: asked, label } = draft
  const mayBe = Math.min(asked, dropped ? sureAtMost(dropped) : 1)
  const isFree = !before || label === 'UserAsserted'
  const confidence = isFree ? mayBe : Math.min(mayBe, sureNow(before, time))
  return { ...draft, confidence, asked, dropped }
}

/** What a revision says that it moved. */
export function movedBy(book: Book, draft: GateDraft, { time }: Moment): object {
  const before = draft.revises && recall(book, draft.ref)
  if (!before) return {}
  const [from, to] = [sureNow(before, time), draft.confidence]
  const isAnew = before.says !== meaning(draft.kind, draft.saying)
  return { ...(from === to ? {} : { confidence: { from, to } }), ...(isAnew ? { anew: true } : {}) }
}
