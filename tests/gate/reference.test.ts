import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { actualOf, expectedOf, tidyAnswer } from './compare.ts'
import { histories } from './histories.ts'
import { openForTest, take } from './production.ts'
import type { Answer } from './reference/words.ts'
import { runs } from './runs.ts'

describe('the gate and its reference', () => {
  test('answer every step of every history alike and leave the same ledger', async () => {
    await fc.assert(
      fc.asyncProperty(histories(), async (history) => {
        const { answers, ...expected } = expectedOf(history)
        const played = await openForTest({ genesis: history.genesis })
        const given: Answer[] = []
        for (const step of history.steps) given.push(tidyAnswer(await take(played, step)))
        expect(given).toEqual(answers)
        expect(actualOf(played)).toEqual(expected)
        expect((await played.stack.audit()).problems).toEqual([])
      }),
      runs(250),
    )
  })
})

/** Everything the histories must come to, or the comparison above would compare nothing. */
const MUST_HAPPEN = [
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
  'origin: revises_first_hand',
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
  'burst Quarantined',
  'burst: tier_of_parents',
  'echo: echo_declared',
  'echo: echo_exact',
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
  'admit: tier_of_context',
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
    for (const history of fc.sample(histories(), { numRuns: 400, seed: 20_26 })) {
      const { answers, lines } = expectedOf(history)
      for (const answer of answers) for (const what of happeningsIn(answer)) seen.add(what)
      for (const { op, rule } of lines)
        seen.add(op === 'tally' ? `entry tally ${rule}` : `entry ${op}`)
    }
    expect(MUST_HAPPEN.filter((what) => !seen.has(what))).toEqual([])
  })
})

function happeningsIn(answer: Answer): readonly string[] {
  if (answer.type === 'done') return []
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
