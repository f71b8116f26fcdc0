import { describe, expect, test } from 'vitest'
import type { Hash, Ref } from '../../src/domain/ids.ts'
import { AUDIT_CODES, type AuditCode } from '../../src/engine/audit/codes.ts'
import { holds } from '../support/holds.ts'
import { forge, forgeAt, forgeContent, openedAt, type Rows } from './forger.ts'
import { freshStack, saying } from './support.ts'

/**
 * 0 genesis, 1 policy, 2 state, 3 raw, 4 raw, 5 note from 3, 6 claim from 5, 7 goal-less revision
 * of the claim, 8 a refusal, 9 the note restated.
 */
async function history() {
  const { stack, store, clock } = await freshStack()
  const write = async (kind: string, body: object, more: object = {}, request: object = {}) => {
    clock.advance({ ms: 1_000 })
    const provenance = saying('ExternalFirstHand', more)
    const { ref } = await stack.write({ kind, body, provenance, ...request } as never) // each is one
    return ref as Ref // null for the refusal, which nobody cites
  }
  const raw = await write('raw', { content: 'heard' })
  await write('raw', { content: 'heard again' })
  const note = await write('note', { content: 'noted' }, { derivedFrom: [raw] })
  const claim = { subject: 'a', predicate: 'b', value: 1 }
  const first = await write('claim', claim, { derivedFrom: [note] })
  const id = first.slice('claim:'.length)
  const revises = { expectedVersion: 1 }
  await write('claim', { ...claim, value: 2 }, { derivedFrom: [note] }, { id, revises })
  await write('note', { content: 'from nothing' })
  await write('note', { content: 'noted' }, { derivedFrom: [raw] })
  const rows = store.rows(stack.stackId)
  expect(rows.entries).toHaveLength(10)
  return { stack, rows }
}

const FORGED = 'f'.repeat(64) as Hash // shaped like a hash
const garbage = new TextEncoder().encode('not an entry')

const editEntry = (rows: Rows, seq: number, change: object): void => {
  const row = rows.entries[seq]
  if (row) rows.entries[seq] = { ...row, ...change }
}

const editSealed = (rows: Rows, seq: number, change: object): void => {
  const row = rows.sealed.get(seq)
  if (row) rows.sealed.set(seq, { ...row, ...change })
}

const editMemory = (rows: Rows, seq: number, change: object): void => {
  for (const row of rows.memories.values()) {
    if (row.seq === seq) rows.memories.set(row.ref, { ...row, ...change })
  }
}

/** Found only against a head that somebody else holds; see tests/proofs. */
type HeldElsewhere = 'head.foreign' | 'head.rollback' | 'head.rewritten'

type Damage = readonly [what: string, damage: (rows: Rows) => void, seq: number]

/** For every code a way to provoke it, and where the audit must point first. */
const DAMAGES: Readonly<Record<Exclude<AuditCode, HeldElsewhere>, readonly Damage[]>> = {
  'entry.missing': [
    ['an entry is deleted', (rows) => rows.entries.splice(4, 1), 4],
    ['the last entry is deleted', (rows) => rows.entries.pop(), 9],
    ['every entry is deleted', (rows) => rows.entries.splice(0), 0],
  ],
  'entry.unreadable': [
    ['bytes are overwritten', (rows) => editEntry(rows, 4, { bytes: garbage }), 4],
    [
      'a space is put in, which changes no meaning',
      (rows) => {
        const text = new TextDecoder().decode(rows.entries[4]?.bytes)
        editEntry(rows, 4, { bytes: new TextEncoder().encode(text.replace(',', ', ')) })
      },
      4,
    ],
    ['a member is added', (rows) => forgeAt(rows, 4, () => ({ zzz: 1 })), 4],
    ['a member is of another type', (rows) => forgeAt(rows, 4, () => ({ decision: null })), 4],
    ['a tier is out of bounds', (rows) => forgeAt(rows, 4, () => ({ tier: 9 })), 4],
  ],
  'entry.hash': [['the stored hash is changed', (rows) => editEntry(rows, 4, { hash: FORGED }), 4]],
  'entry.chain': [
    ['the stored link is changed', (rows) => editEntry(rows, 4, { prevHash: FORGED }), 4],
    [
      'two entries change places',
      (rows) => {
        const [four, five] = [rows.entries[4], rows.entries[5]]
        if (four && five) {
          editEntry(rows, 4, { ...five, seq: 4 })
          editEntry(rows, 5, { ...four, seq: 5 })
        }
      },
      4,
    ],
  ],
  'entry.stray': [
    [
      'an entry is put behind the head',
      (rows) => {
        const last = rows.entries[9]
        if (last) rows.entries.push({ ...last, seq: 10, prevHash: last.hash })
      },
      10,
    ],
  ],
  'entry.unknown': [
    ['an operation is invented', (rows) => forgeAt(rows, 2, () => ({ op: 'state.dreamt' })), 2],
  ],
  'entry.operation': [
    [
      'a birth that no rule let in',
      (rows) =>
        forgeAt(rows, 4, ({ decision }) => ({ decision: { ...decision, disposition: null } })),
      4,
    ],
    ['a birth has no memory', (rows) => forgeAt(rows, 4, () => ({ ref: null })), 4],
    [
      'an entry of a unit it does not belong to',
      (rows) => forgeAt(rows, 8, () => ({ unit: 3 })),
      8,
    ],
    [
      'a state that was never left',
      (rows) =>
        forgeAt(rows, 2, ({ decision }) => ({
          decision: { ...decision, facts: { from: 'MAINTENANCE', to: 'ACTIVE' } },
        })),
      2,
    ],
  ],
  'entry.place': [
    ['it names another stack', (rows) => forgeAt(rows, 4, () => ({ stack: 'other' })), 4],
    [
      'it names another replica',
      (rows) => forgeAt(rows, 4, () => ({ replica: 'a'.repeat(32) })),
      4,
    ],
    [
      'an entry is cut out and the rest closed up',
      (rows) => forge(rows, (entries) => entries.filter(({ seq }) => seq !== 8)),
      8,
    ],
  ],
  'entry.time': [
    [
      'a time before the one before',
      (rows) => forgeAt(rows, 8, () => ({ time: '2020-01-01T00:00:00.000Z' })),
      8,
    ],
  ],
  'entry.policy': [
    ['another policy is named', (rows) => forgeAt(rows, 8, () => ({ policy: FORGED })), 8],
    [
      'the policy itself is loosened',
      (rows) =>
        forgeAt(rows, 1, ({ decision }) => {
          const { hash, policy } = decision.facts as { hash: string; policy: object }
          return { decision: { ...decision, facts: { hash, policy: { ...policy, rules: [] } } } }
        }),
      1,
    ],
  ],
  'head.mismatch': [
    [
      'the recorded head is another hash',
      (rows) => {
        rows.tip = { ...rows.tip, head: { ...rows.tip.head, hash: FORGED } }
      },
      9,
    ],
    [
      'the recorded time of the head is another',
      (rows) => {
        rows.tip = { ...rows.tip, time: '2099-01-01T00:00:00.000Z' as never }
      },
      9,
    ],
  ],
  'root.mismatch': [
    [
      'the recorded tree is another',
      (rows) => {
        rows.tip = { ...rows.tip, tree: { size: 10, hashes: [FORGED, FORGED] } }
      },
      9,
    ],
  ],
  'sealed.missing': [['content is deleted', (rows) => rows.sealed.delete(5), 5]],
  'sealed.stray': [
    [
      'content is put where none was',
      (rows) => rows.sealed.set(2, { ...rows.sealed.get(5), seq: 2 } as never),
      2,
    ],
    [
      'content is put behind the head',
      (rows) => rows.sealed.set(50, { ...rows.sealed.get(5), seq: 50 } as never),
      50,
    ],
  ],
  'sealed.ref': [
    [
      'content is filed under another name',
      (rows) => editSealed(rows, 5, { ref: rows.sealed.get(4)?.ref }),
      5,
    ],
  ],
  'sealed.unreadable': [
    ['an entry commits to garbage', (rows) => forgeContent(rows, 5, garbage), 5],
    ['an entry commits to no certificate', (rows) => forgeContent(rows, 5, { body: {} }), 5],
    [
      'a certificate has lost a field',
      (rows) => {
        const { body, provenance } = openedAt(rows, 5)
        const { sourceId: _, ...rest } = provenance
        forgeContent(rows, 5, { body, provenance: rest })
      },
      5,
    ],
  ],
  'commitment.mismatch': [
    ['content is overwritten', (rows) => editSealed(rows, 5, { bytes: garbage }), 5],
    ['the salt is changed', (rows) => editSealed(rows, 5, { salt: new Uint8Array(32) }), 5],
    [
      'two contents change places',
      (rows) => {
        const [four, five] = [rows.sealed.get(4), rows.sealed.get(5)]
        editSealed(rows, 4, { bytes: five?.bytes, salt: five?.salt })
        editSealed(rows, 5, { bytes: four?.bytes, salt: four?.salt })
      },
      4,
    ],
  ],
  'content.mismatch': [
    [
      'the words are changed and committed to, and their old hash is kept',
      (rows) => {
        const { body, provenance } = openedAt(rows, 5)
        forgeContent(rows, 5, { body: { ...body, content: 'other words' }, provenance })
      },
      5,
    ],
  ],
  'certificate.mismatch': [
    ['a tier is raised in the entry', (rows) => forgeAt(rows, 5, () => ({ tier: 3 })), 5],
    [
      'a tier is raised in the certificate',
      (rows) => {
        const { body, provenance } = openedAt(rows, 5)
        forgeContent(rows, 5, { body, provenance: { ...provenance, trustTier: 3 } })
      },
      5,
    ],
    [
      'a label is changed in the entry',
      (rows) => forgeAt(rows, 5, () => ({ label: { type: 'External', kind: 'UserAsserted' } })),
      5,
    ],
    ['the parents are dropped', (rows) => forgeAt(rows, 5, () => ({ parents: [] })), 5],
  ],
  'parent.missing': [
    [
      'a parent is said to have stood elsewhere',
      (rows) =>
        forgeAt(rows, 5, ({ parents }) => ({
          parents: parents.map((each) => ({ ...each, seq: 4 })),
        })),
      5,
    ],
  ],
  'parent.later': [
    [
      'a parent is said to be younger',
      (rows) =>
        forgeAt(rows, 5, ({ parents }) => ({
          parents: parents.map((each) => ({ ...each, seq: 7 })),
        })),
      5,
    ],
  ],
  'birth.twice': [
    [
      'a revision is told as a birth',
      (rows) => forgeAt(rows, 7, () => ({ op: 'memory.saved', revision: 1 })),
      7,
    ],
  ],
  'revision.gap': [
    ['a revision skips a number', (rows) => forgeAt(rows, 7, () => ({ revision: 3 })), 7],
    [
      'a revision comes before its birth',
      (rows) => forgeAt(rows, 6, () => ({ op: 'memory.revised' })),
      6,
    ],
  ],
  'actor.mismatch': [
    ['another actor is named', (rows) => forgeAt(rows, 5, () => ({ actor: FORGED })), 5],
    [
      'the key of an actor is changed',
      (rows) => {
        for (const key of rows.actorKeys.values())
          rows.actorKeys.set(key.actor, { ...key, key: FORGED })
      },
      3,
    ],
  ],
  'row.missing': [
    [
      'a memory is deleted',
      (rows) => {
        const [, second] = [...rows.memories.keys()]
        if (second) rows.memories.delete(second)
      },
      4,
    ],
  ],
  'row.stray': [
    ['a memory is put in', (rows) => putIn(rows, { seq: 4 }), 4],
    ['a memory is put in that was never born', (rows) => putIn(rows, { seq: -7 }), -7],
    ['a memory is put in behind the head', (rows) => putIn(rows, { seq: 99 }), 99],
  ],
  'row.mismatch': [
    ['a tier is raised', (rows) => editMemory(rows, 5, { tier: 3 }), 5],
    [
      'a confidence is raised',
      (rows) => editMemory(rows, 5, { confidence: { value: 1, at: '2026-01-01T00:00:00.000Z' } }),
      5,
    ],
    ['a disposition is changed', (rows) => editMemory(rows, 5, { disposition: 'Rejected' }), 5],
    ['a row points at other content', (rows) => editMemory(rows, 5, { revisionSeq: 3 }), 5],
    ['parents are dropped', (rows) => editMemory(rows, 5, { parents: [] }), 5],
    ['a row is told to be older than it is', (rows) => editMemory(rows, 5, { seq: 4 }), 4],
    [
      'a number that is none',
      (rows) => editMemory(rows, 5, { strength: { value: Number.NaN } }),
      5,
    ],
  ],
  'state.mismatch': [
    [
      'the recorded state is another',
      (rows) => {
        rows.stack = { ...rows.stack, state: 'MAINTENANCE' }
      },
      9,
    ],
    [
      'enforcement is switched off beside the ledger',
      (rows) => {
        rows.stack = { ...rows.stack, enforcing: false }
      },
      9,
    ],
    [
      'the policy that is read is not the one that was written',
      (rows) => {
        for (const [hash, policy] of rows.policies) {
          rows.policies.set(hash, { ...policy, notBelieved: [] })
        }
      },
      9,
    ],
  ],
}

function putIn(rows: Rows, change: { readonly seq: number }): void {
  const [first] = rows.memories.values()
  if (!first) return
  const id = '00000000-0000-7000-8000-00000000beef'
  const ref = `raw:${id}` as Ref // shaped like one
  rows.memories.set(ref, { ...first, ref, id: id as never, ...change })
}

const HELD: readonly AuditCode[] = ['head.foreign', 'head.rollback', 'head.rewritten']
const isHeld = (code: AuditCode): code is HeldElsewhere => HELD.includes(code)
const ALL = AUDIT_CODES.flatMap((code) =>
  (isHeld(code) ? [] : DAMAGES[code]).map(([what, damage, seq]) => ({ code, what, damage, seq })),
)

describe('the audit names what was done, and where to look first', () => {
  test.each(ALL)('$code: $what', async ({ code, damage, seq }) => {
    const { stack, rows } = await history()
    expect(await stack.ledger.audit()).toMatchObject({ ok: true, entries: 10, problems: [] })
    damage(rows)
    const { ok, problems } = await stack.ledger.audit()
    expect(ok).toBe(false)
    expect(problems[0]).toMatchObject({ code, seq })
    expect(problems[0]?.detail).not.toBe('')
  })
})

holds('LEDGER-DETECT', 'there is a way to provoke every code there is', () => {
  expect([...Object.keys(DAMAGES), ...HELD].sort()).toEqual([...AUDIT_CODES].sort())
  expect(Object.values(DAMAGES).every((damages) => damages.length > 0)).toBe(true)
})

holds('LEDGER-DETECT', 'a tombstone that was taken away is missed', async () => {
  const { stack, store } = await freshStack()
  const raw = await stack.write({
    kind: 'raw',
    body: { content: 'x' },
    provenance: saying('ExternalFirstHand'),
  })
  const claim = {
    kind: 'claim' as const,
    body: {
      subject: 'a',
      predicate: 'b',
      value: 1,
      validTime: { start: '2026-02-02T00:00:00.000Z', end: '2026-01-01T00:00:00.000Z' },
    },
    provenance: saying('ExternalFirstHand', { derivedFrom: raw.ref ? [raw.ref] : [] }),
  }
  const { ref } = await stack.write(claim)
  await stack.review.reject(String(ref))
  expect((await stack.ledger.audit()).problems).toEqual([])
  store.rows(stack.stackId).tombstones.clear()
  expect(await stack.ledger.audit()).toMatchObject({ ok: false })
})
