import { describe, expect, test } from 'vitest'
import { GateBench, MODEL_ORIGIN } from '../../tests/support/gate-bench.ts'
import { idAt, WORLD_START } from '../../tests/support/world.ts'
import type { Hash, Ref } from '../domain/ids.ts'
import { label } from '../domain/labels.ts'
import { toInstant } from '../domain/time.ts'
import { RULE_NAMES } from '../domain/vocabulary.ts'
import { decide, RULES } from './gate.ts'
import { admit } from './rules/admit.ts'
import { burst } from './rules/burst.ts'
import { coherence } from './rules/coherence.ts'
import { conflict } from './rules/conflict.ts'
import { echo } from './rules/echo.ts'
import { lineage } from './rules/lineage.ts'
import { lint } from './rules/lint.ts'
import { origin } from './rules/origin.ts'
import { restate } from './rules/restate.ts'
import { shape } from './rules/shape.ts'
import { state } from './rules/state.ts'
import { tombstone } from './rules/tombstone.ts'

const note = (raw: Ref, content = 'Tea at four') =>
  ({ kind: 'note', body: { content }, derivedFrom: [raw] }) as const

const claim = (raw: Ref, value: unknown, more: object = {}) =>
  ({
    kind: 'claim',
    body: { subject: 'user', predicate: 'city', value, ...more },
    derivedFrom: [raw],
  }) as const

async function withRaw(bench = new GateBench()) {
  return { bench, raw: await bench.ref({}) }
}

const act = {
  actor: 'bench:host',
  arrival: { time: toInstant(WORLD_START), bytes: new Uint8Array(32) },
}
const host = { door: 'lib', operation: 'x', person: false, grant: null, session: null, turn: null }

describe('the list of rules', () => {
  test('is asked in the order that policies name', () => {
    expect(RULES.map(({ name }) => name)).toEqual([...RULE_NAMES])
  })

  test('the first to answer signs', async () => {
    const { bench } = await withRaw()
    // The label is not allowed, the source is missing and the words are noise: only one may say so.
    const c = await bench.open({
      kind: 'belief',
      body: { statement: 'aaaaa' },
      caller: { door: 'mcp' },
    })
    expect(decide(c)).toMatchObject({ rule: 'origin', verdict: { type: 'refuse' } })
  })
})

describe('state', () => {
  test('takes nothing in maintenance, and has nothing to say otherwise', async () => {
    const { bench } = await withRaw()
    expect(state.judge(await bench.open({}))).toBeUndefined()
    await bench.decide({
      type: 'state',
      to: 'MAINTENANCE',
      from: null,
      caller: { ...host, door: 'lib' },
      ...act,
    })
    expect(state.judge(await bench.open({}))).toMatchObject({
      type: 'error',
      error: { code: 'maintenance_mode' },
    })
  })
})

describe('shape', () => {
  test('passes what agrees with itself', async () => {
    const { bench } = await withRaw()
    const c = await bench.open({})
    const agreeing = { contentHash: c.candidate.main.contentHash, policyHash: c.desk.policyHash }
    expect(shape.judge(await bench.open({ supplied: agreeing }))).toBeUndefined()
  })

  test('names every field that does not agree', async () => {
    const { bench } = await withRaw()
    const wrong = 'a'.repeat(64) as Hash
    const late = toInstant(bench.world.clock.now() + 300_001)
    const verdict = shape.judge(
      await bench.open({
        supplied: { contentHash: wrong, policyHash: wrong, timestamp: late },
        origin: { label: label.modelDerived(), sourceType: 'seed' },
      }),
    )
    expect(verdict).toMatchObject({ type: 'error', error: { code: 'invalid_provenance' } })
    const paths = verdict?.type === 'error' ? verdict.error.issues.map(({ path }) => path) : []
    expect(paths.sort()).toEqual([
      'contentHash',
      'llmModel',
      'policyHash',
      'sourceType',
      'timestamp',
    ])
  })

  test('a timestamp may lie ahead by the clock’s skew and no further', async () => {
    const { bench } = await withRaw()
    const just = toInstant(bench.world.clock.now() + 300_000)
    expect(shape.judge(await bench.open({ supplied: { timestamp: just } }))).toBeUndefined()
  })

  test('knows what is saved already from what only has its id', async () => {
    const { bench, raw } = await withRaw()
    const id = idAt(9)
    await bench.ref({ ...note(raw), id })
    expect(shape.judge(await bench.open({ ...note(raw), id }))).toMatchObject({ type: 'present' })
    for (const other of [
      { ...note(raw, 'Tea at five'), id },
      { ...note(raw), id, origin: { sourceId: 'bob' } },
      { ...note(raw), id, origin: { label: label.userAsserted() } },
      { ...note(raw), id, derivedFrom: [] },
    ]) {
      expect(shape.judge(await bench.open(other))).toMatchObject({ error: { code: 'id_exists' } })
    }
  })
})

describe('origin', () => {
  test('refuses a label that the door does not allow, and lets it through where it does', async () => {
    const { bench } = await withRaw()
    const user = { origin: { label: label.userAsserted() } }
    expect(origin.judge(await bench.open({ ...user, caller: { door: 'mcp' } }))).toMatchObject({
      type: 'refuse',
      reasons: ['label_not_allowed'],
    })
    expect(origin.judge(await bench.open({ ...user, caller: { door: 'hook' } }))).toBeUndefined()
  })
})

describe('lineage', () => {
  test('passes a source that is there and may be cited', async () => {
    const { bench, raw } = await withRaw()
    expect(lineage.judge(await bench.open(note(raw)))).toBeUndefined()
  })

  test('says in one sentence each what is wrong, and what may be cited', async () => {
    const { bench, raw } = await withRaw()
    const missing = `note:${idAt(77)}` as Ref
    const verdict = lineage.judge(
      await bench.open({
        kind: 'belief',
        body: { statement: 'Tea is served at four' },
        derivedFrom: [raw, missing],
        sourceEpisodes: [`episode:${idAt(78)}` as Ref],
      }),
    )
    expect(verdict).toMatchObject({
      type: 'refuse',
      reasons: ['parent_kind', 'parent_missing', 'evidence_missing'],
      hint: expect.stringContaining('episode, note, claim'),
    })
    const message = verdict?.type === 'refuse' ? verdict.message : ''
    expect(message).toContain(`${missing} does not exist in this stack.`)
  })
})

describe('tombstone', () => {
  test('keeps out what a person rejected, from whom they rejected it', async () => {
    const { bench, raw } = await withRaw(
      new GateBench({ numbers: { quarantineBurstThreshold: 0 } }),
    )
    const aside = await bench.ref({ ...note(raw), origin: MODEL_ORIGIN })
    const open = () => bench.open({ ...note(raw, ' TEA at  four'), origin: MODEL_ORIGIN })
    expect(tombstone.judge(await open())).toBeUndefined()
    const [mark] = (await open()).candidate.marks().map(markOf)
    const caller = { ...host, door: 'explorer', person: true } as const
    await bench.decide({ type: 'reject', ref: aside, mark: mark as Hash, caller, ...act })
    expect(tombstone.judge(await open())).toMatchObject({ reasons: ['tombstoned'] })
    const other = await bench.open({ ...note(raw), origin: { ...MODEL_ORIGIN, sourceId: 'bob' } })
    expect(tombstone.judge(other)).toBeUndefined()
  })
})

/** A mark, whether it comes alone or with the kind it is for. */
const markOf = (mark: string | { readonly hash: string }): string =>
  typeof mark === 'string' ? mark : mark.hash

describe('restate', () => {
  test('is the same anchor saying it again first-hand', async () => {
    const { bench, raw } = await withRaw()
    const first = await bench.ref(note(raw))
    expect(restate.judge(await bench.open(note(raw, 'tea AT four')))).toMatchObject({
      type: 'collapse',
      onto: { ref: first },
      disposition: 'Corroborated',
    })
  })

  test('is not another actor, another door, another document, a model or another text', async () => {
    const { bench, raw } = await withRaw()
    await bench.ref(note(raw))
    for (const other of [
      { ...note(raw), origin: { sourceId: 'bob' } },
      { ...note(raw), caller: { door: 'hook' as const } },
      { ...note(raw), origin: { document: 'a letter' } },
      { ...note(raw), origin: MODEL_ORIGIN },
      note(raw, 'Tea at five'),
    ]) {
      expect(restate.judge(await bench.open(other))).toBeUndefined()
    }
  })

  test('is not of an event, and not of what a model said first', async () => {
    const { bench, raw } = await withRaw()
    await bench.ref({ ...note(raw), origin: MODEL_ORIGIN })
    expect(restate.judge(await bench.open(note(raw)))).toBeUndefined()
    expect(restate.judge(await bench.open({}))).toBeUndefined()
  })
})

describe('burst', () => {
  test('is one more than the threshold, inside the window', async () => {
    const bench = new GateBench({ numbers: { quarantineBurstThreshold: 2, burstWindowMs: 1_000 } })
    const raw = await bench.ref({})
    const model = { ...note(raw), origin: MODEL_ORIGIN }
    const first = await bench.ref(model)
    bench.world.clock.advance({ ms: 1_000 })
    await bench.write(model)
    expect(burst.judge(await bench.open(model))).toMatchObject({
      type: 'collapse',
      onto: { ref: first },
      disposition: 'Quarantined',
      reasons: ['burst', 'repeated'],
      facts: { count: 3 },
    })
    bench.world.clock.advance({ ms: 1 })
    expect(burst.judge(await bench.open(model))).toBeUndefined()
  })
})

describe('echo', () => {
  test('meets what was said before, live first and then the oldest', async () => {
    const { bench, raw } = await withRaw()
    const first = await bench.ref(note(raw))
    await bench.ref({ ...note(raw), origin: { sourceId: 'bob' } })
    const exact = echo.judge(await bench.open({ ...note(raw), origin: MODEL_ORIGIN }))
    expect(exact).toMatchObject({ type: 'collapse', onto: { ref: first }, reasons: ['echo_exact'] })
    const recalled = { label: label.recallReEntry(), sourceType: 'inference' } as const
    const declared = echo.judge(await bench.open({ ...note(raw), origin: recalled }))
    expect(declared).toMatchObject({ onto: { ref: first }, reasons: ['echo_declared'] })
  })

  test('prefers what is believed to what is older, and meets what is not rather than nothing', async () => {
    const { bench, raw } = await withRaw()
    const late = '2021-01-01T00:00:00.000Z'
    const early = '2020-01-01T00:00:00.000Z'
    const aside = await bench.ref(claim(raw, 'Berlin', { validTime: { start: late, end: early } }))
    const model = { ...claim(raw, 'Berlin'), origin: MODEL_ORIGIN }
    expect(echo.judge(await bench.open(model))).toMatchObject({ onto: { ref: aside } })
    const live = await bench.ref({ ...claim(raw, 'Berlin'), origin: { sourceId: 'bob' } })
    expect(echo.judge(await bench.open(model))).toMatchObject({ onto: { ref: live } })
  })

  test('of nothing known is kept at the bottom; first-hand words are never an echo', async () => {
    const { bench, raw } = await withRaw()
    const recalled = { label: label.recallReEntry(), sourceType: 'inference' } as const
    const novel = await bench.open({ ...note(raw), origin: recalled })
    expect(novel.tier).toBe(0)
    expect(echo.judge(novel)).toMatchObject({ type: 'admit', disposition: 'CommittedInferred' })
    await bench.ref(note(raw))
    const other = await bench.open({ ...note(raw), origin: { sourceId: 'bob' } })
    expect(echo.judge(other)).toBeUndefined()
    expect(echo.judge(await bench.open({ origin: MODEL_ORIGIN }))).toBeUndefined()
  })
})

describe('echo, in other words', () => {
  test('has no say over a likely rewording, however near: the link decides nothing', async () => {
    const { bench, raw } = await withRaw()
    const ref = await bench.ref(note(raw))
    const reworded = { body: { content: 'Said quite differently, it seems' }, origin: MODEL_ORIGIN }
    // The memory is named as evidence, so that the gate gathers the memory.
    const c = await bench.open({ ...note(raw), ...reworded, sourceEpisodes: [ref] })
    const likes = [{ ref, score: 2_000 }]
    expect(echo.judge({ ...c, candidate: { ...c.candidate, likes } })).toBeUndefined()
    const same = await bench.open({ ...note(raw), origin: MODEL_ORIGIN })
    expect(echo.judge(same)).toMatchObject({ type: 'collapse', reasons: ['echo_exact'] })
  })
})

describe('coherence', () => {
  const early = '2020-01-01T00:00:00.000Z'
  const late = '2021-01-01T00:00:00.000Z'
  const future = '2040-01-01T00:00:00.000Z'

  test('sets aside a claim that ends before it starts, or is true before it began', async () => {
    const { bench, raw } = await withRaw()
    const backwards = claim(raw, 1, { validTime: { start: late, end: early } })
    expect(coherence.judge(await bench.open(backwards))).toMatchObject({
      disposition: 'Quarantined',
      reasons: ['start_after_end'],
    })
    const already = claim(raw, 1, { validTime: { start: future }, holds: 'already' })
    expect(coherence.judge(await bench.open(already))).toMatchObject({
      reasons: ['true_before_it_began'],
    })
  })

  test('has nothing against a window, a plan, or a moment', async () => {
    const { bench, raw } = await withRaw()
    for (const fine of [
      claim(raw, 1, { validTime: { start: early, end: late } }),
      claim(raw, 1, { validTime: { start: early, end: early } }),
      claim(raw, 1, { validTime: { start: future }, holds: 'planned' }),
      claim(raw, 1, { validTime: { start: toInstant(bench.world.clock.now()) }, holds: 'already' }),
      note(raw),
    ]) {
      expect(coherence.judge(await bench.open(fine))).toBeUndefined()
    }
  })
})

describe('lint', () => {
  test('refuses a noisy belief, and a value whose name or statement is noise', async () => {
    const { bench } = await withRaw()
    const belief = await bench.open({ kind: 'belief', body: { statement: 'short' } })
    expect(lint.judge(belief)).toMatchObject({ type: 'refuse', reasons: ['too_short'] })
    const body = { name: 'ab', statement: 'Say what you think' }
    expect(lint.judge(await bench.open({ kind: 'value', body }))).toMatchObject({
      reasons: ['name_too_short'],
    })
  })

  test('reads nothing but beliefs and values', async () => {
    const { bench, raw } = await withRaw()
    expect(lint.judge(await bench.open(note(raw, 'short')))).toBeUndefined()
    const fine = await bench.open({ kind: 'belief', body: { statement: 'Teams work together' } })
    expect(lint.judge(fine)).toBeUndefined()
  })
})

describe('conflict', () => {
  test('keeps a model beside first-hand, and a deep one waiting', async () => {
    const { bench, raw } = await withRaw()
    const held = await bench.ref(claim(raw, 'Berlin'))
    const model = { ...claim(raw, 'Paris'), origin: MODEL_ORIGIN }
    expect(conflict.judge(await bench.open(model))).toMatchObject({
      disposition: 'CommittedInferred',
      reasons: ['model_against_first_hand'],
      facts: { against: [held] },
    })
    const rootless = { ...model, derivedFrom: [] }
    expect(conflict.judge(await bench.open(rootless))).toMatchObject({
      disposition: 'PendingConflict',
      reasons: ['depth_over_cap'],
    })
  })

  test('contests another’s first-hand word, not one’s own', async () => {
    const { bench, raw } = await withRaw()
    const held = await bench.ref(claim(raw, 'Berlin'))
    const other = { ...claim(raw, 'Paris'), origin: { sourceId: 'bob' } }
    expect(conflict.judge(await bench.open(other))).toMatchObject({
      disposition: 'Contested',
      facts: { against: [held] },
    })
    expect(conflict.judge(await bench.open(claim(raw, 'Paris')))).toMatchObject({
      disposition: 'CommittedCheap',
      reasons: ['succession'],
      facts: { succeeds: [held] },
    })
    expect(conflict.judge(await bench.open(claim(raw, 'berlin ')))).toBeUndefined()
  })

  test('has nothing to do with what is set aside', async () => {
    const { bench, raw } = await withRaw()
    const wrong = {
      validTime: { start: '2021-01-01T00:00:00.000Z', end: '2020-01-01T00:00:00.000Z' },
    }
    await bench.ref({ ...claim(raw, 'Berlin', wrong), origin: { sourceId: 'bob' } })
    expect(conflict.judge(await bench.open(claim(raw, 'Paris')))).toBeUndefined()
  })

  test('lets a claim of little confidence wait, and looks at no other line', async () => {
    const { bench, raw } = await withRaw()
    await bench.ref({ ...claim(raw, 'Berlin'), origin: { sourceId: 'bob' } })
    const diet = { ...claim(raw, 'x'), body: { subject: 'user', predicate: 'diet', value: 'tea' } }
    expect(conflict.judge(await bench.open(diet))).toBeUndefined()
    expect(conflict.judge(await bench.open({ ...diet, confidence: 0.2 }))).toBeUndefined()
    expect(conflict.judge(await bench.open({ ...diet, confidence: 0.19 }))).toMatchObject({
      disposition: 'PendingLowConfidence',
    })
  })
})

describe('admit', () => {
  test('answers always, by the label', async () => {
    const { bench } = await withRaw()
    expect(admit.judge(await bench.open({}))).toMatchObject({ disposition: 'CommittedCheap' })
    const model = await bench.open({ origin: MODEL_ORIGIN })
    expect(admit.judge(model)).toMatchObject({ disposition: 'CommittedInferred' })
  })
})
