import { strictEqual } from 'node:assert/strict'
import { toRef } from '../../domain/ids.ts'
import type { Burst, MemoryState } from '../../domain/state.ts'
import { COMMITMENT_TAG } from '../../ledger/ledger.ts'
import { LEAF_TAG } from '../../ledger/merkle.ts'
import { concatBytes } from '../../ledger/sha256.ts'
import type { Preimages, StoredMemory } from '../../ports/store.ts'
import { type Case, holds } from '../manifest/case.ts'
import { same } from './compare.ts'
import { needing, type StoreGiven } from './given.ts'
import { burstFor } from './rows.ts'
import { digest, type Scribe } from './scribe.ts'

/** 41 memories of three kinds, spread over several commits. */
async function library(scribe: Scribe, given: StoreGiven): Promise<readonly MemoryState[]> {
  scribe.birth()
  const states: MemoryState[] = []
  for (let count = 0; count < 41; count += 1) {
    const kind = (['raw', 'note', 'belief'] as const)[count % 3] ?? 'raw'
    states.push(scribe.save({ kind }))
    if (count % 10 === 9) await scribe.commit(given.store)
  }
  await scribe.commit(given.store)
  return states
}

const refsOf = (states: readonly Pick<MemoryState, 'ref'>[]): readonly string[] =>
  states.map(({ ref }) => ref)

const listCase = holds<StoreGiven>(
  ['BOUND-LOUD', 'STORE-SAME'],
  'pages of a list are newest first, with no gap and no repeat',
  async (given) => {
    const states = await library(given.scribe, given)
    const notes = states.filter(({ kind }) => kind === 'note').toReversed()
    for (const limit of [1, 4, 14, 100]) {
      const found: MemoryState[] = []
      for (let before: number | null = null; ; ) {
        const page: readonly StoredMemory[] = await given.read({
          type: 'memories',
          where: { kind: 'note', present: true },
          after: before,
          limit,
        })
        found.push(...page.map(({ state }) => state))
        const last = page.at(-1)
        if (last === undefined || page.length < limit) break
        before = last.state.seq
      }
      same(refsOf(found), refsOf(notes), `notes in pages of ${limit}`)
    }
    same(
      await given.read({ type: 'memories', where: { kind: 'note', present: true }, limit: 0 }),
      [],
      'none',
    )
    const [oldest] = states
    const before = oldest?.seq ?? 0
    same(
      await given.read({
        type: 'memories',
        where: { kind: 'raw', present: true },
        after: before,
        limit: 5,
      }),
      [],
      'before the first',
    )
  },
)

const statesCase = holds<StoreGiven>(
  ['STORE-REBUILD', 'STORE-SAME'],
  'pages of states are oldest first, with no gap and no repeat',
  async (given) => {
    const states = await library(given.scribe, given)
    for (const limit of [1, 7, 41, 1_000]) {
      const found: MemoryState[] = []
      for (let after = -1; ; ) {
        const page = await given.read({
          type: 'memories',
          as: 'state',
          order: 'oldest',
          after,
          limit,
        })
        found.push(...page)
        const last = page.at(-1)
        if (last === undefined || page.length < limit) break
        after = last.seq
      }
      same(found, states, `states in pages of ${limit}`)
    }
  },
)

const entriesCase = holds<StoreGiven>(
  ['LEDGER-APPEND', 'STORE-SAME'],
  'entries come in order, by position, each with the bytes it was given',
  async (given) => {
    await library(given.scribe, given)
    const all = await given.read({ type: 'entries', from: 0, limit: 1_000 })
    same(
      all.map(({ seq }) => seq),
      all.map((_, index) => index),
      'positions',
    )
    for (const [from, limit] of [
      [0, 1],
      [5, 10],
      [42, 10],
      [43, 10],
      [0, 0],
    ] as const) {
      const page = await given.read({ type: 'entries', from, limit })
      same(page, all.slice(from, from + limit), `${limit} from ${from}`)
    }
    const sealed = await given.read({ type: 'table', name: 'sealed', from: 5, to: 7 })
    same(
      sealed.map(({ seq }) => seq),
      [5, 6, 7],
      'sealed rows, both ends included',
    )
  },
)

const runCase = holds<StoreGiven>(
  ['LEDGER-APPEND', 'STORE-SAME'],
  'a run of the ledger is its entries and sealed rows, joined as they are hashed',
  async (given) => {
    await library(given.scribe, given)
    for (const [from, to] of [
      [0, 42],
      [5, 7],
      [40, 50],
      [43, 50],
    ] as const) {
      const rows = await given.read({ type: 'entries', from, limit: to - from + 1 })
      const sealed = await given.read({ type: 'table', name: 'sealed', from, to })
      const run = await given.read({ type: 'run', from, to })
      const where = `${from} to ${to}`
      same(run.entries, joined(rows.map(({ seq, bytes }) => [seq, LEAF_TAG, bytes])), where)
      same(run.hashes, rows.map(({ hash }) => hash).join(), `hashes, ${where}`)
      same(run.prevHashes, rows.map(({ prevHash }) => prevHash).join(), `links, ${where}`)
      const contents = sealed.map(({ seq, salt, bytes }) => {
        return [seq, COMMITMENT_TAG, salt, bytes] as const
      })
      same(run.sealed, joined(contents), `content, ${where}`)
    }
  },
)

function joined(rows: readonly (readonly [seq: number, ...parts: Uint8Array[]])[]): Preimages {
  const whole = rows.map(([, ...parts]) => concatBytes(...parts))
  return {
    seqs: rows.map(([seq]) => seq),
    lengths: whole.map(({ length }) => length),
    bytes: concatBytes(...whole),
  }
}

const aboutCase = holds<StoreGiven>(
  'STORE-SAME',
  'the entries about a memory are all of its own, in order, and no other',
  async ({ store, scribe, read }) => {
    scribe.birth()
    const one = scribe.save()
    const two = scribe.save({ kind: 'note', parents: [one.ref] })
    scribe.mention(one.ref)
    await scribe.commit(store)
    scribe.mention(two.ref)
    scribe.mention(one.ref)
    await scribe.commit(store)
    const about = async (ref: typeof one.ref) =>
      (await read({ type: 'entries', about: ref })).map(({ seq }) => seq)
    same(await about(one.ref), [2, 4, 6], 'about the first')
    same(await about(two.ref), [3, 5], 'about the second')
  },
)

const parentsCase = holds<StoreGiven>(
  ['LINE-REAL', 'STORE-SAME'],
  'parents keep their order, and one that does not exist is still named',
  async ({ store, stackId, scribe, read }) => {
    scribe.birth()
    const saved = [scribe.save(), scribe.save(), scribe.save()]
    const parents = saved.map(({ ref }) => ref).toReversed()
    const gone = toRef('note', scribe.save().id)
    const child = scribe.save({ kind: 'claim', parents: [gone, ...parents] })
    await scribe.commit(store)
    const found = await read({ type: 'memory', ref: child.ref })
    same(found?.state.parents, [gone, ...parents], 'parents')
    same(await read({ type: 'memory', ref: gone }), null, 'the missing one')
    const { memories } = await store.gather(stackId, needing({ refs: [child.ref, gone] }))
    same(memories, [child], 'gathered')
    const up = await read({ type: 'lineage', ref: child.ref, direction: 'up', visitMax: 100 })
    strictEqual(up?.length, parents.length + 1, 'lineage has only what exists')
    const down = await read({ type: 'lineage', ref: gone, direction: 'down', visitMax: 100 })
    same(
      down?.map(({ state }) => state.ref),
      [child.ref],
      'what descends from the missing one',
    )
  },
)

const countsCase = holds<StoreGiven>(
  'STORE-SAME',
  'counts are by kind, and a stranger is not counted',
  async (given) => {
    await library(given.scribe, given)
    same(await given.read({ type: 'counts' }), { raw: 14, note: 14, belief: 13 }, 'counts')
    const { policy, stack } = await given.read({ type: 'standing' })
    strictEqual(stack.policyHash, policy && digest(policy), 'the policy in force')
  },
)

const resolveCase = holds<StoreGiven>(
  'STORE-SAME',
  'part of an id finds every memory whose id starts or ends with it, oldest first',
  async ({ store, scribe, read }) => {
    scribe.birth()
    const [one, two, three] = [scribe.save(), scribe.save({ kind: 'note' }), scribe.save()]
    await scribe.commit(store)
    const resolve = (part: string, kind: 'raw' | null = null, limit = 10) =>
      read({
        type: 'memories',
        as: 'ref',
        where: { idPart: part, ...(kind === null ? {} : { kind: kind }) },
        order: 'oldest',
        limit,
      })
    const start = one.id.slice(0, 8)
    same(await resolve(start), refsOf([one, two, three]), 'by how they all start')
    same(await resolve(start, 'raw'), refsOf([one, three]), 'of one kind')
    same(await resolve(start, null, 2), refsOf([one, two]), 'no more than were asked for')
    same(await resolve(two.id.slice(-6)), refsOf([two]), 'by how one ends')
    same(await resolve(two.id), refsOf([two]), 'by the whole id')
    same(await resolve(two.id.slice(-8, -1), 'raw'), refsOf([one, three]), 'by what lists show')
    same(await resolve(one.id.slice(1, 9)), [], 'not by what stands in between')
    same(await resolve('%'), [], 'a wildcard is only a character')
    same(await resolve('____'), [], 'so is this one')
  },
)

const burstsCase = holds<StoreGiven>(
  'STORE-SAME',
  'pages of bursts come by identity and actor, with no gap and no repeat',
  async ({ store, scribe, read }) => {
    scribe.birth()
    // By bytes the last two stand the other way round than by the units of a JavaScript string.
    const actors = ['', 'ann', 'ann\0', 'bob', '\ufb00', '👩']
    const bursts = ['i', 'j', 'k']
      .map((word) => digest(word))
      .sort()
      .flatMap((identity) => actors.map((actor) => burstFor(scribe, { actor, identity })))
    await scribe.put({ bursts: bursts.toReversed() }).commit(store)
    for (const limit of [1, 4, 18, 1_000]) {
      const found: Burst[] = []
      for (let after: Burst | null = null; ; ) {
        const page: readonly Burst[] = await read({ type: 'table', name: 'bursts', after, limit })
        found.push(...page)
        const last = page.at(-1)
        if (last === undefined || page.length < limit) break
        after = last
      }
      same(found, bursts, `bursts in pages of ${limit}`)
    }
    same(
      await read({ type: 'table', name: 'bursts', after: bursts.at(-1) ?? null, limit: 5 }),
      [],
      'at the end',
    )
  },
)

export const readCases: readonly Case<StoreGiven>[] = [
  listCase,
  statesCase,
  entriesCase,
  runCase,
  aboutCase,
  parentsCase,
  countsCase,
  resolveCase,
  burstsCase,
]
