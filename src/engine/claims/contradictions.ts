import { MunimentError } from '../../domain/errors.ts'
import { isRecordKind, type RecordKind, type Ref } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import { queryTerms } from '../../domain/words/terms.ts'
import type { RecalledRow } from '../../ports/queries.ts'
import type { StoredMemory } from '../../ports/store.ts'
import {
  type Contradiction,
  contradictionsOf,
  STATEMENT_CHARS_MAX,
} from '../../recall/contradiction.ts'
import { deniedDeeds } from '../../recall/never.ts'
import { isRunLog } from '../../recall/run-log.ts'
import type { Engine } from '../engine.ts'
import { viewsOf } from '../history/histories.ts'
import { isToday, narrowing } from '../read/list.ts'
import { type Memory, viewOf } from '../read/memory-view.ts'
import { toldEntry } from '../read/merged-steps.ts'
import { limitOf, speakerOf } from '../write/arguments.ts'
import { linkDoubt, linkReplaced } from './replacement-links.ts'

export interface ContradictionsOptions {
  readonly limit?: number
  readonly kinds?: readonly string[]
}

/** A memory that contradicts a statement. */
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
  const nearest = async (asked: readonly string[]) =>
    (await engine.read({ type: 'recall', terms: asked, near: [], kinds, hits: CANDIDATES, where }))
      .rows
  const alike = (await nearest(terms)).filter((row) => isMuchAlike(row, terms) || saysNever(row))
  const deeds = deniedDeeds(statement).slice(0, DEEDS_MAX)
  const told = await Promise.all(deeds.map(({ who, what }) => nearest([...who, ...what])))
  const seqs = [...new Set([...alike, ...told.flat()].map(({ seq }) => seq))]
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

const DEEDS_MAX = 4 // denied deeds of one statement that are looked for
const saysNever = ({ terms }: RecalledRow): boolean => terms.split(' ').includes('never')

const SHARED_MIN = 0.5 // of the terms of the statement; with fewer, no rule of comparison applies

function isMuchAlike({ terms: said }: RecalledRow, terms: readonly string[]): boolean {
  const held = new Set(said.split(' '))
  return terms.filter((term) => held.has(term)).length >= terms.length * SHARED_MIN
}

/** Kinds that state facts and can contradict each other. Claims are compared on their timelines. */
const STATING: readonly RecordKind[] = ['belief', 'note']
const NOTED_MAX = 5 // a person reads a statement with this many contradictions anyway
const SCORE_MIN = 0.6 // weaker contradictions, as between "might" and a plain statement, need no review

const CLEAR_SCORE = 0.9

/**
 * Links a new statement to what it replaces, and flags what a new belief or note contradicts. A
 * linked pair is settled. Each other pair goes to the review queue once, at the newer of the two; a
 * person decides.
 */
export async function noteContradictions(
  engine: Engine,
  ref: Ref,
): Promise<readonly Contradicting[]> {
  const moment = await engine.moment()
  const replaced = await linkReplaced(engine, ref)
  const linked = new Set(replaced.flatMap((each) => (each.isLinked ? each.stored.state.ref : [])))
  const stored = await engine.read({ type: 'memory', ref })
  const former = replaced.map(({ stored: { state, ...rest }, isClear, evidence }) => ({
    memory: viewOf({ state, ...rest }, moment),
    kind: 'replacement' as const,
    score: isClear ? CLEAR_SCORE : SCORE_MIN,
    evidence,
  }))
  if (!stored || stored.sealed === null) return former
  const { text } = viewOf(stored, moment)
  // A prompt states little besides; "I have never …" is compared with the other prompts too.
  const kinds = deniedDeeds(text).length > 0 ? [...STATING, 'raw' as const] : STATING
  if (!isStated(stored, kinds, moment.policy.notBelieved)) return former
  if (text.length > STATEMENT_CHARS_MAX || isRunLog(text)) return former
  const others = (await contradictions(engine, text, { kinds }))
    .filter(({ memory, score }) => memory.ref !== ref && score >= SCORE_MIN)
    .filter(({ memory }) => memory.entry.seq < stored.state.revisionSeq)
    .filter(({ memory }) => !former.some((each) => each.memory.ref === memory.ref))
  const found = [...former, ...others].slice(0, NOTED_MAX)
  const open = found.filter(({ memory }) => !linked.has(memory.ref))
  if (open.length === 0) return found
  const said = await saidBefore(engine, ref)
  const speaker = speakerOf(engine.stackId, 'note_contradictions')
  for (const { memory, evidence } of open) {
    if (said.has(memory.ref)) continue
    const change = { type: 'note_contradiction', against: memory.ref } as const
    await engine.change({ ref, change, text: evidence, ...speaker })
    await linkDoubt(engine, stored.state, memory.ref)
  }
  return found
}

const isStated = (
  { state }: StoredMemory,
  kinds: readonly RecordKind[],
  notBelieved: readonly string[],
): boolean =>
  kinds.includes(state.kind) && state.strength.value > 0 && !notBelieved.includes(state.disposition)

/** A pair that a person kept is not flagged again. */
async function saidBefore({ read }: Engine, ref: Ref): Promise<ReadonlySet<string>> {
  const entries = (await read({ type: 'entries', about: ref })).map(({ bytes }) => toldEntry(bytes))
  return new Set(
    entries
      .filter(
        ({ op, decision }) => op === 'memory.flagged' && decision.facts.code === 'contradicts',
      )
      .map(({ decision }) => String(decision.facts.by)),
  )
}
