import type { Kind } from '../../domain/kind-names.ts'
import type { SUGGESTED_KINDS } from '../../domain/kinds/suggestion.ts'
import type { TransitionName } from '../../domain/transition-names.ts'

export type TargetKind = (typeof SUGGESTED_KINDS)[number]

/** One step from what was met with to what is made of it. */
export interface Transition {
  readonly from: Kind
  readonly to: TargetKind
  /** So many that nothing was made of yet call for it. */
  readonly dueFrom: number
  /** So many are looked at in one go. */
  readonly batch: number
  /** What it must rest on to be proposed at all: so many sources, and so sure. */
  readonly sourcesMin: number
  readonly confidenceMin: number
  /** Only sources that somebody protected. */
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

/** A memory as processing looks at it. */
export interface Source {
  readonly ref: string
  readonly text: string
  readonly lessons: readonly string[]
  readonly confidence: number
  readonly isProtected: boolean
  /** How stirring it was, from 0 to 1. */
  readonly arousal: number
  readonly ageMs: number
}

const AROUSAL_DUE = 3 // the arousal of all that waits, added up
const AGE_DUE_MS = 24 * 3_600_000 // how long the oldest may wait

/** Whether what waits calls for it: enough of it, stirring enough, or waiting long enough. */
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
