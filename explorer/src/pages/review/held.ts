import type { ReviewAnswer } from '../../../../src/engine/review/proposals.ts'
import type { Waiting } from '../../../../src/operations/review.ts'
import { call } from '../../api/client.ts'
import { refresh } from '../../state/live.ts'
import { useSyncExternalStore } from '../../ui/external-store.ts'
import { dropToast, say, sayError } from '../../ui/toasts.tsx'
import { answerWords } from './answers.ts'

/** An answer on its way, which can still be taken back. */
export interface Answering {
  readonly stack: string
  readonly item: Waiting
  readonly answer: ReviewAnswer
  readonly reason?: string
  readonly modifications?: Readonly<Record<string, string>>
  /** The entry that is meant: a proposal, or what was folded away. */
  readonly meant?: number
}

const GRACE_MS = 5_000 // what is in the ledger stays there: until then it is not sent

interface Held extends Answering {
  readonly timer: ReturnType<typeof setTimeout>
  readonly toast: number
}

let held: readonly Held[] = []
const listeners = new Set<() => void>()

function set(next: readonly Held[]): void {
  held = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useHeld = (): readonly Answering[] => useSyncExternalStore(subscribe, () => held)

/** Holds an answer for a moment, then sends it. */
export function answer(answering: Answering): void {
  const { item } = answering
  const ref = item.ref
  const timer = setTimeout(() => void send(ref), GRACE_MS)
  const text = `${answerWords(item.kind, answering.answer)}: ${clipped(item.memory.text)}`
  const action = { label: 'Undo (u)', run: () => undo(ref) }
  const toast = say({ text, action }, GRACE_MS)
  set([...held, { ...answering, timer, toast }])
}

/** Takes the last answer back, or that of a memory; false where none is left to take back. */
export function undo(ref?: string): boolean {
  const last = ref === undefined ? held.at(-1) : held.find(({ item }) => item.ref === ref)
  if (!last) return false
  clearTimeout(last.timer)
  dropToast(last.toast)
  set(held.filter((each) => each !== last))
  return true
}

async function send(ref: string): Promise<void> {
  const found = held.find(({ item }) => item.ref === ref)
  if (!found) return
  clearTimeout(found.timer)
  const { stack, item, answer: given, reason, modifications, meant } = found
  try {
    await call(stack, 'review', {
      ref: item.ref,
      answer: given,
      ...(reason ? { reason } : {}),
      ...(meant === undefined ? {} : { proposal: meant }),
      ...(modifications ? { modifications } : {}),
    })
  } catch (error) {
    sayError(error)
  }
  refresh()
  // Until the queue was asked for again it must not come back into view.
  setTimeout(() => set(held.filter((each) => each !== found)), 1_000)
}

/** Whoever leaves the page meant what they said. */
export const sendAll = (): Promise<unknown> => Promise.all(held.map(({ item }) => send(item.ref)))

const clipped = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
