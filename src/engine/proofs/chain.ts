import { type Ref, splitRef } from '../../domain/ids.ts'
import type { Kind } from '../../domain/kind-names.ts'
import { kindPolicyOf } from '../../domain/kind-policy.ts'
import type { Policy } from '../../domain/policy.ts'
import type { CaptureRequest } from '../write/write-request.ts'

interface Wanted {
  readonly kind: Kind
  readonly text: string
  readonly sources: readonly Ref[]
  readonly policy: Policy
}

export interface Chain {
  readonly derivedFrom: readonly Ref[]
  readonly captures: readonly CaptureRequest[]
  /** True if a belief must be saved first, because a capture cannot stand in for a belief. */
  readonly needsBelief: boolean
}

/**
 * The sources of a memory, and the captures to save first so that no layer is skipped: a belief
 * from raw words needs a note between, a goal an episode.
 */
export function chainFor({ kind, text, sources, policy }: Wanted): Chain {
  const { from } = kindPolicyOf(policy, kind).sources
  const isDirect = (ref: Ref): boolean => from.some((allowed) => allowed === splitRef(ref).kind)
  const direct = sources.filter(isDirect)
  if (direct.length > 0) return { derivedFrom: direct, captures: [], needsBelief: false }
  const raws = sources.filter((ref) => splitRef(ref).kind === 'raw')
  const words: readonly CaptureRequest[] =
    raws.length > 0 ? [] : [{ kind: 'raw', body: { content: text } }]
  const on = raws.length > 0 ? { derivedFrom: raws } : {}
  if (from.includes('note')) {
    return captured([...words, { kind: 'note', body: { content: text }, ...on }])
  }
  if (from.includes('episode')) {
    const body = { objective: `Review a suggested ${kind.replace('_', ' ')}`, outcome: text }
    return captured([...words, { kind: 'episode', body, ...on }])
  }
  if (from.includes('raw')) return captured(words)
  return { derivedFrom: [], captures: [], needsBelief: from.includes('belief') }
}

const captured = (captures: readonly CaptureRequest[]): Chain => ({
  derivedFrom: [],
  captures,
  needsBelief: false,
})
