import { ok, strictEqual } from 'node:assert/strict'
import { splitRef } from '../../domain/ids.ts'
import { type Case, holds } from '../manifest/case.ts'
import type { StackGiven } from './protocol-given.ts'

/** A row of the strength table: the places where memories of these strengths appear. */
interface Row {
  readonly strengths: readonly number[]
  readonly tier: string
  /** The share of the full priority in a load; null when not loaded. */
  readonly loads: number | null
  readonly searched: boolean
  readonly listed: 'always' | 'weak' | 'forgotten'
}

const WORD = 'peregrine' // a word in no other memory
const FULL_PRIORITY = 0.4 // of an episode

const row =
  ({ strengths, tier, loads, searched, listed }: Row) =>
  async (given: StackGiven): Promise<void> => {
    for (const strength of strengths) {
      const hand = await given.open()
      const { stack } = hand
      const ref = await hand.make('episode', { objective: `${WORD} ${strength}` })
      await hand.setStrength(ref, strength)
      const memory = await stack.getMemory('episode', splitRef(ref).id)
      strictEqual(memory?.strengthTier, tier, `${strength}`)
      const isIn = (found: readonly { readonly ref: string }[]): boolean =>
        found.some((each) => each.ref === ref)
      const { episodes } = await stack.load()
      const item = episodes.find((each) => each.memory.ref === ref)
      strictEqual(item?.priority, loads === null ? undefined : FULL_PRIORITY * loads, 'load')
      const results = await stack.search(`${WORD} ${strength}`, { limit: 100 })
      strictEqual(
        results.some(({ memoryId }) => ref.endsWith(memoryId)),
        searched,
        'search',
      )
      strictEqual(isIn(await stack.getEpisodes()), listed === 'always', 'a plain list')
      strictEqual(isIn(await stack.getEpisodes({ includeWeak: true })), listed !== 'forgotten')
      ok(isIn(await stack.getEpisodes({ includeForgotten: true })), 'everything')
    }
  }

export const strengthCases: readonly Case<StackGiven>[] = [
  holds(
    'S-37',
    'strong: loaded at full priority, searched, listed',
    row({ strengths: [1, 0.9, 0.8], tier: 'strong', loads: 1, searched: true, listed: 'always' }),
  ),
  holds(
    'S-38',
    'fading: loaded at half the priority, searched, listed',
    row({ strengths: [0.79, 0.5], tier: 'fading', loads: 0.5, searched: true, listed: 'always' }),
  ),
  holds(
    'S-39',
    'weak: not loaded, searched, listed with includeWeak',
    row({ strengths: [0.49, 0.2], tier: 'weak', loads: null, searched: true, listed: 'weak' }),
  ),
  holds(
    'S-40',
    'dormant: listed with includeForgotten and nowhere else',
    row({
      strengths: [0.19, 0.01],
      tier: 'dormant',
      loads: null,
      searched: false,
      listed: 'forgotten',
    }),
  ),
  holds(
    'S-41',
    'forgotten: listed with includeForgotten and nowhere else',
    row({ strengths: [0], tier: 'forgotten', loads: null, searched: false, listed: 'forgotten' }),
  ),
  holds('S-39', 'time takes strength away as weakening does', async (given) => {
    const hand = await given.open()
    const { stack, make } = { stack: hand.stack, make: () => hand.make('episode') }
    const ref = await make()
    const shown = async () => (await stack.getEpisodes()).some((each) => each.ref === ref)
    const entries = await hand.entryCount()
    given.clock.advance({ days: 1_500 })
    ok(await shown(), 'half its strength is left')
    given.clock.advance({ days: 1 })
    ok(!(await shown()), 'a day later it is weak')
    strictEqual((await stack.load()).episodes.length, 0)
    given.clock.advance({ days: 900 })
    const memory = await stack.getMemory('episode', splitRef(ref).id)
    strictEqual(memory?.strengthTier, 'dormant')
    strictEqual(memory.stored.strength, 1, 'nothing was written')
    strictEqual(await hand.entryCount(), entries)
  }),
]
