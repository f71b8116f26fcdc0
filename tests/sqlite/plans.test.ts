import { expect, onTestFinished, test } from 'vitest'
import { toRef } from '../../src/domain/ids.ts'
import type { Narrowed, ReadQuery } from '../../src/ports/store.ts'
import { SqliteStore } from '../../src/stores/sqlite/store.ts'
import { lineNeed, needing } from '../../src/testing/conformance/given.ts'
import { digest, Scribe } from '../../src/testing/conformance/scribe.ts'
import { DEMO } from './support/history.ts'
import { planning, planningWatch, tellsPlanning } from './support/plans.ts'

const { driver, plans } = planning()

async function written(): Promise<{ readonly store: SqliteStore; readonly scribe: Scribe }> {
  const store = new SqliteStore({ path: ':memory:', driver })
  onTestFinished(() => store.close())
  const scribe = new Scribe(DEMO)
  scribe.birth()
  scribe.save()
  await scribe.commit(store)
  await store.read(DEMO, { type: 'standing' })
  plans()
  return { store, scribe }
}

/** A walk through all of a table, with or without an index that holds all of it. */
const isWalk = (step: string): boolean => /^SCAN (?!.*(VIRTUAL TABLE|CONSTANT))/.test(step)

/** Working tables of the query itself: what was asked for, and what was found so far. */
const isOwn = (step: string): boolean => /^SCAN (walk|w|t|asked|a|\(subquery|\d)/.test(step)

/** Small by what they hold: what is gone, and refs that were only ever named. */
const isSmall = (step: string): boolean => /^SCAN (g USING INDEX memories_gone|a$)/.test(step)

const where: Narrowed = {
  subtype: 's',
  status: 's',
  contextOrNone: 'c',
  tags: ['t'],
  strengthMin: 0.5,
  confidenceMin: 0.5,
  tierMin: 1,
  except: ['Rejected'],
}
const page = { after: null, limit: 50 } as const

const READS: readonly (readonly [name: string, query: ReadQuery, step: RegExp])[] = [
  [
    'a list from its beginning',
    {
      type: 'memories',
      where: { kind: 'note', present: true },
      order: 'oldest',
      after: 7,
      limit: 50,
    },
    /m USING INDEX memories_by_kind \(kind=\? AND seq>\?\)/,
  ],
  [
    'prompts of a session',
    {
      type: 'memories',
      where: { kind: 'raw', present: true, session: 's', byPerson: true },
      ...page,
    },
    /m USING INDEX memories_by_person \(session=\? AND kind=\? AND seq<\?\)/,
  ],
  [
    'what bears a tag',
    { type: 'memories', where: { kind: 'note', present: true, tags: ['t'] }, ...page },
    /m USING INDEX memories_tagged \(kind=\? AND seq<\?\)/,
  ],
  [
    'what nothing came of yet',
    {
      type: 'memories',
      where: { kind: 'raw', present: true, untouched: true },
      order: 'oldest',
      after: 7,
      limit: 50,
    },
    /m USING INDEX memories_untouched \(kind=\? AND seq>\?\)/,
  ],
  [
    'a line',
    { type: 'line', line: digest('l'), which: 'all' },
    /m USING INDEX memories_gave_way \(line=\?\)/,
  ],
  [
    'what stands on a line',
    { type: 'line', line: digest('l'), which: 'standing', at: null },
    /m USING INDEX memories_standing \(line=\?\)/,
  ],
  [
    'the newest of every line',
    { type: 'memories', where: { newestOfLine: true }, ...page },
    /m USING INDEX memories_by_kind \(kind=\? AND seq<\?\)/,
  ],
  [
    'what came later on a line',
    { type: 'memories', where: { newestOfLine: true }, ...page },
    /n USING INDEX memories_standing \(line=\? AND seq>\?\)/,
  ],
  [
    'what was not captured for others',
    { type: 'memories', where: { kind: 'raw', present: true, withoutCaptures: true }, ...page },
    /m USING INDEX memories_own \(kind=\? AND seq<\?\)/,
  ],
  [
    'a list',
    { type: 'memories', where: { kind: 'note', present: true }, ...page },
    /m USING INDEX memories_by_kind \(kind=\? AND/,
  ],
  [
    'a narrowed list',
    { type: 'memories', where: { ...where, kind: 'note', present: true }, ...page },
    /memories_tagged \(kind=\? AND/,
  ],
  [
    'a list by name',
    { type: 'memories', where: { kind: 'drive', present: true, ...where, name: 'n' }, ...page },
    /m USING INDEX memories_by_name \(kind=\? AND name=\? AND/,
  ],
  [
    'a list of a session',
    { type: 'memories', where: { kind: 'raw', present: true, ...where, session: 's' }, ...page },
    /m USING INDEX memories_by_session \(session=\? AND kind=\? AND/,
  ],
  [
    'what weighs most',
    {
      type: 'memories',
      as: 'section',
      where: { ...where, kind: 'belief', present: true },
      order: 'heaviest',
      limit: 50,
    },
    /m USING INDEX memories_by_weight \(kind=\? AND weight>\? AND/,
  ],
  [
    'the next page of that',
    {
      type: 'memories',
      as: 'section',
      where: { kind: 'belief', present: true },
      order: 'heaviest',
      after: { weight: 0.5, seq: 9 },
      limit: 50,
    },
    /m USING INDEX memories_by_weight \(kind=\? AND weight/,
  ],
  [
    'what waits',
    { type: 'memories', where: { review: ['flagged', 'contest'] }, ...page },
    /m USING (COVERING )?INDEX memories_by_review \(review=\?/,
  ],
  [
    'what lost its grounds',
    { type: 'memories', where: { ...where, ungrounded: true }, ...page },
    /g USING INDEX memories_gone/,
  ],
  [
    'which of these lost its grounds',
    { type: 'memories', where: { ...where, ungrounded: true, refs: [] }, ...page },
    /m USING (COVERING )?INDEX memories_by_ref/,
  ],
  [
    'what says the same',
    { type: 'memories', as: 'state', where: { identity: digest('i') }, order: 'oldest' },
    /INDEX memories_by_identity/,
  ],
  [
    'one memory',
    { type: 'memory', ref: toRef('raw', '01980000-0000-7000-8000-00000000dead' as never) },
    /INDEX memories_by_ref \(ref=\?\)/,
  ], // an id, written out
  [
    'states',
    { type: 'memories', as: 'state', order: 'oldest', after: 5, limit: 10 },
    /SEARCH m USING INTEGER PRIMARY KEY/,
  ],
  [
    'a match',
    { type: 'match', terms: ['word'], kinds: ['note'], skip: 0, limit: 10, where },
    /SCAN words VIRTUAL TABLE/,
  ],
  [
    'what stands beside a match',
    { type: 'recall', terms: ['word'], near: [], kinds: ['note'], hits: 10, where },
    /b USING (COVERING )?INDEX memories_by_session \(session=\? AND kind=\? AND seq[<>]\?\)/,
  ],
  [
    'what entries are about',
    { type: 'touched', after: 5, limit: 10 },
    /SEARCH m USING INDEX memories_by_ref \(ref=\?\)/,
  ],
  [
    'memories by their keys',
    { type: 'memories', where: { seqs: [1, 2] }, order: 'given' },
    /SEARCH m USING INTEGER PRIMARY KEY/,
  ],
]

for (const [name, query, step] of READS) {
  test(`${name} is read by way of its index`, async () => {
    const { store } = await written()
    await store.read(DEMO, query)
    const steps = plans()
    expect(
      steps.some((each) => step.test(each)),
      steps.join('\n'),
    ).toBe(true)
    expect(steps.filter(isWalk).filter((each) => !isOwn(each) && !isSmall(each))).toEqual([])
  })

  // Only SQLite knows, and before Node 24.10 it is not asked.
  test.skipIf(!tellsPlanning)(`${name} is planned once, however often it is read`, async () => {
    const hasPlanned = planningWatch()
    const { store } = await written()
    await store.read(DEMO, query)
    expect(hasPlanned()).toBe(true)
    plans()
    hasPlanned() // to explain is to plan
    await store.read(DEMO, query)
    expect(hasPlanned()).toBe(false)
  })
}

test('pages are not sorted: rows come in the order of their index', async () => {
  const { store } = await written()
  await store.read(DEMO, {
    type: 'memories',
    where: { ...where, kind: 'note', present: true },
    ...page,
  })
  await store.read(DEMO, {
    type: 'memories',
    where: { kind: 'note', present: true, name: 'n' },
    ...page,
  })
  await store.read(DEMO, {
    type: 'memories',
    where: { kind: 'raw', present: true, session: 's' },
    ...page,
  })
  await store.read(DEMO, {
    type: 'memories',
    as: 'section',
    where: { ...where, kind: 'belief', present: true },
    order: 'heaviest',
    limit: 9,
  })
  expect(plans().filter((step) => /TEMP B-TREE/.test(step))).toEqual([])
})

test('whatever is gathered is found by way of an index', async () => {
  const { store, scribe } = await written()
  const { ref, identity } = scribe.save()
  const needs = needing({
    refs: [ref],
    identities: [identity],
    lines: [lineNeed('l')],
    actors: ['ann'],
    bursts: [{ actor: 'ann', identity }],
    tombstones: [digest('t')],
    reaches: [{ from: [ref], to: ref }],
    children: [ref],
    ancestors: [ref],
  })
  await store.gather(DEMO, needs)
  const steps = plans()
  expect(steps).toContain('SEARCH f USING INDEX memories_by_name (kind=? AND name=?)')
  expect(steps.filter(isWalk).filter((each) => !isOwn(each))).toEqual([])
})

/** Looked through once, however much was erased: what is pending, and what was erased at any time. */
const isOnce = (step: string): boolean => /^SCAN (s|g|a|scrubs|erasures)( |$)/.test(step)

test('what is erased is found by way of an index, and by one walk for what is misfiled', async () => {
  const { store, scribe } = await written()
  const { ref } = scribe.save()
  await scribe.commit(store)
  plans()
  scribe.erase(ref)
  await scribe.commit(store)
  const erasing = plans('deletions')
  expect(erasing.filter(isWalk), erasing.join('\n')).toEqual([])
  expect(await store.scrub(DEMO)).toBe(true)
  const scrubbing = plans('deletions')
  expect(scrubbing.filter(isWalk).filter((each) => !isOnce(each))).toEqual(['SCAN provenance_log'])
})
