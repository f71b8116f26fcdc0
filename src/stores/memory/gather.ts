import { hasGivenWay } from '../../domain/claims.ts'
import { type DescentOf, DISTRUST_LIMITS } from '../../domain/distrust.ts'
import { LimitError } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Policy } from '../../domain/policy.ts'
import { type MemoryState, speaksForItself, type Tally } from '../../domain/state.ts'
import { type Instant, laterOf, toMs } from '../../domain/time.ts'
import type { Context, LineNeed, Needs, Reach } from '../../domain/waist.ts'
import type { GatherPast } from '../../ports/store.ts'
import { burstKeyOf, emptyRows, isOver, type Rows, tellersOf } from './rows.ts'

/** Memories of an origin, all their descendants, and all parents of both. */
export function doubtedIn(
  rows: Rows,
  what: DescentOf,
  visitMax: number,
): readonly MemoryState[] | null {
  const isFrom = isMeant(what)
  const from = [...rows.memories.values()].filter(
    (memory) => memory.erased === null && isFrom(memory),
  )
  const found = new Set<Ref>(from.map(({ ref }) => ref))
  for (const ref of found) for (const child of rows.children.get(ref) ?? []) found.add(child)
  const parents = [...found].flatMap((ref) => rows.memories.get(ref)?.parents ?? [])
  const states = [...new Set([...found, ...parents])]
    .flatMap((ref) => rows.memories.get(ref) ?? [])
    .sort((a, b) => a.seq - b.seq)
  return states.length > visitMax ? null : states
}

function isMeant(what: DescentOf): (memory: MemoryState) => boolean {
  if (what.type === 'memory') return ({ ref }) => ref === what.ref
  if (what.type === 'memories') {
    const refs = new Set(what.refs)
    return ({ ref }) => refs.has(ref)
  }
  return ({ sourceId, door, session }) =>
    ({ actor: sourceId, door, session })[what.type] === what.name
}

const present = <Row>(row: Row | undefined): readonly Row[] => (row === undefined ? [] : [row])

export function gatherFrom(rows: Rows, needs: Needs): Context {
  const policy =
    rows.stack.policyHash === null ? null : (rows.policies.get(rows.stack.policyHash) ?? null)
  const until = rows.tip.time === null ? needs.until : laterOf(needs.until, rows.tip.time)
  const ended = [...rows.tallies.values()].filter((tally) => hasEnded(tally, policy, until))
  // The entry of an ended tally changes its memory, so the memory must be gathered too.
  const refs = new Set([...needs.refs, ...ended.flatMap(({ about }) => about ?? [])])
  const identities = new Set(needs.identities)
  const onLines = new Set(needs.lines.flatMap((need) => onLine(rows, need)))
  const family = familyOf(rows, needs)
  const doubted = new Set(needs.doubted.flatMap((what) => doubtedRefs(rows, what)))
  const memories = [...rows.memories.values()].filter(
    (memory) =>
      refs.has(memory.ref) ||
      doubted.has(memory.ref) ||
      family.has(memory.ref) ||
      (identities.has(memory.identity) && speaksForItself(memory)) ||
      onLines.has(memory.ref),
  )
  const about = new Set<Ref | null>(memories.map(({ ref }) => ref))
  const actors = new Set<string | null>(needs.actors)
  return {
    tip: rows.tip,
    stack: rows.stack,
    policy,
    memories,
    words: needs.words.flatMap((ref) => {
      const memory = rows.memories.get(ref)
      return memory ? present(rows.sealed.get(memory.revisionSeq)) : []
    }),
    actorKeys: needs.actors.flatMap((actor) => present(rows.actorKeys.get(actor))),
    tallies: [...rows.tallies.values()].filter(
      (tally) => about.has(tally.about) || actors.has(tally.actor) || ended.includes(tally),
    ),
    bursts: needs.bursts.flatMap((key) => present(rows.bursts.get(burstKeyOf(key)))),
    tombstones: needs.tombstones.flatMap((mark) => present(rows.tombstones.get(mark))),
    reached: needs.reaches.map((reach) => doesReach(rows, reach)),
  }
}

function onLine(rows: Rows, { line, from, except }: LineNeed): readonly Ref[] {
  const claims = [...rows.memories.values()].filter((memory) => memory.line === line)
  const tellers = tellersOf(claims.filter(({ ref }) => ref !== except))
  const isSet = tellers.firstHand?.facets.subtype === 'SetValued'
  const standing = isSet ? [] : claims.filter((each) => !hasGivenWay(each) && !isOver(each, from))
  return [...standing, tellers.firstHand, tellers.any].flatMap((each) => each?.ref ?? [])
}

/** Requested children and ancestors, and the last assessment of each requested actor. */
function familyOf(rows: Rows, { children, ancestors, actors }: Needs): ReadonlySet<Ref> {
  const bySeq = (a: Ref, b: Ref) =>
    (rows.memories.get(a)?.seq ?? 0) - (rows.memories.get(b)?.seq ?? 0)
  const near = children.flatMap((ref) =>
    [...(rows.children.get(ref) ?? [])].sort(bySeq).slice(0, LIMITS.cascadeFlagsMax + 1),
  )
  const up = new Set<Ref>(ancestors)
  for (const ref of up) {
    if (up.size > LIMITS.lineageVisitMax) {
      throw new LimitError('lineageVisitMax', LIMITS.lineageVisitMax, up.size)
    }
    for (const parent of rows.memories.get(ref)?.parents ?? []) up.add(parent)
  }
  const trusted = actors.flatMap((actor) => lastAssessment(rows, actor) ?? [])
  return new Set([...near, ...up, ...trusted])
}

function doubtedRefs(rows: Rows, what: DescentOf): readonly Ref[] {
  const max = DISTRUST_LIMITS.distrustVisitMax
  const found = doubtedIn(rows, what, max)
  if (found === null) throw new LimitError('distrustVisitMax', max, max + 1)
  return found.map(({ ref }) => ref)
}

/** An assessment by a distrusted author counts for nothing. */
const lastAssessment = (rows: Rows, actor: string): Ref | undefined =>
  [...rows.memories.values()]
    .filter(({ kind, facets }) => kind === 'assessment' && facets.name === actor)
    .filter(({ distrust }) => distrust === null)
    .sort((a, b) => b.seq - a.seq)[0]?.ref

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

/** Gathers by the code of the reference store, over rows folded up to a past moment. */
export const gatherPast: GatherPast = (past, needs) =>
  gatherFrom(
    {
      ...emptyRows(),
      tip: past.tip,
      stack: past.stack,
      policies: new Map(past.policies),
      memories: new Map(past.memories),
      sealed: new Map(past.sealed.map((row) => [row.seq, row])),
      actorKeys: new Map(past.actorKeys.map((row) => [row.actor, row])),
      bursts: new Map(past.bursts.map((row) => [burstKeyOf(row), row])),
      tombstones: new Map(past.tombstones.map((row) => [row.mark, row])),
    },
    needs,
  )
