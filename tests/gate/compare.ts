import { pseudonymOf } from '../../src/ledger/ledger.ts'
import { testSha256, WORLD_START } from '../support/world.ts'
import { linesOf, noiseIn, type Played, type Pseudonyms, STACK_ID } from './production.ts'
import type { Answer, Line, Remembered, Result } from './reference/words.ts'
import { Reference } from './reference.ts'
import type { History } from './steps.ts'

/** What the reference says of a whole history. */
export function expectedOf({ genesis, recognises = false, steps }: History) {
  const reference = new Reference({
    stackId: STACK_ID,
    genesis,
    startMs: WORLD_START,
    recognises,
  })
  const answers = steps.map((step) => tidyAnswer(reference.play(step)))
  const { lines, memories, noise, doubts } = reference.book
  return {
    answers,
    lines: lines.map(tidyLine),
    memories: memories.map(shortOf),
    noise: noise.map(believedOf),
    doubts: doubts.map(({ entry }) => entry),
  }
}

/** Who is meant: worked out from the keys that lie beside the ledger, as an owner could. */
function namesIn({ store }: Pick<Played, 'store'>): Pseudonyms {
  const keys = [...store.rows(STACK_ID).actorKeys.values()]
  const names = new Map<string, string>(
    keys.map(({ actor, key }) => [pseudonymOf(testSha256, key, actor), actor]),
  )
  return (pseudonym) => names.get(pseudonym) ?? `nobody: ${pseudonym}`
}

/** What production holds, in the words of the reference. */
export function actualOf(played: Pick<Played, 'store'>) {
  const { memories, stack } = played.store.rows(STACK_ID)
  const noise = noiseIn(played.store)
  const states = [...memories.values()]
    .filter(({ ref }) => !noise.has(ref))
    .sort((a, b) => a.seq - b.seq)
  return {
    lines: linesOf(played, namesIn(played)).map(tidyLine),
    memories: states.map((state) =>
      shortOf({
        ...state,
        near: state.depthNearest,
        far: state.depthFarthest,
        actor: state.sourceId,
        restatedAt: state.restatedAt === null ? null : Date.parse(state.restatedAt),
        sure: state.confidence.value,
        sureAt: Date.parse(state.confidence.at),
        quotes: state.claim?.quotes ?? null,
      }),
    ),
    noise: [...memories.values()]
      .filter(({ ref }) => noise.has(ref))
      .sort((a, b) => a.seq - b.seq)
      .map(believedOf),
    doubts: stack.distrusted.map(({ seq }) => seq),
  }
}

/** Of noise only how it is believed is looked at; the rest of it stands in its line. */
const believedOf = ({
  seq,
  disposition,
  distrust,
}: Pick<Remembered, 'seq' | 'disposition' | 'distrust'>) => ({ seq, disposition, distrust })

type Short = Omit<Remembered, 'says' | 'bytes' | 'predicate' | 'claim' | 'text'>

const shortOf = (memory: Short): Short => ({
  ref: memory.ref,
  kind: memory.kind,
  seq: memory.seq,
  revision: memory.revision,
  label: memory.label,
  sourceType: memory.sourceType,
  actor: memory.actor,
  door: memory.door,
  document: memory.document,
  disposition: memory.disposition,
  tier: memory.tier,
  parents: memory.parents,
  near: memory.near,
  far: memory.far,
  restatedAt: memory.restatedAt,
  sure: memory.sure,
  sureAt: memory.sureAt,
  distrust: memory.distrust,
  flags: memory.flags,
  captured: memory.captured,
  rewordingOf: memory.rewordingOf,
  quotes: memory.quotes,
})

const sorted = (items: readonly string[]): readonly string[] => [...new Set(items)].sort()

/** Reasons and refused parents are sets: their order says nothing. */
export function tidyAnswer(answer: Answer): Answer {
  const tidy = (result: Result): Result => ({ ...result, reasons: sorted(result.reasons) })
  if (answer.type === 'written') return { ...answer, results: answer.results.map(tidy) }
  if (answer.type === 'refused') return { ...answer, result: tidy(answer.result) }
  return answer
}

function tidyLine(line: Line): Line {
  const reasons = sorted(line.reasons)
  const { parents } = line.facts
  if (line.rule !== 'lineage' || !Array.isArray(parents)) return { ...line, reasons }
  return { ...line, reasons, facts: { ...line.facts, parents: sorted(parents) } }
}
