import type { RecordKind, Ref } from '../../domain/ids.ts'
import { readEntry } from '../../ledger/ledger.ts'
import type { StoredMemory } from '../../ports/store.ts'
import { STATEMENT_CHARS_MAX } from '../../recall/contradiction.ts'
import type { Engine } from '../engine.ts'
import { viewOf } from '../read/memory-view.ts'
import { speakerOf } from '../write/speaker.ts'
import { type Contradicting, contradictions } from './contradictions.ts'

/** Kinds that state facts and can contradict each other. Claims are compared on their timelines. */
const STATING: readonly RecordKind[] = ['belief', 'note']
const NOTED_MAX = 5 // a person reads a statement with this many contradictions anyway
const SCORE_MIN = 0.6 // weaker contradictions, as between "might" and a plain statement, need no review

/**
 * Flags the memories that a new belief or note contradicts. Each pair goes to the review queue
 * once, at the newer of the two; a person decides.
 */
export async function noteContradictions(
  engine: Engine,
  ref: Ref,
): Promise<readonly Contradicting[]> {
  const stored = await engine.read({ type: 'memory', ref })
  const moment = await engine.moment()
  if (!stored || !isStated(stored, moment.policy.notBelieved)) return []
  const { text } = viewOf(stored, moment)
  if (text.length > STATEMENT_CHARS_MAX) return []
  const found = (await contradictions(engine, text, { kinds: STATING }))
    .filter(({ memory, score }) => memory.ref !== ref && score >= SCORE_MIN)
    .filter(({ memory }) => memory.entry.seq < stored.state.revisionSeq)
    .slice(0, NOTED_MAX)
  if (found.length === 0) return []
  const said = await saidBefore(engine, ref)
  const speaker = speakerOf(engine.stackId, 'note_contradictions')
  for (const { memory, evidence } of found) {
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
