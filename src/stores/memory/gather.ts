import type { Ref } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import type { Tally } from '../../domain/state.ts'
import { type Instant, laterOf, toMs } from '../../domain/time.ts'
import type { Context, Needs, Reach } from '../../domain/waist.ts'
import { burstKeyOf, type Rows } from './rows.ts'

const present = <Row>(row: Row | undefined): readonly Row[] => (row === undefined ? [] : [row])

export function gatherFrom(rows: Rows, needs: Needs): Context {
  const policy =
    rows.stack.policyHash === null ? null : (rows.policies.get(rows.stack.policyHash) ?? null)
  const until = rows.tip.time === null ? needs.until : laterOf(needs.until, rows.tip.time)
  const ended = [...rows.tallies.values()].filter((tally) => hasEnded(tally, policy, until))
  // A tally that becomes an entry says something of its memory, which must then be at hand.
  const refs = new Set([...needs.refs, ...ended.flatMap(({ about }) => about ?? [])])
  const identities = new Set(needs.identities)
  const lines = new Set(needs.lines)
  const memories = [...rows.memories.values()].filter(
    ({ ref, identity, line }) =>
      refs.has(ref) || identities.has(identity) || (line !== null && lines.has(line)),
  )
  const about = new Set<Ref | null>(memories.map(({ ref }) => ref))
  const actors = new Set<string | null>(needs.actors)
  return {
    tip: rows.tip,
    stack: rows.stack,
    policy,
    memories,
    actorKeys: needs.actors.flatMap((actor) => present(rows.actorKeys.get(actor))),
    tallies: [...rows.tallies.values()].filter(
      (tally) => about.has(tally.about) || actors.has(tally.actor) || ended.includes(tally),
    ),
    bursts: needs.bursts.flatMap((key) => present(rows.bursts.get(burstKeyOf(key)))),
    tombstones: needs.tombstones.flatMap((mark) => present(rows.tombstones.get(mark))),
    reached: needs.reaches.map((reach) => doesReach(rows, reach)),
  }
}

const hasEnded = (tally: Tally, policy: Policy | null, until: Instant): boolean =>
  policy !== null &&
  tally.firstAt !== null &&
  toMs(until) - toMs(tally.firstAt) > policy.numbers.tallyWindowMs

function doesReach(rows: Rows, { from, to }: Reach): boolean {
  const seen = new Set<Ref>(from)
  for (const ref of seen) {
    if (ref === to) return true
    for (const parent of rows.memories.get(ref)?.parents ?? []) seen.add(parent)
  }
  return false
}
