import { strictEqual } from 'node:assert/strict'
import type { MemoryState } from '../../domain/state.ts'
import type { Derived, Reader } from '../../ports/store.ts'
import { type Case, holds } from '../manifest/case.ts'
import { same, sameRows } from './compare.ts'
import { lineNeed, needing, type StoreGiven } from './given.ts'
import { digest, type Scribe } from './scribe.ts'

const everyState = { type: 'memories', as: 'state', order: 'oldest', limit: 1_000 } as const

async function seenBy(reader: Reader, { stackId }: StoreGiven) {
  const needs = needing({ identities: [digest('same')] })
  return {
    standing: await reader.read(stackId, { type: 'standing' }),
    states: await reader.read(stackId, everyState),
    entries: await reader.read(stackId, { type: 'entries', from: 0, limit: 1_000 }),
    counts: await reader.read(stackId, { type: 'counts' }),
    gathered: await reader.gather(stackId, needs),
  }
}

const snapshotCase = holds<StoreGiven>(
  'STORE-SAME',
  'a snapshot shows one moment, whatever is committed while it is looked at',
  async (given) => {
    const { store, scribe } = given
    scribe.birth()
    const state = scribe.save({ identity: 'same' })
    await scribe.commit(store)
    const before = await seenBy(store, given)
    const writing = async (): Promise<void> => {
      for (let count = 0; count < 3; count += 1) {
        scribe.save({ identity: 'same' })
        scribe.replace({ ...state, disposition: 'Rejected' })
        await scribe.commit(store)
      }
    }
    // Not waited for inside: a store may let others commit meanwhile, or let them wait.
    const written: Promise<void>[] = []
    const answer = await store.snapshot(async (reader) => {
      written.push(writing())
      for (let looks = 0; looks < 10; looks += 1) {
        same(await seenBy(reader, given), before, 'while somebody else commits')
      }
      return 'done'
    })
    strictEqual(answer, 'done', 'what the work returned')
    await Promise.all(written)
    strictEqual((await seenBy(store, given)).states.length, 4, 'afterwards, all of it is there')
  },
)

const snapshotErrorCase = holds<StoreGiven>(
  'STORE-SAME',
  'a snapshot whose work throws is over, and the store goes on',
  async ({ store, scribe }) => {
    const boom = new Error('the work went wrong')
    const thrown = await store
      .snapshot(async () => {
        throw boom
      })
      .catch((cause: unknown) => cause)
    strictEqual(thrown, boom, 'the error of the work itself')
    await scribe.birth().commit(store)
  },
)

/** The folded rows, with the rev that the replacement expects. */
const derivedFrom = (scribe: Scribe, states: readonly MemoryState[]): Derived => {
  const { tip, stack } = scribe
  return { states, texts: [], stack, tip: { ...tip, head: { ...tip.head, rev: tip.head.rev + 1 } } }
}

const replaceCase = holds<StoreGiven>(
  'STORE-REBUILD',
  'rows that are put in the place of others are found by every way, and the others by none',
  async (given) => {
    const { store, stackId, scribe, read } = given
    scribe.birth()
    const top = scribe.save()
    const note = scribe.save({ kind: 'note', parents: [top.ref], identity: 'i' })
    const stray = scribe.save({ kind: 'belief', parents: [note.ref], identity: 'i', line: 'l' })
    await scribe.commit(store)
    const entries = await read({ type: 'entries', from: 0, limit: 100 })
    const sealed = await read({ type: 'table', name: 'sealed', from: 0, to: 100 })
    const mended: MemoryState = { ...note, parents: [], identity: digest('j'), line: digest('m') }
    const derived = derivedFrom(scribe, [top, mended])
    same(
      await store.replaceDerived(stackId, derived, scribe.tip.head),
      { committed: true },
      'replaced',
    )
    same(await read(everyState), [top, mended], 'states')
    same(await read({ type: 'counts' }), { raw: 1, note: 1 }, 'counts')
    same(await read({ type: 'memory', ref: stray.ref }), null, 'the stray one')
    same((await read({ type: 'standing' })).tip, derived.tip, 'the head, one rev further')
    const needs = needing({ identities: [digest('i'), digest('j')], lines: [lineNeed('l')] })
    sameRows((await store.gather(stackId, needs)).memories, [mended], 'by identity and line')
    const down = { type: 'lineage', ref: top.ref, direction: 'down', visitMax: 10 } as const
    strictEqual((await read(down))?.length, 1, 'old edges lead nowhere')
    same(await read({ type: 'entries', from: 0, limit: 100 }), entries, 'the log is untouched')
    same(
      await read({ type: 'table', name: 'sealed', from: 0, to: 100 }),
      sealed,
      'and so is what it sealed',
    )
  },
)

const staleReplaceCase = holds<StoreGiven>(
  ['STORE-REBUILD', 'STORE-ORDER'],
  'rows folded from a head that has moved on replace nothing',
  async ({ store, stackId, scribe, read }) => {
    await scribe.birth().commit(store)
    const { head } = scribe.tip
    const derived = derivedFrom(scribe, [])
    const state = scribe.save()
    await scribe.commit(store)
    same(
      await store.replaceDerived(stackId, derived, head),
      { committed: false, head: scribe.tip.head },
      'told the head',
    )
    same(await read(everyState), [state], 'nothing was replaced')
  },
)

export const momentCases: readonly Case<StoreGiven>[] = [
  snapshotCase,
  snapshotErrorCase,
  replaceCase,
  staleReplaceCase,
]
