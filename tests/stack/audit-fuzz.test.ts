import { expect } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Entry } from '../../src/domain/entry.ts'
import type { StackId } from '../../src/domain/ids.ts'
import { readEntry } from '../../src/ledger/ledger.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { simulate } from '../../src/testing/simulation/simulate.ts'
import { type Dice, seededDice } from '../../src/testing/world.ts'
import { forEachSeed } from '../support/each-seed.ts'
import { holds } from '../support/holds.ts'
import { forgeAt, forgeContent, openedAt, type Rows, written } from './forger.ts'

const STACK = 'simulated' as StackId // as simulations name it

/** Another value than the one given, of the same type or of another. */
function otherThan(value: unknown, dice: Dice): unknown {
  const others = [null, 0, 1, -1, 1.5, '', 'x', 'f'.repeat(64), true, [], {}, [null], { a: 1 }]
  const text = JSON.stringify(value)
  const fit = others.filter((other) => JSON.stringify(other) !== text)
  return fit[dice.roll(fit.length)]
}

const flip = (bytes: Uint8Array, dice: Dice): Uint8Array => {
  const copy = Uint8Array.from(bytes)
  const place = dice.roll(copy.length)
  copy[place] = (copy[place] ?? 0) ^ (1 << dice.roll(8))
  return copy
}

type Vandalism = (rows: Rows, dice: Dice) => void

const anySeq = (rows: Rows, dice: Dice): number => dice.roll(rows.entries.length)

/**
 * Rewriting everything from some entry on can only be seen by whoever holds an older head. A row
 * does: it keeps the hash of its own entry.
 */
const lastBirth = (rows: Rows): number =>
  Math.max(...[...rows.memories.values()].map(({ revisionSeq }) => revisionSeq))

const anyMemory = (rows: Rows, dice: Dice) => {
  const memory = dice.pickAny([...rows.memories.values()])
  if (!memory) throw new Error('a history has memories')
  return memory
}

/** What a birth or revision sealed; what a change seals has a vandal of its own in tests/ledger. */
const anySealed = (rows: Rows, dice: Dice) => {
  const born = new Set([...rows.memories.values()].map(({ revisionSeq }) => revisionSeq))
  const row = dice.pickAny([...rows.sealed.values()].filter(({ seq }) => born.has(seq)))
  if (!row) throw new Error('a history has content')
  return row
}

/** A body with its certificate; what changes seal has neither. */
const anyCertified = (rows: Rows, dice: Dice) => {
  const born = [...rows.memories.values()].flatMap(
    ({ revisionSeq }) => rows.sealed.get(revisionSeq) ?? [],
  )
  const row = dice.pickAny(born)
  if (!row) throw new Error('a history has certificates')
  return row
}

const editEntry = (rows: Rows, seq: number, change: object): void => {
  const row = rows.entries[seq]
  if (row) rows.entries[seq] = { ...row, ...change }
}

/** One random act each, on whatever a vandal can reach. */
const ACTS: readonly [Vandalism, ...Vandalism[]] = [
  (rows, dice) => {
    const seq = anySeq(rows, dice)
    const bytes = rows.entries[seq]?.bytes ?? new Uint8Array(1)
    editEntry(rows, seq, { bytes: flip(bytes, dice) })
  },
  (rows, dice) => rows.entries.splice(anySeq(rows, dice), 1),
  (rows, dice) => {
    const seq = anySeq(rows, dice)
    const row = rows.entries[seq]
    if (row) rows.entries.splice(seq, 0, { ...row })
    for (const [index, each] of rows.entries.entries())
      rows.entries[index] = { ...each, seq: index }
  },
  (rows, dice) => {
    const [a, b] = [anySeq(rows, dice), anySeq(rows, dice)]
    const [one, two] = [rows.entries[a], rows.entries[b]]
    if (!one || !two || a === b) return void rows.entries.pop()
    rows.entries[a] = { ...two, seq: a }
    rows.entries[b] = { ...one, seq: b }
  },
  // A member of an entry, with hash, chain, tree and head made to fit.
  (rows, dice) => {
    const seq = dice.roll(lastBirth(rows))
    const entry = readEntry(rows.entries[seq]?.bytes ?? new Uint8Array())
    const name = dice.pickAny(Object.keys(entry) as (keyof Entry)[]) ?? 'tier'
    if (name === 'prevHash') return void rows.entries.pop() // it would be mended
    forgeAt(rows, seq, () => ({ [name]: otherThan(entry[name], dice) }))
  },
  // The same inside the decision.
  (rows, dice) => {
    const seq = dice.roll(lastBirth(rows))
    forgeAt(rows, seq, ({ decision }) => {
      const name = dice.pick(['rule', 'disposition', 'reasons'] as const)
      return { decision: { ...decision, [name]: otherThan(decision[name], dice) } }
    })
  },
  // A field of a certificate or of a body, committed to by its entry.
  (rows, dice) => {
    const { seq } = anyCertified(rows, dice)
    const opened = openedAt(rows, seq)
    const part = dice.pick(['body', 'provenance'] as const)
    const name = dice.pickAny(Object.keys(opened[part])) ?? 'content'
    const other = { ...opened[part], [name]: otherThan(opened[part][name], dice) }
    forgeContent(rows, seq, { ...opened, [part]: other })
  },
  // Something else altogether, committed to.
  (rows, dice) => {
    const { seq } = anyCertified(rows, dice)
    const { body, provenance } = openedAt(rows, seq)
    const things: readonly unknown[] = [
      null,
      [],
      'words',
      {},
      { body, provenance: null },
      { body: null, provenance },
      { body: [], provenance },
      { body: { a: 1 }, provenance },
      { provenance, body, extra: 1 },
    ]
    forgeContent(rows, seq, things[dice.roll(things.length)] as object)
  },
  // An entry rewritten alone: its hash fits, what follows does not.
  (rows, dice) => {
    const seq = dice.roll(rows.entries.length - 1)
    const entry = readEntry(rows.entries[seq]?.bytes ?? new Uint8Array())
    const { bytes, hash } = written({ ...entry, time: '2026-06-06T06:06:06.666Z' })
    editEntry(rows, seq, { bytes, hash })
  },
  (rows, dice) => {
    const row = anySealed(rows, dice)
    rows.sealed.set(row.seq, { ...row, bytes: flip(row.bytes, dice) })
  },
  (rows, dice) => {
    const row = anySealed(rows, dice)
    rows.sealed.set(row.seq, { ...row, salt: flip(row.salt, dice) })
  },
  (rows, dice) => void rows.sealed.delete(anySealed(rows, dice).seq),
  (rows, dice) => {
    const memory = anyMemory(rows, dice)
    const name = dice.pickAny(Object.keys(memory) as (keyof typeof memory)[]) ?? 'tier'
    rows.memories.set(memory.ref, { ...memory, [name]: otherThan(memory[name], dice) })
  },
  (rows, dice) => void rows.memories.delete(anyMemory(rows, dice).ref),
  (rows, dice) => {
    const name = dice.pick([
      'uid',
      'replica',
      'state',
      'policyHash',
      'enforcing',
      'tombstones',
    ] as const)
    rows.stack = { ...rows.stack, [name]: otherThan(rows.stack[name], dice) }
  },
  (rows, dice) => {
    const { head } = rows.tip
    const name = dice.pick(['seq', 'hash'] as const)
    rows.tip = { ...rows.tip, head: { ...head, [name]: otherThan(head[name], dice) } as never }
  },
  (rows, dice) => {
    const { tree } = rows.tip
    const name = dice.pick(['size', 'hashes'] as const)
    rows.tip = { ...rows.tip, tree: { ...tree, [name]: otherThan(tree[name], dice) } as never }
  },
]

const SEEDS = 400

holds(
  'LEDGER-DETECT',
  'whatever a vandal edits, deletes, inserts or reorders, the audit says so and never gives up',
  async () => {
    await forEachSeed(SEEDS, async (seed) => {
      const dice = seededDice(seed)
      const store = await lived(1 + (seed % 4))
      const act = dice.pick(ACTS)
      const rows = store.rows(STACK)
      const before = JSON.stringify([...rows.memories.values(), rows.tip, rows.stack])
      act(rows, dice)
      const stack = await openStack(STACK, { store })
      const which = `seed ${seed}, act ${ACTS.indexOf(act)}`
      const report = await stack.ledger.audit().catch((cause: unknown) => {
        throw new Error(`${which}: the audit gave up`, { cause })
      })
      expect(report.ok, `${which}: unnoticed, ${before.length} bytes of rows`).toBe(false)
    })
  },
  120_000,
)

const kept = new Map<number, Promise<MemoryStore>>()

/** A history worth vandalising, lived once a seed; every vandal gets a copy. */
async function lived(seed: number): Promise<MemoryStore> {
  const living = kept.get(seed) ?? live(seed)
  kept.set(seed, living)
  const original = (await living).rows(STACK)
  const copy = new MemoryStore()
  const rows = copy.rows(STACK)
  rows.entries = [...original.entries]
  for (const name of ['sealed', 'memories', 'children', 'actorKeys', 'tallies'] as const) {
    rows[name] = new Map<never, never>(original[name] as never) as never // each keeps its own type
  }
  rows.bursts = new Map(original.bursts)
  rows.tombstones = new Map(original.tombstones)
  rows.policies = new Map(original.policies)
  rows.tip = original.tip
  rows.stack = original.stack
  return copy
}

async function live(seed: number): Promise<MemoryStore> {
  const store = new MemoryStore()
  await simulate({ seed, steps: 40, store })
  return store
}
