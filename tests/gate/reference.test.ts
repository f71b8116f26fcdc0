import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectAgreement } from './agreeing.ts'
import { expectedOf } from './compare.ts'
import { histories, historyOf } from './histories.ts'
import { refAt } from './reference/lineage.ts'
import type { Answer } from './reference/words.ts'
import { runs } from './runs.ts'
import { type GateDraft, type History, PLAIN, type Step } from './steps.ts'

describe('the gate and its reference', () => {
  test('answer every step of every history alike and leave the same ledger', async () => {
    await fc.assert(fc.asyncProperty(histories(), expectAgreement), {
      ...runs(250),
      examples: EXAMPLES.map((history) => [history]),
    })
  })
})

/** Everything that distrust may come to, so that none of it waits for chance. */
const QUARRELS = [true, false].map((isOwnFirst) => {
  const quarrel = {
    type: 'quarrel',
    waitMs: 0,
    actor: 'ann',
    phrase: 'Said in a long quarrel',
  } as const
  const again = { ...quarrel, actor: 'bob', waitMs: 1_000 } as const
  const steps = [quarrel, again].map((step) => ({ ...step, isOwnFirst }))
  return historyOf({ genesis: 'patient', hasGround: true, steps })
})

/** A model is shown something that nobody vouches for, and writes. */
const OVERHEARD: History = (() => {
  const { genesis, steps } = historyOf({ genesis: 'house', hasGround: true, steps: [] })
  const raw = refAt('raw', 1)
  const by = { door: 'mcp', person: false } as const
  const model = { label: 'ModelDerived', sourceType: 'inference', llmModel: 'model-1' } as const
  const note: GateDraft = { ...PLAIN, ...by, ...model, kind: 'note', ref: refAt('note', 99) }
  return {
    genesis,
    steps: [
      ...steps,
      { type: 'serve', waitMs: 0, ref: raw, tier: 0, text: 'Something was said', by },
      { type: 'write', waitMs: 0, drafts: [{ ...note, parents: [raw] }] },
    ],
  }
})()

/** An author revises its own words, and two models give other fields to them. */
const PROPOSED: History = (() => {
  const { genesis, steps } = historyOf({ genesis: 'house', hasGround: true, steps: [] })
  const note: GateDraft = { ...PLAIN, kind: 'note', parents: [refAt('raw', 1)] }
  const model = { label: 'ModelDerived', sourceType: 'inference', llmModel: 'model-1' } as const
  const write = (n: number, variant: number, how: Partial<GateDraft>): Step => {
    const saying = { ...PLAIN.saying, phrase: 'Said by a person first', variant }
    const draft = { ...note, ...how, ref: refAt('note', n), saying }
    return { type: 'write', waitMs: 1_000, drafts: [draft] }
  }
  const own = [write(90, 1, {}), write(91, 2, {})]
  const others = [
    write(92, 3, model),
    write(93, 3, model),
    write(94, 4, { ...model, actor: 'bob' }),
  ]
  return { genesis, steps: [...steps, ...own, ...others, write(95, 5, {})] }
})()

/** A wish about a memory waits already when a model gives other fields to its words. */
const WAITING: History = (() => {
  const { genesis, steps } = historyOf({ genesis: 'house', hasGround: true, steps: [] })
  const ref = refAt('note', 90)
  const saying = { ...PLAIN.saying, phrase: 'Doubted by a model', variant: 1 }
  const note: GateDraft = { ...PLAIN, kind: 'note', ref, parents: [refAt('raw', 1)], saying }
  const model = { label: 'ModelDerived', sourceType: 'inference', llmModel: 'model-1' } as const
  const other = { ...note, ...model, ref: refAt('note', 91), saying: { ...saying, variant: 2 } }
  const by = { door: 'mcp', person: false } as const
  return {
    genesis,
    steps: [
      ...steps,
      { type: 'write', waitMs: 0, drafts: [note] },
      { type: 'doubt', waitMs: 0, on: true, what: { ref }, by },
      { type: 'write', waitMs: 0, drafts: [other] },
    ],
  }
})()

/** Words that no believed memory says, over and over: set aside, rejected, said and cited again. */
const SET_ASIDE: History = (() => {
  const { genesis, steps } = historyOf({ genesis: 'strict', hasGround: true, steps: [] })
  const by = { door: 'explorer', person: true } as const
  const model = { label: 'ModelDerived', sourceType: 'inference', llmModel: 'model-1' } as const
  const saying = { ...PLAIN.saying, phrase: 'Said in a long loop' }
  const low: GateDraft = {
    ...PLAIN,
    ref: refAt('raw', 90),
    supplied: { ...PLAIN.supplied, tier: 0 },
  }
  const note: GateDraft = { ...PLAIN, ...model, kind: 'note', parents: [low.ref], saying }
  const said = (n: number, draft = note): Step => {
    const ref = refAt(draft.kind, n)
    return { type: 'write', waitMs: 1_000, drafts: [{ ...draft, ref }] }
  }
  const aside = refAt('note', 93)
  return {
    genesis,
    steps: [
      ...steps,
      { type: 'write', waitMs: 0, drafts: [low] },
      said(91),
      { type: 'doubt', waitMs: 0, on: true, what: { ref: refAt('note', 91) }, by },
      said(92),
      said(93),
      said(94),
      { type: 'reject', waitMs: 0, ref: aside, by },
      said(95),
      said(96, { ...PLAIN, kind: 'belief', parents: [aside] }),
    ],
  }
})()

const EXAMPLES: readonly History[] = [...QUARRELS, OVERHEARD, PROPOSED, WAITING, SET_ASIDE]

/** Everything the histories must come to, or the comparison above would compare nothing. */
const MUST_HAPPEN = [
  'turned',
  'turned nothing',
  'a wish to distrust',
  'a source gone',
  'a source back',
  'memory.distrusted own',
  'memory.distrusted origin',
  'memory.distrusted ground',
  'memory.trusted own back',
  'memory.trusted own',
  'memory.trusted origin back',
  'memory.trusted origin',
  'memory.trusted ground back',
  'lineage: parent_distrusted',
  'distrust Distrusted',
  'entry origin.distrusted',
  'entry origin.trusted',
  'entry memory.collapsed distrust',
  'entry tally distrust',
  'error maintenance_mode',
  'error invalid_provenance: contentHash',
  'error invalid_provenance: policyHash',
  'error invalid_provenance: timestamp',
  'error invalid_provenance: llmModel',
  'error id_exists',
  'error version_conflict',
  'error scope',
  'error not_found',
  'error invalid_input',
  'shape: already_saved',
  'origin: label_not_allowed',
  'origin: revises_without_authority',
  'conflict: higher_tier_disagrees',
  'origin: revises_what_is_set_aside',
  'lineage: source_needed',
  'lineage: parent_kind',
  'lineage: parent_missing',
  'lineage: parent_alone',
  'lineage: parent_quarantined',
  'lineage: parent_rejected',
  'lineage: evidence_missing',
  'lineage: cycle',
  'tombstone: tombstoned',
  'restate Corroborated',
  'authority: proposed',
  'burst Quarantined',
  'burst: tier_of_parents',
  'echo: echo_declared',
  'echo: echo_exact',
  'echo: dates_not_kept',
  'echo: echo_of_nothing_known',
  'coherence: start_after_end',
  'coherence: true_before_it_began',
  'lint: too_short',
  'lint: prefix_artifact',
  'lint: templated_noise',
  'lint: trailing_fragment',
  'conflict: model_against_first_hand',
  'conflict: depth_over_cap',
  'conflict: first_hand_disagreement',
  'conflict: confidence_under_floor',
  'conflict: succession',
  'conflict QueuedForAdjudication',
  'admit CommittedCheap',
  'admit CommittedInferred',
  'admit: tier_supplied',
  'a refused batch',
  'entry claim.superseded',
  'entry memory.revised',
  'entry quarantine.rejected',
  'entry state',
  'entry tally burst',
  'entry tally echo',
  'entry tally lineage',
  'entry tally lint',
  'entry tally origin',
  'entry tally restate',
]

describe('the histories', () => {
  test('come to every rule, every reason and every kind of entry', () => {
    const seen = new Set<string>()
    const sampled = fc.sample(histories(), { numRuns: 400, seed: 20_26 })
    for (const history of [...EXAMPLES, ...sampled]) {
      const { answers, lines } = expectedOf(history)
      for (const answer of answers) for (const what of happeningsIn(answer)) seen.add(what)
      for (const { op, rule, facts } of lines) {
        seen.add(op === 'tally' ? `entry tally ${rule}` : `entry ${op}`)
        if (rule === 'distrust') seen.add(`entry ${op} distrust`)
        if (facts.why) seen.add(`${op} ${facts.why}${facts.back === true ? ' back' : ''}`)
      }
    }
    expect(MUST_HAPPEN.filter((what) => !seen.has(what))).toEqual([])
  })
})

function turnsIn({
  entry,
  flagged,
  cleared,
  proposed,
}: Extract<Answer, { type: 'turned' }>): readonly string[] {
  if (entry === null) return [proposed === null ? 'turned nothing' : 'a wish to distrust']
  return [
    'turned',
    ...(flagged.length > 0 ? ['a source gone'] : []),
    ...(cleared.length > 0 ? ['a source back'] : []),
  ]
}

function happeningsIn(answer: Answer): readonly string[] {
  if (answer.type === 'done') return []
  if (answer.type === 'turned') return turnsIn(answer)
  if (answer.type === 'overruled') return []
  if (answer.type === 'error') {
    return [`error ${answer.code}`, ...answer.paths.map((path) => `error ${answer.code}: ${path}`)]
  }
  const results = answer.type === 'refused' ? [answer.result] : answer.results
  const happened = results.flatMap(({ rule, disposition, reasons }) => [
    `${rule} ${disposition}`,
    ...reasons.map((reason) => `${rule}: ${reason}`),
  ])
  const isBatch = answer.type === 'refused' && answer.index > 0
  return isBatch ? [...happened, 'a refused batch'] : happened
}
