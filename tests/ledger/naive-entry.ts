// Section 2 of docs/ledger-format.md: the eighteen members and what each may hold.

import {
  hasExactly,
  isList,
  isObject,
  type Json,
  type JsonObject,
  same,
} from './naive-canonical.ts'

export type Entry = {
  v: 1
  stack: string
  replica: string
  seq: number
  unit: number
  time: string
  op: string
  ref: string | null
  revision: number | null
  actor: string | null
  door: string | null
  label: JsonObject | null
  tier: number | null
  parents: readonly { ref: string; seq: number | null }[]
  commitment: string | null
  policy: string | null
  decision: {
    disposition: string | null
    facts: JsonObject
    reasons: readonly string[]
    rule: string | null
  }
  prevHash: string
}

type Test = (value: Json | undefined) => boolean

const DOORS = ['lib', 'cli', 'explorer', 'hook', 'mcp', 'http', 'import', 'sync']
const LABELS: readonly Json[] = [
  { kind: 'UserAsserted', type: 'External' },
  { kind: 'ExternalFirstHand', type: 'External' },
  { type: 'RecallReEntry' },
  { type: 'ModelDerived' },
]

export const isText: Test = (value) => typeof value === 'string' && value !== ''
export const isHash: Test = (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
export const isId32: Test = (value) => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value)
export const isRef: Test = (value) => typeof value === 'string' && /^[^:]+:.+$/s.test(value)
export const isTime: Test = (value) =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString() === value

export const isWhole = (value: Json | undefined, least: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= least

const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value)

const MEMBERS: Record<keyof Entry, Test> = {
  v: (value) => value === 1,
  stack: isText,
  replica: isId32,
  seq: (value) => isWhole(value, 0),
  unit: (value) => isWhole(value, 0),
  time: isTime,
  op: isText,
  ref: orNull(isRef),
  revision: orNull((value) => isWhole(value, 1)),
  actor: orNull(isHash),
  door: orNull((value) => DOORS.some((door) => door === value)),
  label: orNull((value) => LABELS.some((label) => same(label, value))),
  tier: orNull((value) => isWhole(value, 0) && value <= 3),
  parents: (value) => isList(value) && value.every(isParent),
  commitment: orNull(isHash),
  policy: orNull(isHash),
  decision: isDecision,
  prevHash: isHash,
}

function isParent(value: Json): boolean {
  return (
    hasExactly(value, ['ref', 'seq']) &&
    isObject(value) &&
    isRef(value.ref) &&
    (value.seq === null || isWhole(value.seq, 0))
  )
}

function isDecision(value: Json | undefined): boolean {
  return (
    hasExactly(value, ['disposition', 'facts', 'reasons', 'rule']) &&
    isObject(value) &&
    (value.disposition === null || isText(value.disposition)) &&
    isObject(value.facts) &&
    isList(value.reasons) &&
    value.reasons.every(isText) &&
    (value.rule === null || isText(value.rule))
  )
}

export function problemsOfMembers(value: Json): string[] {
  if (!isObject(value)) return ['is not an object']
  if (!hasExactly(value, Object.keys(MEMBERS))) {
    return ['does not have exactly the eighteen members']
  }
  return Object.entries(MEMBERS)
    .filter(([name, test]) => !test(value[name]))
    .map(([name]) => `has a ${name} that the format does not know`)
}
