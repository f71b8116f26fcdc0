import { expect, test } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import { searchTerms, type TextRow } from '../../src/domain/kinds/content.ts'
import { label } from '../../src/domain/labels.ts'
import { LIMITS } from '../../src/domain/limits.ts'
import type { MemoryState } from '../../src/domain/state.ts'
import { openSealed } from '../../src/engine/read/memory-view.ts'
import type { Store } from '../../src/ports/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { Scribe } from '../../src/testing/conformance/scribe.ts'
import { holds } from '../support/holds.ts'
import { ownPath } from './support/folder.ts'
import { contentsOf, DEMO, live } from './support/history.ts'
import { vandalise } from './support/raw.ts'
import { headOf, openOn, writeSmallHistory } from './support/small-stack.ts'

const RUINED = `
  DELETE FROM memories; DELETE FROM words; DELETE FROM edges; DELETE FROM policies; DELETE FROM absent;
  UPDATE tip SET tree = '{}'; DELETE FROM stack_state;`

/** What search knows the memories by, out of what they sealed. */
async function textsOf(store: Store, states: readonly MemoryState[]): Promise<readonly TextRow[]> {
  const texts: TextRow[] = []
  for (const { ref, seq, kind, captured } of states) {
    const sealed = (await store.read(DEMO, { type: 'memory', ref }))?.sealed
    const terms = sealed ? searchTerms(kind, openSealed(sealed).body, captured) : null
    if (terms !== null) texts.push({ seq, terms })
  }
  return texts
}

/** The fold itself is the engine's; what the store does is to put its rows in place. */
holds('STORE-REBUILD', 'rows folded anew stand as if they had never been lost', async () => {
  const path = ownPath()
  const history = { seed: 3, steps: 80, atOnce: 1, enforceProvenance: false }
  const first = new SqliteStore({ path })
  await live(first, history)
  const { tip, stack } = await first.read(DEMO, { type: 'standing' })
  const states = await first.read(DEMO, {
    type: 'memories',
    as: 'state',
    order: 'oldest',
    limit: 1e9,
  })
  const texts = await textsOf(first, states)
  const before = await contentsOf(first)
  await first.close()

  vandalise(path, RUINED)
  const again = new SqliteStore({ path })
  const head = { ...tip.head, rev: tip.head.rev + 1 }
  const derived = { states, texts, tip: { ...tip, head }, stack }
  const stale = await again.replaceDerived(DEMO, derived, { ...tip.head, rev: 0 })
  expect(stale).toEqual({ committed: false, head: tip.head })
  expect(await again.replaceDerived(DEMO, derived, tip.head)).toEqual({ committed: true })
  const after = new Map(await contentsOf(again))
  expect(await headOf(again)).toEqual(head)
  const standing = JSON.stringify({ type: 'standing' })
  after.set(standing, before.get(standing) ?? '')
  expect(after).toEqual(before)
  await again.close()
})

/** The next ref that a scribe will give to a raw, before it has given it. */
function refToCome(): Ref {
  const ahead = new Scribe(DEMO)
  ahead.birth()
  ahead.save({ kind: 'claim' })
  return ahead.save().ref
}

holds(
  ['STORE-REBUILD', 'STORE-SAME'],
  'a source that is named before it exists is linked once it does, also after a rebuild',
  async () => {
    const store = new SqliteStore({ path: ':memory:' })
    const scribe = new Scribe(DEMO)
    scribe.birth()
    const later = refToCome()
    const child = scribe.save({ kind: 'claim', parents: [later] })
    await scribe.commit(store)
    const down = { type: 'lineage', ref: later, direction: 'down', visitMax: 10 } as const
    const descent = async () => (await store.read(DEMO, down))?.map(({ state }) => state.ref)
    expect(await descent()).toEqual([child.ref])
    expect(scribe.save().ref).toBe(later)
    await scribe.commit(store)
    expect(await descent()).toEqual([later, child.ref])
    const states = await store.read(DEMO, {
      type: 'memories',
      as: 'state',
      order: 'oldest',
      limit: 10,
    })
    expect(states[0]?.parents).toEqual([later])

    const { tip, stack } = await store.read(DEMO, { type: 'standing' })
    const head = { ...tip.head, rev: tip.head.rev + 1 }
    const texts = await textsOf(store, states)
    await store.replaceDerived(DEMO, { states, texts, tip: { ...tip, head }, stack }, tip.head)
    expect(
      await store.read(DEMO, { type: 'memories', as: 'state', order: 'oldest', limit: 10 }),
    ).toEqual(states)
    expect(await descent()).toEqual([later, child.ref])
    expect(await store.check()).toEqual([])
    await store.close()
  },
)

holds('STORE-REBUILD', 'rows that are not of the log as it stands are refused', async () => {
  const opened = await openOn(ownPath())
  await writeSmallHistory(opened)
  const { store } = opened
  const { tip, stack } = await store.read(DEMO, { type: 'standing' })
  const head = { ...tip.head, seq: tip.head.seq + 1, rev: tip.head.rev + 1 }
  const ahead = { states: [], texts: [], tip: { ...tip, head }, stack }
  await expect(store.replaceDerived(DEMO, ahead, tip.head)).rejects.toMatchObject({
    code: 'data_loss',
  })
  expect(await opened.stack.ledger.audit()).toMatchObject({ ok: true })
  await opened.close()
})

test('a revision keeps the sources of the birth and adds its own: impact is the reverse of trace', async () => {
  const opened = await openOn(ownPath())
  const { stack, me } = opened
  await me.attachStack(stack)
  const [one, two] = [await me.raw('the first source'), await me.raw('the second source')]
  const note = await me.note('what the source says', { derivedFrom: [one.ref ?? ''] })
  await stack.write({
    kind: 'note',
    id: note.id ?? '',
    body: { content: 'what the other source says' },
    provenance: {
      sourceType: 'direct_experience',
      label: label.userAsserted(),
      sourceId: 'ann',
      ingestionPath: 'lib:revise',
      confidence: 0.7,
      llmModel: null,
      derivedFrom: two.ref === null ? [] : [two.ref],
    },
    revises: { expectedVersion: 1 },
  })
  const traced = (await stack.history.trace(note.ref ?? '')).map(({ memory }) => memory.ref)
  for (const source of [one.ref ?? '', two.ref ?? '']) {
    expect(traced).toContain(source)
    expect((await stack.history.impact(source)).map(({ memory }) => memory.ref)).toEqual([note.ref])
  }
  expect(await stack.ledger.audit()).toMatchObject({ ok: true })
  await opened.close()
})

test('a snapshot stands still while others write', async () => {
  for (const path of [ownPath(), ':memory:']) {
    const opened = await openOn(path)
    await writeSmallHistory(opened)
    const { store, me } = opened
    const before = await headOf(store)
    const query = {
      type: 'memories',
      as: 'state',
      order: 'oldest',
      limit: LIMITS.pageItemsMax,
    } as const
    const count = (await store.read(DEMO, query)).length
    const written: Promise<unknown>[] = []
    await store.snapshot(async (reader) => {
      for (let round = 0; round < 3; round += 1) {
        written.push(me.note(`meanwhile ${round}`))
        await new Promise((resolve) => setTimeout(resolve, 10))
        expect((await reader.read(DEMO, { type: 'standing' })).tip.head).toEqual(before)
        expect((await reader.read(DEMO, query)).length).toBe(count)
      }
    })
    await Promise.all(written)
    expect((await store.read(DEMO, query)).length).toBe(count + 6)
    await opened.close()
  }
})
