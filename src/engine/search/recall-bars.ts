import { isBelieved } from '../../domain/distrust.ts'
import { isBookkeeping, type MemoryState } from '../../domain/state.ts'
import { confidenceAt, strengthAt } from '../../fold/effective.ts'
import { isLearntBetween } from '../read/list.ts'
import { tierFor } from '../read/use-gate.ts'
import { SEARCHED, type SearchRequest } from './search-options.ts'
import { isOfContext } from './search-ranking.ts'

export const BARS = [
  'not_found',
  'later',
  'erased',
  'kind',
  'set_aside',
  'tier',
  'use',
  'strength',
  'confidence',
  'context',
  'session',
  'said_by',
  'time',
  'words',
  'rank',
  'component',
  'rewording',
] as const

/** A filter or a limit that keeps a memory from being recalled. */
export interface Bar {
  readonly code: (typeof BARS)[number]
  readonly because: string
  /** The action to show the memory; null where none exists. */
  readonly remedy: string | null
}

const SET_ASIDE: Readonly<Record<string, string>> = {
  Quarantined: 'a person may release it in review',
  Rejected: 'nothing; it was refused',
  Superseded: 'ask for what took its place',
  Invalidated: 'reopen it',
  Distrusted: 'trust where it comes from again, or what it rests on',
}

/** Lists every failed filter with its remedy. */
export function barsOf(state: MemoryState, asked: SearchRequest): readonly Bar[] {
  return [
    kindBar(state, asked),
    asideBar(state, asked),
    tierBar(state, asked),
    strengthBar(state, asked),
    confidenceBar(state, asked),
    contextBar(state, asked),
    sessionBar(state, asked),
    sayerBar(state, asked),
    timeBar(state, asked),
  ].flatMap((bar) => bar ?? [])
}

function kindBar(state: MemoryState, { kinds }: SearchRequest): Bar | null {
  const { kind } = state
  if (isBookkeeping(state)) {
    const because = 'it only counts what a session captured, and is never searched'
    return { code: 'kind', because, remedy: null }
  }
  if (kinds.includes(kind)) return null
  if (!SEARCHED.includes(kind)) {
    return { code: 'kind', because: `${kind} is never searched`, remedy: null }
  }
  const because = `it is of kind ${kind}, and recordTypes asks for ${kinds.join(', ') || 'none'}`
  return { code: 'kind', because, remedy: `name ${kind} in recordTypes` }
}

function asideBar({ disposition }: MemoryState, { moment: { policy } }: SearchRequest): Bar | null {
  if (isBelieved(disposition, policy)) return null
  const because = `it is ${disposition}: kept, and believed by nobody`
  return { code: 'set_aside', because, remedy: SET_ASIDE[disposition] ?? null }
}

function tierBar({ tier }: MemoryState, asked: SearchRequest): Bar | null {
  const { use, filter, moment } = asked
  const tierMin = filter.minTier ?? 0
  if (tier >= tierMin) return null
  const isByUse = use !== null && tierFor(moment.policy, use) === tierMin
  return isByUse
    ? {
        code: 'use',
        because: `tier ${tier} is below ${tierMin}, which for: '${use}' takes`,
        remedy: `pass another use, or have it vouched for: a person's verdict, or two first-hand sources`,
      }
    : {
        code: 'tier',
        because: `tier ${tier} is below ${tierMin}`,
        remedy: `pass minTier: ${tier}`,
      }
}

const short = (value: number): string => String(Math.floor(value * 100) / 100)

function strengthBar(state: MemoryState, { moment: { policy, now } }: SearchRequest): Bar | null {
  const strength = strengthAt(state, policy, now)
  const needed = policy.numbers.strengthDormantBelow
  if (strength >= needed) return null
  const because =
    strength === 0 ? 'it is forgotten' : `strength ${short(strength)} is below ${needed}`
  return { code: 'strength', because, remedy: 'recover it' }
}

function confidenceBar(state: MemoryState, { filter, moment }: SearchRequest): Bar | null {
  const { minConfidence } = filter
  const confidence = confidenceAt(state, moment.policy, moment.now)
  if (minConfidence === undefined || confidence >= minConfidence) return null
  return {
    code: 'confidence',
    because: `confidence ${short(confidence)} is below ${minConfidence}`,
    remedy: `pass minConfidence: ${short(confidence)}, or verify it`,
  }
}

function contextBar(state: MemoryState, { filter: { context } }: SearchRequest): Bar | null {
  if (isOfContext(state, context)) return null
  const own = state.facets.context
  const because = own === null ? 'it is of no context' : `it is of another context, ${own}`
  return { code: 'context', because, remedy: 'leave context out, or name its own' }
}

function sessionBar(
  { session }: MemoryState,
  { filter: { inSession } }: SearchRequest,
): Bar | null {
  if (inSession === undefined || session === inSession) return null
  const because = session === null ? 'it is of no session' : 'it was written in another session'
  return { code: 'session', because, remedy: 'leave inSession out' }
}

function sayerBar({ sourceId }: MemoryState, { filter: { saidBy } }: SearchRequest): Bar | null {
  if (saidBy === undefined || sourceId === saidBy) return null
  const because = sourceId === '' ? 'nobody is named as its source' : `${sourceId} said it`
  return { code: 'said_by', because, remedy: 'leave saidBy out, or name who said it' }
}

function timeBar({ bornAt }: MemoryState, { filter }: SearchRequest): Bar | null {
  if (isLearntBetween(bornAt, filter)) return null
  return { code: 'time', because: `it was written at ${bornAt}`, remedy: 'widen since and until' }
}
