import { describe, expect, test } from 'vitest'
import type { Entity } from '../../src/agent/entity.ts'
import { label } from '../../src/domain/labels.ts'
import { libCaller } from '../../src/engine/write/arguments.ts'
import { freshEntity } from '../stack/support.ts'
import { memoryOf } from './support.ts'

const BY_A_PERSON = { label: label.userAsserted(), actor: 'a person' }
const BY_A_MODEL = { label: label.modelDerived(), actor: 'a model' }

/** As somebody at a terminal does it. */
const noted = (me: Entity, words: string) =>
  me.note(words, { ...BY_A_PERSON, caller: { ...libCaller('note'), door: 'cli', person: true } })

/** Two beliefs that cannot both be so. */
async function disagreeing() {
  const world = await freshEntity()
  const because = 'somebody said so'
  const older = await world.me.belief('The staging server runs on port 8080', { because })
  const newer = await world.me.belief('The staging server does not run on port 8080', { because })
  return { ...world, older: older.ref, newer: newer.ref }
}

describe('a belief or note that contradicts what was known', () => {
  test('is kept, and both sides wait in the queue', async () => {
    const { stack, older, newer } = await disagreeing()
    const queue = await stack.review.list({ kinds: ['contradiction'] })
    expect(queue).toMatchObject([
      { kind: 'contradiction', ref: newer, against: [{ ref: older }], reasons: ['contradicts'] },
    ])
    for (const ref of [older, newer]) {
      expect((await memoryOf(stack, ref)).disposition).toBe('CommittedInferred')
    }
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('is asked about once: who let both stand is not asked again', async () => {
    const { stack, older, newer } = await disagreeing()
    expect(await stack.review.resolve(newer, 'keep', BY_A_PERSON)).toBe(true)
    expect(await stack.claims.noteContradictions(newer)).toMatchObject([{ memory: { ref: older } }])
    expect(await stack.review.list({ kinds: ['contradiction'] })).toEqual([])
  })

  test('takes the other’s place where a person says that it is right', async () => {
    const { stack, older, newer } = await disagreeing()
    expect(await stack.review.resolve(newer, 'accept', BY_A_PERSON)).toBe(true)
    expect((await memoryOf(stack, older)).disposition).toBe('Superseded')
    expect((await memoryOf(stack, newer)).disposition).toBe('CommittedInferred')
    expect(await stack.review.list({ kinds: ['contradiction'] })).toEqual([])
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('goes where a person says that the older one is right', async () => {
    const { stack, older, newer } = await disagreeing()
    expect(await stack.review.resolve(newer, 'dismiss', BY_A_PERSON)).toBe(true)
    expect((await memoryOf(stack, newer)).disposition).toBe('Superseded')
    expect((await memoryOf(stack, older)).disposition).toBe('CommittedInferred')
  })

  test('is not settled by a model', async () => {
    const { stack, older, newer } = await disagreeing()
    for (const answer of ['accept', 'dismiss', 'keep'] as const) {
      expect(await stack.review.resolve(newer, answer, BY_A_MODEL)).toBe(false)
    }
    expect(await stack.review.list({ kinds: ['contradiction'] })).toHaveLength(1)
    expect((await memoryOf(stack, older)).disposition).toBe('CommittedInferred')
  })

  test('stays a question while the other side is protected and would have to go', async () => {
    const { me, stack } = await freshEntity()
    const older = await me.note('The office is open on Sundays', { observed: true })
    await stack.protectMemory('note', older.id)
    const newer = await noted(me, 'The office is not open on Sundays')
    expect(newer.contradicts).toEqual([older.ref]) // the command line is told in the answer
    expect(await stack.review.resolve(newer.ref, 'accept', BY_A_PERSON)).toBe(false)
    expect(await stack.review.list({ kinds: ['contradiction'] })).toHaveLength(1)
  })

  test('is not asked about for what is said less surely, was so once, or is gone', async () => {
    const { me, stack } = await freshEntity()
    const gone = await me.note('The garden gate is locked at night', { observed: true })
    await stack.forgetMemory('note', gone.id, 'no longer needed')
    expect((await noted(me, 'The garden gate is not locked at night')).contradicts).toEqual([])
    await me.note('The backup runs every night', { observed: true })
    expect((await noted(me, 'The backup might not run every night')).contradicts).toEqual([])
    expect((await noted(me, 'The cellar door is green')).contradicts).toEqual([])
  })

  test('waits for nobody once it is erased, and the audit still follows', async () => {
    const { stack, older, newer } = await disagreeing()
    await stack.erasure.erase(older, { basis: 'requested' })
    expect(await stack.review.list({ kinds: ['contradiction'] })).toMatchObject([
      { ref: newer, against: [] },
    ])
    expect((await stack.ledger.audit()).problems).toEqual([])
  })
})
