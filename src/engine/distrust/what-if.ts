import { DISTRUST_LIMITS, type Doubted } from '../../domain/distrust.ts'
import { LimitError, MunimentError } from '../../domain/errors.ts'
import type { Hash, RecordKind, Ref } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Disposition } from '../../domain/vocabulary.ts'
import { fallOf } from '../../fold/distrust.ts'
import { tierNow } from '../../fold/effective.ts'
import { isOf } from '../../gate/commands/distrust.ts'
import type { ClaimRow } from '../../ports/store.ts'
import { type Answer, answerFrom, gatedAnswer, lineThen } from '../claims/answer.ts'
import { bodyIn } from '../claims/open-claim.ts'
import type { Engine } from '../engine.ts'
import { tierMinOf, type UseOptions, WITHHELD_TEXT } from '../read/use-gate.ts'
import { given } from '../write/arguments.ts'
import { type DistrustWhat, doubtedIn } from './distrust.ts'

/** A memory to become distrusted, because of its origin or sources. */
export interface Losing {
  readonly ref: Ref
  readonly kind: RecordKind
  readonly disposition: Disposition
  readonly why: 'origin' | 'own' | 'ground'
}

export interface WhatIf {
  /** In the order of the entries of a distrust. */
  readonly memories: readonly Losing[]
  /** Memories with a lost source, still believed. */
  readonly flagged: readonly { readonly ref: Ref; readonly by: Ref }[]
  /** Changed answers, before and after. */
  readonly answers: readonly { readonly before: Answer; readonly after: Answer }[]
}

export interface WhatIfOptions extends UseOptions {
  readonly distrust: DistrustWhat
}

/** Computes the effects of a distrust without a write. */
export async function whatIf(engine: Engine, options: WhatIfOptions): Promise<WhatIf> {
  const { distrust, ...use } = given(options)
  const what = doubtedIn(distrust)
  const family = await familyOf(engine, what)
  const { turned, flagged } = fallOf(family, {
    isDoubted: what.type === 'memory' ? ({ ref }) => ref === what.ref : isOf(what),
    why: what.type === 'memory' ? 'own' : 'origin',
  })
  const losing = turned.filter(({ memory }) => memory.distrust === null)
  const fallen = new Set(losing.map(({ memory }) => memory.ref))
  const lines = new Set(losing.flatMap(({ memory }) => memory.line ?? []))
  const answers: WhatIf['answers'][number][] = []
  for (const line of lines) answers.push(await turnedAnswer(engine, line, { fallen, use }))
  return {
    memories: losing.map(({ memory: { ref, kind, disposition }, why }) => {
      return { ref, kind, disposition, why }
    }),
    flagged,
    answers: answers.filter(
      ({ before, after }) => JSON.stringify(before) !== JSON.stringify(after),
    ),
  }
}

async function familyOf(engine: Engine, what: Doubted): Promise<readonly MemoryState[]> {
  const visitMax = DISTRUST_LIMITS.distrustVisitMax
  const family = await engine.read({ type: 'doubted', what, visitMax })
  if (family === null) throw new LimitError('distrustVisitMax', visitMax, visitMax + 1)
  if (what.type !== 'memory' || family.some(({ ref }) => ref === what.ref)) return family
  throw new MunimentError('not_found', `${what.ref} does not exist in this stack.`)
}

/** Subject and predicate are words too, hidden where the use may read no claim of the timeline. */
const WITHHELD_LINE = { subject: WITHHELD_TEXT, predicate: WITHHELD_TEXT }

/** Folds one reading of the timeline twice: as stored, and without the distrusted claims. */
async function turnedAnswer(
  engine: Engine,
  hash: Hash,
  { fallen, use }: { readonly fallen: ReadonlySet<Ref>; readonly use: UseOptions },
) {
  const then = await lineThen(engine, hash)
  const words = then.claims.flatMap(({ sealed }) => sealed ?? [])[0]
  if (words === undefined) throw new MunimentError('data_loss', 'A line has claims without words.')
  const { subject, predicate } = bodyIn(words)
  const tierMin = tierMinOf(then.policy, use, 0)
  const without = (row: ClaimRow): ClaimRow =>
    fallen.has(row.state.ref) ? { ...row, state: { ...row.state, disposition: 'Distrusted' } } : row
  const isReadable = then.claims.some(({ state }) => tierNow(state) >= tierMin)
  const line = isReadable ? { subject, predicate } : WITHHELD_LINE
  return {
    before: gatedAnswer(answerFrom(line, then), tierMin),
    after: gatedAnswer(answerFrom(line, { ...then, claims: then.claims.map(without) }), tierMin),
  }
}
