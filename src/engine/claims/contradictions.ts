import { MunimentError } from '../../domain/errors.ts'
import { isRecordKind, type RecordKind } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import { queryTerms } from '../../domain/words/terms.ts'
import type { RecalledRow } from '../../ports/queries.ts'
import { type Contradiction, contradictionsOf } from '../../recall/contradiction.ts'
import type { Engine } from '../engine.ts'
import { viewsOf } from '../history/confidence-history.ts'
import { isToday, narrowing } from '../read/list.ts'
import type { Memory } from '../read/memory-view.ts'
import { limitOf } from '../write/arguments.ts'

export interface ContradictionsOptions {
  readonly limit?: number
  readonly kinds?: readonly string[]
}

export interface Contradicting {
  readonly memory: Memory
  /** Kind of exclusion: negation, opposition, number or value; or a later statement replaces it. */
  readonly kind: Contradiction['kind'] | 'replacement'
  readonly score: number
  /** The words that show the contradiction. */
  readonly evidence: string
}

const KINDS: readonly RecordKind[] = ['belief']
const LIMIT = 20
const CANDIDATES = 64 // best matches by words, because a contradiction shares most words of the statement

/** Finds memories that contradict a statement; a person settles each case. */
export async function contradictions(
  engine: Engine,
  statement: string,
  options: ContradictionsOptions = {},
): Promise<readonly Contradicting[]> {
  if (typeof statement !== 'string' || statement.trim() === '') {
    throw new MunimentError('invalid_input', 'A statement is text.')
  }
  if (statement.length > LIMITS.textCharsMax) {
    throw new MunimentError(
      'limit_exceeded',
      `The statement is too long: ${LIMITS.textCharsMax} characters at most.`,
    )
  }
  const limit = limitOf(options.limit, LIMIT)
  const kinds = (options.kinds ?? KINDS).map((kind) => {
    if (isRecordKind(kind)) return kind
    throw new MunimentError('invalid_input', 'There is no such kind.')
  })
  const moment = await engine.moment()
  const filter = { includeWeak: true }
  const terms = queryTerms(statement)
  const where = narrowing(filter, moment)
  const near = { terms, near: [], kinds, hits: CANDIDATES, where }
  const { rows } = await engine.read({ type: 'recall', ...near })
  const seqs = rows.filter((row) => isMuchAlike(row, terms)).map(({ seq }) => seq)
  const stored = await engine.read({ type: 'memories', where: { seqs }, order: 'given' })
  const today = stored.filter(({ state }) => isToday(state, filter, moment))
  const views = await viewsOf(engine, today, moment)
  const contradictionWith = contradictionsOf(statement)
  return views
    .flatMap((memory) => {
      const found = contradictionWith(memory.text)
      return found ? [{ memory, ...found }] : []
    })
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
}

const SHARED_MIN = 0.5 // of the terms of the statement; with fewer, no rule of comparison applies

function isMuchAlike({ terms: said }: RecalledRow, terms: readonly string[]): boolean {
  const held = new Set(said.split(' '))
  return terms.filter((term) => held.has(term)).length >= terms.length * SHARED_MIN
}
