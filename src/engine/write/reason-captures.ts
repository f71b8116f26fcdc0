import type { Kind } from '../../domain/ids.ts'
import type { CaptureRequest } from './write-request.ts'

/** Directly asserted kinds: the own words are captured as the source. */
export const SAID_DIRECTLY: ReadonlySet<Kind> = new Set(['episode', 'note', 'claim'])

const REASONED_FROM_NOTE: ReadonlySet<Kind> = new Set(['belief', 'claim'])
const REASONED_FROM_EPISODE: ReadonlySet<Kind> = new Set([
  'goal',
  'relationship',
  'drive',
  'playbook',
  'summary',
  'self_narrative',
])

/** Captures that keep a reason as the source of a memory; none for a kind that rests on beliefs. */
export function reasonCaptures(kind: Kind, reason: string): readonly CaptureRequest[] {
  const raw = { kind: 'raw', body: { content: reason } } as const
  if (REASONED_FROM_NOTE.has(kind)) return [raw, { kind: 'note', body: { content: reason } }]
  if (REASONED_FROM_EPISODE.has(kind)) {
    const body = { objective: `Decide on a ${kind.replace('_', ' ')}`, outcome: reason }
    return [raw, { kind: 'episode', body }]
  }
  return SAID_DIRECTLY.has(kind) ? [raw] : []
}
