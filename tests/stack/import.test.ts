import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import type { LabelTiers } from '../../src/domain/doors.ts'
import { KINDS, parseRef, RECORD_KINDS, splitRef } from '../../src/domain/ids.ts'
import { label } from '../../src/domain/labels.ts'
import type { Memory } from '../../src/engine/read/memory-view.ts'
import type { Dump } from '../../src/engine/transfer/import/dump.ts'
import type { Stack } from '../../src/stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { longHistory } from '../ledger/history.ts'
import { holds } from '../support/holds.ts'
import { errorOf } from './bundles.ts'
import { entriesOf, freshEntity, saying } from './support.ts'

const EVERYTHING: LabelTiers = {
  UserAsserted: 3,
  ExternalFirstHand: 2,
  ModelDerived: 1,
  RecallReEntry: 0,
}

type MemoryDump = Omit<Dump, 'memories'> & { readonly memories: readonly Memory[] }

/** Everything a stack holds, newest first and kind by kind: in no order that helps. */
async function dumpOf(stack: Stack): Promise<MemoryDump> {
  const memories: Memory[] = []
  for (const kind of RECORD_KINDS) memories.push(...(await stack.list(kind, { limit: 1_000 })))
  const dump = { format: 'muniment/dump/1', stack: stack.stackId, memories } as const
  return JSON.parse(JSON.stringify(dump)) // as it would be read back from a file
}

async function emptyStack(seed = 2) {
  const store = new MemoryStore()
  const stack = await openStack('target', { store, ...fakeWorld(seed) })
  return { store, stack }
}

function memoryIn(stack: Stack, ref: string): Promise<Memory | null> {
  const { kind, id } = splitRef(parseRef(ref))
  return stack.getMemory(kind, id)
}

async function smallLife() {
  const fresh = await freshEntity()
  const { me, clock } = fresh
  const said = await me.note('The user likes tea', { label: label.userAsserted() })
  clock.advance({ days: 1 })
  const episode = await me.episode({ objective: 'brew', outcome: 'it was good' })
  clock.advance({ days: 1 })
  const derivedFrom = [said.ref, episode.ref]
  const belief = await me.belief('Tea is liked here', { derivedFrom, evidence: [episode.ref] })
  clock.advance({ days: 1 })
  const goal = await me.goal('buy more tea', { derivedFrom: [belief.ref] })
  const because = await me.belief('Small pots brew better', { because: 'three pots were small' })
  return { ...fresh, said, episode, belief, goal, because }
}

describe('an import', () => {
  test('takes what was revised since with what was captured for it at its birth', async () => {
    const { stack: origin, me, clock } = await freshEntity()
    const steps = [{ action: 'migrate' }, { action: 'deploy' }]
    const words = { name: 'Deploy', description: 'How to', steps }
    const { ref } = await me.playbook({ ...words, because: 'it worked twice' })
    clock.advance({ days: 1 })
    const { ref: episode } = await me.episode({ objective: 'deploy', outcome: 'it went well' })
    clock.advance({ days: 1 })
    await origin.epochs.usePlaybook(ref, { hasSucceeded: true, episode })
    await origin.epochs.usePlaybook(ref, { hasSucceeded: true, label: label.firstHand() })
    const { stack } = await emptyStack()
    const dump = await dumpOf(origin)
    const report = await stack.transfer.import(dump, { grant: EVERYTHING })
    expect(report.refused).toEqual([])
    expect(report.written).toBe(dump.memories.length)
    const [copy] = await stack.list('playbook')
    expect(copy?.body).toMatchObject({ timesUsed: 2 })
    expect(copy?.provenance.derivedFrom).toHaveLength(2)
    // A model's when it was made, the host's since: what counts for less is what it comes in as.
    expect(copy?.provenance.label).toEqual(label.modelDerived())
    expect((await origin.list('playbook'))[0]?.provenance.label).toEqual(label.firstHand())
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('keeps ids, words, sources, actors and labels, and dates what it cannot keep', async () => {
    const { stack: origin, belief } = await smallLife()
    const { stack, store } = await emptyStack()
    const dump = await dumpOf(origin)
    const report = await stack.transfer.import(dump, { grant: EVERYTHING })
    expect(report).toEqual({
      as: 'importer',
      because: 'The file holds no ledger.',
      whole: null,
      total: dump.memories.length,
      written: dump.memories.length,
      unchanged: 0,
      collapsed: 0,
      refused: [],
      sourcesMissing: 0,
    })
    for (const before of dump.memories) {
      const after = await stack.getMemory(before.kind, before.id)
      expect(after).toMatchObject({ ref: before.ref, body: before.body, tier: before.tier })
      const { sourceId, sourceType, derivedFrom, captured, llmModel } = before.provenance
      expect(after?.provenance).toMatchObject({
        sourceId,
        sourceType,
        derivedFrom,
        captured,
        llmModel,
        label: before.provenance.label,
        ingestionPath: 'import:test',
        eventTime: before.provenance.timestamp,
      })
    }
    const imported = await stack.getMemory('belief', belief.id)
    expect(imported?.provenance.timestamp).not.toBe(imported?.provenance.eventTime)
    expect(new Set(entriesOf(store, stack).flatMap(({ door }) => door ?? []))).toEqual(
      new Set(['import']),
    )
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('done twice changes nothing the second time', async () => {
    const { stack: origin } = await smallLife()
    const { stack, store } = await emptyStack()
    const dump = await dumpOf(origin)
    await stack.transfer.import(dump, { grant: EVERYTHING })
    const entries = entriesOf(store, stack).length
    const report = await stack.transfer.import(dump, { grant: EVERYTHING })
    expect(report).toMatchObject({ unchanged: dump.memories.length, written: 0, refused: [] })
    expect(entriesOf(store, stack)).toHaveLength(entries)
  })

  test('a belief that took the place of another does so here', async () => {
    const { stack: origin, belief } = await smallLife()
    const next = await origin.changes.supersede(belief.ref, 'Coffee is liked here', {
      because: 'it ran out',
    })
    const { stack } = await emptyStack()
    const report = await stack.transfer.import(await dumpOf(origin), { grant: EVERYTHING })
    expect(report.refused).toEqual([])
    expect((await stack.getMemory('belief', belief.id))?.disposition).toBe('Superseded')
    const versions = await stack.history.belief(belief.ref)
    expect(versions.map(({ memory }) => memory.ref)).toEqual([belief.ref, next.ref])
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test.each([
    ['the new one names the old', (old: string) => [{}, { supersedes: old }]],
    ['the old one names the new', (_: string, next: string) => [{ supersededBy: next }, {}]],
    ['in the old spelling', (_: string, next: string) => [{ superseded_by: next }, {}]],
    ['both do', (old: string, next: string) => [{ supersededBy: next }, { supersedes: old }]],
  ])('versions of a belief as older stacks linked them are read: %s', async (_, linkedBy) => {
    const { stack: origin, me, belief, episode } = await smallLife()
    const next = await me.belief('Coffee is liked here', { derivedFrom: [episode.ref] })
    const [ofOld = {}, ofNext = {}] = linkedBy(belief.id, next.id)
    const dump = await dumpOf(origin)
    const memories = dump.memories.map(({ body, provenance, ...memory }) => {
      const { contentHash: __, ...papers } = provenance // of words without the fields
      const more = memory.ref === belief.ref ? ofOld : memory.ref === next.ref ? ofNext : {}
      return { ...memory, provenance: papers, body: { ...body, ...more } }
    })
    const { stack } = await emptyStack()
    const report = await stack.transfer.import({ ...dump, memories }, { grant: EVERYTHING })
    expect(report.refused).toEqual([])
    expect((await stack.getMemory('belief', belief.id))?.disposition).toBe('Superseded')
    const versions = await stack.history.belief(next.ref)
    expect(versions.map(({ memory }) => memory.ref)).toEqual([belief.ref, next.ref])
    expect((await stack.getMemory('belief', next.id))?.body).toEqual(
      expect.not.objectContaining({ supersedes: expect.anything() }),
    )
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('of a long history accounts for every memory', async () => {
    const { stack: origin } = await longHistory()
    const { stack } = await emptyStack()
    const dump = await dumpOf(origin)
    const seen: number[] = []
    const report = await stack.transfer.import(dump, {
      grant: EVERYTHING,
      onProgress: ({ done }) => seen.push(done),
    })
    const { total, written, unchanged, collapsed, refused } = report
    expect(total).toBe(dump.memories.length)
    expect(written + unchanged + collapsed + refused.length).toBe(total)
    expect(written).toBeGreaterThan(total / 2)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen.at(-1)).toBe(total)
    for (const { ref, index } of refused) expect(dump.memories[index]?.ref).toBe(ref)
    const kinds = new Set<string>(KINDS)
    for (const [index, { kind, disposition }] of dump.memories.entries()) {
      const isRefused = refused.some((refusal) => refusal.index === index)
      if (!kinds.has(kind) || disposition === 'Rejected') expect(isRefused).toBe(true)
    }
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  holds('PROV-DOOR', 'believes no file that calls itself first-hand, unless told to', async () => {
    const { stack: origin, said, belief } = await smallLife()
    const dump = await dumpOf(origin)
    const { stack } = await emptyStack()
    expect((await stack.transfer.import(dump)).refused).toEqual([])
    const isSaid = ({ provenance }: Memory) => provenance.label.type === 'External'
    expect(dump.memories.filter(isSaid)).not.toEqual([])
    expect((await dumpOf(stack)).memories.filter(isSaid)).toEqual([])
    expect(await stack.getMemory('note', said.id)).toMatchObject({ tier: 1 })
    expect(await stack.getMemory('belief', belief.id)).toMatchObject({ tier: 1 })
    const vouched = await emptyStack()
    await vouched.stack.transfer.import(dump, { grant: EVERYTHING })
    expect(await vouched.stack.getMemory('note', said.id)).toMatchObject({ tier: 3 })
  })

  holds('PROV-DOOR', 'takes no tier that was raised by hand above the grant', async () => {
    const { stack: origin, me } = await freshEntity()
    const note = await me.note('Only a tool said so', { trustTier: 1, observed: true })
    const dump = await dumpOf(origin)
    const raised = {
      ...dump,
      memories: dump.memories.map((memory) => ({
        ...memory,
        tier: 3,
        provenance: { ...memory.provenance, trustTier: 3, label: label.userAsserted() },
      })),
    } as Dump
    const { stack } = await emptyStack()
    const grant = { UserAsserted: 1, ExternalFirstHand: 1 } as const
    await stack.transfer.import(raised, { grant })
    expect(await stack.getMemory('note', note.id)).toMatchObject({ tier: 1 })
    const other = await emptyStack()
    await other.stack.transfer.import(dump, { grant: EVERYTHING })
    // And what was low at its origin stays low, however much is granted.
    expect(await other.stack.getMemory('note', note.id)).toMatchObject({ tier: 1 })
    const third = await emptyStack()
    const { refused } = await third.stack.transfer.import(raised, { grant: { ModelDerived: 1 } })
    expect(refused.map(({ code }) => code)).toEqual(['scope', 'scope'])
  })

  test('takes no grant that is none', async () => {
    const { stack } = await emptyStack()
    const dump = { format: 'muniment/dump/1', stack: 'test', memories: [] } as const
    for (const grant of [{ UserAsserted: 9 }, { God: 3 }, 'all', 3]) {
      const error = await errorOf(stack.transfer.import(dump, { grant: grant as LabelTiers }))
      expect(error.code).toBe('invalid_input')
    }
  })

  test('what was quarantined, retracted or forgotten there does not come back here', async () => {
    const { stack: origin, said } = await smallLife()
    const dump = await dumpOf(origin)
    for (const change of [
      { disposition: 'Quarantined' },
      { disposition: 'Invalidated' },
      { strength: 0 },
    ]) {
      const { stack } = await emptyStack()
      const memories = dump.memories.map((memory) =>
        memory.ref === said.ref ? { ...memory, ...change } : memory,
      )
      const { refused } = await stack.transfer.import({ ...dump, memories }, { grant: EVERYTHING })
      expect(await stack.getMemory('note', said.id)).toBeNull()
      expect(refused.find(({ ref }) => ref === said.ref)).toMatchObject({ code: 'refused' })
    }
  })

  test('what was captured for a forgotten memory comes on its own', async () => {
    const { stack: origin, said, because } = await smallLife()
    for (const { ref } of [said, because])
      await origin.forgetMemory(splitRef(ref).kind, splitRef(ref).id, 'over')
    const dump: Dump = JSON.parse(await origin.dump({ format: 'json' }))
    const { stack } = await emptyStack()
    const report = await stack.transfer.import(dump, { grant: EVERYTHING })
    expect(report).toMatchObject({ refused: [], written: dump.memories.length })
    for (const ref of [...said.captures, ...because.captures]) {
      const brought = await memoryIn(stack, ref)
      expect(brought?.provenance.ingestionPath).toBe(`import:${origin.stackId}`)
    }
    expect((await stack.ledger.audit()).problems).toEqual([])
    expect((await stack.transfer.import(dump, { grant: EVERYTHING })).written).toBe(0)
  })

  test('what was captured for a refused memory stays out with it', async () => {
    const { stack: origin, because } = await smallLife()
    const dump = await dumpOf(origin)
    const alone = dump.memories.map((each) =>
      each.ref === because.ref ? { ...each, disposition: 'Quarantined' } : each,
    )
    const { stack } = await emptyStack()
    const report = await stack.transfer.import({ ...dump, memories: alone }, { grant: EVERYTHING })
    expect(report.refused.map(({ ref }) => String(ref)).toSorted()).toEqual(
      [...because.captures, because.ref].map(String).toSorted(),
    )
  })

  describe('of a file from which forgotten sources were left out', () => {
    const NOT_IN_FILE = /not in the imported file/

    /** A stack whose live memories rest on something that was forgotten, exported without it. */
    async function exportedWithout(forget: 'note' | 'capture' | 'words') {
      const { stack: origin, me } = await freshEntity()
      const said = await me.note('Deploys failed on Friday', { observed: true })
      const belief = await me.belief('Fridays are bad for deploys', { derivedFrom: [said.ref] })
      const reasoned = await me.belief('Small steps are safer', {
        because: 'two large ones failed',
      })
      const goal = await me.goal('deploy on Mondays', { derivedFrom: [belief.ref] })
      const [words = '', capture = ''] = reasoned.captures
      const gone = { note: said.ref, capture, words }[forget]
      const { kind, id } = splitRef(parseRef(gone))
      await origin.forgetMemory(kind, id, 'wrong day')
      const dump: Dump = JSON.parse(await origin.dump({ format: 'json' }))
      expect(JSON.stringify(dump.memories.map((memory) => (memory as Memory).ref))).not.toContain(
        gone,
      )
      return { dump, belief, reasoned, goal, gone }
    }

    test.each(['note', 'capture', 'words'] as const)(
      'brings every live memory, and counts the missing %s',
      async (forget) => {
        const { dump, belief, reasoned, goal, gone } = await exportedWithout(forget)
        const { stack } = await emptyStack()

        const report = await stack.transfer.import(dump)

        expect(report.sourcesMissing).toBe(1)
        const refs = [belief.ref, reasoned.ref, goal.ref]
        expect(report.refused.filter(({ ref }) => refs.some((own) => own === ref))).toEqual([])
        for (const ref of refs) expect(await memoryIn(stack, ref)).not.toBeNull()
        const lost = forget === 'note' ? belief.ref : reasoned.ref
        const { lineage } = await stack.history.why(lost)
        expect(JSON.stringify(lineage)).toMatch(NOT_IN_FILE)
        expect(JSON.stringify(lineage)).toContain(gone)
        expect((await memoryIn(stack, lost))?.tier).toBe(1)
        expect((await stack.ledger.audit()).problems).toEqual([])
        expect((await stack.transfer.import(dump)).written).toBe(0)
      },
    )

    test('says nothing of missing sources where the file holds all of them', async () => {
      const { stack: origin, belief } = await smallLife()
      const { stack } = await emptyStack()
      const report = await stack.transfer.import(await dumpOf(origin))
      expect(report).toMatchObject({ sourcesMissing: 0, refused: [] })
      expect(JSON.stringify((await stack.history.why(belief.ref)).lineage)).not.toMatch(NOT_IN_FILE)
    })

    test('cites a source that this stack has, although the file leaves it out', async () => {
      const { stack: origin, belief, said } = await smallLife()
      const dump = await dumpOf(origin)
      const { stack } = await emptyStack()
      await stack.transfer.import(dump)
      const { stack: other } = await emptyStack(3)
      const first = dump.memories.filter(({ ref }) => ref !== belief.ref)
      await other.transfer.import({ ...dump, memories: first })
      const rest = dump.memories.filter(({ ref }) => ref === belief.ref)
      const report = await other.transfer.import({ ...dump, memories: rest })
      expect(report).toMatchObject({ sourcesMissing: 0, written: 1 })
      expect((await memoryIn(other, belief.ref))?.provenance.derivedFrom).toContain(said.ref)
    })
  })

  test('another telling of what is there is counted on it, and cited in its place', async () => {
    const { stack: origin } = await freshEntity()
    const model = saying('ModelDerived')
    const source = { kind: 'raw', body: { content: 'a pot' }, provenance: model } as const
    const raw = await origin.write(source)
    const derivedFrom = raw.ref === null ? [] : [raw.ref]
    const note = await origin.write({
      kind: 'note',
      body: { content: 'pots are round' },
      provenance: { ...model, derivedFrom },
    })
    const belief = await origin.write({
      kind: 'belief',
      body: { statement: 'Round things hold more' },
      provenance: { ...model, derivedFrom: note.ref === null ? [] : [note.ref] },
    })
    const { stack } = await emptyStack()
    const own = await stack.write({ ...source, id: raw.id ?? '' })
    const there = await stack.write({
      kind: 'note',
      body: { content: 'Pots are  round' },
      provenance: { ...model, derivedFrom: own.ref === null ? [] : [own.ref] },
    })
    const report = await stack.transfer.import(await dumpOf(origin))
    expect(report).toMatchObject({ written: 1, unchanged: 1, collapsed: 1, refused: [] })
    const imported = await stack.getMemory('belief', belief.id ?? '')
    expect(imported?.provenance.derivedFrom).toEqual([there.ref])
  })

  test('an id that says something else here is reported, and the rest goes on', async () => {
    const { stack: origin, said } = await smallLife()
    const { stack } = await emptyStack()
    const other = { kind: 'note', id: said.id, body: { content: 'other words' } } as const
    const raw = await stack.write({
      kind: 'raw',
      body: { content: 'x' },
      provenance: saying('ExternalFirstHand'),
    })
    const derivedFrom = raw.ref === null ? [] : [raw.ref]
    await stack.write({ ...other, provenance: saying('ExternalFirstHand', { derivedFrom }) })
    const report = await stack.transfer.import(await dumpOf(origin), { grant: EVERYTHING })
    const codes = new Map(report.refused.map(({ ref, code }) => [ref, code]))
    expect(codes.get(said.ref)).toBe('id_exists')
    expect(report.written).toBeGreaterThan(0)
  })

  test('bad records are named one by one', async () => {
    const { stack: origin } = await smallLife()
    const dump = await dumpOf(origin)
    const [good] = dump.memories
    const memories: unknown[] = [
      null,
      'text',
      [],
      {},
      { ...good, ref: 'raw:no-id' },
      { ...good, kind: 'note' },
      { ...good, body: { content: 'changed by hand' } },
      { ...good, body: { content: '\ud800' } },
      { ...good, provenance: null },
      { ...good, provenance: { ...good?.provenance, label: 'UserAsserted' } },
      { ...good, provenance: { ...good?.provenance, trustTier: 4 } },
      { ...good, provenance: { ...good?.provenance, timestamp: 'yesterday' } },
      { ...good, provenance: { ...good?.provenance, derivedFrom: 'raw' } },
      { ...good, provenance: { ...good?.provenance, captured: false, sourceId: '' } },
      { ...good, provenance: { ...good?.provenance, captured: false, confidence: 'high' } },
    ]
    const { stack, store } = await emptyStack()
    const report = await stack.transfer.import({ ...dump, memories }, { grant: EVERYTHING })
    expect(report.refused.map(({ index }) => index)).toEqual(memories.map((_, index) => index))
    expect(report.written).toBe(0)
    expect(entriesOf(store, stack)).toEqual([])
  })

  test('memories that cite each other in a circle are refused, and the import ends', async () => {
    const { stack: origin, belief, goal } = await smallLife()
    const dump = await dumpOf(origin)
    const memories = dump.memories.map((memory) =>
      memory.ref === belief.ref
        ? { ...memory, provenance: { ...memory.provenance, derivedFrom: [goal.ref] } }
        : memory,
    )
    const { stack } = await emptyStack()
    const { refused } = await stack.transfer.import({ ...dump, memories }, { grant: EVERYTHING })
    expect(refused.map(({ ref }) => ref).toSorted()).toEqual([belief.ref, goal.ref].toSorted())
  })

  test('what is no dump is refused as a whole', async () => {
    const { stack } = await emptyStack()
    for (const dump of [null, [], {}, { format: 'muniment/dump/2', stack: 'a', memories: [] }]) {
      const error = await errorOf(stack.transfer.import(dump as unknown as Dump))
      expect(error.code).toBe('invalid_input')
    }
  })

  test('a stack in maintenance takes none, and says so', async () => {
    const { stack: origin } = await smallLife()
    const dump = await dumpOf(origin)
    const { stack } = await emptyStack()
    await stack.control.activate()
    await stack.control.setState('MAINTENANCE')
    const error = await errorOf(stack.transfer.import(dump, { grant: EVERYTHING }))
    expect(error.code).toBe('maintenance_mode')
  })
})

test('seeds come first into a new stack, as they did into the old one', async () => {
  const store = new MemoryStore()
  const origin = await openStack('test', { store, ...fakeWorld(1) })
  const seed = saying('ExternalFirstHand', { sourceType: 'seed' })
  await origin.write({ kind: 'belief', body: { statement: 'Seeds stand alone' }, provenance: seed })
  const me = new Entity('my-agent')
  await me.attachStack(origin)
  await me.raw('later')
  const { stack } = await emptyStack()
  const report = await stack.transfer.import(await dumpOf(origin), { grant: EVERYTHING })
  expect(report).toMatchObject({ written: 2, refused: [] })
})
