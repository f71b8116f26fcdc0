import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Caller } from '../../src/domain/doors.ts'
import { Entity, label, openStack, restoreStack, type Stack } from '../../src/index.ts'
import { verifyErasure } from '../../src/ledger/verify/index.ts'
import { printOf } from '../../src/recall/embed/print.ts'
import { MemoryReceipts } from '../../src/stores/memory/receipts.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { ownFolder } from '../sqlite/support/folder.ts'
import { holds } from '../support/holds.ts'
import { hashesIn } from '../support/prints.ts'

const WORDS = 'Zwickelfarbe'
const person: Caller = {
  door: 'cli',
  operation: 'erase',
  person: true,
  grant: null,
  session: null,
  turn: null,
}
const program: Caller = { ...person, person: false }
const asUser = { label: label.userAsserted(), actor: 'ada' }

const STORES = [
  ['in memory', () => new MemoryStore()],
  ['in SQLite', () => new SqliteStore({ path: join(ownFolder(), 'test.db') })],
] as const

async function fresh(make: () => MemoryStore | SqliteStore = () => new MemoryStore()) {
  const world = fakeWorld(1)
  const store = make()
  const stack = await openStack('test', { store, ...world })
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  return { stack, store, me, world }
}

const linesOf = async (stack: Stack): Promise<readonly string[]> => {
  const lines: string[] = []
  for await (const line of stack.transfer.bundle()) lines.push(line)
  return lines
}

const sound = async (stack: Stack): Promise<void> => {
  expect((await stack.ledger.audit()).problems).toEqual([])
  expect((await stack.ledger.audit({ only: 'chain' })).problems).toEqual([])
}

describe.each(STORES)('erasing %s', (_, make) => {
  holds(
    'LEDGER-CONTENTLESS',
    'takes what was captured with a memory, and the claim it uttered',
    async () => {
      const { stack, me } = await fresh(make)
      const claim = await me.claim({ subject: 'ada', predicate: 'city', value: WORDS }, asUser)
      const belief = await me.belief('Colours matter', { because: `she said ${WORDS}` })
      const [utterance] = claim.captures
      const gone = await stack.erasure.erase(String(utterance))
      expect(new Set(gone.erased)).toEqual(new Set([claim.ref, ...claim.captures]))
      const [raw, note] = belief.captures
      const second = await stack.erasure.erase(String(raw), { derived: 'keep' })
      expect(new Set(second.erased)).toEqual(new Set([raw, note]))
      expect(second.derived).toEqual([belief.ref])
      expect(await stack.getMemory('belief', belief.id)).toMatchObject({ text: 'Colours matter' })
      await sound(stack)
      await stack.ledger.rebuild()
      await sound(stack)
    },
  )

  test('lists, takes or keeps what was made from it, as the caller chooses', async () => {
    const { stack, me } = await fresh(make)
    const chain = async (name: string) => {
      const raw = await me.raw(`${WORDS} ${name}`)
      const note = await me.note(`${WORDS} noted ${name}`, { derivedFrom: [raw.ref] })
      const belief = await me.belief(`${name} is so`, { derivedFrom: [note.ref] })
      return { raw: raw.ref, note: note.ref, belief: belief.ref }
    }
    const [one, two, three] = [await chain('first'), await chain('second'), await chain('third')]
    expect(await stack.erasure.erase(one.raw)).toMatchObject({ derived: [one.note, one.belief] })
    expect((await stack.history.why(one.note)).memory.flags).toMatchObject([
      { code: 'source_erased' },
    ])
    expect(await stack.erasure.erase(two.raw, { derived: 'keep' })).toMatchObject({
      erased: [two.raw],
    })
    expect((await stack.history.why(two.note)).memory.flags).toEqual([])
    const all = await stack.erasure.erase(three.raw, { derived: 'erase' })
    expect(all).toMatchObject({ erased: [three.raw, three.note, three.belief], derived: [] })
    await sound(stack)
  })

  test('leaves nothing of the words to any reader, and says that they were erased', async () => {
    const { stack, me, world } = await fresh(make)
    const raw = await me.raw(`Her colour is ${WORDS}`)
    const note = await me.note('It is noted', { derivedFrom: [raw.ref] })
    const { head } = await stack.ledger.audit()
    world.clock.advance({ days: 1 })
    await stack.erasure.erase(raw.ref)
    const seen = JSON.stringify([
      await stack.search(WORDS),
      await stack.load({}),
      await stack.history.trace(note.ref),
      await stack.history.why(raw.ref),
      await stack.history.why(raw.ref, { asOf: head.seq }),
      await stack.history.impact(raw.ref),
      await stack.dump({ format: 'json', includeForgotten: true }),
      await stack.history.diff(0, head.seq),
      await stack.ledger.prov(),
      await stack.getRaw(),
      await stack.list('raw'),
      await linesOf(stack),
    ])
    expect(seen).not.toContain(WORDS)
    expect(await stack.getMemory('raw', raw.id)).toMatchObject({ text: '(erased)', body: {} })
    const { memory, changes } = await stack.history.why(raw.ref)
    expect(memory.erased).toEqual({ seq: changes.at(-1)?.seq })
    expect((await stack.getStats()).raw ?? 0).toBe(0)
    expect(await stack.forgetMemory('raw', raw.id, 'again')).toBe(false)
  })

  test('keeps deriving from it, and its id, out', async () => {
    const { stack, me } = await fresh(make)
    const raw = await me.raw(WORDS)
    await stack.erasure.erase(raw.ref)
    await expect(me.note('made of nothing', { derivedFrom: [raw.ref] })).rejects.toMatchObject({
      message: expect.stringContaining('was erased'),
    })
    const again = {
      kind: 'raw' as const,
      id: raw.id,
      body: { content: 'other words' },
      provenance: {
        sourceType: 'direct_experience' as const,
        label: label.firstHand(),
        sourceId: 'x',
        ingestionPath: 'lib:test',
        confidence: 1,
        llmModel: null,
      },
    }
    await expect(stack.write(again)).rejects.toMatchObject({ code: 'id_erased' })
    await sound(stack)
  })

  test('an actor goes with its key and all that is counted under its name', async () => {
    const { stack, store, me } = await fresh(make)
    const said = await me.note(`ada says ${WORDS}`, asUser)
    const other = await me.note('bob says nothing', { ...asUser, actor: 'bob' })
    const gone = await stack.erasure.erase({ actor: 'ada' }, { basis: 'consent_withdrawn' })
    expect(gone.erased).toEqual([...said.captures, said.ref])
    expect(gone.entries).toHaveLength(3)
    const keys = await store.read(stack.stackId, { type: 'table', name: 'actorKeys' })
    expect(keys.map(({ actor }) => actor)).not.toContain('ada')
    expect((await stack.history.why(other.ref)).memory.erased).toBeNull()
    await me.note('ada comes back', asUser)
    await sound(stack)
  })

  test('a subject is kept out whoever speaks of it', async () => {
    const { stack, me } = await fresh(make)
    const line = { subject: 'Ada', predicate: 'city' }
    await me.claim({ ...line, value: WORDS }, asUser)
    await me.claim({ ...line, value: 'Rome' }, { ...asUser, actor: 'bob' })
    const kept = await me.claim({ ...line, subject: 'eve', value: WORDS }, asUser)
    const gone = await stack.erasure.erase({ subject: ' ada ' })
    expect(gone.erased.filter((ref) => ref.startsWith('claim:'))).toHaveLength(2)
    expect(await stack.claims.ask(line)).toMatchObject({ standing: 'unknown', value: null })
    expect((await stack.history.why(kept.ref)).memory.erased).toBeNull()
    const carol = { ...asUser, actor: 'carol' }
    await expect(me.claim({ ...line, value: WORDS }, carol)).rejects.toMatchObject({
      code: 'refused',
    })
    await sound(stack)
  })

  test('an erased successor keeps its place: the older value does not come back', async () => {
    const { stack, me, world } = await fresh(make)
    const line = { subject: 'ada', predicate: 'city' }
    await me.claim({ ...line, value: 'Bern' }, asUser)
    const between = world.clock.now() + 3_600_000
    world.clock.advance({ days: 1 })
    const later = await me.claim({ ...line, value: WORDS }, asUser)
    world.clock.advance({ days: 1 })
    await stack.erasure.erase(later.ref)
    expect(await stack.claims.ask(line)).toMatchObject({
      standing: 'unknown',
      value: null,
      erased: [later.ref],
    })
    const validAt = new Date(between).toISOString()
    expect(await stack.claims.ask({ ...line, validAt })).toMatchObject({
      value: 'Bern',
      erased: [],
    })
    await me.claim({ ...line, value: 'Basel' }, asUser)
    expect(await stack.claims.ask(line)).toMatchObject({ standing: 'held', value: 'Basel' })
    await sound(stack)
  })

  test('an erased successor is named also when the older claim is taken back', async () => {
    const { stack, me } = await fresh(make)
    const line = { subject: 'ada', predicate: 'city' }
    const older = await me.claim({ ...line, value: 'Bern' }, asUser)
    const later = await me.claim({ ...line, value: WORDS }, asUser)
    await stack.erasure.erase(later.ref)
    expect(await stack.claims.ask(line)).toMatchObject({ standing: 'unknown', erased: [later.ref] })
    await stack.claims.retract(older.ref, asUser)
    expect(await stack.claims.ask(line)).toMatchObject({
      standing: 'retracted',
      retracted: [older.ref],
      erased: [later.ref],
    })
    await sound(stack)
  })

  test('an erased successor is named also when the older claim is taken back and over', async () => {
    const { stack, me } = await fresh(make)
    const line = { subject: 'ada', predicate: 'city' }
    const older = await me.claim({ ...line, value: 'Bern' }, asUser)
    const later = await me.claim({ ...line, value: WORDS }, asUser)
    await stack.claims.end(older.ref, { ...asUser, at: '2020' })
    await stack.erasure.erase(later.ref)
    expect(await stack.claims.ask(line)).toMatchObject({ standing: 'unknown', erased: [later.ref] })
    await stack.claims.retract(older.ref, asUser)
    expect(await stack.claims.ask(line)).toMatchObject({
      standing: 'unknown',
      retracted: [],
      erased: [later.ref],
    })
    await sound(stack)
  })

  test('only a person or the host erases: a model’s wish waits, and a person grants it', async () => {
    const { stack, me } = await fresh(make)
    const note = await me.note(WORDS)
    const wish = await stack.erasure.erase(note.ref, { caller: program, basis: 'secret' })
    expect(wish).toMatchObject({ erased: [], certificate: null })
    expect(wish.proposed).not.toBeNull()
    expect((await stack.history.why(note.ref)).memory.text).toBe(WORDS)
    await expect(
      stack.erasure.erase({ actor: 'my-agent' }, { caller: program }),
    ).rejects.toMatchObject({
      code: 'scope',
    })
    await expect(stack.erasure.readmit(note.ref, { caller: program })).rejects.toMatchObject({
      code: 'scope',
    })
    expect(await stack.review.resolve(note.ref, 'accept', { caller: person })).toBe(true)
    expect((await stack.history.why(note.ref)).memory.erased).not.toBeNull()
    await sound(stack)
  })

  test('a revised memory goes with the words of every revision', async () => {
    const { stack, me } = await fresh(make)
    const raw = await me.episode({ objective: 'a reason', outcome: 'given' })
    const goal = await me.goal(`reach ${WORDS}`, { derivedFrom: [raw.ref] })
    await stack.updateMemoryMeta('goal', goal.id, { tags: [WORDS] })
    await stack.write({
      kind: 'goal',
      id: goal.id,
      body: { title: 'reach something', status: 'completed' },
      provenance: {
        sourceType: 'direct_experience',
        label: label.firstHand(),
        sourceId: 'my-agent',
        ingestionPath: 'lib:test',
        confidence: 1,
        llmModel: null,
        derivedFrom: [raw.ref],
      },
      revises: { expectedVersion: 1 },
    })
    await stack.erasure.erase(goal.ref)
    for (const words of [`reach ${WORDS}`, 'reach something']) {
      const write = me.goal(words, { derivedFrom: [raw.ref], label: label.firstHand() })
      await expect(write).rejects.toMatchObject({ code: 'refused' })
    }
    await sound(stack)
  })

  test('in maintenance too, and twice changes nothing', async () => {
    const { stack, me } = await fresh(make)
    const raw = await me.raw(WORDS)
    await stack.control.setState('MAINTENANCE')
    expect(await stack.erasure.erase(raw.ref)).toMatchObject({ erased: [raw.ref] })
    const { head } = await stack.ledger.audit()
    expect(await stack.erasure.erase(raw.ref)).toMatchObject({
      erased: [],
      entries: [],
      certificate: null,
    })
    expect((await stack.ledger.audit()).head).toEqual(head)
    await expect(
      stack.erasure.erase('raw:00000000-0000-7000-8000-000000000000'),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
    await sound(stack)
  })
})

test('an erasure survives a bundle, and an older bundle does not bring it back', async () => {
  const home = ownFolder()
  const at = (name: string) => ({ path: join(home, name), home })
  const stack = await openStack('demo', at('a.db'))
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  const raw = await me.raw(`My colour is ${WORDS}`)
  const older = await linesOf(stack)
  await stack.erasure.erase(raw.ref)
  const newer = await linesOf(stack)
  expect(newer.join('')).not.toContain(WORDS)
  await stack.close()
  for (const [name, from] of Object.entries({ older, newer })) {
    const back = await restoreStack('demo', { ...at(`${name}.db`), from })
    expect((await back.history.why(raw.ref)).memory.erased, name).not.toBeNull()
    expect(await back.search(WORDS), name).toEqual([])
    const again = new Entity('my-agent')
    await again.attachStack(back)
    await expect(again.raw(`My colour is ${WORDS}`), name).rejects.toMatchObject({
      code: 'refused',
    })
    await sound(back)
    await back.close()
  }
})

test('who may not erase an actor forgets nothing of what it was told', async () => {
  const path = join(ownFolder(), 'demo.db')
  const stack = await openStack('demo', { path, home: ownFolder() })
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  await me.raw('The sky is green')
  await stack.search('sky', { actor: 'ada', session: 'a session' })
  const told = () => stack.history.receipts('a session')
  expect(await told()).toHaveLength(1)
  for (const act of [{ caller: program }, { label: label.modelDerived() }]) {
    await expect(stack.erasure.erase({ actor: 'ada' }, act)).rejects.toMatchObject({
      code: 'scope',
    })
    expect(await told()).toHaveLength(1)
  }
  await stack.erasure.erase({ actor: 'ada' }, { caller: person })
  expect(await told()).toEqual([])
  await stack.close()
})

holds('ERASE-BYTES', 'no receipt holds the words of a reason, erased or not', async () => {
  const receipts = new MemoryReceipts()
  const stack = await openStack('test', { store: new MemoryStore(), receipts, ...fakeWorld(1) })
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  const note = await me.note('A talk')
  const reason = 'Zwickelfarbe Larkspur Quenby diagnosis'
  await stack.forgetMemory('note', note.id, reason, { ...asUser, actor: 'ada' })
  const read = () => stack.history.why(note.ref, { session: 'reader', actor: 'bob' })
  await read()
  const holding = async (text: string) => {
    const words = hashesIn(printOf(text))
    return (await receipts.all()).filter(({ print }) =>
      words.every((word) => print?.includes(word)),
    )
  }
  const known = () => holding(reason)
  expect(await holding('A talk')).not.toEqual([])
  expect(await known()).toEqual([])
  // Somebody reads the reason while the actor is being erased.
  const { forget } = receipts
  receipts.forget = async (what) => {
    await forget.call(receipts, what)
    if (what.actor !== null) await read()
  }
  await stack.erasure.erase({ actor: 'ada' })
  expect(await known()).toEqual([])
  expect((await receipts.all()).some(({ receipt }) => receipt.ref === note.ref)).toBe(true)
})

test('a dump that still has the words is refused at the door it comes in by', async () => {
  const { stack, me } = await fresh()
  const note = await me.note(WORDS, asUser)
  const dump = JSON.parse(await stack.dump({ format: 'json' }))
  await stack.erasure.erase(note.ref)
  const fresher = JSON.parse(JSON.stringify(dump).replaceAll(note.id, note.id.replace(/.$/, '0')))
  const grant = {
    UserAsserted: 3,
    ExternalFirstHand: 2,
    ModelDerived: 1,
    RecallReEntry: 0,
  } as const
  for (const each of [dump, fresher]) {
    const report = await stack.transfer.import(each, { grant })
    expect(report).toMatchObject({ total: 2, written: 0, refused: [{}, {}] })
  }
})

test('while somebody reads an older state there is no certificate; it comes when nobody does', async () => {
  const path = join(ownFolder(), 'demo.db')
  const stack = await openStack('demo', { path, home: ownFolder() })
  const me = new Entity('my-agent')
  await me.attachStack(stack)
  const raw = await me.raw(WORDS)
  const reader = new SqliteStore({ path, readOnly: true })
  const gone = await reader.snapshot(async (held) => {
    await held.read(stack.stackId, { type: 'counts' })
    return stack.erasure.erase(raw.ref)
  })
  expect(gone).toMatchObject({ erased: [raw.ref], scrubbed: false, certificate: null })
  await reader.close()
  const keys = [await stack.ledger.verifierKey()]
  expect(verifyErasure(await stack.erasure.certificate(raw.ref), { keys }).ok).toBe(true)
  await stack.close()
})

test('every flipped bit of a certificate is noticed', async () => {
  const { stack, me } = await fresh()
  const raw = await me.raw(WORDS)
  const { certificate } = await stack.erasure.erase(raw.ref)
  const keys = [await stack.ledger.verifierKey()]
  expect(verifyErasure(certificate, { keys })).toMatchObject({
    ok: true,
    codes: ['content.erased'],
  })
  const text = JSON.stringify(certificate)
  for (let at = 0; at < text.length; at += 3) {
    const flipped = String.fromCharCode(text.charCodeAt(at) ^ (1 << (at % 5)))
    let changed: unknown
    try {
      changed = JSON.parse(text.slice(0, at) + flipped + text.slice(at + 1))
    } catch {
      continue // not even JSON any more
    }
    if (JSON.stringify(changed) === text) continue
    expect(verifyErasure(changed, { keys }).ok, `${at}: ${text.slice(at - 20, at + 5)}`).toBe(false)
  }
  expect(verifyErasure(certificate, { keys: [] }).codes).toContain('signature.unknown')
})

describe.each(STORES)('an actor that is erased %s', (_, make) => {
  test('takes along what it said of the memories of others', async () => {
    const { stack, me } = await fresh(make)
    const note = await me.note('A talk')
    const ada = { actor: 'ada', label: label.userAsserted() }
    await stack.forgetMemory('note', note.id, `because of ${WORDS}`, ada)
    await stack.recoverMemory('note', note.id, ada)
    await stack.updateMemoryMeta('note', note.id, { tags: ['kept'] })
    expect(JSON.stringify(await linesOf(stack))).toContain(WORDS)
    await stack.erasure.erase({ actor: 'ada' })
    const lines = await linesOf(stack)
    expect(JSON.stringify(lines)).not.toContain(WORDS)
    expect(await stack.getMemory('note', note.id)).toMatchObject({ text: 'A talk', tags: ['kept'] })
    await sound(stack)
    await stack.ledger.rebuild()
    await sound(stack)
    const back = await restoreStack('test', { store: make(), ...fakeWorld(2), from: lines })
    await sound(back)
  })
})
