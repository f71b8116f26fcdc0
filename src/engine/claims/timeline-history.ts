import type { Tier } from '../../domain/doors.ts'
import type { Hash, Ref } from '../../domain/ids.ts'
import type { ClaimBody } from '../../domain/kinds/claim.ts'
import { normaliseText } from '../../domain/kinds/content.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Instant } from '../../domain/time.ts'
import { tierNow } from '../../fold/effective.ts'
import { type ClaimStatus, foldLine, statusIn } from '../../fold/fold-line.ts'
import { isLineClaim, type LineClaim, speaksFrom } from '../../fold/line-claims.ts'
import type { ClaimRow, StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import { momentAsOf } from '../read/as-of.ts'
import { openSealed } from '../read/memory-view.ts'
import { tierMinOf, WITHHELD_TEXT } from '../read/use-gate.ts'
import { nameOf } from '../write/arguments.ts'
import {
  type Answer,
  type AnswerClaim,
  type AskOptions,
  answerTo,
  instantOf,
  type LineOf,
  lineOf,
  lineThen,
  shownOf,
} from './answer.ts'
import { claimOpener } from './open-claim.ts'

export interface LineStep extends AnswerClaim {
  readonly status: ClaimStatus
  /** The replacing claim, also where the replacement holds for another time. */
  readonly supersededBy: Ref | null
  /** Time of the last restatement by the same actor. */
  readonly restatedAt: Instant | null
  readonly entry: number
  /** The tier of the use, where the value is withheld; `value` is then null. */
  readonly withheld?: Tier
}

/** Every claim of a timeline, ordered by valid time, then by entry. */
export async function lineHistory(
  engine: Engine,
  line: LineOf,
  options: Pick<AskOptions, 'asOf' | 'for' | 'minTier' | 'caller'>,
): Promise<readonly LineStep[]> {
  const { claims, policy, now, erased } = await lineThen(engine, lineOf(engine, line), options.asOf)
  const needed = tierMinOf(policy, options, 0)
  const states = claims.map(({ state }) => state).filter(isLineClaim)
  const fold = foldLine(states, { policy, validAt: now, now, erased })
  const statusOf = statusIn(fold, { policy, now })
  const byRef = new Map(claims.map((stored) => [stored.state.ref, stored]))
  const open = claimOpener()
  const order = (a: LineClaim, b: LineClaim): number => {
    const [x, y] = [speaksFrom(a, policy), speaksFrom(b, policy)]
    return x === y ? a.seq - b.seq : x < y ? -1 : 1
  }
  return states.sort(order).map((claim) => ({
    ...shownOf(byRef.get(claim.ref) as ClaimRow, open), // states come from these rows
    status: statusOf(claim),
    supersededBy: claim.claim.overruledBy,
    restatedAt: claim.restatedAt,
    entry: claim.seq,
    ...(tierNow(claim) < needed ? { value: null, withheld: needed } : {}),
  }))
}

/** One answer for each predicate of a subject, ordered by predicate; disputes are shown. */
export async function subject(
  engine: Engine,
  name: string,
  options: AskOptions,
): Promise<readonly Answer[]> {
  const validAt = options.validAt === undefined ? undefined : instantOf('validAt', options.validAt)
  const past = options.asOf === undefined ? null : await momentAsOf(engine, options.asOf)
  const found = await claimsAbout(engine, normaliseText(nameOf('subject', name)))
  const needed = tierMinOf((past ?? (await engine.moment())).policy, options, 0)
  const lines = new Map<Hash, LineOf>()
  for (const { state, sealed } of found) {
    if (state.line === null || sealed === null || state.seq > (past?.seq ?? Infinity)) continue
    const { subject, predicate } = openSealed(sealed).body as ClaimBody // parsed before sealing
    const known = lines.get(state.line)
    const isReadable = tierNow(state) >= needed
    if (isReadable || !known) lines.set(state.line, lineNamed({ subject, predicate }, isReadable))
  }
  const answers: Answer[] = []
  for (const [hash, line] of lines) {
    answers.push(await answerTo(engine, { ...line, hash }, { ...options, validAt }))
  }
  const order = (a: Answer, b: Answer) =>
    a.predicate === b.predicate ? 0 : a.predicate < b.predicate ? -1 : 1
  return answers.sort(order)
}

/** Predicates are words too, hidden where the use may read no claim of the timeline. */
export const lineNamed = (line: LineOf, isReadable: boolean): LineOf =>
  isReadable ? line : { ...line, predicate: WITHHELD_TEXT }

/** Newest first, so that the oldest claim names the timeline. */
async function claimsAbout({ read }: Engine, name: string): Promise<readonly StoredMemory[]> {
  const found: StoredMemory[] = []
  const limit = LIMITS.pageItemsMax
  for (let before: number | null = null; ; ) {
    const page: readonly StoredMemory[] = await read({
      type: 'memories',
      where: { kind: 'claim', present: true, name },
      after: before,
      limit,
    })
    found.push(...page)
    before = page.at(-1)?.state.seq ?? null
    if (page.length < limit) return found
  }
}
