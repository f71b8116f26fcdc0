// Births that no gate would have let in, told by entry and certificate alike, with every hash right.

import { beforeAll, describe, expect, test } from 'vitest'
import { openStack } from '../../src/index.ts'
import { both, decided, type Told, tell } from './forging.ts'
import { type History, longHistory } from './history.ts'
import { isList, isObject, type JsonObject } from './naive-canonical.ts'
import { sealsContent } from './naive-operations.ts'
import { onePerClass } from './told-lies.ts'
import { type Copy, copyOf, type Members, membersOf, naiveProblems, sealedAt } from './vandal.ts'

let history: History

beforeAll(async () => {
  history = await longHistory()
})

/** Another story, or nothing where it would be true of this memory. */
type Lie = (truth: Told, rows: Copy['rows']) => Partial<Told> | null

const kindOf = ({ ref }: Members): string => String(ref).split(':')[0] ?? ''
const labelOf = ({ label }: Members): string =>
  isObject(label) ? String(label.kind ?? label.type) : ''
const isRelaxed = ({ decision }: Members): boolean =>
  isObject(decision) && isObject(decision.facts) && decision.facts.relaxed !== undefined

const factsOf = ({ members }: Told): JsonObject => (members.decision as { facts: JsonObject }).facts // entries are decided on
const inputsOf = (truth: Told): JsonObject | undefined =>
  factsOf(truth).inputs as JsonObject | undefined // an object where it is there

const isSeed = ({ provenance }: Told): boolean => provenance.sourceType === 'seed'
const isCapture = ({ provenance }: Told): boolean => provenance.captured === true
const isRefused = ({ members }: Told): boolean => members.op === 'memory.refused'

const LIES: [name: string, lie: Lie][] = [
  [
    'a tier that the label cannot carry',
    (truth) =>
      labelOf(truth.members) === 'UserAsserted' ? null : both(truth, { tier: 3 }, { trustTier: 3 }),
  ],
  [
    'words of a person at the door of a model',
    (truth) => {
      const label = { kind: 'UserAsserted', type: 'External' }
      return both(truth, { door: 'mcp', label }, { label, llmModel: null })
    },
  ],
  [
    'words of a person at a terminal where the entry tells of no person',
    (truth) =>
      labelOf(truth.members) !== 'UserAsserted' || inputsOf(truth)?.person !== undefined
        ? null
        : both(truth, { door: 'cli' }, {}),
  ],
  [
    'a tier above the grant that the entry tells of',
    (truth) => {
      const inputs = { grant: { [labelOf(truth.members)]: 0 } }
      const isLow = truth.members.tier === 0 || inputsOf(truth) === undefined
      return isLow ? null : { members: decided(truth, { facts: { ...factsOf(truth), inputs } }) }
    },
  ],
  [
    'a seed that a model planted',
    (truth) =>
      labelOf(truth.members) === 'ModelDerived' ? both(truth, {}, { sourceType: 'seed' }) : null,
  ],
  [
    'a model that is named where none spoke, or is not where one did',
    (truth) => both(truth, {}, { llmModel: truth.provenance.llmModel === null ? 'model-9' : null }),
  ],
  [
    'a memory without the source its kind needs',
    (truth) => {
      const needs = isList(truth.members.parents) && truth.members.parents.length > 0
      if (!needs || isSeed(truth) || isCapture(truth) || isRelaxed(truth.members)) return null
      return both(truth, { parents: [] }, { derivedFrom: [] })
    },
  ],
  [
    'a source of a kind that is not to be cited',
    (truth, rows) => {
      if (isRelaxed(truth.members) || isRefused(truth)) return null
      const other = rows.entries.map(membersOf).find((each) => kindOf(each) === 'belief')
      if (!['raw', 'episode', 'note', 'claim', 'belief'].includes(kindOf(truth.members)))
        return null
      if (other === undefined || Number(other.seq) >= Number(truth.members.seq)) return null
      const { ref = null, seq = null } = other
      return both(truth, { parents: [{ ref, seq }] }, { derivedFrom: [ref] })
    },
  ],
  [
    'a depth that its sources do not give',
    (truth) => {
      if (isRefused(truth)) return null
      const certificate = { depthNearest: 7, depthFarthest: 9 }
      const told = both(truth, {}, certificate)
      if (isCapture(truth)) return told
      const facts = { ...(truth.members.decision as { facts: JsonObject }).facts }
      const members = decided(truth, { facts: { ...facts, depth: { nearest: 7, farthest: 9 } } })
      return { ...told, members }
    },
  ],
  ...(
    [
      ['echo', 'CommittedCheap'],
      ['lint', 'CommittedInferred'],
      ['state', 'CommittedCheap'],
      ['admit', 'Contested'],
      ['admit', 'Quarantined'],
      ['burst', 'CommittedCheap'],
      ['conflict', 'Superseded'],
      ['admit', 'Reinstated'],
    ] as const
  ).map(([rule, disposition]): [string, Lie] => [
    `the word ${disposition} of the rule ${rule}`,
    (truth) => (isRefused(truth) ? null : { members: decided(truth, { rule, disposition }) }),
  ]),
  [
    'a capture that was not captured for anything',
    (truth) => (isCapture(truth) || isRefused(truth) ? null : both(truth, {}, { captured: true })),
  ],
]

function truths({ rows }: Copy): Told[] {
  return onePerClass(history)
    .map(membersOf)
    .filter((members) => sealsContent(members as never)) // reads its op and its rule alone
    .map((members) => {
      const { bytes } = sealedAt(rows, Number(members.seq))
      return { members, ...JSON.parse(Buffer.from(bytes).toString('utf8')) }
    })
}

describe.each(LIES)('%s', (_name, lie) => {
  test('is noticed where it stands, by both verifiers', async () => {
    const missed: string[] = []
    let told = 0
    for (const truth of truths(copyOf(history))) {
      const copy = copyOf(history)
      const other = lie(truth, copy.rows)
      if (other === null) continue
      told += 1
      tell(copy, truth, other)
      const { seq, op } = truth.members
      const place = `entry ${seq} `
      if (!naiveProblems(copy).some((each) => each.startsWith(place))) {
        missed.push(`naive at ${seq} ${op}`)
      }
      const stack = await openStack('demo', { store: copy.store })
      const { problems } = await stack.ledger.audit()
      if (!problems.some((each) => each.seq === seq && IN_THE_LEDGER.includes(each.code))) {
        missed.push(`audit at ${seq} ${op}`)
      }
    }
    expect(missed).toEqual([])
    expect(told).toBeGreaterThan(0)
  })
})

/** A row that differs from the ledger is noticed anyway; a forger writes the rows anew as well. */
const IN_THE_LEDGER = ['entry.operation', 'certificate.mismatch']
