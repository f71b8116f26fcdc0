import { describe, expect, test } from 'vitest'
import { label } from '../../src/domain/labels.ts'
import { smallFamily } from './support.ts'

const BY_A_MODEL = { label: label.modelDerived(), actor: 'a model' }
const REPEATS = 200

/** How many entries an act leaves behind. */
async function grownBy(
  stack: Awaited<ReturnType<typeof smallFamily>>['stack'],
  act: () => Promise<unknown>,
): Promise<number> {
  const { entries: before } = await stack.ledger.audit()
  await act()
  const { entries, ok } = await stack.ledger.audit()
  expect(ok).toBe(true)
  return entries - before
}

describe('what is said again does not grow the ledger', () => {
  test('an attestation of the same evidence by the same one is told once and counted', async () => {
    const { stack, clock, raw, belief } = await smallFamily()
    const attest = (more = {}) =>
      stack.changes.verify(belief, { evidence: [raw], ...BY_A_MODEL, ...more })
    const first = await attest()
    const grown = await grownBy(stack, async () => {
      for (let i = 0; i < REPEATS; i += 1) {
        expect(await attest()).toEqual({ ...first, reason: 'attested', changed: false })
      }
    })
    expect(grown).toBe(0)
    // Another one, other evidence and another change are other words.
    const others = [{ actor: 'another' }, { evidence: [] }]
    expect(await grownBy(stack, () => Promise.all(others.map(attest)))).toBe(2)
    const reinforced = { evidence: [raw], ...BY_A_MODEL }
    expect(await grownBy(stack, () => stack.changes.reinforce(belief, reinforced))).toBe(1)
    // How often it was said is told when the window has ended.
    clock.advance({ days: 1 })
    expect(await grownBy(stack, attest)).toBe(1)
    expect(await grownBy(stack, attest)).toBe(0)
  })

  test('so is a confidence that nobody may raise', async () => {
    const { stack, belief } = await smallFamily()
    const raise = () =>
      stack.changes.change(
        belief,
        { type: 'describe', confidence: 1, tags: null },
        'test',
        BY_A_MODEL,
      )
    expect(await grownBy(stack, raise)).toBe(1)
    expect(await grownBy(stack, raise)).toBe(0)
  })

  test('a note of a component is told again only when it says something else', async () => {
    const { stack, belief } = await smallFamily()
    const note = (mood: string) =>
      stack.changes.change(
        belief,
        { type: 'annotate', by: 'mood', fields: { mood } },
        'test',
        BY_A_MODEL,
      )
    expect(await note('calm')).toMatchObject({ changed: true })
    expect(await note('calm')).toMatchObject({ changed: false, reason: 'already_so', entry: null })
    expect(await note('glad')).toMatchObject({ changed: true })
    expect(await note('calm')).toMatchObject({ changed: true })
    expect(await note('calm')).toMatchObject({ changed: false, reason: 'already_so' })
    expect((await stack.ledger.audit()).ok).toBe(true)
  })

  test('a capture is processed into the same memories once', async () => {
    const { stack, raw, episode, belief } = await smallFamily()
    const process = (into: readonly (typeof raw)[]) =>
      stack.changes.change(raw, { type: 'process', into }, 'test')
    expect(await process([episode, belief])).toMatchObject({ changed: true })
    expect(await process([belief, episode])).toMatchObject({ changed: false, reason: 'already_so' })
    expect(await process([belief])).toMatchObject({ changed: true })
  })
})
