import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { parseStackId, type Ref } from '../../src/domain/ids.ts'
import type { Store } from '../../src/ports/store.ts'
import type { Stack } from '../../src/stack/stack.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { verifyLedger } from '../ledger/naive-verifier.ts'
import { ledgerOf } from '../ledger/vandal.ts'
import { at, entriesOf, freshStack, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { PREFERENCE, TEMPLATES } from './preference.ts'

const TALK = 'talk-1'
const model = at('mcp', { session: TALK })
const person = at('cli', { person: true })
const ann = { caller: person, actor: 'ann' } as const

const note = (content: string, derivedFrom: readonly Ref[]) => ({
  kind: 'note' as const,
  body: { content },
  provenance: saying('ModelDerived', { derivedFrom: [...derivedFrom] }),
})

/** A person's note that the model's session was served, and what the model may cite. */
async function told(stack: Stack) {
  const raw = await stack.write(
    {
      kind: 'raw',
      body: { content: 'Something else was captured' },
      provenance: saying('ExternalFirstHand'),
    },
    at('lib'),
  )
  const cited = [raw.ref as Ref]
  const said = {
    ...note(PREFERENCE, cited),
    provenance: saying('UserAsserted', { derivedFrom: cited }),
  }
  const ref = (await stack.write(said, at('lib'))).ref as Ref
  await stack.trace(ref, { caller: model })
  return { ref, cited }
}

describe('a rewording that was folded away', () => {
  holds(
    'FIREWALL-OVERRULE',
    'comes in as itself when a person says so: its own words, origin and sources',
    async () => {
      const { stack, store } = await freshStack()
      const { ref, cited } = await told(stack)
      const folded = await stack.write(note(TEMPLATES[0] as string, cited), model)
      expect(folded).toMatchObject({ ref, reasons: ['echo_reworded'] })
      const done = await stack.overrule(folded.entry.seq, { ...ann, reason: 'another theme' })
      expect(done).toMatchObject({ disposition: 'CommittedInferred', proposed: null })
      expect(done.ref).not.toBe(ref)
      const memory = await stack.getMemory('note', String(done.ref).slice('note:'.length))
      expect(memory).toMatchObject({
        text: TEMPLATES[0],
        tier: 1,
        phrasingOf: null,
        provenance: { label: { type: 'ModelDerived' }, derivedFrom: cited, session: TALK },
      })
      const [word, birth] = entriesOf(store, stack).slice(-2)
      expect(word).toMatchObject({
        op: 'echo.overruled',
        ref,
        decision: { facts: { of: folded.entry.seq, into: done.ref } },
      })
      expect(birth?.decision.facts.overruled).toBe(word?.seq)
      expect((await stack.audit()).problems).toEqual([])
      // Once is enough, and the same words again are an echo of what was let in.
      expect(await stack.overrule(folded.entry.seq, ann)).toMatchObject({ entry: null, ref: null })
      expect(await stack.write(note(TEMPLATES[0] as string, cited), model)).toMatchObject({
        ref: done.ref,
        reasons: ['echo_exact'],
      })
    },
  )

  test('waits in review with its words, once for each memory that it repeats', async () => {
    const { stack } = await freshStack()
    const { ref, cited } = await told(stack)
    for (const text of TEMPLATES.slice(0, 2)) await stack.write(note(text, cited), model)
    const items = await stack.getReview()
    expect(items).toMatchObject([{ kind: 'echo', ref, answers: ['accept', 'dismiss'] }])
    const rewordings = items[0]?.rewordings ?? []
    expect(rewordings.map(({ text }) => text)).toEqual(TEMPLATES.slice(0, 2))
    await expect(stack.settleReview(ref, 'accept', ann)).rejects.toThrow('Several rewordings')
    const [first] = rewordings
    const settled = await stack.settleReview(ref, 'accept', {
      ...ann,
      wish: first?.entry as number,
    })
    expect(settled.taken).toBe(true)
    expect(settled.became).not.toBeNull()
    expect((await stack.getReview())[0]?.rewordings).toHaveLength(1)
    expect(await stack.resolveReview(ref, 'dismiss', ann)).toBe(true)
    expect(await stack.getReview()).toEqual([])
    // What was left so may still be let in by its number.
    expect(await stack.overrule(Number(rewordings[1]?.entry), ann)).toMatchObject({
      proposed: null,
    })
    expect((await stack.audit()).problems).toEqual([])
  })

  test('leaves the past of what it repeats as it was, and its own as it came in', async () => {
    const { stack } = await freshStack()
    const { ref, cited } = await told(stack)
    const before = (await stack.head()).seq
    const folded = await stack.write(note(TEMPLATES[0] as string, cited), model)
    const { ref: into, entry } = await stack.overrule(folded.entry.seq, ann)
    const id = ref.slice('note:'.length)
    for (const asOf of [before, folded.entry.seq, Number(entry?.seq)]) {
      expect(await stack.getMemory('note', id, { asOf })).toMatchObject({ text: PREFERENCE })
      expect((await stack.why(ref, { asOf })).memory.text).toBe(PREFERENCE)
    }
    const { added, changed } = await stack.diff(before, (await stack.head()).seq)
    expect(added.map((each) => each.ref)).toEqual([into])
    expect(changed.map((each) => each.ref)).not.toContain(ref)
    expect((await stack.diff(before, folded.entry.seq)).added).toEqual([])
  })

  test('is not a model’s to let in: its wish waits for a person, who grants it', async () => {
    const { stack } = await freshStack()
    const { ref, cited } = await told(stack)
    const folded = await stack.write(note(TEMPLATES[0] as string, cited), model)
    const wished = await stack.overrule(folded.entry.seq, { caller: model, actor: 'bot' })
    expect(wished).toMatchObject({ entry: null, ref: null })
    expect(wished.proposed).not.toBeNull()
    expect(await stack.getReview()).toMatchObject([{ kind: 'proposal', ref }])
    const granted = await stack.settleReview(ref, 'accept', ann)
    expect(granted.became).not.toBeNull()
    expect((await stack.audit()).problems).toEqual([])
    const tool = at('http', { grant: { ExternalFirstHand: 2 } })
    const said = { caller: tool, label: { type: 'External', kind: 'ExternalFirstHand' } } as const
    await expect(stack.overrule(folded.entry.seq, said)).rejects.toThrow('no echo')
  })

  test('goes with whoever handed it in, and with what it repeats', async () => {
    const { stack } = await freshStack()
    const { cited } = await told(stack)
    const folded = await stack.write(note(TEMPLATES[0] as string, cited), model)
    const actor = saying('ModelDerived').sourceId
    await stack.erase({ actor }, { derived: 'list' })
    await expect(stack.overrule(folded.entry.seq, ann)).rejects.toThrow('still kept')
    expect((await stack.audit()).problems).toEqual([])
  })

  test('stays out where the rules would have kept it out, and nothing is written', async () => {
    const { stack, store } = await freshStack()
    const { cited } = await told(stack)
    const folded = await stack.write(note(TEMPLATES[0] as string, cited), model)
    await stack.erase(String(cited[0]), { derived: 'list' })
    const before = entriesOf(store, stack).length
    await expect(stack.overrule(folded.entry.seq, ann)).rejects.toThrow('was erased')
    expect(entriesOf(store, stack)).toHaveLength(before)
  })
})

describe('a memory that was kept as another phrasing', () => {
  holds('FIREWALL-OVERRULE', 'has its say again when a person says that it is none', async () => {
    const { stack } = await freshStack()
    const { ref } = await told(stack)
    const claimed = await stack.remember('user', 'theme', 'dark mode and a quiet theme', {
      caller: model,
      actor: 'bot',
      label: { type: 'ModelDerived' },
    })
    const line = { subject: 'user', predicate: 'theme' }
    expect(claimed.reasons).toEqual(['echo_phrasing'])
    expect((await stack.ask(line)).standing).toBe('unknown')
    const [item] = await stack.getReview()
    expect(item).toMatchObject({ kind: 'echo', ref: claimed.claimRef, reasons: ['phrasing'] })
    expect(item?.against.map((other) => other.ref)).toEqual([ref])
    expect(await stack.resolveReview(String(claimed.claimRef), 'accept', ann)).toBe(true)
    expect(await stack.ask(line)).toMatchObject({ standing: 'held' })
    expect(await stack.getReview()).toEqual([])
    expect((await stack.audit()).problems).toEqual([])
  })

  for (const store of [new MemoryStore(), new SqliteStore({ path: ':memory:' })]) {
    test(`does not tell what kind of line it is on, in a ${store.constructor.name}`, async () => {
      const { stack } = await freshStack({ store })
      await told(stack)
      const say = (value: string, by: string, cardinality: 'SetValued' | 'Functional') =>
        stack.remember('user', 'theme', value, {
          ...{ cardinality, actor: by, label: { type: 'ModelDerived' } },
          caller: by === 'bot' ? model : at('mcp', { session: `talk of ${by}` }),
        })
      const phrased = await say('dark mode and a quiet theme', 'bot', 'SetValued')
      expect(phrased.reasons).toEqual(['echo_phrasing'])
      await say('sepia', 'one', 'Functional')
      await say('solarized', 'another', 'Functional')
      const line = { subject: 'user', predicate: 'theme' }
      expect(await stack.ask(line)).toMatchObject({ cardinality: 'Functional' })
      // Overruled, it is a claim as any other, and the first of its line.
      await stack.overrule(String(phrased.claimRef), ann)
      expect(await stack.ask(line)).toMatchObject({ cardinality: 'SetValued' })
      expect((await stack.audit()).problems).toEqual([])
    })
  }
})

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('write' as const), way: fc.nat(9) }) },
  fc.record({ does: fc.constant('overrule' as const), pick: fc.nat(20) }),
  fc.record({ does: fc.constant('leave' as const), pick: fc.nat(20) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** Rewords, overrules and leaves; every word on what was recognised is a person's. */
async function play(store: Store, steps: readonly Step[]) {
  const stack = await openStack('test', { store, ...fakeWorld(1) })
  const { ref, cited } = await told(stack)
  const met: (string | number)[] = []
  for (const each of steps) {
    if (each.does === 'write') {
      const written = await stack.write(note(TEMPLATES[each.way] as string, cited), model)
      met.push(written.ref === ref ? written.entry.seq : String(written.ref))
      continue
    }
    const what = met[each.pick % Math.max(1, met.length)]
    if (what === undefined) continue
    if (each.does === 'leave') await stack.resolveReview(ref, 'dismiss', ann)
    // What repeats to the letter was never kept, and says so.
    else await stack.overrule(what, ann).catch(() => null)
  }
  const { problems } = await stack.audit()
  const { verificationCount, confidence, evidence } = (await stack.getMemory(
    'note',
    ref.slice('note:'.length),
  )) as NonNullable<Awaited<ReturnType<Stack['getMemory']>>>
  return { problems, of: { verificationCount, confidence, evidence } }
}

const hashesOf = async (store: Store): Promise<readonly string[]> => {
  const rows = await store.read(parseStackId('test'), { type: 'entries', from: 0, limit: 1_000 })
  return rows.map(({ hash }) => hash)
}

holds(
  ['FIREWALL-OVERRULE', 'FIREWALL-ECHO'],
  'whatever is overruled or left, what was repeated gains nothing, and every store and verifier agrees',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 16 }), async (steps) => {
        const memory = new MemoryStore()
        const sqlite = new SqliteStore({ path: ':memory:' })
        try {
          const played = await play(memory, steps)
          expect(played.problems).toEqual([])
          expect(played.of).toEqual({
            verificationCount: 0,
            confidence: played.of.confidence,
            evidence: [],
          })
          expect(verifyLedger(ledgerOf(memory.rows(parseStackId('test'))))).toEqual([])
          expect((await play(sqlite, steps)).problems).toEqual([])
          expect(await hashesOf(sqlite)).toEqual(await hashesOf(memory))
        } finally {
          await sqlite.close()
        }
      }),
      { numRuns: 25 },
    )
  },
)
