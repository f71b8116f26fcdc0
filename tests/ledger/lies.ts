// What could be put in the place of each member of an entry: one list for every vandal.

import { changeValues, isChange, liesAboutChange } from './lies-about-changes.ts'
import { isList, isObject, type Json } from './naive-canonical.ts'
import type { Members } from './vandal.ts'

export type Lie = { member: string; members: Members }

/** By member: what may not stand there, and what may, but not beside this content. */
export type Values = Record<string, { impossible: Json[]; disagreeing?: Json[] }>

const OTHER_HASH = 'ab'.repeat(32)
export const OTHER_REF = 'note:00000000-0000-7000-8000-00000000ffff'
const LONG_AGO = '1970-01-01T00:00:00.000Z'

/** Operations whose facts the document lists to the last one. */
const LISTED_FACTS = ['genesis', 'policy', 'state', 'tally', 'quarantine.rejected']
const CHECKED_FACTS = ['depth', 'relaxed', 'index', 'drafts', 'quote']

/** Lies that show in the entry itself or beside what it seals, whoever repairs the hashes after. */
export function liesAbout(truth: Members): Lie[] {
  const isSealed = truth.revision !== null
  const values = isChange(truth)
    ? { ...valuesFor(truth), ...changeValues(truth) }
    : valuesFor(truth)
  return [...liesIn(truth, values, isSealed), ...liesAboutChange(truth)]
}

function liesIn(truth: Members, values: Values, isSealed: boolean): Lie[] {
  return Object.entries(values).flatMap(([member, { impossible, disagreeing = [] }]) =>
    [...impossible, ...(isSealed ? disagreeing : [])]
      .filter((value) => JSON.stringify(value) !== JSON.stringify(truth[member]))
      .map((value) => ({ member, members: { ...truth, [member]: value } })),
  )
}

/** Lies that only the chain gives away. */
export function liesAboutShape(truth: Members): Lie[] {
  const { door: _door, ...less } = truth
  return [
    { member: 'one more', members: { ...truth, more: null } },
    { member: 'one less', members: less },
    { member: 'prevHash', members: { ...truth, prevHash: OTHER_HASH } },
  ]
}

function valuesFor(truth: Members): Values {
  const seq = Number(truth.seq)
  return {
    v: { impossible: [2, '1', null] },
    stack: { impossible: ['another', '', null] },
    replica: { impossible: ['cd'.repeat(16), 'CD'.repeat(16), null] },
    seq: { impossible: [seq + 1, seq - 1, String(seq)] },
    unit: { impossible: [seq + 1, null, 0] },
    time: {
      impossible: ['2026-02-30T00:00:00.000Z', '2026-01-02T03:04:05Z', null],
      disagreeing: [LONG_AGO, '2026-01-02T03:04:05.007Z'],
    },
    op: { impossible: ['else', seq === 0 ? 'policy' : 'genesis', otherOp(truth)] },
    ref: { impossible: ['note', OTHER_REF] },
    revision: { impossible: [Number(truth.revision) + 1, 0, 1.5] },
    actor: { impossible: ['someone'], disagreeing: [OTHER_HASH, null] },
    door: { impossible: ['window', 7] },
    label: {
      impossible: [{ type: 'External' }, 'ModelDerived'],
      disagreeing: [{ type: 'ModelDerived' }, { type: 'RecallReEntry' }, null],
    },
    tier: { impossible: [4, -1, '0'], disagreeing: [0, 1, 2, 3, null] },
    parents: parentLies(truth.parents),
    commitment: { impossible: [truth.commitment === null ? OTHER_HASH : null, 'none'] },
    policy: { impossible: [OTHER_HASH] },
    decision: { impossible: decisionLies(truth), disagreeing: [withDepth(truth.decision)] },
  }
}

/** An operation that seals where the entry does not, and the other way round. */
const otherOp = ({ commitment }: Members): string =>
  commitment === null ? 'memory.saved' : 'memory.collapsed'

function parentLies(parents: Json | undefined): Values[string] {
  const list = isList(parents) ? parents : []
  const [first] = list
  const impossible: Json[] = [
    null,
    {},
    [{ ref: OTHER_REF, seq: 0 }],
    [{ ref: OTHER_REF, seq: null }],
  ]
  if (!isObject(first)) return { impossible }
  const earlier = { ...first, seq: Number(first.seq) - 1 }
  return {
    impossible: [...impossible, [{ ...first, more: 1 }], [earlier]],
    disagreeing: [[], [...list, first]],
  }
}

function decisionLies({ op, decision }: Members): Json[] {
  if (!isObject(decision) || !isObject(decision.facts)) return [null]
  const { facts } = decision
  const checked = LISTED_FACTS.includes(String(op)) ? Object.keys(facts) : CHECKED_FACTS
  return [
    null,
    { ...decision, more: null },
    { ...decision, facts: [] },
    { ...decision, reasons: 'none' },
    { ...decision, rule: 7 },
    { ...decision, disposition: 7 },
    ...checked
      .filter((name) => facts[name] !== undefined)
      .map((name) => ({ ...decision, facts: { ...facts, [name]: 'x' } })),
  ]
}

function withDepth(decision: Json | undefined): Json {
  if (!isObject(decision) || !isObject(decision.facts)) return null
  return { ...decision, facts: { ...decision.facts, depth: { farthest: 9, nearest: 9 } } }
}
