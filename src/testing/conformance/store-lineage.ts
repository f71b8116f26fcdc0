import { strictEqual } from 'node:assert/strict'
import type { Ref } from '../../domain/ids.ts'
import { shownOf } from '../../domain/state.ts'
import { type Case, holds } from '../manifest/case.ts'
import { same, sameRows } from './compare.ts'
import type { StoreGiven } from './given.ts'
import type { Scribe } from './scribe.ts'

type Direction = 'up' | 'down'

const decoder = new TextDecoder()

/** The refs of a walk; undefined when the store answers null for too many. */
const walk = async ({ read }: StoreGiven, ref: Ref, direction: Direction, visitMax = 10_000) => {
  const found = await read({ type: 'lineage', ref, direction, visitMax })
  return found?.map(({ state }) => state.ref)
}

/** A chain of memories, each made from the previous; starts with a raw and returns oldest first. */
function chain(scribe: Scribe, length: number): readonly Ref[] {
  const refs = [scribe.save().ref]
  while (refs.length < length) {
    refs.push(scribe.save({ kind: 'claim', parents: refs.slice(-1) }).ref)
  }
  return refs
}

const diamondCase = holds<StoreGiven>(
  ['LINE-ACYCLIC', 'STORE-SAME'],
  'lineage goes up and down, and meets what two ways lead to only once',
  async (given) => {
    const { scribe, store } = given
    scribe.birth()
    const top = scribe.save()
    const left = scribe.save({ kind: 'note', parents: [top.ref] })
    const right = scribe.save({ kind: 'note', parents: [top.ref] })
    const low = scribe.save({ kind: 'belief', parents: [right.ref, left.ref] })
    const alone = scribe.save()
    await scribe.commit(store)
    const all = [top.ref, left.ref, right.ref, low.ref]
    sameRows((await walk(given, low.ref, 'up')) ?? [], all, 'up from the lowest')
    sameRows((await walk(given, top.ref, 'down')) ?? [], all, 'down from the top')
    sameRows((await walk(given, left.ref, 'up')) ?? [], [top.ref, left.ref], 'up one side')
    sameRows((await walk(given, left.ref, 'down')) ?? [], [left.ref, low.ref], 'down one side')
    same(await walk(given, alone.ref, 'up'), [alone.ref], 'itself alone, up')
    same(await walk(given, alone.ref, 'down'), [alone.ref], 'itself alone, down')
  },
)

const revisedCase = holds<StoreGiven>(
  'STORE-SAME',
  'a memory that comes to rest on others leaves those it rested on',
  async (given) => {
    const { scribe, store } = given
    scribe.birth()
    const [old, fresh] = [scribe.save(), scribe.save()]
    const low = scribe.save({ kind: 'note', parents: [old.ref] })
    await scribe.commit(store)
    scribe.revise(low.ref, { parents: [fresh.ref] })
    await scribe.commit(store)
    same(await walk(given, old.ref, 'down'), [old.ref], 'down from what it rested on')
    sameRows((await walk(given, fresh.ref, 'down')) ?? [], [fresh.ref, low.ref], 'down')
    sameRows((await walk(given, low.ref, 'up')) ?? [], [fresh.ref, low.ref], 'up')
  },
)

const contentCase = holds<StoreGiven>(
  'STORE-SAME',
  'lineage brings what is shown of each memory, with what it sealed as text',
  async ({ scribe, store, read }) => {
    scribe.birth()
    const top = scribe.save()
    const low = scribe.save({ kind: 'note', parents: [top.ref] })
    const { sealed } = await scribe.commit(store)
    const query = { type: 'lineage', ref: low.ref, direction: 'up', visitMax: 10 } as const
    sameRows(
      (await read(query)) ?? [],
      [
        { state: shownOf(top), sealed: decoder.decode(sealed[0]?.bytes), notes: [] },
        { state: shownOf(low), sealed: decoder.decode(sealed[1]?.bytes), notes: [] },
      ],
      'with content',
    )
  },
)

const deepCase = holds<StoreGiven>(
  ['LINE-ACYCLIC', 'STORE-SAME'],
  'a chain of two thousand is walked from end to end',
  async (given) => {
    const { scribe, store } = given
    scribe.birth()
    const refs = chain(scribe, 2_000)
    await scribe.commit(store)
    const [first] = refs
    const last = refs.at(-1)
    sameRows((await walk(given, last as Ref, 'up')) ?? [], refs, 'up') // the chain is not empty
    sameRows((await walk(given, first as Ref, 'down')) ?? [], refs, 'down') // nor here
  },
)

const boundCase = holds<StoreGiven>(
  'BOUND-LOUD',
  'a walk that would touch more than its limit is null, never a shorter list',
  async (given) => {
    const { scribe, store } = given
    scribe.birth()
    const refs = chain(scribe, 30)
    await scribe.commit(store)
    const ends = [
      ['up', refs.at(-1)],
      ['down', refs[0]],
    ] as const
    for (const [direction, ref] of ends) {
      const from = ref as Ref // the chain has both ends
      strictEqual((await walk(given, from, direction, 30))?.length, 30, `${direction}, just enough`)
      strictEqual(await walk(given, from, direction, 29), undefined, `${direction}, one short`)
      strictEqual(await walk(given, from, direction, 1), undefined, `${direction}, one only`)
    }
  },
)

const latticeCase = holds<StoreGiven>(
  ['BOUND-LOUD', 'STORE-SAME'],
  'a lattice with more ways than could ever be walked is met node by node',
  async (given) => {
    const { scribe, store } = given
    scribe.birth()
    let layer = [scribe.save().ref, scribe.save().ref]
    const all = [...layer]
    for (let depth = 0; depth < 40; depth += 1) {
      layer = [0, 1].map(() => scribe.save({ kind: 'claim', parents: layer }).ref)
      all.push(...layer)
    }
    const bottom = scribe.save({ kind: 'claim', parents: layer })
    await scribe.commit(store)
    sameRows((await walk(given, bottom.ref, 'up')) ?? [], [...all, bottom.ref], 'up')
    strictEqual((await walk(given, all[0] as Ref, 'down'))?.length, 82, 'down') // all is not empty
  },
)

export const lineageCases: readonly Case<StoreGiven>[] = [
  diamondCase,
  revisedCase,
  contentCase,
  deepCase,
  boundCase,
  latticeCase,
]
