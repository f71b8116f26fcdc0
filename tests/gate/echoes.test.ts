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
    ['FIREWALL-ECHO', 'FIREWALL-UNLINK', 'FIREWALL-QUOTE', 'GATE-PURE'],
    'link, quote and unlink alike, and leave the same ledger',
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
  'rewording',
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
  'lifted claim',
  'lifted belief',
  'against a quote',
  'a link undone',
  'overruled already',
  'a wish to overrule',
  'overrule: scope',
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
      for (const { reasons } of results) for (const reason of reasons) seen.add(reason)
    }
    for (const { op, reasons, facts, ref } of lines) {
      const against = (facts.against ?? []) as readonly string[]
      const isQuoted = lines.some((line) => line.facts.quote && against.includes(String(line.ref)))
      if (reasons.includes('first_hand_disagreement') && isQuoted) seen.add('against a quote')
      if (facts.quote) seen.add(`quoted ${String(ref).split(':')[0]}`)
      if (facts.lift) seen.add(`lifted ${String(ref).split(':')[0]}`)
      if (op === 'memory.proposed' && facts.change === 'overrule') seen.add('a wish to overrule')
      if (op === 'echo.overruled') seen.add('a link undone')
    }
  }
  expect(MUST_HAPPEN.filter((what) => !seen.has(what))).toEqual([])
})

function wordsOn(answer: Answer): readonly string[] {
  if (answer.type === 'error') return [`overrule: ${answer.code}`]
  const isNothing = answer.type === 'overruled' && answer.entry === null && !answer.proposed
  return isNothing ? ['overruled already'] : []
}
