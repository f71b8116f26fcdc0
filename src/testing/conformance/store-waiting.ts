import { strictEqual } from 'node:assert/strict'
import type { Flag, MemoryState, ReviewKind } from '../../domain/state.ts'
import { REVIEW_KINDS } from '../../domain/state.ts'
import type { Instant } from '../../domain/time.ts'
import type { StoredMemory } from '../../ports/store.ts'
import { type Case, holds } from '../manifest/case.ts'
import { same, sameRows } from './compare.ts'
import { needing, type StoreGiven } from './given.ts'
import { digest } from './scribe.ts'

const reviewCase = holds<StoreGiven>(
  ['BOUND-LOUD', 'STORE-SAME'],
  'what waits comes newest first, of the kinds asked for, page by page',
  async ({ store, scribe, read }) => {
    scribe.birth()
    const waiting: MemoryState[] = []
    for (let count = 0; count < 60; count += 1) {
      const review = [...REVIEW_KINDS, null][count % 6] ?? null
      const state = { ...scribe.save({ kind: count % 2 === 0 ? 'raw' : 'belief' }), review }
      scribe.replace(state)
      if (review !== null) waiting.push(state)
    }
    await scribe.commit(store)
    const asked: readonly (readonly ReviewKind[])[] = [
      ...REVIEW_KINDS.map((kind) => [kind]),
      ['flagged', 'proposal'],
      REVIEW_KINDS,
      [],
    ]
    for (const kinds of asked) {
      const expected = waiting
        .filter(({ review }) => review !== null && kinds.includes(review))
        .toReversed()
      for (const limit of [1, 7, 1_000]) {
        const found: MemoryState[] = []
        for (let before: number | null = null; ; ) {
          const page: readonly StoredMemory[] = await read({
            type: 'memories',
            where: { review: kinds },
            after: before,
            limit,
          })
          found.push(...page.map(({ state }) => state))
          const last = page.at(-1)
          if (last === undefined || page.length < limit) break
          before = last.state.seq
        }
        same(found, expected, `${kinds.join()} in pages of ${limit}`)
      }
    }
    const none = { type: 'memories', where: { review: REVIEW_KINDS }, limit: 0 } as const
    same(await read(none), [], 'none asked for')
    const [first] = waiting
    if (first) scribe.replace({ ...first, review: null })
    await scribe.commit(store)
    const left = await read({ ...none, limit: 1_000 })
    strictEqual(left.length, waiting.length - 1, 'what was answered waits no longer')
  },
)

const ungroundedCase = holds<StoreGiven>(
  'STORE-SAME',
  'a belief is ungrounded once every source is gone, whichever way, and not before',
  async ({ store, scribe, read }) => {
    scribe.birth()
    const raw = scribe.save()
    const [forgotten, rejected, back, here] = [0, 1, 2, 3].map(() => {
      return scribe.save({ kind: 'note', parents: [raw.ref] })
    }) as [MemoryState, MemoryState, MemoryState, MemoryState] // four were made
    const from = (...parents: readonly MemoryState[]): MemoryState =>
      scribe.save({ kind: 'belief', parents: parents.map(({ ref }) => ref) })
    const one = from(forgotten)
    const two = from(forgotten, rejected)
    from(forgotten, here)
    from(back)
    const three = from(back, rejected)
    scribe.save({ kind: 'value', parents: [one.ref] })
    const strengthless = ({ strength }: MemoryState) => ({ ...strength, value: 0 })
    scribe.replace({ ...forgotten, strength: strengthless(forgotten) })
    scribe.replace({ ...rejected, disposition: 'Rejected' })
    scribe.replace({ ...back, strength: strengthless(back) })
    await scribe.commit(store)
    scribe.replace(back)
    await scribe.commit(store)
    const asked = { type: 'memories', where: { ungrounded: true }, limit: 9 } as const
    const refs = (found: readonly StoredMemory[]) => found.map(({ state }) => state.ref)
    same(refs(await read(asked)), [two.ref, one.ref], 'newest first')
    same(refs(await read({ ...asked, limit: 1 })), [two.ref], 'the first page')
    same(refs(await read({ ...asked, after: two.seq })), [one.ref], 'the next page')
    const { where } = asked
    const refsAmong = [one.ref, three.ref, here.ref]
    same(
      refs(await read({ ...asked, where: { ...where, refs: refsAmong } })),
      [one.ref],
      'of these',
    )
    same(refs(await read({ ...asked, where: { ...where, tags: ['none'] } })), [], 'that match')
  },
)

const sayingCase = holds<StoreGiven>(
  'STORE-SAME',
  'memories that say the same come oldest first, of every kind, and as they are now',
  async ({ store, scribe, read }) => {
    scribe.birth()
    const one = scribe.save({ identity: 'same' })
    const two = scribe.save({ kind: 'note', identity: 'same' })
    scribe.save({ identity: 'other' })
    const three = scribe.save({ kind: 'belief', identity: 'same' })
    await scribe.commit(store)
    const saying = (of: string) =>
      read({ type: 'memories', as: 'state', where: { identity: digest(of) }, order: 'oldest' })
    same(await saying('same'), [one, two, three], 'all of them')
    same(await saying('nobody'), [], 'nobody says it')
    const revised = scribe.revise(two.ref, { identity: 'other' })
    await scribe.commit(store)
    same(await saying('same'), [one, three], 'a revision may say something else')
    strictEqual((await saying('other'))[0]?.ref, revised.ref, 'and stands where it was born')
  },
)

const notesCase = holds<StoreGiven>(
  'STORE-SAME',
  'what was noted of a memory comes with it, in every way it is read, and the last note counts',
  async ({ store, scribe, read }) => {
    scribe.birth()
    const raw = scribe.save({ content: 'plain words' })
    const { ref } = scribe.save({ kind: 'belief', parents: [raw.ref], content: 'noted words' })
    scribe.note(ref, 'emotions')
    scribe.note(ref, 'a "quoted" name')
    await scribe.commit(store)
    const state = { ...scribe.note(ref, 'emotions'), review: 'flagged' as const, weight: 0.5 }
    scribe.replace(state)
    await scribe.commit(store)
    const to = scribe.tip.head.seq
    const sealed = await read({ type: 'table', name: 'sealed', from: 0, to })
    const named = Object.values(state.notes)
    const notes = sealed.filter(({ seq }) => named.includes(seq))
    strictEqual(notes.length, 2, 'one for each name')
    const found = [
      await read({ type: 'memory', ref }),
      ...(await read({ type: 'memories', where: { kind: 'belief', present: true }, limit: 9 })),
      ...(await read({ type: 'memories', where: { review: ['flagged'] }, limit: 9 })),
      ...(await read({ type: 'match', terms: ['note'], kinds: ['belief'], skip: 0, limit: 9 })).map(
        ({ memory }) => memory,
      ),
    ]
    strictEqual(found.length, 4, 'found in four ways')
    for (const memory of found) {
      same(memory?.state, state, 'its state')
      strictEqual(memory?.sealed?.seq, state.revisionSeq, 'its content')
      sameRows(memory?.notes ?? [], notes, 'its notes')
    }
    const walk = { type: 'lineage', ref, direction: 'up', visitMax: 9 } as const
    for (const { state: met, notes: own } of (await read(walk)) ?? []) {
      sameRows(own, met.ref === ref ? notes : [], `notes of ${met.ref} on a walk`)
    }
  },
)

const fieldsCase = holds<StoreGiven>(
  'STORE-SAME',
  'every field of a memory comes back as it was written, and can be written again',
  async ({ store, stackId, scribe, read }) => {
    scribe.birth()
    const other = scribe.save()
    const born = scribe.save({ kind: 'belief', parents: [other.ref], actor: 'ann\0"b' })
    const time = '2026-02-03T04:05:06.789Z' as Instant // an instant, written out
    const flags: readonly Flag[] = [
      { code: 'dormant', by: null, seq: 3 },
      { code: 'source_forgotten', by: other.ref, seq: 4 },
    ]
    const full: MemoryState = {
      ...born,
      document: 'a\0b',
      session: '',
      captured: true,
      isProtected: true,
      restatedAt: time,
      tier: 0,
      depthNearest: null,
      depthFarthest: 7,
      confidence: { value: 0.1 + 0.2, at: time },
      strength: { value: 5e-324, at: time },
      facets: {
        subtype: 'nul\0',
        status: '',
        name: '日本 "x"',
        context: '\u2028',
        contextTags: ['', '\0', '"'],
        tags: ['[]', '__proto__'],
      },
      weight: 1e300,
      accesses: 3,
      accessedAt: time,
      verifications: 2,
      verifiedAt: time,
      reinforcements: 9,
      evidence: [other.ref],
      anchors: [other.ref, born.ref],
      flags,
      notes: { tags: born.seq, 'a b': other.seq },
      review: 'contest',
    }
    for (const state of [full, born, full]) {
      scribe.replace(state)
      await scribe.commit(store)
      same((await read({ type: 'memory', ref: born.ref }))?.state, state, 'read')
      same(
        (
          await read({ type: 'memories', as: 'state', order: 'oldest', after: other.seq, limit: 9 })
        )[0],
        state,
        'in a page',
      )
      const { memories } = await store.gather(stackId, needing({ refs: [born.ref] }))
      same(memories, [state], 'gathered')
    }
  },
)

export const waitingCases: readonly Case<StoreGiven>[] = [
  reviewCase,
  sayingCase,
  ungroundedCase,
  notesCase,
  fieldsCase,
]
