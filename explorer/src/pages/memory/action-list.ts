import type { Memory } from '../../../../src/engine/read/memory-view.ts'
import { call } from '../../api/client.ts'

export interface Given {
  readonly stack: string
  readonly ref: string
  readonly reason: string | undefined
  readonly evidence: readonly string[]
}

/** Something that befalls a memory, as a person asks for it. */
export interface Action {
  readonly name: string
  readonly title: string
  /** What it does, said before it is done. */
  readonly words: string
  readonly takesEvidence?: true
  readonly fits: (memory: Memory) => boolean
  readonly run: (
    given: Given,
  ) => Promise<{ readonly changed: boolean; readonly reason: string | null }>
}

const isForgotten = ({ strengthTier }: Memory): boolean => strengthTier === 'forgotten'
const stands = (memory: Memory): boolean => !isForgotten(memory)

const said = ({ ref, reason }: Given) => ({ ref, ...(reason === undefined ? {} : { reason }) })

export const ACTIONS: readonly Action[] = [
  {
    name: 'verify',
    title: 'Verify',
    words:
      'Confirms it by evidence that rests on other first-hand words than it does. That raises its confidence; anything else is only written down.',
    takesEvidence: true,
    fits: stands,
    run: (given) => call(given.stack, 'verify', { ...said(given), evidence: [...given.evidence] }),
  },
  {
    name: 'reinforce',
    title: 'Reinforce',
    words: 'The same by a smaller step each time.',
    takesEvidence: true,
    fits: stands,
    run: (given) =>
      call(given.stack, 'reinforce', { ...said(given), evidence: [...given.evidence] }),
  },
  {
    name: 'protect',
    title: 'Protect',
    words: 'Keeps it from fading and from being forgotten.',
    fits: ({ isProtected }) => !isProtected,
    run: (given) => call(given.stack, 'protect', said(given)),
  },
  {
    name: 'unprotect',
    title: 'Lift protection',
    words: 'It fades again, and may be forgotten.',
    fits: ({ isProtected }) => isProtected,
    run: (given) => call(given.stack, 'protect', { ...said(given), off: true }),
  },
  {
    name: 'forget',
    title: 'Forget',
    words: 'Puts it out of mind. Nothing is lost: it can be recovered.',
    fits: (memory) => stands(memory) && !memory.isProtected,
    run: (given) => call(given.stack, 'forget', said(given)),
  },
  {
    name: 'recover',
    title: 'Recover',
    words: 'Brings it back to mind.',
    fits: isForgotten,
    run: (given) => call(given.stack, 'recover', said(given)),
  },
]
