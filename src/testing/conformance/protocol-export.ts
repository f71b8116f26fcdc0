import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryKeyring, memorySigner } from '../../compose/keyring.ts'
import { openStack } from '../../compose/open-stack.ts'
import { restoreStack } from '../../compose/restore-stack.ts'
import { KINDS } from '../../domain/ids.ts'
import { label } from '../../domain/labels.ts'
import type { Memory } from '../../engine/read/memory-view.ts'
import type { Dump } from '../../engine/transfer/import/dump.ts'
import type { Stack } from '../../stack.ts'
import { MemoryStore } from '../../stores/memory/store.ts'
import { type Case, holds, shows } from '../manifest/case.ts'
import { fakeWorld } from '../world.ts'
import { errorOf } from './compare.ts'
import { type StackGiven, StackHand } from './protocol-given.ts'

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'muniment-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** One memory of every kind, one forgotten and one with a new description. */
async function lived(hand: StackHand): Promise<void> {
  for (const kind of KINDS) await hand.make(kind)
  const gone = await hand.id('note', { content: 'no longer of use' })
  await hand.stack.forgetMemory('note', gone, 'done with')
  const told = await hand.id('note', { content: 'told anew' })
  await hand.stack.updateMemoryMeta('note', told, { confidence: 0.4, tags: ['anew'] })
}

const dumpOf = async ({ stack }: StackHand, options = {}): Promise<Dump> =>
  JSON.parse(await stack.dump({ format: 'json', ...options }))

const textsIn = ({ memories }: Dump): readonly string[] =>
  (memories as readonly Memory[]).map(({ text }) => text)

export const exportCases: readonly Case<StackGiven>[] = [
  holds('S-54', 'a stack without a remote says so, and has nothing to send', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    await hand.make('raw')
    const nothing = { pushed: 0, pulled: 0, conflicts: 0, errors: [], remote: null }
    deepStrictEqual(await stack.sync(), nothing)
    deepStrictEqual(await stack.pullChanges(), nothing)
    deepStrictEqual(await stack.pullChanges({ since: '2026-01-01T00:00:00.000Z' }), nothing)
    const bad = () => stack.pullChanges({ since: 'yesterday' })
    strictEqual((await errorOf(bad, 'no moment')).code, 'invalid_input')
    strictEqual(await stack.getPendingSyncCount(), 0)
    strictEqual(await stack.isOnline(), false)
  }),

  holds('S-55', 'getStats counts by kind', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    deepStrictEqual(await stack.getStats(), { total: 0 })
    await hand.makeMany('raw', 3)
    await hand.makeMany('note', 2)
    await stack.saveTrustAssessment({ entityId: 'ann', dimensions: {} })
    deepStrictEqual(await stack.getStats(), { raw: 3 + 1, note: 2, assessment: 1, total: 7 })
    const [note] = await stack.getNotes()
    await stack.forgetMemory('note', String(note?.id), 'still counted')
    strictEqual((await stack.getStats()).note, 2)
  }),

  holds('S-55', 'getStats counts memories of every kind', async (given) => {
    const hand = await given.open()
    for (const kind of KINDS) await hand.make(kind)
    const { total, ...counted } = await hand.stack.getStats()
    deepStrictEqual(Object.keys(counted).sort(), KINDS.toSorted())
    const sum = Object.values(counted).reduce((all, each) => all + (each ?? 0), 0)
    strictEqual(total, sum)
    await hand.make('goal')
    strictEqual((await hand.stack.getStats()).goal, (counted.goal ?? 0) + 1)
  }),

  holds(
    'S-56',
    'dump: markdown by default, with raw, without what was forgotten',
    async (given) => {
      const hand = await given.open()
      const { stack } = hand
      await lived(hand)
      const markdown = await stack.dump()
      ok(markdown.startsWith('# Memories\n'))
      strictEqual(await stack.dump({ format: 'markdown', includeRaw: true }), markdown)
      for (const kind of KINDS) ok(markdown.includes(`## ${kind} (`), kind)
      ok(!markdown.includes('no longer of use'))
      ok((await stack.dump({ includeForgotten: true })).includes('no longer of use'))
      ok(!(await stack.dump({ includeRaw: false })).includes('## raw ('))
      const json = await dumpOf(hand)
      strictEqual(json.stack, 'protocol')
      const shown = [...(await stack.getNotes({ includeForgotten: true })).map(({ text }) => text)]
      deepStrictEqual(
        textsIn(json).filter((text) => shown.includes(text)),
        shown.filter((text) => text !== 'no longer of use'),
      )
      ok(textsIn(await dumpOf(hand, { includeForgotten: true })).includes('no longer of use'))
      ok(!textsIn(await dumpOf(hand, { includeRaw: false })).some((text) => text.includes('heard')))
    },
  ),

  holds('S-56', 'a dump leaves nobody out, however many there are', async (given) => {
    const hand = await given.open()
    await hand.makeMany('raw', 2_100)
    strictEqual((await dumpOf(hand)).memories.length, 2_100)
    ok((await hand.stack.dump()).includes('2100 in all.'))
  }),

  holds('S-57', 'export writes a file in the format asked for', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    await lived(hand)
    await inFolder(async (folder) => {
      const path = join(folder, 'out')
      const exported = async (options?: Parameters<typeof stack.export>[1]) => {
        await stack.export(path, options)
        return readFile(path, 'utf8')
      }
      strictEqual(await exported(), await stack.dump(), 'markdown by default')
      const { ledger, seal, ...readable } = JSON.parse(await exported({ format: 'json' }))
      deepStrictEqual(readable, await dumpOf(hand))
      ok(ledger.length > 0 && seal !== null, 'the ledger comes with the memories')
      const partly = { format: 'json', includeRaw: false, includeForgotten: true } as const
      strictEqual(await exported(partly), await stack.dump(partly))
      const nonsense = { format: 'xml' as never }
      strictEqual((await errorOf(() => exported(nonsense), 'a format')).code, 'invalid_input')
      const nowhere = () => stack.export(join(folder, 'no', 'such', 'folder'))
      strictEqual((await errorOf(nowhere, 'a path')).code, 'store_unavailable')
    })
  }),

  shows('a bundle comes back with the same ids, dates, provenance and head', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    await lived(hand)
    await inFolder(async (folder) => {
      const path = join(folder, 'whole.bundle')
      await stack.export(path, { format: 'bundle' })
      const copy = await restoreStack('protocol', {
        store: new MemoryStore(),
        ...fakeWorld(2),
        clock: given.clock,
        components: [],
        from: path,
      })
      deepStrictEqual((await copy.ledger.audit()).head, (await stack.ledger.audit()).head)
      const dump = { format: 'json', includeForgotten: true } as const
      strictEqual(await copy.dump(dump), await stack.dump(dump))
      await copy.export(join(folder, 'again.bundle'), { format: 'bundle' })
      strictEqual(
        await readFile(join(folder, 'again.bundle'), 'utf8'),
        await readFile(path, 'utf8'),
      )
    })
  }),

  shows('an own export brings an empty stack back whole, from store to store', async (given) => {
    const home = { keyring: memoryKeyring(), signer: memorySigner() }
    const world = { ...fakeWorld(3), clock: given.clock, components: [] }
    const inMemory = () => openStack('protocol', { store: new MemoryStore(), ...world, ...home })
    const origin = new StackHand(await inMemory())
    await lived(origin)
    const belief = await origin.make('belief')
    const seen = { label: label.firstHand(), because: 'it was seen' }
    await origin.stack.changes.supersede(belief, 'Train 9 is on time', seen)
    await origin.stack.erasure.erase(await origin.make('note'))
    const all = { format: 'json', includeForgotten: true } as const
    await inFolder(async (folder) => {
      const moved = async (from: Stack, to: Stack, name: string) => {
        const path = join(folder, name)
        deepStrictEqual(await from.export(path, { format: 'json' }), { isSealed: true })
        const report = await to.transfer.import(JSON.parse(await readFile(path, 'utf8')))
        strictEqual(report.as, 'own', report.because ?? '')
        strictEqual(await to.dump(all), await from.dump(all))
        deepStrictEqual((await to.ledger.audit()).problems, [])
        deepStrictEqual((await to.ledger.audit()).head, (await from.ledger.audit()).head)
      }
      const { stack } = await given.open(home)
      await moved(origin.stack, stack, 'there.json')
      await moved(stack, await inMemory(), 'back.json')
    })
  }),

  shows('a dump in JSON comes in through the gate of another stack', async (given) => {
    const hand = await given.open()
    await lived(hand)
    const dump = await dumpOf(hand)
    const grant = { ExternalFirstHand: 2, ModelDerived: 1 } as const
    const world = { ...fakeWorld(2), clock: given.clock, components: [] }
    const there = new StackHand(
      await openStack('elsewhere', { store: new MemoryStore(), ...world }),
    )
    const report = await there.stack.transfer.import(dump, { grant })
    deepStrictEqual(report.refused, [])
    strictEqual(report.written, dump.memories.length)
    const again = await there.stack.transfer.import(dump, { grant })
    strictEqual(again.unchanged, dump.memories.length)
    for (const kind of KINDS) {
      const texts = async ({ stack }: StackHand) =>
        (await stack.list(kind)).filter(({ strength }) => strength > 0).map(({ text }) => text)
      deepStrictEqual((await texts(there)).toSorted(), (await texts(hand)).toSorted(), kind)
    }
    deepStrictEqual((await there.stack.ledger.audit()).problems, [])
  }),
]
