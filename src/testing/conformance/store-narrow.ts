import { ok } from 'node:assert/strict'
import { type MemoryState, shownOf } from '../../domain/state.ts'
import type { Narrowed, ReadQuery, ShelvedMemory, StoredMemory } from '../../ports/store.ts'
import { type Case, holds } from '../manifest/case.ts'
import { same } from './compare.ts'
import { DESCRIBED_KINDS, HALF, TEXTS, writeDescribed } from './described.ts'
import type { StoreGiven } from './given.ts'

type Test = (state: MemoryState) => boolean
type Filter = readonly [where: Narrowed, keeps: Test]

/** Each filter alone, with a predicate for the memories to keep. */
const ofTexts: readonly Filter[] = TEXTS.flatMap((text): readonly Filter[] => [
  [{ subtype: text }, ({ facets }) => facets.subtype === text],
  [{ status: text }, ({ facets }) => facets.status === text],
  [{ session: text }, ({ session }) => session === text],
  [{ name: text }, ({ facets }) => facets.name === text],
  [{ context: text }, ({ facets }) => [facets.context, ...facets.contextTags].includes(text)],
  [
    { contextOrNone: text },
    ({ facets }) =>
      [facets.context, ...facets.contextTags].includes(text) ||
      (facets.context === null && facets.contextTags.length === 0),
  ],
  [{ tags: [text] }, ({ facets }) => facets.tags.includes(text)],
])

const ofNumbers: readonly Filter[] = [0, 0.2, 0.5, 0.500_000_000_1, 0.9, 1, 1.1].flatMap(
  (least): readonly Filter[] => [
    [{ strengthMin: least }, ({ strength }) => strength.value >= least],
    [{ confidenceMin: least }, ({ confidence }) => confidence.value >= least],
  ],
)

const others: readonly Filter[] = [
  [{}, () => true],
  [{ tags: [] }, () => false],
  [
    { tags: ['plain', '日本', 'no such tag'] },
    ({ facets }) => /plain|日本/.test(facets.tags.join()),
  ],
  [{ tags: ['lain', 'plai', '"plain"'] }, () => false],
  [{ tags: [HALF] }, () => false],
  [{ subtype: HALF }, () => false],
  [{ status: HALF }, () => false],
  [{ session: HALF }, () => false],
  [{ name: HALF }, () => false],
  [{ source: HALF }, () => false],
  [{ context: HALF }, () => false],
  [
    { contextOrNone: HALF },
    ({ facets }) => facets.context === null && facets.contextTags.length === 0,
  ],
  [{ tierMin: 0 }, () => true],
  [{ tierMin: 2 }, ({ tier }) => tier >= 2],
  [{ tierMin: 4 }, () => false],
  [{ tierBelow: 0 }, () => false],
  [{ tierBelow: 2 }, ({ tier }) => tier < 2],
  [{ byPerson: true }, ({ label }) => label === 'UserAsserted'],
  [
    { byPerson: true, session: 'plain' },
    ({ label, session }) => label === 'UserAsserted' && session === 'plain',
  ],
  [{ except: [] }, () => true],
  [{ withoutCaptures: true }, ({ captured }) => !captured],
  [{ withoutBookkeeping: true }, ({ kind, door }) => !(kind === 'note' && door === 'hook')],
  [{ untouched: true }, ({ captured, facets }) => !captured && facets.status === null],
  [{ except: ['Rejected'] }, ({ disposition }) => disposition !== 'Rejected'],
  [{ except: ['Rejected', 'Quarantined'] }, ({ disposition }) => disposition === 'CommittedCheap'],
]

const ALONE: readonly Filter[] = [...ofTexts, ...ofNumbers, ...others]

const joined = (filters: readonly Filter[]): Filter => [
  Object.assign({}, ...filters.map(([where]) => where)),
  (state) => filters.every(([, keeps]) => keeps(state)),
]

/** Two or three at a time, as lists are really asked for; each field once. */
const TOGETHER: readonly Filter[] = ALONE.flatMap((filter, index) => {
  const others = [ALONE[(index * 7 + 3) % ALONE.length], ALONE[(index * 13 + 8) % ALONE.length]]
  const picked = [filter, ...others.flatMap((other) => (other ? [other] : []))]
  const fields = picked.flatMap(([where]) => Object.keys(where))
  return new Set(fields).size === fields.length ? [joined(picked)] : []
})

const seqsOf = (found: readonly { readonly state: MemoryState }[]): readonly number[] =>
  found.map(({ state }) => state.seq)

const byWeight = (a: MemoryState, b: MemoryState): number => b.weight - a.weight || b.seq - a.seq

const narrowCase = holds<StoreGiven>(
  ['BOUND-LOUD', 'STORE-SAME'],
  'every filter of a list keeps exactly what it says, by itself and beside others',
  async ({ store, scribe, read }) => {
    const states = await writeDescribed(scribe, store)
    ok(TOGETHER.length > 50, 'enough of them come together')
    for (const [where, keeps] of [...ALONE, ...TOGETHER]) {
      const kept = states.filter(keeps)
      for (const kind of DESCRIBED_KINDS) {
        const own = kept.filter((state) => state.kind === kind).toReversed()
        const list = await read({
          type: 'memories',
          where: { ...where, kind, present: true },
          limit: 1_000,
        })
        same(
          seqsOf(list),
          own.map(({ seq }) => seq),
          `list of ${kind}, ${JSON.stringify(where)}`,
        )
        const rising = await read({
          type: 'memories',
          where: { ...where, kind, present: true },
          order: 'oldest',
          limit: 1_000,
        })
        same(seqsOf(rising), seqsOf(list).toReversed(), `onward ${kind}, ${JSON.stringify(where)}`)
        const filter = { ...where, kind, present: true } as const
        const shelf = { type: 'memories', as: 'section', where: filter, limit: 1_000 } as const
        same(
          (await read({ ...shelf, order: 'newest' })).map(({ state }) => state.seq),
          seqsOf(list),
          `by age, ${kind}, ${JSON.stringify(where)}`,
        )
        same(
          (await read({ ...shelf, order: 'heaviest' })).map(({ state }) => state.seq),
          own.sort(byWeight).map(({ seq }) => seq),
          `by weight, ${kind}, ${JSON.stringify(where)}`,
        )
      }
      const words = { terms: ['common'], kinds: DESCRIBED_KINDS, skip: 0, limit: 1_000 } as const
      const matches = await read({ type: 'match', ...words, where })
      same(
        matches.map(({ memory }) => memory.state.seq).sort((a, b) => a - b),
        kept.map(({ seq }) => seq),
        `match, ${JSON.stringify(where)}`,
      )
    }
  },
)

type Page = readonly ShelvedMemory[]

const weightCase = holds<StoreGiven>(
  ['BOUND-LOUD', 'STORE-SAME'],
  'pages by weight are heaviest first, then newest, with no gap and no repeat, down to nothing',
  async ({ store, scribe, read }) => {
    const states = await writeDescribed(scribe, store)
    for (const where of [{}, { except: ['Rejected'] }] as const satisfies readonly Narrowed[]) {
      const own = states.filter(({ kind, disposition }) => {
        const isLeftOut = 'except' in where && disposition === 'Rejected'
        return kind === 'belief' && !isLeftOut
      })
      const expected = own.sort(byWeight)
      const sealed = await sealedTexts(read, scribe.tip.head.seq)
      const rows = expected.map((state) => shelvedOf(state, sealed))
      for (const limit of [1, 2, 7, 20, 1_000]) {
        same(await paged(read, { order: 'heaviest', limit, where }), rows, `in pages of ${limit}`)
        const byAge = rows.toSorted((a, b) => b.state.seq - a.state.seq)
        same(
          await paged(read, { order: 'newest', limit, where }),
          byAge,
          `by age, in pages of ${limit}`,
        )
      }
    }
    const none = {
      type: 'memories',
      as: 'section',
      where: { kind: 'belief', present: true },
      order: 'heaviest',
      limit: 0,
    } as const
    same(await read(none), [], 'none')
  },
)

interface Paging {
  readonly order: 'heaviest' | 'newest'
  readonly limit: number
  readonly where: Narrowed
}

async function paged(read: StoreGiven['read'], { order, limit, where }: Paging): Promise<Page> {
  const found: Page[number][] = []
  for (let behind: { weight: number; seq: number } | null = null; ; ) {
    const filter = { ...where, kind: 'belief', present: true } as const
    const asked = { type: 'memories', as: 'section', where: filter, limit } as const
    const page: Page = await read(
      order === 'heaviest'
        ? { ...asked, order, after: behind }
        : { ...asked, order, after: behind?.seq ?? null },
    )
    found.push(...page)
    const last = page.at(-1)
    if (last === undefined || page.length < limit) return found
    behind = { weight: last.state.weight, seq: last.state.seq }
  }
}

async function sealedTexts(
  read: StoreGiven['read'],
  to: number,
): Promise<ReadonlyMap<number, string>> {
  const decoder = new TextDecoder()
  const sealed = await read({ type: 'table', name: 'sealed', from: 0, to })
  return new Map(sealed.map(({ seq, bytes }) => [seq, decoder.decode(bytes)]))
}

function shelvedOf(state: MemoryState, sealed: ReadonlyMap<number, string>): Page[number] {
  const { parents: _, ...shown } = shownOf(state)
  const { seq, weight, line, revisionSeq } = state
  const text = sealed.get(revisionSeq) ?? null
  return { state: { ...shown, seq, weight, line }, sealed: text, notes: [] }
}

const pagesCase = holds<StoreGiven>(
  ['BOUND-LOUD', 'STORE-SAME'],
  'pages of a narrowed list go on behind the last one, whatever the filter leaves out',
  async ({ store, scribe, read }) => {
    const states = await writeDescribed(scribe, store)
    const where: Narrowed = { strengthMin: 0.2, tierMin: 1, contextOrNone: 'plain' }
    const isOpen = ({ facets }: MemoryState): boolean =>
      [facets.context, ...facets.contextTags].includes('plain') ||
      (facets.context === null && facets.contextTags.length === 0)
    const expected = states
      .filter(({ kind, strength, tier }) => kind === 'note' && strength.value >= 0.2 && tier >= 1)
      .filter(isOpen)
      .toReversed()
    for (const limit of [1, 3, 1_000]) {
      const found: MemoryState[] = []
      for (let before: number | null = null; ; ) {
        const query: ReadQuery = {
          type: 'memories',
          where: { ...where, kind: 'note', present: true },
          after: before,
          limit,
        }
        const page: readonly StoredMemory[] = (await read(query)) as readonly StoredMemory[] // the answer type of the query
        found.push(...page.map(({ state }) => state))
        const last = page.at(-1)
        if (last === undefined || page.length < limit) break
        before = last.state.seq
      }
      same(found, expected, `in pages of ${limit}`)
    }
    ok(expected.length > 2, 'there are some')
    for (const limit of [1, 3, 1_000]) {
      const found: MemoryState[] = []
      for (let after = -1; ; ) {
        const query: ReadQuery = {
          type: 'memories',
          where: { ...where, kind: 'note', present: true },
          order: 'oldest',
          after,
          limit,
        }
        const page: readonly StoredMemory[] = (await read(query)) as readonly StoredMemory[] // the answer type of the query
        found.push(...page.map(({ state }) => state))
        const last = page.at(-1)
        if (last === undefined || page.length < limit) break
        after = last.state.seq
      }
      same(found, expected.toReversed(), `onward in pages of ${limit}`)
    }
  },
)

export const narrowCases: readonly Case<StoreGiven>[] = [narrowCase, weightCase, pagesCase]
