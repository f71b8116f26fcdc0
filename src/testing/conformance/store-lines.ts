import type { ClaimState } from '../../domain/claims.ts'
import { lineStateOf, type MemoryState } from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import type { Disposition } from '../../domain/vocabulary.ts'
import type { LineNeed } from '../../domain/waist.ts'
import { type Case, holds } from '../manifest/case.ts'
import { same, sameRows } from './compare.ts'
import { lineNeed, needing, type StoreGiven } from './given.ts'
import { digest, type Scribe } from './scribe.ts'

const year = (number: number): Instant => `${number}-01-01T00:00:00.000Z` as Instant // written out

const PLAIN: ClaimState = {
  span: { from: null, until: null },
  sure: 1,
  criticality: 'Medium',
  endedAt: null,
  overruledBy: null,
  word: null,
}

interface Shape {
  readonly claim?: Partial<ClaimState>
  readonly kind?: string
  readonly label?: MemoryState['label']
  readonly disposition?: Disposition
}

/** A claim of the timeline `l` in a given state. */
function claimOn(
  scribe: Scribe,
  { claim, kind = 'Functional', label, disposition }: Shape = {},
): MemoryState {
  const born = scribe.save({ kind: 'claim', line: 'l' })
  const state: MemoryState = {
    ...born,
    claim: { ...PLAIN, ...claim },
    facets: { ...born.facets, subtype: kind },
    label: label ?? 'UserAsserted',
    disposition: disposition ?? born.disposition,
  }
  scribe.replace(state)
  return state
}

const lineCase = holds<StoreGiven>(
  'STORE-SAME',
  'what speaks about a line is found by it, oldest first, with what it seals and what its line is folded by',
  async ({ store, scribe, read }) => {
    scribe.birth()
    const one = claimOn(scribe)
    scribe.save({ kind: 'claim', line: 'm' })
    const span = { from: year(2020), until: null }
    const two = claimOn(scribe, {
      claim: { span, sure: 0.7, criticality: 'High', word: 'affirmed' },
    })
    await scribe.commit(store)
    for (const which of ['all', 'standing'] as const) {
      const query = { type: 'line', line: digest('l'), which, at: null } as const
      const { claims, ...leftOut } = await read(query)
      same(
        claims.map(({ state }) => state),
        [lineStateOf(one), lineStateOf(two)],
        `${which} of a line`,
      )
      const texts = claims.map(({ sealed }) => JSON.parse(sealed ?? 'null').body.content)
      same(texts, [`words of ${one.ref}`, `words of ${two.ref}`], 'what they sealed')
      same(leftOut, { gaveWay: 0, over: 0 }, 'nothing is left out')
      const nobody = await read({ ...query, line: digest('n') })
      same(nobody, { claims: [], gaveWay: 0, over: 0 }, 'a line nobody speaks about')
    }
  },
)

const changedCase = holds<StoreGiven>(
  'STORE-SAME',
  'what entries spoke of after a moment is told from what stands as it stood, in the order asked',
  async ({ store, scribe, read }) => {
    scribe.birth()
    const [one, two, three] = [claimOn(scribe), claimOn(scribe), claimOn(scribe)]
    await scribe.commit(store)
    const { seq: after } = scribe.tip.head
    const refs = [three.ref, two.ref, one.ref]
    const changed = (since: number) =>
      read({ type: 'memories', as: 'ref', where: { refs, changedAfter: since }, order: 'given' })
    same(await changed(after), [], 'nothing yet')
    scribe.revise(one.ref, {})
    scribe.revise(three.ref, {})
    await scribe.commit(store)
    same(await changed(after), [three.ref, one.ref], 'what was spoken of')
    same(await changed(after + 1), [three.ref], 'only of what stands behind')
    same(await changed(two.seq - 1), refs, 'a birth as well')
    same(
      await read({
        type: 'memories',
        as: 'ref',
        where: { refs: [], changedAfter: 0 },
        order: 'given',
      }),
      [],
      'of nothing, nothing',
    )
  },
)

const givenWayCase = holds<StoreGiven>(
  'STORE-SAME',
  'what gave way to another claim is left out of what stands, unless it tells what kind of line it is',
  async ({ store, scribe, read }) => {
    scribe.birth()
    const gaveWay = (by: MemoryState, more: Partial<ClaimState> = {}): Shape => ({
      claim: { overruledBy: by.ref, ...more },
      disposition: 'Superseded',
    })
    const last = claimOn(scribe)
    const model = claimOn(scribe, { ...gaveWay(last), label: 'ModelDerived' })
    const denied = claimOn(scribe, gaveWay(last, { word: 'denied' }))
    const contested = claimOn(scribe, { ...gaveWay(last), disposition: 'Contested' })
    const dead = claimOn(scribe, { claim: { word: 'denied' }, disposition: 'Superseded' })
    const affirmed = claimOn(scribe, gaveWay(last, { word: 'affirmed' }))
    await scribe.commit(store)
    const query = { type: 'line', line: digest('l'), which: 'standing', at: null } as const
    const standing = async () => (await read(query)).claims.map(({ state }) => state.ref)
    const refs = (states: readonly MemoryState[]) => states.map(({ ref }) => ref)
    same(await standing(), refs([last, denied, contested, dead]), 'standing')
    const { claims: _, ...leftOut } = await read(query)
    same(leftOut, { gaveWay: 2, over: 0 }, 'how many are left out')
    const whole = await read({ type: 'line', line: digest('l'), which: 'all' })
    same([whole.claims.length, whole.gaveWay, whole.over], [6, 2, 0], 'all of them')
    // If the first claim had an unknown kind, the next claim would set the kind.
    const unknown = { ...last.facets, subtype: 'Unknown' }
    scribe.replace({ ...last, facets: unknown })
    for (const each of [denied, contested, dead]) {
      scribe.replace({ ...each, disposition: 'Quarantined' })
    }
    await scribe.commit(store)
    same(await standing(), refs([last, model, denied, contested, dead, affirmed]), 'tellers too')
  },
)

const needCase = holds<StoreGiven>(
  'STORE-SAME',
  'gather leaves out of a line what gave way, what is surely over, and the members of a set',
  async ({ store, stackId, scribe, read }) => {
    scribe.birth()
    const until = (number: number) => ({ span: { from: null, until: year(number) } })
    const first = claimOn(scribe, { claim: until(2019) })
    const past = claimOn(scribe, { claim: until(2020) })
    const ended = claimOn(scribe, { claim: { ...until(2030), endedAt: year(2020) } })
    const unsure = claimOn(scribe, { claim: { ...until(2020), sure: 0.99 } })
    const open = claimOn(scribe)
    const gone = claimOn(scribe, {
      claim: { overruledBy: open.ref },
      disposition: 'Superseded',
    })
    await scribe.commit(store)
    const gathered = async (more: Partial<LineNeed> = {}) =>
      (await store.gather(stackId, needing({ lines: [lineNeed('l', more)] }))).memories
    sameRows(await gathered(), [first, past, ended, unsure, open], 'whatever stands')
    const at = { type: 'line', line: digest('l'), which: 'standing', at: year(2020) } as const
    const { claims, ...leftOut } = await read(at)
    const refs = claims.map(({ state }) => state.ref)
    same(refs, [first.ref, unsure.ref, open.ref], 'what a reader of then is given')
    same(leftOut, { gaveWay: 1, over: 2 }, 'and how much he is not')
    sameRows(await gathered({ from: year(2020) }), [first, unsure, open], 'what is not over')
    const before = { from: '2019-12-31T23:59:59.999Z' as Instant }
    sameRows(await gathered(before), [first, past, ended, unsure, open], 'just before')
    const without = await gathered({ from: year(2020), except: first.ref })
    sameRows(without, [past, unsure, open], 'without the first, the second tells')
    const set = { ...first, facets: { ...first.facets, subtype: 'SetValued' } }
    scribe.replace(set)
    scribe.replace({ ...gone, facets: { ...gone.facets, subtype: 'Functional' } })
    await scribe.commit(store)
    sameRows(await gathered(), [set], 'a set has no rivals')
    scribe.replace({ ...set, label: 'ModelDerived' })
    for (const each of [past, ended, unsure, open, gone]) {
      scribe.replace({ ...each, facets: { ...each.facets, subtype: 'Unknown' } })
    }
    await scribe.commit(store)
    const found = await gathered({ from: year(2020) })
    same(
      found.map(({ ref }) => ref),
      [first, past, unsure, open].map(({ ref }) => ref),
      'what a model calls a set may turn out to be none',
    )
  },
)

const newestCase = holds<StoreGiven>(
  'STORE-SAME',
  'every line is listed once, by its newest claim that is not erased, newest first, and page by page',
  async ({ store, scribe, read }) => {
    scribe.birth()
    const first = claimOn(scribe)
    const other = scribe.save({ kind: 'claim', line: 'm' })
    const last = claimOn(scribe, {
      claim: { overruledBy: first.ref },
      disposition: 'Superseded',
    })
    scribe.save({ kind: 'note' })
    const third = scribe.save({ kind: 'claim', line: 'n' })
    await scribe.commit(store)
    const listed = async (before: number | null, limit = 9) =>
      (await read({ type: 'memories', where: { newestOfLine: true }, after: before, limit })).map(
        ({ state }) => state.ref,
      )
    same(await listed(null), [third.ref, last.ref, other.ref], 'each once')
    same(await listed(null, 2), [third.ref, last.ref], 'as many as are asked for')
    same(await listed(last.seq), [other.ref], 'behind another')
    same(await listed(other.seq), [], 'a line is not listed by an older claim of it')
    const [found] = await read({ type: 'memories', where: { newestOfLine: true }, limit: 1 })
    same(found?.sealed === null, false, 'with its words')
    scribe.replace({ ...last, erased: { seq: 0, dated: false } })
    await scribe.commit(store)
    same(await listed(null), [third.ref, other.ref, first.ref], 'an erased one speaks for no line')
  },
)

const sayingCase = holds<StoreGiven>(
  'STORE-SAME',
  'a claim is found by what it says on its line, whether it opened the line, stands or gave way',
  async ({ store, stackId, scribe }) => {
    scribe.birth()
    const opener = claimOn(scribe, { kind: 'Unknown' })
    const second = claimOn(scribe)
    const third = claimOn(scribe)
    const last = claimOn(scribe)
    await scribe.commit(store)
    const found = async (identities: readonly MemoryState[], line = 'l') => {
      const said = identities.map(({ identity }) => identity)
      const needs = needing({ identities: said, lines: [lineNeed(line)] })
      return (await store.gather(stackId, needs)).memories
    }
    sameRows(await found([opener]), [opener, second, third, last], 'all of them stand')
    const gone = [opener, third].map((state): MemoryState => {
      const claim = { ...PLAIN, overruledBy: last.ref }
      return { ...state, claim, disposition: 'Superseded' }
    })
    for (const state of gone) scribe.replace(state)
    await scribe.commit(store)
    const [first, other] = gone as [MemoryState, MemoryState] // two of them, as above
    sameRows(await found([]), [second, last], 'what gave way is not asked for')
    // Twice, since a store may know the line by now.
    for (const turn of ['once', 'again']) {
      sameRows(await found([first]), [first, second, last], `what opened it, ${turn}`)
      sameRows(await found([other]), [second, other, last], `what followed, ${turn}`)
      sameRows(await found([first, other]), [first, second, other, last], `both, ${turn}`)
    }
    scribe.save({ kind: 'claim', line: 'n' })
    scribe.save({ kind: 'claim', line: 'n' })
    await scribe.commit(store)
    same((await found([], 'm')).length, 0, 'a line nobody speaks about')
    same((await found([], 'n')).length, 2, 'another line of two, begun in one batch')
    // An older claim that joins a timeline precedes the claim that opened it.
    const inSet = (state: MemoryState): MemoryState => ({
      ...state,
      claim: PLAIN,
      facets: { ...state.facets, subtype: 'SetValued' },
      label: 'UserAsserted',
    })
    const newer = inSet(scribe.save({ kind: 'claim', line: 'o' }))
    scribe.replace(newer)
    await scribe.commit(store)
    scribe.replace(inSet(scribe.revise(second.ref, { line: 'o' })))
    await scribe.commit(store)
    const refs = (await found([newer], 'o')).map(({ ref }) => ref)
    same(refs.includes(newer.ref), true, 'what opened a line, behind an older claim')
  },
)

export const linesCases: readonly Case<StoreGiven>[] = [
  lineCase,
  changedCase,
  givenWayCase,
  sayingCase,
  needCase,
  newestCase,
]
