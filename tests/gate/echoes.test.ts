import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holds } from '../support/holds.ts'
import { expectAgreement } from './agreeing.ts'
import { expectedOf } from './compare.ts'
import { quoted } from './echo-picks.ts'
import { histories, historyOf } from './histories.ts'
import type { Answer } from './reference/words.ts'
import { runs } from './runs.ts'
import { PLAIN } from './steps.ts'

const CITY = { ...PLAIN.saying.claim, predicate: 'city', value: 'Berlin' } as const

/** A claim that quotes, alone and as another phrasing of what was served; then somebody objects. */
const EXAMPLES = [true, false].flatMap((isServed) =>
  fc.sample(quoted, { numRuns: 4, seed: 11 }).map((chosen) => {
    const { draft, way } = chosen
    const claimed = {
      ...draft,
      ...({ kind: 'claim', label: 'ModelDerived', isSensible: true, document: null } as const),
      saying: { ...draft.saying, claim: CITY },
      supplied: PLAIN.supplied,
    }
    const met = { isNote: false, isModel: false, isCaptured: false, actor: 'ann' } as const
    const cut = { account: 0, which: 0, cut: 'sentence', value: 'Berlin' } as const
    const told = { isServed, isAnswered: true, met, ...cut, draft: claimed, waitMs: 0 }
    const step = { ...chosen, ...told, way: { ...way, door: 'mcp', person: false } as const }
    return historyOf({ genesis: 'house', hasGround: true, recognises: true, steps: [step] })
  }),
)

describe('the gate and its reference, where what was served is known again', () => {
  holds(
    ['FIREWALL-ECHO', 'FIREWALL-OVERRULE', 'FIREWALL-QUOTE', 'GATE-PURE'],
    'take, fold away, link, quote and overrule alike, and leave the same ledger',
    async () => {
      await fc.assert(fc.asyncProperty(histories({ recognises: true }), expectAgreement), {
        ...runs(250),
        examples: EXAMPLES.map((history) => [history]),
      })
    },
  )
})

/** Everything these histories must come to, or the comparison above would compare nothing. */
const MUST_HAPPEN = [
  'echo_reworded kept',
  'echo_reworded again',
  'echo_reworded past so many',
  'echo_phrasing',
  'echo_phrasing elsewhere',
  'hedge_dropped',
  'quote_against_first_hand',
  'quote_misplaced',
  'quote_source',
  'quote_not_found',
  'quote_partial',
  'quote_too_short',
  'quote_without_value',
  'quote_denied',
  'quote_hedged',
  'quoted claim',
  'quoted belief',
  'quoted in other words',
  'against a quote',
  'a link undone',
  'let in',
  'let in under another rule',
  'let in by a lower tier',
  'overruled already',
  'a wish to overrule',
  'a wish to let in',
  'overrule: not_found',
  'overrule: scope',
  'overrule: invalid_input',
  'overrule: refused',
  'overrule: maintenance_mode',
]

test('the histories come to every way of recognising, quoting and overruling', () => {
  const seen = new Set<string>()
  const sampled = fc.sample(histories({ recognises: true }), { numRuns: 600, seed: 7 })
  for (const history of [...EXAMPLES, ...sampled]) {
    const { answers, lines } = expectedOf(history)
    for (const [at, answer] of answers.entries()) {
      if (history.steps[at]?.type === 'overrule') for (const it of wordsOn(answer)) seen.add(it)
      const results = answer.type === 'written' ? answer.results : []
      for (const { reasons, entry, isKept } of results) {
        const line = lines[entry]
        for (const reason of reasons) seen.add(reason)
        if (!reasons.includes('echo_reworded') || isKept || !line) continue
        seen.add(line.seals ? 'echo_reworded kept' : 'echo_reworded past so many')
      }
    }
    for (const { op, rule, reasons, facts, parents, ref } of lines) {
      const against = (facts.against ?? []) as readonly string[]
      const isQuoted = lines.some((line) => line.facts.quote && against.includes(String(line.ref)))
      if (reasons.includes('first_hand_disagreement') && isQuoted) seen.add('against a quote')
      if (facts.quote) seen.add(`quoted ${String(ref).split(':')[0]}`)
      if (facts.quote && facts.phrasingOf) seen.add('quoted in other words')
      if (facts.elsewhere) seen.add('echo_phrasing elsewhere')
      if (op === 'tally' && lines[Number(facts.of)]?.seals) seen.add('echo_reworded again')
      if (op === 'memory.proposed' && facts.change === 'overrule') {
        seen.add(facts.of === undefined ? 'a wish to overrule' : 'a wish to let in')
      }
      if (op === 'echo.overruled') seen.add(facts.of === undefined ? 'a link undone' : 'let in')
      if (facts.overruled === undefined) continue
      if (rule !== 'admit') seen.add('let in under another rule')
      if (reasons.includes('tier_supplied')) seen.add('let in by a lower tier')
      expect(parents.length).toBeGreaterThan(0)
    }
  }
  expect(MUST_HAPPEN.filter((what) => !seen.has(what))).toEqual([])
})

function wordsOn(answer: Answer): readonly string[] {
  if (answer.type === 'error') return [`overrule: ${answer.code}`]
  const isNothing = answer.type === 'overruled' && answer.entry === null && !answer.proposed
  return isNothing ? ['overruled already'] : []
}
