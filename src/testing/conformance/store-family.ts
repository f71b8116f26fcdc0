import { strictEqual } from 'node:assert/strict'
import type { DescentOf } from '../../domain/distrust.ts'
import { type Ref, toRef } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { Needs } from '../../domain/waist.ts'
import { type Case, holds } from '../manifest/case.ts'
import { same } from './compare.ts'
import { needing, type StoreGiven } from './given.ts'

type Family = Partial<Pick<Needs, 'children' | 'ancestors' | 'doubted'>>

const gathered = async ({ store, stackId }: StoreGiven, needs: Family): Promise<readonly Ref[]> => {
  const { memories } = await store.gather(stackId, needing(needs))
  return memories.map(({ ref }) => ref).sort()
}

const refsOf = (states: readonly MemoryState[]): readonly Ref[] =>
  states.map(({ ref }) => ref).sort()

const familyCase = holds<StoreGiven>(
  ['LINE-REAL', 'STORE-SAME'],
  'gather gives direct children and no grandchildren, and every ancestor with the asked one',
  async (given) => {
    const { store, scribe } = given
    scribe.birth()
    const root = scribe.save()
    const left = scribe.save({ kind: 'note', parents: [root.ref] })
    const right = scribe.save({ kind: 'note', parents: [root.ref] })
    const low = scribe.save({ kind: 'belief', parents: [left.ref, right.ref, root.ref] })
    const alone = scribe.save()
    await scribe.commit(store)
    same(await gathered(given, { children: [root.ref] }), refsOf([left, right, low]), 'children')
    same(await gathered(given, { children: [left.ref, right.ref] }), [low.ref], 'each once')
    same(await gathered(given, { children: [low.ref, alone.ref] }), [], 'none')
    same(
      await gathered(given, { ancestors: [low.ref] }),
      refsOf([root, left, right, low]),
      'ancestors',
    )
    same(await gathered(given, { ancestors: [alone.ref] }), [alone.ref], 'only itself')
    const both = { children: [left.ref], ancestors: [left.ref] }
    same(await gathered(given, both), refsOf([root, left, low]), 'both')
  },
)

const revisedCase = holds<StoreGiven>(
  ['LINE-REAL', 'STORE-SAME'],
  'a revision moves a memory to other parents: from there on it descends from them alone',
  async (given) => {
    const { store, scribe } = given
    scribe.birth()
    const [old, later] = [scribe.save(), scribe.save()]
    const middle = scribe.save({ kind: 'note', parents: [old.ref] })
    const low = scribe.save({ kind: 'belief', parents: [middle.ref] })
    await scribe.commit(store)
    scribe.revise(middle.ref, { parents: [later.ref] })
    await scribe.commit(store)
    same(await gathered(given, { children: [old.ref] }), [], 'children of the old one')
    same(await gathered(given, { children: [later.ref] }), [middle.ref], 'of the new one')
    const above = refsOf([later, middle, low])
    same(await gathered(given, { ancestors: [low.ref] }), above, 'ancestors')
  },
)

const absentCase = holds<StoreGiven>(
  ['LINE-REAL', 'STORE-SAME'],
  'children of a source that was only ever named are found, and nothing above it',
  async (given) => {
    const { store, scribe } = given
    scribe.birth()
    const gone = toRef('note', scribe.save().id)
    const child = scribe.save({ kind: 'claim', parents: [gone] })
    await scribe.commit(store)
    same(await gathered(given, { children: [gone] }), [child.ref], 'its child')
    same(await gathered(given, { ancestors: [child.ref] }), [child.ref], 'above the child')
    same(await gathered(given, { ancestors: [gone] }), [], 'the one that is not there')
  },
)

const doubtedCase = holds<StoreGiven>(
  ['FIREWALL-DISTRUST', 'STORE-SAME'],
  'what is doubted comes with all that descends from it and every source of that, and no more',
  async (given) => {
    const { store, scribe } = given
    scribe.birth()
    const [said, other, apart] = [
      scribe.save({ actor: 'a bad tool', session: 'a bad day' }),
      scribe.save({ actor: 'ann' }),
      scribe.save({ actor: 'ann', session: 'a bad day' }),
    ]
    const note = scribe.save({ kind: 'note', actor: 'ann', parents: [said.ref] })
    const both = scribe.save({ kind: 'belief', actor: 'ann', parents: [note.ref, other.ref] })
    const beside = scribe.save({ kind: 'note', actor: 'ann', parents: [other.ref] })
    await scribe.commit(store)
    const doubting = (what: DescentOf) => gathered(given, { doubted: [what] })
    const fallen = refsOf([said, note, both, other])
    same(await doubting({ type: 'actor', name: 'a bad tool' }), fallen, 'of an actor')
    same(await doubting({ type: 'memory', ref: said.ref }), fallen, 'of a memory')
    const day = refsOf([said, note, both, other, apart])
    same(await doubting({ type: 'session', name: 'a bad day' }), day, 'of a session')
    const all = refsOf([said, other, apart, note, both, beside])
    same(await doubting({ type: 'door', name: said.door }), all, 'of a door')
    same(await doubting({ type: 'actor', name: 'nobody' }), [], 'of nobody')
    const two = refsOf([said, note, both, other, beside])
    same(await doubting({ type: 'memories', refs: [said.ref, other.ref] }), two, 'of two memories')
    same(await doubting({ type: 'memories', refs: [] }), [], 'of no memory')
    same(await doubting({ type: 'memory', ref: beside.ref }), refsOf([other, beside]), 'of a leaf')
  },
)

const manyCase = holds<StoreGiven>(
  ['BOUND-LOUD', 'STORE-SAME'],
  'of more children than one change may flag, the oldest come, and one more to tell by',
  async (given) => {
    const { store, scribe } = given
    scribe.birth()
    const root = scribe.save()
    const children: Ref[] = []
    const most = LIMITS.cascadeFlagsMax
    for (let count = 0; count < most + 3; count += 1) {
      children.push(scribe.save({ kind: 'note', content: 'a child', parents: [root.ref] }).ref)
    }
    await scribe.commit(store)
    const found = await gathered(given, { children: [root.ref] })
    strictEqual(found.length, most + 1, 'as many as are flagged, and one')
    same(found, children.slice(0, most + 1).sort(), 'the oldest')
  },
)

const NAMES = ['ann', 'ann\0', 'Ann', 'o"brien', "d'arc", '日本', ''] as const

const assessmentsCase = holds<StoreGiven>(
  'STORE-SAME',
  'gather gives the last assessment of each asked actor, and of nobody else',
  async ({ store, stackId, scribe }) => {
    scribe.birth()
    const last = new Map<string, MemoryState>()
    const assess = (name: string): void => {
      const state = scribe.save({ kind: 'assessment', fields: { dimensions: {} } })
      const named = { ...state, facets: { ...state.facets, name } }
      scribe.replace(named)
      last.set(name, named)
    }
    for (const name of [...NAMES, ...NAMES, 'bob']) assess(name)
    await scribe.commit(store)
    assess('ann')
    // A memory of another kind may have an equal name, but assesses no actor.
    const drive = scribe.save({ kind: 'drive' })
    scribe.replace({ ...drive, facets: { ...drive.facets, name: 'ann' } })
    await scribe.commit(store)
    const asking = async (actors: readonly string[]) =>
      (await store.gather(stackId, needing({ actors }))).memories
    for (const name of NAMES) same(await asking([name]), [last.get(name)], JSON.stringify(name))
    const all = [...NAMES].flatMap((name) => last.get(name) ?? []).sort((a, b) => a.seq - b.seq)
    const found = [...(await asking([...NAMES, 'nobody']))].sort((a, b) => a.seq - b.seq)
    same(found, all, 'all of them')
    same(await asking(['nobody']), [], 'never assessed')
  },
)

export const familyCases: readonly Case<StoreGiven>[] = [
  familyCase,
  revisedCase,
  absentCase,
  doubtedCase,
  manyCase,
  assessmentsCase,
]
