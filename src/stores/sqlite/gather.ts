import { hasGivenWay, KEPT_OUT } from '../../domain/claims.ts'
import type { Hash, Ref, StackId } from '../../domain/ids.ts'
import { isFirstHand } from '../../domain/labels.ts'
import type { MemoryState, Tally } from '../../domain/state.ts'
import { type Instant, laterOf, toInstant, toMs } from '../../domain/time.ts'
import type { Context, Head, Needs } from '../../domain/waist.ts'
import { firstHandOf, isStillOn, tellerOf } from '../sql/claims.ts'
import { SAYS } from '../sql/dialect.ts'
import { countersFor, TALLY, tallyOf } from '../sql/entry-rows.ts'
import { ancestorKeys, childKeys, doesReach, doubtedKeys } from '../sql/lineage.ts'
import { STATE, sharedMarks, stateOf } from '../sql/memory-rows.ts'
import type { Connection } from './connection.ts'
import { jsonList as listed, SQLITE } from './dialect.ts'

/** Cached rows of the requested timelines, and the timelines left to query. */
function knownLines(
  { known }: Connection,
  needs: Needs,
  head: Head,
): { readonly asked: Needs; readonly known: readonly MemoryState[] } {
  if (known === null || needs.lines.length === 0) return { asked: needs, known: [] }
  const states: MemoryState[] = []
  const lines = needs.lines.filter(({ line, from, except }) => {
    const kept = except === null ? known.statesOf(line, head) : undefined
    if (!kept) return true
    for (const state of kept.states.values()) {
      if (from === null || kept.tellers.has(state.seq) || isStillOn(state, from)) states.push(state)
    }
    return false
  })
  return states.length === 0
    ? { asked: needs, known: [] }
    : { asked: { ...needs, lines }, known: states }
}

/** Both in the order of birth, each memory once. */
function both(
  found: readonly MemoryState[],
  known: readonly MemoryState[],
): readonly MemoryState[] {
  const seqs = new Set(found.map(({ seq }) => seq))
  const rest = known.filter(({ seq }) => !seqs.has(seq))
  return [...found, ...rest].sort((a, b) => a.seq - b.seq)
}

interface Gathered {
  readonly found: readonly MemoryState[]
  readonly head: Head
}

/** Caches the standing claims of long timelines; a set is never gathered whole. */
function keepLines({ known }: Connection, { lines }: Needs, { found, head }: Gathered): void {
  if (!known?.isWorth(found.length)) return
  for (const { line, from, except } of lines) {
    const claims =
      from === null && except === null ? found.filter((each) => each.line === line) : []
    if (known.isWorth(claims.length)) keepLine(known, line, { found: claims, head })
  }
}

function keepLine(
  known: NonNullable<Connection['known']>,
  line: Hash,
  { found, head }: Gathered,
): void {
  const heard = found.filter(({ disposition }) => !KEPT_OUT.includes(disposition))
  const says = ({ facets }: MemoryState): boolean => facets.subtype !== 'Unknown'
  const said = heard.filter(({ label }) => isFirstHand(label))
  const teller = said.find(says) ?? said[0]
  if (teller?.facets.subtype === 'SetValued') return
  const tellers = new Set([teller, heard.find(says)].flatMap((each) => each?.seq ?? []))
  const standing = found.filter((each) => tellers.has(each.seq) || !hasGivenWay(each))
  known.keepStates(line, head, {
    tellers,
    states: new Map(standing.map((each) => [each.seq, each])),
  })
}

const { stands, gaveWay } = SQLITE

export function gatherFrom(connection: Connection, stack: StackId, needs: Needs): Context {
  return connection.atOnce(() => {
    const { tip, stack: state } = connection.standing(stack)
    const policy = connection.policy(state.policyHash)
    const until = tip.time === null ? needs.until : laterOf(needs.until, tip.time)
    const begunBefore = policy && earlier(until, policy.numbers.tallyWindowMs)
    const { asked, known } = knownLines(connection, needs, tip.head)
    // A cached timeline may lack the claim that opened it.
    const lines = needs.lines.map(({ line }) => line)
    const found = memoriesFor(connection, asked, { begunBefore, lines })
    if (asked.lines.length > 0) keepLines(connection, asked, { found, head: tip.head })
    const memories = known.length === 0 ? found : both(found, known)
    return {
      tip,
      stack: state,
      policy,
      memories,
      ...connection.run(countersFor(SQLITE, needs)),
      tallies: talliesFor(connection, {
        about: found.map(({ ref }) => ref),
        actors: needs.actors,
        begunBefore,
      }),
      reached: needs.reaches.map((reach) => connection.run(doesReach(SQLITE, reach))),
    }
  })
}

/** A tally that began before the result has ended by `until`; null when `until` is empty. */
const earlier = (until: Instant, windowMs: number): Instant | null =>
  until === '' ? null : toInstant(Math.max(0, toMs(until) - windowMs))

const ASKED_LINE = 'unhex(j.value ->> 0)'
const NOT_EXCEPT = 'f.ref IS NOT (j.value ->> 2)'

/**
 * Requested timelines with the claim that sets their kind; members of a set never contradict each
 * other.
 */
const ASKED_LINES = `
  asked (line, since, any_teller, teller, is_set) AS MATERIALIZED (
    SELECT line, since, any_teller, teller, (
      SELECT f.subtype IS 'SetValued' FROM memories f WHERE f.seq = teller
    ) FROM (
      SELECT ${ASKED_LINE} AS line, j.value ->> 1 AS since,
        ${tellerOf(SQLITE, ASKED_LINE, NOT_EXCEPT)} AS any_teller,
        ${firstHandOf(SQLITE, ASKED_LINE, NOT_EXCEPT)} AS teller
      FROM json_each(?1) j))`

const ON_ASKED_LINES = `
  SELECT any_teller FROM asked
  UNION SELECT teller FROM asked
  UNION SELECT f.seq FROM asked a CROSS JOIN memories f
    ON f.line = a.line AND f.standing_until > a.since WHERE a.is_set IS NOT 1`

const firstAmong = (side: string): string => `(
  SELECT o.seq FROM memories o WHERE o.line = unhex(j.value) AND o.${side} ORDER BY o.seq LIMIT 1)`

/**
 * Of the claims that opened timelines (a JSON list), the claims with one of the identities (a
 * second list).
 */
const openersOf = (lines: string, identities: string): string => `
  SELECT f.seq FROM json_each(${lines}) j
    CROSS JOIN memories f ON f.seq IN (${firstAmong(stands)}, ${firstAmong(gaveWay)})
  WHERE f.opens = 1 AND f.identity IN (SELECT unhex(value) FROM json_each(${identities}))`

const MEMORIES = `
  WITH ${ASKED_LINES}
  SELECT ${STATE(SQLITE)} FROM memories m WHERE m.seq IN (
    ${ON_ASKED_LINES}
    UNION SELECT f.seq FROM json_each(?2) j CROSS JOIN memories f ON f.ref = j.value
    UNION SELECT f.seq FROM json_each(?3) j CROSS JOIN memories f
      ON f.identity = unhex(j.value) AND ${SAYS('f.')} AND f.opens = 0
    UNION ${openersOf('?7', '?3')}
    UNION SELECT f.seq FROM tallies t CROSS JOIN memories f ON f.ref = t.about
      WHERE t.first_at < ?4
    UNION SELECT (
      SELECT max(f.seq) FROM memories f
        WHERE f.kind = 'assessment' AND f.name = j.value AND f.disposition != 'Distrusted'
    ) FROM json_each(?5) j
    UNION SELECT value FROM json_each(?6)
  ) ORDER BY m.seq`

/**
 * The requested memories, and the subjects of ended tallies, whose entries will be folded into
 * them.
 */
function memoriesFor(
  connection: Connection,
  { refs, identities, lines, actors, children, ancestors, doubted }: Needs,
  among: { readonly begunBefore: Instant | null; readonly lines: readonly Hash[] },
): readonly MemoryState[] {
  const spoken = lines.map(({ line, from, except }) => [line, from ?? '', except])
  const asked = [listed(spoken), listed(refs), listed(identities)]
  const family = [
    ...children.flatMap((ref) => connection.run(childKeys(SQLITE, ref))),
    ...connection.run(ancestorKeys(SQLITE, ancestors)),
    ...doubted.flatMap((what) => connection.run(doubtedKeys(SQLITE, what))),
  ]
  const rows = connection
    .prepare(MEMORIES)
    .all(...asked, among.begunBefore, listed(actors), listed(family), listed(among.lines))
  const marks = sharedMarks()
  return rows.map((row) => stateOf(row, marks))
}

// The index is named, because the planner prefers a full scan in the order of places.
const TALLIES = `
  SELECT ${TALLY(SQLITE)} FROM tallies t WHERE t.place IN (
    SELECT f.place FROM json_each(?) j CROSS JOIN tallies f ON f.about = j.value
    UNION SELECT f.place FROM json_each(?) j CROSS JOIN tallies f ON f.actor = j.value
    UNION SELECT f.place FROM tallies f INDEXED BY tallies_by_first WHERE f.first_at < ?
  ) ORDER BY t.place`

interface TallyNeeds {
  readonly about: readonly Ref[]
  readonly actors: readonly string[]
  readonly begunBefore: Instant | null
}

function talliesFor(
  connection: Connection,
  { about, actors, begunBefore }: TallyNeeds,
): readonly Tally[] {
  const rows = connection.prepare(TALLIES).all(listed(about), listed(actors), begunBefore)
  return rows.map(tallyOf)
}
