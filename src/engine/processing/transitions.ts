import type { Kind } from '../../domain/ids.ts'
import type { SUGGESTED_KINDS } from '../../domain/kinds/suggestion.ts'
import type { TransitionName } from '../../domain/vocabulary.ts'

export type TargetKind = (typeof SUGGESTED_KINDS)[number]

/** One processing step from a source kind to a target kind. */
export interface Transition {
  readonly from: Kind
  readonly to: TargetKind
  /** Number of unprocessed memories that makes the step due. */
  readonly dueFrom: number
  /** Number of memories in one batch. */
  readonly batch: number
  /** Least number of sources, and least confidence, of a proposal. */
  readonly sourcesMin: number
  readonly confidenceMin: number
  /** True to use only protected sources. */
  readonly protectedOnly: boolean
}

const OPEN = { sourcesMin: 1, confidenceMin: 0, protectedOnly: false } as const

const TRANSITIONS: Readonly<Record<TransitionName, Transition>> = {
  raw_to_episode: { from: 'raw', to: 'episode', dueFrom: 10, batch: 10, ...OPEN },
  raw_to_note: { from: 'raw', to: 'note', dueFrom: 10, batch: 10, ...OPEN },
  episode_to_belief: {
    from: 'episode',
    to: 'belief',
    dueFrom: 5,
    batch: 10,
    sourcesMin: 3,
    confidenceMin: 0.6,
    protectedOnly: false,
  },
  episode_to_goal: { from: 'episode', to: 'goal', dueFrom: 5, batch: 10, ...OPEN },
  episode_to_relationship: { from: 'episode', to: 'relationship', dueFrom: 3, batch: 5, ...OPEN },
  belief_to_value: {
    from: 'belief',
    to: 'value',
    dueFrom: 5,
    batch: 10,
    sourcesMin: 5,
    confidenceMin: 0,
    protectedOnly: true,
  },
  episode_to_drive: { from: 'episode', to: 'drive', dueFrom: 5, batch: 10, ...OPEN },
}

export const transitionNamed = (name: TransitionName): Transition => TRANSITIONS[name]

/** A memory as a source of processing. */
export interface Source {
  readonly ref: string
  readonly text: string
  readonly lessons: readonly string[]
  readonly confidence: number
  readonly isProtected: boolean
  /** Emotional arousal, from 0 to 1. */
  readonly arousal: number
  readonly ageMs: number
}

const AROUSAL_DUE = 3 // sum over all waiting memories
const AGE_DUE_MS = 24 * 3_600_000 // longest wait of the oldest memory

/** True if enough memories wait, or they are arousing enough, or one waits too long. */
export function isDue({ dueFrom, protectedOnly }: Transition, waiting: readonly Source[]): boolean {
  const eligible = protectedOnly ? waiting.filter(({ isProtected }) => isProtected) : waiting
  if (eligible.length === 0) return false
  const arousal = eligible.reduce((sum, source) => sum + source.arousal, 0)
  return (
    eligible.length >= dueFrom ||
    arousal >= AROUSAL_DUE ||
    eligible.some(({ ageMs }) => ageMs >= AGE_DUE_MS)
  )
}
