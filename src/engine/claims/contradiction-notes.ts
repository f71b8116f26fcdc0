import type { RecordKind, Ref } from '../../domain/ids.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { StoredMemory } from '../../ports/store.ts'
import { STATEMENT_CHARS_MAX } from '../../recall/contradiction.ts'
import { isRunLog } from '../../recall/run-log.ts'
import type { Engine } from '../engine.ts'
import { viewOf } from '../read/memory-view.ts'
import { speakerOf } from '../write/speaker.ts'
import { type Contradicting, contradictions } from './contradictions.ts'
import { linkReplaced } from './replacement-links.ts'

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
  if (!stored || !isStated(stored, moment.policy.notBelieved)) return former
  const { text } = viewOf(stored, moment)
  if (text.length > STATEMENT_CHARS_MAX || isRunLog(text)) return former
  const others = (await contradictions(engine, text, { kinds: STATING }))
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
  }
  return found
}

const isStated = ({ state, sealed }: StoredMemory, notBelieved: readonly string[]): boolean =>
  sealed !== null &&
  STATING.includes(state.kind) &&
  state.strength.value > 0 &&
  !notBelieved.includes(state.disposition)

/** A pair that a person kept is not flagged again. */
async function saidBefore({ read }: Engine, ref: Ref): Promise<ReadonlySet<string>> {
  const entries = (await read({ type: 'entries', about: ref })).map(({ bytes }) => readEntry(bytes))
  return new Set(
    entries
      .filter(
        ({ op, decision }) => op === 'memory.flagged' && decision.facts.code === 'contradicts',
      )
      .map(({ decision }) => String(decision.facts.by)),
  )
}
