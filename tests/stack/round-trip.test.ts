import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { memoryKeyring, memorySigner } from '../../src/compose/keyring.ts'
import { type OpenOptions, openStack } from '../../src/compose/open-stack.ts'
import { ENTRY_OPS } from '../../src/domain/entry.ts'
import { MunimentError } from '../../src/domain/errors.ts'
import { RECORD_KINDS } from '../../src/domain/ids.ts'
import { label } from '../../src/domain/labels.ts'
import type { Memory } from '../../src/engine/read/memory-view.ts'
import type { Dump } from '../../src/engine/transfer/import/dump.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Stack } from '../../src/stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { StackHand } from '../../src/testing/conformance/protocol-given.ts'
import { MODEL, PERSON } from '../../src/testing/conformance/protocol-review.ts'
import { FaultyStore } from '../../src/testing/faulty-store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { acts, LINE, live as liveLine } from '../claims/lives.ts'
import { runs } from '../gate/runs.ts'
import { historyOfChanges } from '../ledger/changes.ts'
import { type History, longHistory } from '../ledger/history.ts'
import { membersOf } from '../ledger/vandal.ts'
import { countingWorld, type World } from '../ledger/world.ts'
import { live, steps } from '../protocol-conformance/random-life.ts'
import { holds } from '../support/holds.ts'
import { errorOf, resigned } from './bundles.ts'
import { DAYS_AHEAD } from './corrected-life.ts'

const DAY_MS = 86_400_000

/** What a home keeps outside its stacks: the keys, and the key that signs. */
const newHome = () => ({ keyring: memoryKeyring(), signer: memorySigner() })
type Home = ReturnType<typeof newHome>

interface Opened {
  readonly stack: Stack
  readonly world: ReturnType<typeof fakeWorld>
}

async function opened(
  home: Home,
  of: Partial<OpenOptions> & { id?: string } = {},
): Promise<Opened> {
  const { id = 'mine', ...options } = of
  const world = fakeWorld(1)
  const stack = await openStack(id, {
    ...{ store: new MemoryStore(), components: [] },
    ...world,
    ...home,
    ...options,
  })
  return { stack, world }
}

async function exported(stack: Stack): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'muniment-')), 'x.json')
  await stack.export(path, { format: 'json' })
  return readFileSync(path, 'utf8')
}

const parsed = (text: string): Dump => JSON.parse(text)

/** Everything that a reader can be given, and where the ledger ends. */
async function everythingIn(stack: Stack) {
  const memories: Memory[] = []
  for (const kind of RECORD_KINDS) {
    const all = { limit: 1_000, includeForgotten: true, includeSetAside: true }
    memories.push(...(await stack.list(kind, all)))
  }
  const lines = new Map(
    memories.flatMap(({ kind, body }) => {
      const { subject, predicate } = body as { subject?: string; predicate?: string }
      const isClaim = kind === 'claim' && subject !== undefined && predicate !== undefined
      return isClaim ? [[`${subject}\n${predicate}`, { subject, predicate }] as const] : []
    }),
  )
  const whys: unknown[] = []
  for (const { ref } of memories) whys.push(await stack.history.why(ref))
  const answers: unknown[] = []
  for (const line of [LINE, ...lines.values()]) {
    answers.push(await stack.claims.ask(line), await stack.claims.timeline(line))
  }
  const found: unknown[] = []
  for (const words of ['heron canal', 'train leaves', 'city', 'rain at noon', 'bus']) {
    found.push(await stack.search(words, { limit: 50 }))
  }
  const { problems, head } = await stack.ledger.audit()
  return {
    memories,
    whys,
    answers,
    found,
    review: await stack.review.list({ limit: 1_000 }),
    suggestions: await stack.getSuggestions({ limit: 1_000 }),
    trust: await stack.computeTrust('ann'),
    epoch: await stack.epochs.current(),
    dump: await stack.dump({ format: 'json', includeForgotten: true }),
    loaded: await stack.load(),
    problems,
    head,
  }
}

/** Changes that the two lives leave out; a stack may refuse any of them. */
const extras = fc.array(
  fc.record({
    act: fc.constantFrom(
      'reinforce',
      'distrust',
      'distrust actor',
      'trust again',
      'erase',
      'propose',
      'repeat',
      'epoch',
      'close epoch',
      'assess',
      'suggest',
      'accept',
      'dismiss',
    ),
    at: fc.nat(40),
  }),
  { minLength: 6, maxLength: 24 },
)
type Extra = typeof extras extends fc.Arbitrary<readonly (infer E)[]> ? E : never

async function befall(hand: StackHand, { act, at }: Extra) {
  const { stack } = hand
  const memories: Memory[] = []
  for (const kind of RECORD_KINDS) memories.push(...(await stack.list(kind, { limit: 100 })))
  const memory = memories[at % Math.max(1, memories.length)]
  if (memory === undefined) return
  const { ref, kind, id } = memory
  const [suggestion] = await stack.getSuggestions({ status: 'pending', limit: 1 })
  switch (act) {
    case 'reinforce':
      return void (await stack.changes.reinforce(ref))
    case 'distrust':
      return void (await stack.sources.distrust(ref, { caller: PERSON }))
    case 'distrust actor':
      return void (await stack.sources.distrust({ actor: 'bob' }, { caller: PERSON }))
    case 'trust again':
      return void (await stack.sources.trust({ actor: 'bob' }, { caller: PERSON }))
    case 'erase':
      return void (await stack.erasure.erase(ref, { derived: 'keep', caller: PERSON }))
    case 'propose':
      return void (await stack.forgetMemory(kind, id, 'of no use', { caller: MODEL }))
    case 'repeat':
      for (let n = 0; n < 14; n += 1) {
        await stack.write(
          {
            kind: 'note',
            body: { content: 'Say it often enough' },
            provenance: {
              ...{ sourceType: 'inference', label: label.modelDerived(), sourceId: 'a loop' },
              ...{ ingestionPath: 'lib:test', confidence: 0.8, llmModel: 'model-1' },
            },
            captures: [{ kind: 'raw', body: { content: `heard ${n}` } }],
          },
          MODEL,
        )
      }
      return
    case 'epoch':
      return void (await stack.epochs.begin(`epoch ${at}`))
    case 'close epoch':
      return void (await stack.epochs.end())
    case 'assess':
      return void (await stack.saveTrustAssessment({
        entityId: 'ann',
        dimensions: { general: { score: 0.4 } },
      }))
    case 'suggest':
      return void (await hand.make('suggestion'))
    case 'accept':
      return void (suggestion && (await stack.acceptSuggestion(suggestion.id)))
    case 'dismiss':
      return void (suggestion && (await stack.dismissSuggestion(suggestion.id)))
  }
}

async function befallAll(hand: StackHand, more: readonly Extra[]): Promise<void> {
  for (const extra of more) {
    try {
      await befall(hand, extra)
    } catch (cause) {
      if (!(cause instanceof MunimentError) || cause.code === 'invariant') throw cause
    }
  }
}

describe('an own export', () => {
  holds('STORE-SAME', 'brings any stack back with equal answers, in every field', async () => {
    const seen = new Set<string>()
    const life = fc.record({ steps, claims: fc.array(acts, { maxLength: 12 }), extras })
    await fc.assert(
      fc.asyncProperty(life, fc.boolean(), async (lived, isFile) => {
        const home = newHome()
        const { stack, world } = await opened(home)
        const hand = new StackHand(stack)
        await hand.make('raw') // a stack that nothing was written to has no ledger
        await live(hand, world.clock, lived.steps)
        await liveLine(stack, lived.claims).catch((cause: unknown) => {
          if (!(cause instanceof MunimentError)) throw cause
        })
        await befallAll(hand, lived.extras)
        const text = await exported(stack)
        const before = await everythingIn(stack)
        const store: Store = isFile ? new SqliteStore({ path: ':memory:' }) : new MemoryStore()
        const { stack: copy } = await opened(home, { store, clock: world.clock })
        const report = await copy.transfer.import(parsed(text))
        expect(report).toMatchObject({ as: 'own', because: null, refused: [] })
        expect(await everythingIn(copy)).toEqual(before)
        expect(await exported(copy)).toBe(text) // counters too, which no reader is shown
        expect(before.problems).toEqual([])
        for (const { disposition, isProtected, strength, kind } of before.memories) {
          for (const what of [disposition, kind]) seen.add(what)
          if (isProtected) seen.add('protected')
          if (strength === 0) seen.add('forgotten')
        }
        for (const { kind } of before.review) seen.add(kind)
      }),
      runs(25),
    )
    for (const what of [
      'Superseded',
      'Quarantined',
      'protected',
      'forgotten',
      'epoch',
      'suggestion',
    ]) {
      expect([...seen]).toContain(what)
    }
  })
})

async function correctedClock(world: World): Promise<History> {
  const store = new MemoryStore()
  const stack = await openStack('demo', { store, ...world })
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  world.clock.advance(DAYS_AHEAD * DAY_MS)
  await me.raw('Said while the clock was far ahead')
  world.clock.advance(-DAYS_AHEAD * DAY_MS)
  await stack.health.correctClock()
  await me.raw('Said after the correction')
  return { store, stack }
}

describe('every operation that a ledger knows', () => {
  const RETIRED = 'echo.left' // written by earlier versions alone
  const RECEIVED = 'memory.received' // comes from another replica: tests/sync/rounds takes one through a bundle
  const ops = new Set<string>()
  const histories: readonly [string, (world: World) => Promise<History>][] = [
    ['changes', historyOfChanges],
    ['writes', longHistory],
    ['a corrected clock', correctedClock],
  ]

  test.each(histories)('comes back with an own export: %s', async (_, historyIn) => {
    const world = { ...countingWorld(), ...newHome() }
    const { stack, store } = await historyIn(world)
    for (const row of store.rows(stack.stackId).entries) ops.add(String(membersOf(row).op))
    const text = await exported(stack)
    const before = await everythingIn(stack)
    const copy = await openStack('demo', { store: new MemoryStore(), ...world })
    const report = await copy.transfer.import(parsed(text))
    expect(report).toMatchObject({ as: 'own', because: null, refused: [] })
    expect(await everythingIn(copy)).toEqual(before)
    expect(await exported(copy)).toBe(text)
  })

  test('was among them', () => {
    expect([...ops, RETIRED, RECEIVED].sort()).toEqual([...ENTRY_OPS].sort())
  })
})

/** A person's note, a belief whose place another took, and a claim; tiers 1 to 3. */
async function smallLife(stack: Stack) {
  const me = new Entity('my-agent', { modelId: 'model-1' })
  await me.attachStack(stack)
  const person = { label: label.userAsserted(), actor: 'ann' }
  const said = await me.note('The user likes tea', person)
  await me.note('The shop sells tea', { label: label.firstHand(), actor: 'a tool' })
  await me.note('Perhaps the user likes coffee', { label: label.modelDerived() })
  const old = await me.belief('Mornings are quiet', { ...person, because: 'nobody calls' })
  const next = await stack.changes.supersede(old.ref, 'Evenings are quiet', {
    ...person,
    because: 'they call now',
  })
  await stack.claims.remember('user', 'city', 'Paris', { actor: 'ann' })
  await stack.claims.remember('user', 'city', 'Rome', { actor: 'ann' })
  return { me, said, old, next }
}

const tiersIn = (memories: readonly Memory[]) => memories.map(({ tier }) => tier)

async function allIn(stack: Stack): Promise<readonly Memory[]> {
  const all: Memory[] = []
  for (const kind of RECORD_KINDS) {
    all.push(
      ...(await stack.list(kind, { limit: 1_000, includeForgotten: true, includeSetAside: true })),
    )
  }
  return all
}

describe('a file that is not this machine’s own export', () => {
  /** Imports into an empty stack of the same name, in the home that wrote the file. */
  async function brought(change: (text: string, file: Dump) => string | Dump) {
    const home = newHome()
    const { stack } = await opened(home)
    await smallLife(stack)
    const text = await exported(stack)
    const changed = change(text, parsed(text))
    const { stack: copy } = await opened(home)
    const file = typeof changed === 'string' ? parsed(changed) : changed
    return { report: await copy.transfer.import(file), copy, stack }
  }

  test('control: nothing changed, and the stack comes back whole', async () => {
    const { report, copy, stack } = await brought((text) => text)
    expect(report).toMatchObject({ as: 'own', whole: { laterEntries: 0, erasedAgain: 0 } })
    expect(tiersIn(await allIn(copy))).toEqual(tiersIn(await allIn(stack)))
  })

  /** Another letter in the midst of the signature. */
  const flipped = (seal: string) => {
    const at = seal.length - 20
    return seal.slice(0, at) + (seal[at] === 'A' ? 'B' : 'A') + seal.slice(at + 1)
  }
  const lastOf = (lines: readonly string[] = []) => lines.at(-1) ?? ''
  test.each<[string, (text: string, file: Dump) => string | Dump]>([
    ['a word of a memory', (text) => text.replace('likes tea', 'likes tee')],
    [
      'a word in the ledger',
      (_, file) => ({
        ...file,
        ledger: file.ledger?.map((l) => l.replace('likes tea', 'likes tee')) ?? [],
      }),
    ],
    [
      'a word in the ledger, under a digest of its own',
      (_, file) => {
        const lines = (file.ledger ?? []).map((l) => `${l.replace('likes tea', 'likes tee')}\n`)
        return { ...file, ledger: resigned(lines).map((l) => l.slice(0, -1)) }
      },
    ],
    ['a tier', (text) => text.replace('"tier": 2', '"tier": 3')],
    ['the seal is missing', (_, file) => ({ ...file, seal: null })],
    ['the ledger is missing', (_, { ledger: __, ...file }) => file],
    ['a letter of the seal', (_, file) => ({ ...file, seal: flipped(file.seal ?? '') })],
    [
      'another head: the last entry is cut off',
      (_, file) => ({
        ...file,
        ledger: [...(file.ledger ?? []).slice(0, -2), lastOf(file.ledger)],
      }),
    ],
  ])('changed: %s', async (_, change) => {
    const { report, copy } = await brought(change)
    expect(report).toMatchObject({ as: 'importer', whole: null })
    expect(report.because).toMatch(/\.$/)
    for (const memory of await allIn(copy)) {
      expect(memory.tier).toBeLessThanOrEqual(1)
      expect(memory.provenance.label).toEqual(label.modelDerived())
    }
    expect((await copy.ledger.audit()).problems).toEqual([])
  })
})

describe('in the home of a person', () => {
  const folder = () => mkdtempSync(join(tmpdir(), 'muniment-'))
  const clock = fakeWorld(1).clock
  const at = (home: string) => openStack('mine', { home, clock, components: [] })
  const withKeysOf = (home: string): string => {
    const other = folder()
    cpSync(join(home, 'keys'), join(other, 'keys'), { recursive: true })
    return other
  }

  test('a fresh home with the keys gets the stack whole; one without gets the words', async () => {
    const home = folder()
    const stack = await at(home)
    const { old, said } = await smallLife(stack)
    const file = parsed(await exported(stack))
    const before = await everythingIn(stack)
    await stack.close()
    const own = await at(withKeysOf(home))
    expect(await own.transfer.import(file)).toMatchObject({ as: 'own', refused: [] })
    expect(await everythingIn(own)).toEqual(before)
    await own.close()
    const stranger = await at(folder())
    const report = await stranger.transfer.import(file)
    expect(report).toMatchObject({ as: 'importer', whole: null, refused: [] })
    expect(report.because).toContain('no keys')
    const note = await stranger.getMemory('note', said.id)
    expect(note).toMatchObject({ text: 'The user likes tea', tier: 1 })
    expect(note?.provenance).toMatchObject({
      label: label.modelDerived(),
      sourceId: 'import:mine/ann',
      ingestionPath: 'import:mine',
    })
    expect((await stranger.getMemory('belief', old.id))?.disposition).toBe('Superseded')
    expect((await stranger.ledger.audit()).problems).toEqual([])
    await stranger.close()
  })

  test('an older export comes back, says so, and what was erased since is erased again', async () => {
    const home = folder()
    const stack = await at(home)
    const { me, said } = await smallLife(stack)
    const file = parsed(await exported(stack))
    const last = await me.raw('written after the export')
    await stack.erasure.erase(said.ref, { derived: 'keep' })
    await stack.close()
    for (const ending of ['', '-wal', '-shm', '-head']) {
      rmSync(join(home, 'stacks', `mine.db${ending}`), { force: true })
    }
    const back = await at(home)
    const report = await back.transfer.import(file)
    expect(report).toMatchObject({ as: 'own', whole: { erasedAgain: expect.any(Number) } })
    expect(report.whole?.laterEntries).toBeGreaterThan(0)
    expect(report.whole?.erasedAgain).toBeGreaterThan(0)
    expect(JSON.stringify(await allIn(back))).not.toContain('likes tea')
    expect(await back.getMemory('raw', last.id)).toBeNull()
    expect((await back.ledger.audit()).problems).toEqual([])
    // The ledger goes on from there, and its heads are signed again.
    const again = new Entity('my-agent')
    await again.attachStack(back)
    await again.raw('written after the import')
    await back.close()
    const later = await at(home)
    expect(later.ledger.signingFailure).toBeNull()
    expect((await later.ledger.audit()).problems).toEqual([])
    await later.ledger.checkpoint()
    await later.close()
  })

  test('a stack that holds memories takes nothing over, and keeps what it has', async () => {
    const home = folder()
    const stack = await at(home)
    const { said } = await smallLife(stack)
    const file = parsed(await exported(stack))
    const report = await stack.transfer.import(file)
    expect(report).toMatchObject({ as: 'importer', written: 0, refused: [] })
    expect(report.because).toContain('holds memories already')
    expect((await stack.getMemory('note', said.id))?.tier).toBe(3)
    await stack.close()
  })

  test('a program cannot bring a stack back, only a person or the host', async () => {
    const home = newHome()
    const { stack } = await opened(home)
    await smallLife(stack)
    const file = parsed(await exported(stack))
    const { stack: copy } = await opened(home)
    expect(await copy.transfer.import(file, { by: MODEL })).toMatchObject({ as: 'importer' })
    const { stack: own } = await opened(home)
    expect(await own.transfer.import(file, { by: PERSON })).toMatchObject({ as: 'own' })
  })
})

describe('the importer’s words', () => {
  test('are never above what the file says, nor above tier 1 without a person’s word', async () => {
    const { stack } = await opened(newHome())
    const { me, said } = await smallLife(stack)
    await me.belief('Tea is served at five', {
      label: label.recallReEntry(),
      derivedFrom: [said.ref],
    })
    const dump = parsed(await stack.dump({ format: 'json' }))
    const tiers = new Map((dump.memories as readonly Memory[]).map(({ ref, tier }) => [ref, tier]))
    const { stack: copy } = await opened(newHome())
    await copy.transfer.import(dump)
    const all = await allIn(copy)
    expect(new Set(tiersIn(dump.memories as readonly Memory[]))).toEqual(new Set([0, 1, 2, 3]))
    expect(new Set(tiersIn(all))).toEqual(new Set([0, 1]))
    for (const { ref, tier } of all) {
      expect(tier).toBeLessThanOrEqual(Math.min(1, tiers.get(ref) ?? 1))
    }
  })

  test('an actor of the file is nobody of here: no one’s own word is succeeded', async () => {
    const { stack } = await opened(newHome())
    await stack.claims.remember('user', 'city', 'Rome', { actor: 'ann' })
    const dump = parsed(await stack.dump({ format: 'json' }))
    const { stack: mine } = await opened(newHome(), { id: 'other', ...fakeWorld(2) })
    await mine.claims.remember('user', 'city', 'Paris', { actor: 'ann' })
    expect(await mine.transfer.import(dump)).toMatchObject({ as: 'importer', refused: [] })
    const answer = await mine.claims.ask({ subject: 'user', predicate: 'city' })
    expect(answer).toMatchObject({ standing: 'held', value: 'Paris' })
  })

  test('a belief whose predecessor is refused is listed too, and the rest is taken', async () => {
    const { stack } = await opened(newHome())
    const { old, next, said } = await smallLife(stack)
    const dump = parsed(await stack.dump({ format: 'json' }))
    const memories = (dump.memories as readonly Memory[]).map((memory) =>
      memory.ref === old.ref
        ? { ...memory, body: { statement: 7 }, provenance: bare(memory) }
        : memory,
    )
    const { stack: copy } = await opened(newHome())
    const report = await copy.transfer.import(
      { ...dump, memories },
      { grant: { UserAsserted: 3, ExternalFirstHand: 2, ModelDerived: 1 } },
    )
    const listed = report.refused.map(({ ref }) => ref)
    expect(listed).toEqual(expect.arrayContaining([old.ref, next.ref]))
    for (const { message } of report.refused) expect(message).not.toBe('')
    expect(report.written).toBe(report.total - report.refused.length)
    expect((await copy.getMemory('note', said.id))?.tier).toBe(3)
    expect(await copy.claims.ask({ subject: 'user', predicate: 'city' })).toMatchObject({
      value: 'Rome',
    })
  })
})

const bare = ({ provenance: { contentHash: _, ...rest } }: Memory) => rest

describe('a store that fails', () => {
  test('leaves an empty stack empty where an own export could not be committed', async () => {
    const home = newHome()
    const { stack } = await opened(home)
    await smallLife(stack)
    const file = parsed(await exported(stack))
    const inner = new MemoryStore()
    const store = new FaultyStore(inner)
    const { stack: copy } = await opened(home, { store })
    store.failNext('before_commit')
    await expect(copy.transfer.import(file)).rejects.toThrow()
    expect(inner.rows(copy.stackId).entries).toEqual([])
    store.heal()
    expect(await copy.transfer.import(file)).toMatchObject({ as: 'own' })
  })

  test('cuts an import short with a plain statement, and importing again goes on', async () => {
    const { stack } = await opened(newHome())
    await smallLife(stack)
    const dump = parsed(await stack.dump({ format: 'json' }))
    const store = new FaultyStore(new MemoryStore())
    const { stack: copy } = await opened(newHome(), { store })
    store.failNext('before_commit')
    const failed = await errorOf(copy.transfer.import(dump))
    expect(failed.code).toMatch(/^store_/)
    expect(failed.hint).toContain('Import the same file again')
    store.heal()
    const { written, unchanged, refused, total } = await copy.transfer.import(dump)
    expect({ refused, sum: written + unchanged }).toEqual({ refused: [], sum: total })
    expect((await copy.ledger.audit()).problems).toEqual([])
  })
})
