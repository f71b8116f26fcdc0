// What could be put in the place of what a change says: each of its facts, and the rule it bears.

import { type Lie, OTHER_REF, type Values } from './lies.ts'
import { isList, isObject, type Json, type JsonObject } from './naive-canonical.ts'
import { CHANGES } from './naive-facts.ts'
import type { Members } from './vandal.ts'

export const isChange = ({ op }: Members): boolean => CHANGES.includes(String(op))

/** Members that a change fills or leaves empty, whoever asked for it. */
export function changeValues({ seq, op, commitment }: Members): Values {
  return {
    actor: { impossible: ['someone', null] },
    door: { impossible: ['window', null] },
    label: { impossible: [{ type: 'External' }, null] },
    // How far the words that it seals, or who proposes, were lowered is told nowhere else.
    tier: { impossible: commitment === null && op !== 'memory.proposed' ? [0, 3, 4] : [3, 4] },
    revision: { impossible: [1, 2] },
    parents: { impossible: [[{ ref: OTHER_REF, seq: Number(seq) - 1 }], null] },
    time: { impossible: ['1970-01-01T00:00:00.000Z', null] },
  }
}

/** One member for each lie that must be told, so that none waits for its turn. */
export function liesAboutChange(truth: Members): Lie[] {
  const { decision } = truth
  if (!isChange(truth) || !isObject(decision) || !isObject(decision.facts)) return []
  const { facts, rule } = decision
  const told = (member: string, changed: JsonObject): Lie => ({
    member,
    members: { ...truth, decision: { ...decision, ...changed } },
  })
  return [
    told('decision.rule', { rule: rule === null ? 'admit' : null }),
    told('decision.rule of a draft', { rule: 'echo' }),
    told('decision.disposition', { disposition: 'Superseded' }),
    told('decision.reasons', { reasons: ['because'] }),
    told('one fact more', { facts: { ...facts, more: 1 } }),
    ...Object.entries(facts).flatMap(([name, value]) => {
      const { [name]: _, ...less } = facts
      const others = otherValues(String(truth.op), name, value)
      return [
        ...(isOptional(truth, name) ? [] : [told(`no ${name}`, { facts: less })]),
        ...others.map((other, at) =>
          told(`${name}, lie ${at}`, { facts: { ...facts, [name]: other } }),
        ),
      ]
    }),
  ]
}

/** What an entry may go without and still be true of something that nobody can check. */
const isOptional = ({ op, commitment }: Members, name: string): boolean =>
  (op === 'memory.described' && name === 'confidence') ||
  (op === 'memory.described' && name === 'tags' && commitment === null) ||
  (op === 'memory.proposed' && name === 'confidence')

/** Numbers that follow from what was before; what somebody asked for he may have asked for. */
const WORKED_OUT = ['accesses', 'verifications', 'times', 'children', 'tags']

function otherValues(op: string, name: string, value: Json): Json[] {
  const wrong: Json[] = ['#', { to: '#' }]
  if (WORKED_OUT.includes(name)) return [...wrong, Number(value) + 1, Number(value) - 1, 0.5]
  if (isObject(value)) return [...wrong, ...otherSpans(op, value)]
  if (name === 'amount' && op === 'memory.weakened') return [...wrong, 0, 2]
  if (name === 'anchors') return [...wrong, [], [...listOf(value), OTHER_REF]]
  if (name === 'of' && isList(value)) return [...wrong, [], [...value, 0], [...value, ...value]]
  if (op === 'echo.overruled') {
    return [...wrong, typeof value === 'number' ? value - 1 : OTHER_REF, null, [value]]
  }
  if (name === 'evidence' || name === 'into') return [...wrong, [OTHER_REF]]
  if (name === 'by' || name === 'of') return [...wrong, OTHER_REF]
  return wrong
}

const listOf = (value: Json): readonly Json[] => (isList(value) ? value : [])

function otherSpans(op: string, { from, to, ...rest }: JsonObject): Json[] {
  const [a, b] = [Number(from), Number(to)]
  const spans = [
    { ...rest, from: a + 0.001, to: b },
    { from: a, to: b, more: 1 },
    { from: a, to: 2 },
  ]
  // What a person describes is his own number.
  return op === 'memory.described' ? spans : [...spans, { from: a, to: b + 1e-9 }]
}
