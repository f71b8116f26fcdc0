import { strictEqual } from 'node:assert/strict'
import type { Ref } from '../../domain/ids.ts'
import { type Instant, toInstant, toMs } from '../../domain/time.ts'
import type { Needs } from '../../domain/waist.ts'
import { type Case, holds } from '../manifest/case.ts'
import { same, sameRows } from './compare.ts'
import { lineNeed, needing, type StoreGiven } from './given.ts'
import { burstFor, tallyFor } from './rows.ts'
import { digest, POLICY } from './scribe.ts'

const minutesAfter = (time: Instant, minutes: number): Instant =>
  toInstant(toMs(time) + minutes * 60_000)

const memoriesCase = holds<StoreGiven>(
  'STORE-SAME',
  'gather finds memories by ref, identity and line, each once, and no others',
  async ({ store, stackId, scribe }) => {
    scribe.birth()
    const one = scribe.save({ identity: 'i', line: 'l' })
    const two = scribe.save({ identity: 'i' })
    const three = scribe.save({ line: 'l' })
    const four = scribe.save()
    await scribe.commit(store)
    const asked: readonly (readonly [Partial<Needs>, readonly unknown[]])[] = [
      [{}, []],
      [{ refs: [four.ref] }, [four]],
      [{ identities: [digest('i')] }, [one, two]],
      [{ lines: [lineNeed('l')] }, [one, three]],
      [{ refs: [one.ref], identities: [digest('i')], lines: [lineNeed('l')] }, [one, two, three]],
      // A line is no identity, and an identity no line, although both are digests.
      [{ identities: [digest('l')], lines: [lineNeed('i')] }, []],
    ]
    for (const [needs, memories] of asked) {
      const context = await store.gather(stackId, needing(needs))
      sameRows(context.memories, memories, JSON.stringify(needs))
    }
  },
)

const rowsCase = holds<StoreGiven>(
  'STORE-SAME',
  'gather finds actor keys, bursts and tombstones that were asked for, and no others',
  async ({ store, stackId, scribe }) => {
    scribe.birth()
    const [ann, bob] = ['ann', 'bob'].map((actor) => ({ actor, key: digest(actor), since: 2 }))
    const annBurst = burstFor(scribe, { actor: 'ann', identity: digest('i') })
    const others = [
      burstFor(scribe, { actor: 'ann', identity: digest('j') }),
      burstFor(scribe, { actor: 'bob', identity: digest('i') }),
    ]
    const tombstone = { mark: digest('gone'), seq: 1 }
    await scribe
      .put({
        actorKeys: [ann, bob].flatMap((key) => key ?? []),
        bursts: [annBurst, ...others],
        tombstones: [tombstone, { mark: digest('also gone'), seq: 1 }],
      })
      .commit(store)
    const found = await store.gather(
      stackId,
      needing({
        actors: ['ann', 'carol'],
        bursts: [
          { actor: 'ann', identity: digest('i') },
          { actor: 'bob', identity: digest('j') },
        ],
        tombstones: [digest('gone'), digest('still here')],
      }),
    )
    same(found.actorKeys, [ann], 'actor keys')
    same(found.bursts, [annBurst], 'bursts')
    same(found.tombstones, [tombstone], 'tombstones')
    const none = await store.gather(stackId, needing())
    same([none.actorKeys, none.bursts, none.tombstones], [[], [], []], 'nothing asked')
  },
)

const begunCase = holds<StoreGiven>(
  'STORE-SAME',
  'a counter that begins only where there is none leaves one that is there as it is',
  async ({ store, stackId, scribe }) => {
    scribe.birth()
    const [known, fresh] = ['i', 'j'].map((name) => ({ actor: 'ann', identity: digest(name) }))
    const counted = burstFor(scribe, known ?? { actor: '', identity: digest('') })
    await scribe.put({ bursts: [counted] }).commit(store)
    scribe.save()
    const begun = [known, fresh].flatMap((of) =>
      of ? [{ ...of, times: [scribe.time], quarantined: null }] : [],
    )
    await scribe.put({ begunBursts: begun }).commit(store)
    const bursts = [known, fresh].flatMap((of) => of ?? [])
    const found = await store.gather(stackId, needing({ bursts }))
    same(found.bursts, [counted, begun[1]], 'bursts')
  },
)

const talliesCase = holds<StoreGiven>(
  'STORE-SAME',
  'gather finds tallies about the memories and actors asked for, and those whose window has ended',
  async ({ store, stackId, scribe }) => {
    scribe.birth()
    const one = scribe.save()
    const two = scribe.save()
    const since = scribe.time
    const quiet = tallyFor(scribe, { about: one.ref })
    const open = {
      ...tallyFor(scribe, { about: two.ref }),
      count: 2,
      firstAt: since,
      lastAt: since,
    }
    const refusals = tallyFor(scribe, { actor: 'ann' })
    await scribe.put({ tallies: [quiet, open, refusals] }).commit(store)
    const talliesFor = async (needs: Partial<Needs>) =>
      (await store.gather(stackId, needing({ until: since, ...needs }))).tallies
    const windowMinutes = POLICY.numbers.tallyWindowMs / 60_000
    same(await talliesFor({ refs: [one.ref] }), [quiet], 'about a memory')
    same(await talliesFor({ identities: [one.identity] }), [quiet], 'about a memory by identity')
    same(await talliesFor({ actors: ['ann'] }), [refusals], 'of an actor')
    const later = minutesAfter(since, windowMinutes + 1)
    same(await talliesFor({ until: later }), [open], 'whose window has ended')
    sameRows(await talliesFor({ until: later, refs: [one.ref] }), [quiet, open], 'both')
    const { memories } = await store.gather(stackId, needing({ until: later }))
    same(memories, [two], 'the memory an ended tally is about comes along')
  },
)

const reachCase = holds<StoreGiven>(
  ['LINE-ACYCLIC', 'STORE-SAME'],
  'gather says of each reach, in order, whether one descends from the other',
  async ({ store, stackId, scribe }) => {
    scribe.birth()
    const root = scribe.save()
    const left = scribe.save({ kind: 'note', parents: [root.ref] })
    const right = scribe.save({ kind: 'note', parents: [root.ref] })
    const low = scribe.save({ kind: 'belief', parents: [left.ref, right.ref] })
    const alone = scribe.save()
    await scribe.commit(store)
    const ask: readonly (readonly [readonly Ref[], Ref, boolean])[] = [
      [[low.ref], root.ref, true],
      [[root.ref], low.ref, false],
      [[alone.ref, low.ref], left.ref, true],
      [[left.ref], right.ref, false],
      [[left.ref], left.ref, true],
      [[], root.ref, false],
      [[alone.ref], root.ref, false],
    ]
    const reaches = ask.map(([from, to]) => ({ from, to }))
    const { reached } = await store.gather(stackId, needing({ reaches }))
    same(
      reached,
      ask.map(([, , answer]) => answer),
      'reached',
    )
  },
)

const wordsCase = holds<StoreGiven>(
  'STORE-SAME',
  'gather brings what the current revision of a memory sealed, in the order of what was asked',
  async ({ store, stackId, scribe }) => {
    scribe.birth()
    const one = scribe.save()
    const two = scribe.save()
    await scribe.commit(store)
    const asked = { words: [two.ref, 'note:00000000-0000-7000-8000-000000000000' as Ref, one.ref] } // of nobody
    const { words, memories } = await store.gather(stackId, needing(asked))
    const sealed = await store.read(stackId, { type: 'table', name: 'sealed', from: 0, to: 100 })
    const of = (ref: Ref) => sealed.filter((row) => row.ref === ref)
    same(words, [...of(two.ref), ...of(one.ref)], 'what was sealed')
    same(memories, [], 'words alone bring no rows')
    same((await store.gather(stackId, needing())).words, [], 'nothing unasked')
  },
)

/** Every commit adds one memory of one identity, so the head gives their number. */
const onePointCase = holds<StoreGiven>(
  'STORE-SAME',
  'what is gathered is all of one moment, whatever is committed meanwhile',
  async ({ store, stackId, scribe }) => {
    await scribe.birth().commit(store)
    const written: Ref[] = []
    const writing = async (): Promise<void> => {
      for (let count = 0; count < 20; count += 1) {
        written.push(scribe.save({ identity: 'same' }).ref)
        await scribe.commit(store)
      }
    }
    const reading = async (): Promise<void> => {
      for (let count = 0; count < 20; count += 1) {
        const needs = needing({ identities: [digest('same')], refs: [...written] })
        const { tip, memories } = await store.gather(stackId, needs)
        strictEqual(memories.length, tip.head.rev - 1, 'as many as the head says')
        strictEqual(tip.tree.size, tip.head.seq + 1, 'a tree as large as the ledger')
      }
    }
    await Promise.all([writing(), reading(), reading()])
  },
)

export const gatherCases: readonly Case<StoreGiven>[] = [
  memoriesCase,
  rowsCase,
  begunCase,
  talliesCase,
  reachCase,
  wordsCase,
  onePointCase,
]
