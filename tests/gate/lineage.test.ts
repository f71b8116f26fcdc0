import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { RECORD_KINDS, type RecordKind, type Ref } from '../../src/domain/ids.ts'
import type { MemoryState } from '../../src/domain/state.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { holds } from '../support/holds.ts'
import { openWorld } from '../support/world.ts'
import { histories } from './histories.ts'
import { openForTest, requestOf, STACK_ID, take } from './production.ts'
import { kindIn, refAt } from './reference/lineage.ts'
import { runs } from './runs.ts'
import { claims, MODEL, Scene, says, USER } from './scene.ts'
import { PLAIN } from './steps.ts'

/** Section 3 of the design as a drawing: a row may be made from the columns marked x; + beside one. */
const TABLE = `
                 raw epi not cla bel goa rel val dri pla sum sel epo sug ass rep
raw               .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
episode           x   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
note              x   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
claim             x   x   x   x   .   .   .   .   .   .   .   .   .   .   .   .
belief            .   x   x   x   +   .   .   .   .   .   .   .   .   .   .   .
goal              .   x   .   .   x   .   .   .   .   .   .   .   .   .   .   .
relationship      .   x   .   .   .   .   .   .   .   .   .   .   .   .   .   .
value             .   .   .   .   x   .   .   .   .   .   .   .   .   .   .   .
drive             .   x   .   .   x   .   .   .   .   .   .   .   .   .   .   .
playbook          .   x   .   .   x   .   .   .   .   +   .   .   .   .   .   .
summary           .   x   x   .   x   .   .   .   .   .   x   .   .   .   .   .
self_narrative    .   x   .   .   x   x   .   x   x   .   .   +   .   .   .   .
epoch             .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
suggestion        .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
assessment        .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
report            .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
`

const ROWS = TABLE.trim()
  .split('\n')
  .slice(1)
  .map((line) => line.trim().split(/\s+/))
  .map(([kind, ...marks]) => ({ kind: kind as RecordKind, marks })) // the kinds are checked below

/** A stack with one memory of every kind, made the way the table allows. */
async function oneOfEach(): Promise<{ scene: Scene; refs: ReadonlyMap<RecordKind, Ref> }> {
  const scene = await Scene.open()
  const refs = new Map<RecordKind, Ref>()
  for (const { kind, marks } of ROWS) {
    const from = RECORD_KINDS.find((_, column) => marks[column] === 'x')
    const parents = from ? [refs.get(from) ?? refAt(from, 0)] : []
    refs.set(kind, await scene.ref({ kind, parents, ...says(`One ${kind} to begin this`) }))
  }
  return { scene, refs }
}

describe('kinds', () => {
  test('the drawing has every kind, in order, against every kind', () => {
    expect(ROWS.map(({ kind }) => kind)).toEqual([...RECORD_KINDS])
    for (const { marks } of ROWS) expect(marks).toHaveLength(RECORD_KINDS.length)
  })

  holds(
    'LINE-KINDS',
    'each kind derives from what the table says and from nothing else',
    async () => {
      for (const { kind, marks } of ROWS) {
        for (const [column, from] of RECORD_KINDS.entries()) {
          const { scene, refs } = await oneOfEach()
          const parent = refs.get(from) ?? refAt(from, 0)
          const told = { kind, ...says(`A ${kind} from a ${from}`) }
          const alone = await scene.tell({ ...told, parents: [parent] })
          expect(alone.ref !== null, `${kind} from ${from}`).toBe(marks[column] === 'x')
          const good = RECORD_KINDS.find((_, at) => marks[at] === 'x')
          if (!good || good === from) continue
          const parents = [refs.get(good) ?? refAt(good, 0), parent]
          const beside = await scene.tell({ ...told, ...says(`A ${kind} from both`), parents })
          expect(beside.ref !== null, `${kind} from ${good} and ${from}`).toBe(
            marks[column] !== '.',
          )
        }
      }
    },
  )

  holds('LINE-KINDS', 'what needs a source is refused without one, and only that', async () => {
    for (const { kind, marks } of ROWS) {
      const scene = await Scene.open()
      await scene.stack.control.setState('ACTIVE')
      const { ref, reasons } = await scene.tell({ kind, ...says('It stands on its own') })
      expect(ref === null, kind).toBe(marks.includes('x'))
      if (ref === null) expect(reasons).toEqual(['source_needed'])
    }
  })
})

describe('parents', () => {
  holds('LINE-REAL', 'exist in the same stack, or nothing is written', async () => {
    const store = new MemoryStore()
    const other = await openStack('another', { store, ...openWorld() })
    const { id } = await other.write(requestOf({ ...PLAIN, ref: refAt('raw', 77) }, 0))
    const elsewhere = `raw:${id}` as Ref // a raw, but of another stack
    const scene = await Scene.open()
    const here = await scene.ref({ kind: 'raw' })
    for (const missing of [elsewhere, refAt('raw', 4_711), refAt('raw', 0)]) {
      const note = { kind: 'note', parents: [here, missing] } as const
      expect(await scene.tell(note)).toMatchObject({ rule: 'lineage', reasons: ['parent_missing'] })
      const evidence = await scene.tell({ kind: 'note', parents: [here], evidence: [missing] })
      expect(evidence).toMatchObject({ rule: 'lineage', reasons: ['evidence_missing'] })
    }
    expect(scene.rows.memories.size).toBe(1)
    expect((await scene.tell({ kind: 'note', parents: [here], evidence: [here] })).rule).toBe(
      'admit',
    )
  })

  holds('LINE-REAL', 'stand in the ledger before what was made from them', async () => {
    await fc.assert(
      fc.asyncProperty(histories(), async ({ genesis, steps }) => {
        const played = await openForTest({ genesis })
        for (const step of steps) await take(played, step)
        const { memories } = played.store.rows(STACK_ID)
        for (const { revisionSeq, parents } of memories.values()) {
          for (const parent of parents) {
            expect(memories.get(parent)?.seq ?? Number.POSITIVE_INFINITY).toBeLessThan(revisionSeq)
          }
        }
      }),
      runs(40),
    )
  })

  test('that are set aside or were rejected hold nothing up', async () => {
    const scene = await Scene.open({ genesis: 'strict' })
    const raw = await scene.ref({ kind: 'raw' })
    const note = { kind: 'note', parents: [raw], ...MODEL } as const
    const { ref: aside } = await scene.aside(note)
    const belief = { kind: 'belief', parents: [aside ?? raw] } as const
    expect((await scene.tell(belief)).reasons).toEqual(['parent_quarantined'])
    await scene.stack.review.reject(aside ?? '')
    expect((await scene.tell(belief)).reasons).toEqual(['parent_rejected'])
  })
})

/** Every way up from a memory, walked without memory of what was seen; stops at its own shadow. */
function isOwnAncestor(ref: Ref, memories: ReadonlyMap<Ref, MemoryState>): boolean {
  const walk = (at: Ref, path: readonly Ref[]): boolean =>
    (memories.get(at)?.parents ?? []).some(
      (parent) => parent === ref || (!path.includes(parent) && walk(parent, [...path, parent])),
    )
  return walk(ref, [ref])
}

describe('cycles', () => {
  holds(
    'LINE-ACYCLIC',
    'no history makes a memory its own ancestor, alone or in a crowd',
    async () => {
      await fc.assert(
        fc.asyncProperty(histories({ maxSteps: 20 }), fc.boolean(), async (history, isCrowd) => {
          const played = await openForTest({ genesis: history.genesis })
          const taken: Promise<unknown>[] = []
          for (const step of history.steps) {
            taken.push(take(played, step))
            if (!isCrowd || step.type === 'reject') await Promise.all(taken)
          }
          await Promise.all(taken)
          const { memories } = played.store.rows(STACK_ID)
          const looping = [...memories.keys()].filter((ref) => isOwnAncestor(ref, memories))
          expect(looping).toEqual([])
        }),
        runs(60),
      )
    },
  )

  holds(
    'LINE-ACYCLIC',
    'a memory is refused as its own parent, and as its child’s child',
    async () => {
      const scene = await Scene.open()
      const raw = await scene.ref({ kind: 'raw' })
      const claim = { kind: 'claim', ...USER } as const
      const own = refAt('claim', 500)
      const self = await scene.tell({ ...claim, ref: own, parents: [own] })
      expect(self).toMatchObject({ rule: 'lineage', reasons: ['cycle'] })
      const a = await scene.ref({ ...claim, ...claims({ predicate: 'a' }), parents: [raw] })
      const b = await scene.ref({ ...claim, ...claims({ predicate: 'b' }), parents: [a] })
      const c = await scene.ref({ ...claim, ...claims({ predicate: 'c' }), parents: [b] })
      const revises = { expectedVersion: null }
      const loop = await scene.tell({ ...claim, ref: a, parents: [c], revises })
      expect(loop).toMatchObject({ rule: 'lineage', reasons: ['cycle'] })
      expect(await scene.tell({ ...claim, ref: c, parents: [a], revises })).toMatchObject({
        ref: c,
      })
      expect((await scene.stack.history.trace(c)).map(({ memory }) => memory.ref)).toEqual([
        raw,
        a,
        b,
        c,
      ])
    },
  )

  holds(
    'LINE-ACYCLIC',
    'two who write together cannot tie what neither could tie alone',
    async () => {
      const scene = await Scene.open()
      const raw = await scene.ref({ kind: 'raw' })
      const claim = { kind: 'claim', ...USER } as const
      const a = await scene.ref({ ...claim, ...claims({ predicate: 'a' }), parents: [raw] })
      const b = refAt('claim', 501)
      const child = scene.answer({ ...claim, ...claims({ predicate: 'b' }), ref: b, parents: [a] })
      const loop = scene.answer({ ...claim, ref: a, parents: [b], revises: { expectedVersion: 1 } })
      expect((await child).type).toBe('written')
      expect(await loop).toMatchObject({ type: 'refused', result: { reasons: ['cycle'] } })
      expect(await scene.stack.history.trace(b)).toHaveLength(3)
    },
  )

  holds('LINE-ACYCLIC', 'nor can one batch', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const claim = { kind: 'claim', ...USER } as const
    const a = await scene.ref({ ...claim, ...claims({ predicate: 'a' }), parents: [raw] })
    const b = refAt('claim', 501)
    const answer = await scene.answerAll([
      { ...claim, ...claims({ predicate: 'b' }), ref: b, parents: [a] },
      { ...claim, ref: a, parents: [b], revises: { expectedVersion: 1 } },
    ])
    expect(answer.type).not.toBe('written')
    expect((await scene.stack.history.trace(a)).map(({ memory }) => memory.ref)).toEqual([raw, a])
  })

  holds('LINE-ACYCLIC', 'not even while sources are not asked for', async () => {
    const scene = await Scene.open({ enforceProvenance: false })
    const claim = { kind: 'claim', ...USER } as const
    const [a, b, c, d] = [1, 2, 3, 4].map((n) => refAt('claim', 500 + n)) as [Ref, Ref, Ref, Ref]
    await scene.answer({ ...claim, ref: a, parents: [b], ...claims({ value: 1 }) })
    await scene.answer({ ...claim, ref: b, parents: [a], ...claims({ value: 2 }) })
    await scene.answerAll([
      { ...claim, ref: c, parents: [d], ...claims({ value: 3 }) },
      { ...claim, ref: d, parents: [c], ...claims({ value: 4 }) },
    ])
    const { memories } = scene.rows
    expect([a, b, c, d].filter((ref) => isOwnAncestor(ref, memories))).toEqual([])
    for (const ref of memories.keys()) expect(await scene.stack.history.trace(ref)).not.toEqual([])
  })

  holds('LINE-REAL', 'what is cited and not there is named, and is no parent', async () => {
    const scene = await Scene.open({ enforceProvenance: false })
    const raw = await scene.ref({ kind: 'raw' })
    const gone = refAt('raw', 900)
    const ref = await scene.ref({ kind: 'note', parents: [gone, raw] })
    expect(scene.rows.memories.get(ref)?.parents).toEqual([raw])
    expect(scene.entries.at(-1)).toMatchObject({
      parents: [{ ref: raw }],
      decision: { facts: { dropped: 1, relaxed: ['parent_missing'] } },
    })
  })
})

/** Inference hops by walking every way up to something first-hand; null is a way that finds none. */
function waysUp(ref: Ref, memories: ReadonlyMap<Ref, MemoryState>): readonly (number | null)[] {
  const memory = memories.get(ref)
  if (!memory) return []
  const { label, sourceType, parents } = memory
  const isReasoned =
    label === 'ModelDerived' || sourceType === 'inference' || sourceType === 'consolidation'
  const isExternal = label === 'UserAsserted' || label === 'ExternalFirstHand'
  if (isExternal && !isReasoned) return [0]
  if (parents.length === 0) return [null]
  return parents.flatMap((parent) => {
    const kind = kindIn(parent)
    const isRevised = kind === memory.kind && /^(belief|playbook|self_narrative)$/.test(kind)
    const hop = isReasoned && !isRevised ? 1 : 0
    return waysUp(parent, memories).map((way) => (way === null ? null : way + hop))
  })
}

describe('depth', () => {
  holds('LINE-DEPTH', 'is what walking every way up comes to, nearest and farthest', async () => {
    await fc.assert(
      // A revision changes the way up afterwards, and a depth is fixed at birth: so without any.
      fc.asyncProperty(histories({ without: ['revise', 'knot'] }), async ({ genesis, steps }) => {
        const played = await openForTest({ genesis })
        for (const step of steps) await take(played, step)
        const { memories } = played.store.rows(STACK_ID)
        for (const { ref, kind, depthNearest, depthFarthest } of memories.values()) {
          if (kind === 'suggestion') continue
          const ways = waysUp(ref, memories)
          const found = ways.filter((way) => way !== null)
          const nearest = found.length === 0 ? null : Math.min(...found)
          const farthest = found.length < ways.length ? null : Math.max(...found)
          expect({ ref, depthNearest, depthFarthest }).toEqual({
            ref,
            depthNearest: nearest,
            depthFarthest: farthest,
          })
        }
      }),
      runs(80),
    )
  })

  holds('LINE-DEPTH', 'grows by one with every claim a model makes from a claim', async () => {
    const scene = await Scene.open()
    let last = await scene.ref({ kind: 'raw' })
    for (let hop = 1; hop <= 6; hop += 1) {
      const claim = { kind: 'claim', ...MODEL, ...claims({ predicate: `step ${hop}` }) } as const
      last = await scene.ref({ ...claim, parents: [last] })
      const { depthNearest, depthFarthest } = scene.rows.memories.get(last) ?? {}
      expect([depthNearest, depthFarthest]).toEqual([hop, hop])
    }
    const firstHand = { ...USER, ...claims({ predicate: 'city', value: 'Berlin' }) }
    await scene.ref({ kind: 'claim', ...firstHand, captures: ['raw'] })
    const late = {
      kind: 'claim',
      ...MODEL,
      ...claims({ value: 'Paris' }),
      parents: [last],
    } as const
    expect(await scene.tell(late)).toMatchObject({ disposition: 'PendingConflict' })
  })

  holds(
    'LINE-DEPTH',
    'is not shortened by citing one first-hand memory beside an inference',
    async () => {
      const scene = await Scene.open()
      const raw = await scene.ref({ kind: 'raw' })
      let last = raw
      for (const step of ['one', 'two', 'three']) {
        const claim = { kind: 'claim', ...MODEL, ...claims({ predicate: step }) } as const
        last = await scene.ref({ ...claim, parents: [last] })
      }
      const both = { kind: 'claim', ...MODEL, ...claims({ predicate: 'four' }) } as const
      const ref = await scene.ref({ ...both, parents: [raw, last] })
      expect(scene.rows.memories.get(ref)).toMatchObject({ depthNearest: 1, depthFarthest: 4 })
    },
  )

  holds(
    'LINE-DEPTH',
    'is not deepened by revising a belief, and has no end without first-hand',
    async () => {
      const scene = await Scene.open()
      const raw = await scene.ref({ kind: 'raw' })
      const note = await scene.ref({ kind: 'note', parents: [raw] })
      const belief = { kind: 'belief', ...MODEL } as const
      const old = await scene.ref({ ...belief, ...says('Tea is liked here'), parents: [note] })
      const both = { ...belief, ...says('Tea is loved here'), parents: [note, old] }
      const newer = await scene.ref(both)
      expect(scene.rows.memories.get(newer)).toMatchObject({ depthNearest: 1, depthFarthest: 1 })
      const invented = await scene.ref({
        ...belief,
        ...says('Nobody said so'),
        captures: ['raw', 'note'],
      })
      expect(scene.rows.memories.get(invented)).toMatchObject({
        depthNearest: null,
        depthFarthest: null,
      })
    },
  )
})
