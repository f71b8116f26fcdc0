import type { Hash } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import { type Dialect, written } from './dialect.ts'
import { textIn } from './rows.ts'
import { rowsOf, type Steps } from './steps.ts'
import type { SqlRow } from './values.ts'

const POINTED = written(
  (d) => `
  SELECT l.seq, l.bytes FROM policies p ${d.one('provenance_log', 'seq', 'p.seq', 'l')}
  WHERE ${d.inStack('p')} AND p.hash = ${d.unhex('?')}`,
)

const SOUGHT = written(
  (d) => `
  SELECT l.seq, l.bytes FROM provenance_log l
  WHERE ${d.inStack('l')} AND ${d.holdsBytes('l.bytes', '"op":"policy"')} ORDER BY l.seq`,
)

/** Policies are read out of the log itself, each once; a lost pointer costs time, no more. */
export function* policyOf(
  d: Dialect,
  known: Map<Hash, Policy>,
  hash: Hash | null,
): Steps<Policy | null> {
  if (hash === null) return null
  const before = known.get(hash)
  if (before) return before
  const isAsked = (each: LoggedPolicy): boolean => each.hash === hash
  const pointed = policiesIn(yield* rowsOf(POINTED(d), hash)).find(isAsked)
  const found = pointed ?? (yield* policiesOf(d)).find(isAsked)
  if (found) known.set(hash, found.policy)
  return found?.policy ?? null
}

interface LoggedPolicy {
  readonly seq: number
  readonly hash: Hash
  readonly policy: Policy
}

/** Every policy in the log, oldest first. */
export function* policiesOf(d: Dialect): Steps<readonly LoggedPolicy[]> {
  return policiesIn(yield* rowsOf(SOUGHT(d)))
}

interface PolicyEntry {
  readonly op?: string
  readonly decision?: { readonly facts?: Omit<LoggedPolicy, 'seq'> }
}

const policiesIn = (rows: readonly SqlRow[]): readonly LoggedPolicy[] =>
  rows.flatMap(([seq, bytes]) => {
    const { op, decision } = JSON.parse(textIn(bytes) ?? '') as PolicyEntry // checked in the next line
    if (op !== 'policy' || !decision?.facts) return []
    const { hash, policy } = decision.facts
    return [{ seq: Number(seq), hash, policy }]
  })
