import { ok, strictEqual } from 'node:assert/strict'
import type { MemoryState } from '../../domain/state.ts'
import { queryTerms } from '../../domain/words/terms.ts'
import { BEGUN_MAX } from '../../ports/queries.ts'
import { type Case, holds } from '../manifest/case.ts'
import { same } from './compare.ts'
import type { StoreGiven } from './given.ts'

type Read = StoreGiven['read']

const ask = (read: Read, terms: readonly string[], { skip = 0, limit = 100 } = {}) =>
  read({ type: 'match', terms, kinds: ['raw', 'note'], skip, limit })

const refsFor = async (read: Read, terms: readonly string[]): Promise<readonly string[]> =>
  (await ask(read, terms)).map(({ memory }) => memory.state.ref)

const refsOf = (states: readonly MemoryState[]): readonly string[] => states.map(({ ref }) => ref)

const findCase = holds<StoreGiven>(
  'STORE-SAME',
  'words are found by any of the terms, the better match first, then the older memory',
  async ({ store, scribe, read }) => {
    scribe.birth()
    const once = scribe.save({ content: 'the ferry leaves at nine from the old harbour' })
    const twice = scribe.save({ content: 'ferry to the harbour, ferry home' })
    const other = scribe.save({ kind: 'note', content: 'the harbour is closed' })
    const twin = scribe.save({ kind: 'note', content: 'the harbour is closed' })
    for (let count = 0; count < 9; count += 1) scribe.save({ content: `nothing of note ${count}` })
    await scribe.commit(store)
    same(await refsFor(read, queryTerms('ferry')), refsOf([twice, once]), 'one term')
    const both = await ask(read, queryTerms('ferry harbour'))
    same(
      both.map(({ memory }) => memory.state.ref),
      refsOf([twice, once, other, twin]),
      'two terms, ties by age',
    )
    const [first, , third, fourth] = both.map(({ score }) => score)
    ok((first ?? 0) > (third ?? 0), 'scores fall')
    strictEqual(third, fourth, 'equal words, equal scores')
    same(await refsFor(read, queryTerms('submarine')), [], 'a word that nobody said')
    same(await refsFor(read, []), [], 'no term')
    const notes = { type: 'match', terms: ['harbour'], kinds: ['note'], skip: 0, limit: 9 } as const
    same((await read(notes)).length, 2, 'of one kind')
    same(await read({ ...notes, kinds: [] }), [], 'of no kind')
    strictEqual((await read(notes))[0]?.memory.sealed?.ref, other.ref, 'with what it sealed')
  },
)

const partsCase = holds<StoreGiven>(
  ['STORE-SAME', 'BOUND-LOUD'],
  'parts of words are answered each by itself, however many are asked for at once',
  async ({ store, scribe, read }) => {
    scribe.birth()
    scribe.save({ content: 'harbourlot harbourdock lighthousedoor 東京都' })
    const many = Array.from({ length: BEGUN_MAX + 5 }, (_, at) => `x${100 + at}steamboat`)
    scribe.save({ content: many.join(' ') })
    await scribe.commit(store)
    const first = many.slice(0, BEGUN_MAX)
    const asked: readonly (readonly [string, readonly string[]])[] = [
      ['harbour', ['harbourdock', 'harbourlot']], // begins some
      ['harbourdock', []], // is said
      ['teamboa', first], // stands in more than are given
      ['x1', []], // too short
      ['x10', first.slice(0, 10)],
      ['housedoo', ['lighthousedoor']],
      ['door', []], // too short to stand inside
      ['dock', []],
      ['ourdock', ['harbourdock']],
      ['submarine', []],
      ['"', []],
      ['housedoo', ['lighthousedoor']], // again
      ["x'; --", []],
    ]
    const found = await read({ type: 'begins', terms: asked.map(([term]) => term) })
    for (const [at, [term, terms]] of asked.entries()) same(found[at], terms, `of ${term}`)
    strictEqual(found.length, asked.length, 'one answer each')
    for (const [term, terms] of asked) {
      same(await read({ type: 'begins', terms: [term] }), [terms], `of ${term} alone`)
    }
    same(await read({ type: 'begins', terms: [] }), [], 'of none')
  },
)

const besideCase = holds<StoreGiven>(
  'STORE-SAME',
  'candidates come with their terms, and with what was said just before and after',
  async ({ store, scribe, read }) => {
    scribe.birth()
    const say = (content: string, session: string) => scribe.save({ content, session })
    const turns = ['hello', 'which boat', 'a blue sloop', 'how nice', 'thank you', 'goodbye'].map(
      (content) => say(content, 'talk'),
    )
    const apart = say('another boat', 'elsewhere')
    const note = scribe.save({ kind: 'note', content: 'no boat at all', session: 'talk' })
    await scribe.commit(store)
    const terms = ['boat', 'sloop', 'gull']
    const query = { type: 'recall', terms, near: [], kinds: ['raw'] } as const
    const seqs = turns.map(({ seq }) => seq)
    const all = await read({ ...query, hits: 9 })
    strictEqual(all.documents, 8, 'memories that search knows')
    same(all.holding, [3, 1, 0], 'how many hold each term')
    strictEqual(all.isCut, false)
    const found = all.rows.map(({ seq }) => seq)
    ok(!found.includes(note.seq), 'of the kinds that were asked for')
    same(
      [...found].sort((a, b) => a - b),
      [...seqs.slice(0, 5), apart.seq],
      'hits and two on either side',
    )
    same(all.rows.find(({ seq }) => seq === seqs[2])?.terms, 'a blue sloop', 'their terms')
    const runs = all.runs.map((run) => run.join(' ')).sort()
    const expected = [seqs.slice(0, 4), seqs.slice(0, 5), [apart.seq]].map((run) => run.join(' '))
    same(runs, expected.sort(), 'without a gap')
    const one = await read({ ...query, hits: 1 })
    strictEqual(one.isCut, true, 'there are more')
    same((await read({ ...query, hits: 0 })).rows, [], 'none asked for')
    same((await read({ ...query, terms: [], hits: 9 })).rows, [], 'no term')
    const keyed = await read({
      type: 'memories',
      where: { seqs: [apart.seq, 9_999, turns[0]?.seq ?? 0] },
      order: 'given',
    })
    same(
      keyed.map(({ state }) => state.ref),
      [apart.ref, turns[0]?.ref ?? ''],
      'by their keys, in the order that is given',
    )
  },
)

const pagesCase = holds<StoreGiven>(
  ['BOUND-LOUD', 'STORE-SAME'],
  'pages of matches come in one order, with no gap and no repeat',
  async ({ store, scribe, read }) => {
    scribe.birth()
    for (let count = 0; count < 700; count += 1) {
      const content = `boat ${'boat '.repeat(count % 4)}${count % 3 === 0 ? 'sail' : 'oar'}`
      scribe.save({ kind: count % 50 === 0 ? 'note' : 'raw', content })
    }
    await scribe.commit(store)
    const all = await ask(read, ['boat', 'sail'], { limit: 10_000 })
    strictEqual(all.length, 700, 'all of them')
    for (const limit of [1, 60, 699, 700]) {
      const found: (typeof all)[number][] = []
      for (let skip = 0; skip < 700; skip += limit) {
        found.push(...(await ask(read, ['boat', 'sail'], { skip, limit })))
        if (limit === 1 && skip > 20) break
      }
      same(found, all.slice(0, found.length), `pages of ${limit}`)
    }
    same(await ask(read, ['boat'], { limit: 0 }), [], 'none asked for')
    same(await ask(read, ['boat'], { skip: 700 }), [], 'behind the end')
    // Few are notes, and all are in the way: filters come before the limit.
    const notes = { type: 'match', terms: ['boat'], kinds: ['note'], skip: 0, limit: 14 } as const
    strictEqual((await read(notes)).length, 14, 'every note is found')
  },
)

/** Query syntax, and characters that no text can hold. */
const ODD = [
  'AND', 'OR', 'NOT', 'NEAR', 'near(a b)', 'boat*', '^boat', 'boat OR sail', '"', '""', "'", '*',
  'a"b', 'terms:boat', '-boat', '{boat}', '(', ')', '+', '\0', 'boat\0', '', ' ', 'boat sail', 'BOAT',
  '--', ';', '\ud800',
] as const // biome-ignore format: one list of odd things

const oddCase = holds<StoreGiven>(
  'STORE-SAME',
  'a term is a word and never syntax',
  async ({ store, scribe, read }) => {
    scribe.birth()
    const boat = scribe.save({ content: 'a boat' })
    const words = scribe.save({ content: 'and or not near terms' })
    await scribe.commit(store)
    for (const term of ODD) {
      same(await refsFor(read, [term]), [], JSON.stringify(term))
      same(await refsFor(read, [term, 'boat']), [boat.ref], `${JSON.stringify(term)} beside a word`)
    }
    for (const term of ['and', 'or', 'not', 'near', 'term']) {
      same(await refsFor(read, [term]), [words.ref], term)
    }
  },
)

/**
 * Scripts without spaces, combining marks, letters without capitals, letters newer than most
 * Unicode tables.
 */
const TONGUES = [
  'Grüße aus Köln', 'naïve café', 'Ελληνικές λέξεις', 'Привет мир', 'שלום עולם', 'مرحبا بالعالم',
  '東京都庁', 'ひらがな', '안녕하세요 세계', 'ภาษาไทย', 'हिन्दी में', 'İstanbul ılık', 'ﬁne ligature', '𝒻ancy',
  '\u{1e922}\u{1e923}\u{1e924}', '\u{10d4a}\u{10d4b}', '\u{31350}\u{31351}', 'ꭰꭱꭲ', 'x٣٤٥', '½ ² Ⅷ',
  `${'𠮷'.repeat(40)}`, 'a'.repeat(200),
] as const // biome-ignore format: one list of texts

const tonguesCase = holds<StoreGiven>(
  'STORE-SAME',
  'words of every script are found by the same words',
  async ({ store, scribe, read }) => {
    scribe.birth()
    const said = TONGUES.map((content) => ({ content, ref: scribe.save({ content }).ref }))
    await scribe.commit(store)
    for (const { content, ref } of said) {
      const terms = queryTerms(content)
      ok(terms.length > 0, `${content} has terms`)
      const [best] = await refsFor(read, terms)
      strictEqual(best, ref, content)
      for (const term of terms)
        ok((await refsFor(read, [term])).includes(ref), `${content}: ${term}`)
    }
  },
)

const revisionCase = holds<StoreGiven>(
  'STORE-SAME',
  'a revision is found by its own words, no longer by the old ones, and ranks are as if it were new',
  async ({ store, scribe, read }) => {
    scribe.birth()
    const one = scribe.save({ content: 'red fox' })
    const two = scribe.save({ content: 'red hen sits' })
    for (let count = 0; count < 8; count += 1) scribe.save({ content: 'grey goose' })
    await scribe.commit(store)
    const before = await ask(read, ['red'])
    for (let turn = 0; turn < 5; turn += 1) {
      scribe.revise(one.ref, { content: `blue ${'whale '.repeat(turn)}` })
      if (turn % 2 === 0) await scribe.commit(store)
    }
    await scribe.commit(store)
    same(await refsFor(read, ['red']), [two.ref], 'not by old words')
    same(await refsFor(read, ['whale']), [one.ref], 'by new words')
    scribe.revise(one.ref, { content: 'red fox' })
    await scribe.commit(store)
    const after = await ask(read, ['red'])
    same(
      after.map(({ score }) => score),
      before.map(({ score }) => score),
      'scores',
    )
    scribe.revise(two.ref, { content: '…' })
    await scribe.commit(store)
    same(await refsFor(read, ['red']), [one.ref], 'words may go altogether')
  },
)

const rebuiltCase = holds<StoreGiven>(
  ['STORE-REBUILD', 'STORE-SAME'],
  'words put in place of others are found with the same scores, and only they',
  async ({ store, stackId, scribe, read }) => {
    scribe.birth()
    const one = scribe.save({ content: 'green tea and rice' })
    const two = scribe.save({ kind: 'note', content: 'black tea' })
    for (let count = 0; count < 5; count += 1) scribe.save({ content: 'plain water' })
    const { texts, memories } = await scribe.commit(store)
    const before = await ask(read, ['tea', 'rice'])
    same(
      before.map(({ memory }) => memory.state.ref),
      refsOf([one, two]),
      'as they were',
    )
    const replace = async (kept: typeof texts) => {
      const { tip, stack } = await read({ type: 'standing' })
      const derived = {
        states: memories,
        texts: kept,
        tip: { ...tip, head: { ...tip.head, rev: tip.head.rev + 1 } },
        stack,
      }
      const result = await store.replaceDerived(stackId, derived, tip.head)
      strictEqual(result.committed, true, 'replaced')
    }
    await replace(texts)
    same(await ask(read, ['tea', 'rice']), before, 'folded anew')
    await replace(texts.filter(({ seq }) => seq !== two.seq))
    same(await refsFor(read, ['tea']), [one.ref], 'what is not given is gone')
  },
)

export const matchCases: readonly Case<StoreGiven>[] = [
  findCase,
  partsCase,
  besideCase,
  pagesCase,
  oddCase,
  tonguesCase,
  revisionCase,
  rebuiltCase,
]
