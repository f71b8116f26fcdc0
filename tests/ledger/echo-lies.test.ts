// Lies about what was unlinked and quoted, told by everything that speaks of it, with every hash right.

import { beforeAll, describe, expect, test } from 'vitest'
import { openStack } from '../../src/index.ts'
import { historyOfChanges } from './changes.ts'
import { decided, type Told, tell } from './forging.ts'
import type { History } from './history.ts'
import { OTHER_REF } from './lies.ts'
import { isObject, type Json, type JsonObject } from './naive-canonical.ts'
import { hashOfJson } from './naive-hash.ts'
import {
  type Copy,
  copyOf,
  type Members,
  membersOf,
  naiveProblems,
  rechain,
  rowAt,
  sealedAt,
  withMembers,
} from './vandal.ts'

let history: History

beforeAll(async () => {
  history = await historyOfChanges()
})

const factsOf = ({ decision }: Members): JsonObject =>
  isObject(decision) && isObject(decision.facts) ? decision.facts : {}

/** The first entry that is so. */
function found({ rows }: Copy, isIt: (members: Members) => boolean): Members {
  const members = rows.entries.map(membersOf).find(isIt)
  if (members === undefined) throw new Error('the history lacks what is lied about')
  return members
}

const unlinking = (copy: Copy): Members => found(copy, ({ op }) => op === 'echo.overruled')

function rewrite({ rows }: Copy, members: Members): void {
  const seq = Number(members.seq)
  rows.entries[seq] = withMembers(rowAt(rows, seq), members)
  rechain(rows, seq)
}

function truthOf({ rows }: Copy, members: Members): Told {
  const { bytes } = sealedAt(rows, Number(members.seq))
  return { members, ...JSON.parse(Buffer.from(bytes).toString('utf8')) }
}

const linked = (copy: Copy): Told =>
  truthOf(
    copy,
    found(copy, (each) => factsOf(each).phrasingOf !== undefined && each.op === 'memory.saved'),
  )

const quoting = (copy: Copy, kind: string): Told =>
  truthOf(
    copy,
    found(copy, ({ ref, ...each }) => {
      const isKind = String(ref).startsWith(`${kind}:`)
      return isKind && isObject(factsOf({ ...each }).quote)
    }),
  )

const withFacts = (truth: Told, facts: { [fact: string]: Json }): Members =>
  decided(truth, { facts: { ...factsOf(truth.members), ...facts } })

/** Another quote, in the entry and in the certificate alike. */
function requote(copy: Copy, truth: Told, changed: { [member: string]: Json }): void {
  const quote = { ...(truth.provenance.quote as JsonObject), ...changed }
  const provenance = { ...truth.provenance, quote }
  tell(copy, truth, { members: withFacts(truth, { quote }), provenance })
}

function rebody(copy: Copy, truth: Told, changed: { [member: string]: Json }): void {
  const body = { ...(truth.body as JsonObject), ...changed }
  const provenance = { ...truth.provenance, contentHash: hashOfJson(body) }
  tell(copy, truth, { body, provenance })
}

const spanOf = ({ provenance: { quote } }: Told): { start: number; end: number; of: string } =>
  quote as { start: number; end: number; of: string } // a quote that the gate made

const LIES: [name: string, lie: (copy: Copy) => void][] = [
  [
    'a link undone on a model’s word',
    (copy) => rewrite(copy, { ...unlinking(copy), label: { type: 'ModelDerived' } }),
  ],
  [
    'a link undone that was another',
    (copy) => {
      const members = unlinking(copy)
      const { decision, ref = null } = members
      const facts = { ...factsOf(members), phrasingOf: ref }
      rewrite(copy, { ...members, decision: { ...(decision as JsonObject), facts } })
    },
  ],
  [
    'a link to what is not near enough',
    (copy) => {
      const truth = linked(copy)
      tell(copy, truth, { members: withFacts(truth, { score: 3 }) })
    },
  ],
  [
    'a link to a memory that is not there',
    (copy) => {
      const truth = linked(copy)
      tell(copy, truth, { members: withFacts(truth, { phrasingOf: OTHER_REF }) })
    },
  ],
  [
    'a quote of another sentence than says the value',
    (copy) => requote(copy, quoting(copy, 'claim'), { start: 0, end: 27 }),
  ],
  [
    'a quote that begins within its sentence',
    (copy) => {
      const truth = quoting(copy, 'claim')
      requote(copy, truth, { start: spanOf(truth).start + 4 })
    },
  ],
  [
    'a quote that ends behind the text',
    (copy) => {
      const truth = quoting(copy, 'claim')
      requote(copy, truth, { end: spanOf(truth).end + 400 })
    },
  ],
  [
    'the same place in another source',
    (copy) => {
      const truth = quoting(copy, 'claim')
      const { derivedFrom } = truth.provenance as { derivedFrom: readonly string[] }
      const of = derivedFrom.find((ref) => ref !== spanOf(truth).of) ?? null
      requote(copy, truth, { of })
    },
  ],
  [
    'a quote of what is not cited',
    (copy) => {
      const { ref = null } = found(copy, ({ op, ref }) => op === 'memory.saved' && ref !== null)
      requote(copy, quoting(copy, 'claim'), { of: ref })
    },
  ],
  [
    'a value that the quoted words do not have',
    (copy) => rebody(copy, quoting(copy, 'claim'), { value: 'Ostend' }),
  ],
  [
    'a source that said something else at that place',
    (copy) => {
      const { of } = spanOf(quoting(copy, 'claim'))
      const source = truthOf(
        copy,
        found(copy, ({ op, ref }) => op === 'memory.saved' && ref === of),
      )
      const { content } = source.body as { content: string }
      rebody(copy, source, { content: content.replace('Dover', 'Ghent') })
    },
  ],
  [
    'a quote that the certificate alone has',
    (copy) => {
      const truth = quoting(copy, 'claim')
      const { quote: _, ...facts } = factsOf(truth.members)
      tell(copy, truth, { members: decided(truth, { facts }) })
    },
  ],
  [
    'a quote that a belief moves to the end of the text',
    (copy) => {
      const truth = quoting(copy, 'belief')
      requote(copy, truth, { start: spanOf(truth).end - 8 })
    },
  ],
]

describe.each(LIES)('%s', (_name, lie) => {
  test('is noticed by both verifiers', async () => {
    const copy = copyOf(history)
    lie(copy)
    expect(naiveProblems(copy)).not.toEqual([])
    const stack = await openStack('demo', { store: copy.store })
    const { problems } = await stack.ledger.audit()
    expect(problems.map(({ code }) => code)).toEqual(
      // A forger writes the rows anew as well: it is the ledger that must give the lie away.
      expect.arrayContaining([expect.stringMatching(/^(entry\.|certificate\.)/)]),
    )
  })
})

test('without a lie nothing is noticed', async () => {
  const copy = copyOf(history)
  expect(naiveProblems(copy)).toEqual([])
  const stack = await openStack('demo', { store: copy.store })
  expect((await stack.ledger.audit()).problems).toEqual([])
})
