import { describe, expect, test } from 'vitest'
import type { Hash, Ref } from '../../src/domain/ids.ts'
import { label } from '../../src/domain/labels.ts'
import { LIMITS } from '../../src/domain/limits.ts'
import { MODEL, Scene, says, USER } from './scene.ts'

const AS_MODEL = { label: label.modelDerived(), actor: 'model' }
const AS_USER = { label: label.userAsserted(), actor: 'ann' }
const idOf = (ref: string): string => ref.slice(ref.indexOf(':') + 1)
const isClean = async ({ stack }: Scene) =>
  expect((await stack.ledger.audit()).problems).toEqual([])

/** A memory as it must be there. */
function stateOf({ rows }: Scene, ref: Ref) {
  const state = rows.memories.get(ref)
  if (!state) throw new Error(`${ref} is there`)
  return state
}

describe('what is set aside', () => {
  test('is neither verified, reinforced, called to mind nor deactivated', async () => {
    const scene = await Scene.open()
    const [raw, other] = [await scene.ref({ kind: 'raw' }), await scene.ref({ kind: 'raw' })]
    const told = { kind: 'note', parents: [raw], ...MODEL, ...says('Over and over') } as const
    const { ref } = await scene.aside(told)
    const last = ref ?? raw
    expect(stateOf(scene, last).disposition).toBe('Quarantined')
    const before = stateOf(scene, last)
    const evidence = [other]
    for (const answer of [
      await scene.stack.changes.verify(last, { evidence }),
      await scene.stack.changes.reinforce(last, { evidence }),
      await scene.stack.changes.change(last, { type: 'access' }, 'test'),
    ]) {
      expect(answer).toMatchObject({ changed: false, reason: 'set_aside', entry: null })
    }
    const off = await scene.stack.changes.change(last, { type: 'deactivate' }, 'test')
    expect(off).toMatchObject({ changed: false, reason: 'wrong_kind' })
    expect(stateOf(scene, last)).toEqual(before)
  })
})

describe('evidence', () => {
  test('that does not exist supports nothing and is not kept', async () => {
    const scene = await Scene.open()
    const [raw, other] = [await scene.ref({ kind: 'raw' }), await scene.ref({ kind: 'raw' })]
    const note = await scene.ref({ kind: 'note', parents: [raw], ...MODEL })
    const ghost = 'raw:01980000-0000-7000-8000-0000deadbeef' as Ref
    await scene.stack.changes.verify(note, { evidence: [ghost, other] })
    expect(stateOf(scene, note)).toMatchObject({ evidence: [other], verifications: 1 })
    expect(scene.entries.some((entry) => JSON.stringify(entry).includes(ghost))).toBe(false)
    await isClean(scene)
  })
})

describe('a note of a component', () => {
  test('takes the place of nothing that another said, whatever it calls itself', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    await scene.stack.updateMemoryMeta('raw', idOf(raw), { tags: ['kept'] })
    for (const by of ['#tags', '__proto__', '', 'Ann Smith', 'x'.repeat(65)]) {
      const change = { type: 'annotate', by, fields: { tags: [] } } as const
      await expect(scene.stack.changes.change(raw, change, 'test')).rejects.toMatchObject({
        code: 'invalid_input',
      })
    }
    expect((await scene.stack.getMemory('raw', idOf(raw)))?.tags).toEqual(['kept'])
    await isClean(scene)
  })
})

describe('what waits for a person', () => {
  test('is not taken down by a model, and words given with any change are sealed', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const why = { reason: 'have a look' }
    await scene.stack.changes.change(raw, { type: 'ask_review' }, 'test', { ...AS_MODEL, ...why })
    await scene.stack.changes.change(raw, { type: 'access' }, 'test', why)
    await scene.stack.changes.change(raw, { type: 'process', into: [] }, 'test', why)
    const clear = { type: 'clear' } as const
    await expect(scene.stack.changes.change(raw, clear, 'test', AS_MODEL)).rejects.toMatchObject({
      code: 'scope',
    })
    expect(stateOf(scene, raw).review).toBe('flagged')
    await scene.stack.changes.change(raw, clear, 'test', { ...AS_USER, ...why })
    expect(stateOf(scene, raw).review).toBe(null)
    await isClean(scene)
  })
})

describe('numbers', () => {
  test('are not refreshed by saying them again, nor by taking nothing away', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const note = await scene.ref({ kind: 'note', parents: [raw], ...MODEL })
    const before = stateOf(scene, note)
    scene.wait(3_600_000)
    const again = { type: 'describe', confidence: 0.8, tags: null } as const
    const answer = await scene.stack.changes.change(note, again, 'test', AS_MODEL)
    expect(answer).toMatchObject({ changed: false, reason: 'already_so', entry: null })
    expect(await scene.stack.changes.weaken(note, 0)).toMatchObject({ reason: 'already_so' })
    expect(stateOf(scene, note)).toEqual(before)
  })

  test('that time took to nothing come back when recovered', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    await scene.stack.changes.weaken(raw, 0.99)
    scene.wait(3_000 * 86_400_000)
    expect(await scene.stack.recoverMemory('raw', idOf(raw))).toBe(true)
    expect(stateOf(scene, raw).strength.value).toBe(0.2)
    await isClean(scene)
  })

  test('are worked out by the policy that was in force when they changed', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const { policy } = await scene.stack.control.getPolicy()
    for (const accessGain of [0.5, 0.01, 0.2]) {
      await scene.stack.changes.weaken(raw, 0.2)
      await scene.stack.control.setPolicy({ ...policy, numbers: { ...policy.numbers, accessGain } })
      await scene.stack.recordAccess('raw', idOf(raw))
    }
    await isClean(scene)
    const numbers = { ...policy.numbers, strengthPeriodDays: 0 }
    await expect(scene.stack.control.setPolicy({ ...policy, numbers })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })
})

describe('a stack', () => {
  test('that is not begun yet changes its seeds without beginning', async () => {
    const scene = await Scene.open()
    const seed = await scene.ref({
      kind: 'belief',
      sourceType: 'seed',
      ...says('Seeds come first'),
    })
    expect(await scene.stack.forgetMemory('belief', idOf(seed), 'why')).toBe(true)
    expect(scene.rows.stack.state).toBe('INITIALIZING')
    const more = { kind: 'belief', sourceType: 'seed', ...says('And more of them') } as const
    expect(await scene.tell(more)).toMatchObject({ rule: 'admit' })
    await isClean(scene)
  })

  test('in maintenance changes nothing', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    await scene.stack.control.setState('MAINTENANCE')
    const { length } = scene.entries
    await expect(scene.stack.changes.weaken(raw, 0.1)).rejects.toMatchObject({
      code: 'maintenance_mode',
    })
    expect(scene.entries).toHaveLength(length)
  })
})

describe('records about memory', () => {
  test('are forgotten and flagged like others, and still speak', async () => {
    const scene = await Scene.open()
    const body = { entityId: 'bob', dimensions: { general: { score: 0.1 } } }
    const id = await scene.stack.saveTrustAssessment(body)
    await scene.stack.forgetMemory('assessment', id, 'why')
    const said = await scene.tell({ kind: 'raw', actor: 'bob', ...USER })
    expect(said).toMatchObject({ tier: 0, reasons: ['tier_of_assessment'] })
    await isClean(scene)
  })
})

describe('a source with more children than are flagged', () => {
  test('says that there are more, and flags the oldest', async () => {
    const scene = await Scene.open()
    const raw = await scene.ref({ kind: 'raw' })
    const { length } = scene.entries
    const first = await scene.ref({ kind: 'note', parents: [raw] })
    const state = stateOf(scene, first)
    // As many rows as it takes, without living through as many writes.
    const refs = Array.from({ length: LIMITS.cascadeFlagsMax + 4 }, (_, n) => {
      const tail = (n + 1).toString(16).padStart(12, '0')
      return `note:01980000-0000-7000-9000-${tail}` as Ref
    })
    for (const [n, ref] of refs.entries()) {
      const identity = String(n).padStart(64, '0') as Hash // of words of its own
      scene.rows.memories.set(ref, { ...state, ref, identity, seq: state.seq + 1 + n })
    }
    scene.rows.children.set(raw, [first, ...refs])
    const { flagged } = await scene.stack.changes.change(raw, { type: 'forget' }, 'test')
    expect(flagged).toEqual([first, ...refs].slice(0, LIMITS.cascadeFlagsMax))
    const told = scene.entries.find(({ op }) => op === 'memory.forgotten')
    expect(told?.decision.facts.children).toBe(LIMITS.cascadeFlagsMax + 1)
    expect(scene.entries).toHaveLength(length + 1 + 1 + LIMITS.cascadeFlagsMax)
  })
})
