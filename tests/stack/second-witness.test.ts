import { describe, expect, test } from 'vitest'
import { label } from '../../src/domain/labels.ts'
import { freshEntity } from './support.ts'

const ANN = { actor: 'ann', label: label.userAsserted() }

describe('a model’s goal that a person says again', () => {
  async function twoGoals() {
    const fresh = await freshEntity()
    const { me } = fresh
    const guessed = await me.goal('Ship the release', { because: 'the plan says so' })
    const said = await me.goal('Ship the release', { because: 'I want it out', ...ANN })
    return { ...fresh, guessed, said }
  }

  test('is a memory of the person, and each of the two keeps its own sources', async () => {
    const { stack, guessed, said } = await twoGoals()
    expect(said).toMatchObject({ disposition: 'CommittedCheap', tier: 3 })
    expect(said.ref).not.toBe(guessed.ref)
    const goals = await stack.getGoals()
    expect(goals.map(({ ref, tier }) => [ref, tier])).toEqual([
      [said.ref, 3],
      [guessed.ref, 1],
    ])
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('has one place in working memory, which the person’s word takes', async () => {
    const { stack, me, guessed, said } = await twoGoals()
    const other = await me.goal('Ship the manual', { because: 'readers ask for one' })
    const { goals, _meta } = await stack.load({ tokenBudget: 2_000 })
    expect(goals.map(({ memory }) => memory.ref).toSorted()).toEqual(
      [said.ref, other.ref].toSorted(),
    )
    expect(_meta.excluded).toContainEqual({ ref: guessed.ref, reason: 'said_at_higher_tier' })
  })

  test('comes back into working memory when the person forgets theirs', async () => {
    const { stack, guessed, said } = await twoGoals()
    await stack.forgetMemory('goal', said.id, 'not any more', ANN)
    const { goals } = await stack.load({ tokenBudget: 2_000 })
    expect(goals.map(({ memory }) => memory.ref)).toEqual([guessed.ref])
  })
})
