import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalize } from '../../src/ledger/canonical.ts'
import { readEntry } from '../../src/ledger/ledger.ts'
import { histories } from './histories.ts'
import { openForTest, STACK_ID, take } from './production.ts'
import { runs } from './runs.ts'
import { PHRASES, STATEMENTS } from './sayings.ts'
import { type GateDraft, type History, PLAIN } from './steps.ts'

/** Other words for every phrase: as equal, as noisy and as short as the ones they stand for. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  'Teams work better together': 'Crows gather in the evening',
  'teams  work better TOGETHER ': 'crows  gather in the EVENING ',
  'Small changes ship faster': 'Large stones sink to the ground',
  'Cafe\u0301s open late here': 'E\u0301clairs taste of almonds',
  'Caf\u00e9s open late here': '\u00c9clairs taste of almonds',
  abcdefghij: 'klmnopqrstuvw',
  abcdefghi: 'klmno',
  aaaaa: 'bbbbbbb',
  'I should always consider the': 'We must never forget about the of',
  'Belief: people like tea': 'Belief: cats like milk and cream',
}

const OTHER_VALUES = new Map<string, GateDraft['saying']['claim']['value']>([
  ['"Berlin"', 'Tokyo'],
  ['" BERLIN"', ' TOKYO'],
  ['"Paris"', 'Santiago de Compostela'],
  ['1', 20_000],
  ['1.5', 0.125],
  ['["Berlin"]', ['Tokyo']],
  ['["a","b"]', ['ccc', 'dddd']],
])

const inOtherWords = (phrase: string): string => OTHER_WORDS[phrase] ?? phrase

function disguised(draft: GateDraft): GateDraft {
  if (draft.kind === 'assessment') return draft // its phrase stands for a score, which decides
  const { phrase, variant, claim } = draft.saying
  const value = OTHER_VALUES.get(JSON.stringify(claim.value)) ?? claim.value
  return {
    ...draft,
    saying: { phrase: inOtherWords(phrase), variant, claim: { ...claim, value } },
    captures: draft.captures.map((capture) => ({
      ...capture,
      phrase: inOtherWords(capture.phrase),
    })),
  }
}

const inDisguise = ({ genesis, steps }: History): History => ({
  genesis,
  steps: steps.map((step) => {
    if (step.type !== 'write') return step
    const [first, ...rest] = step.drafts
    return { ...step, drafts: [disguised(first), ...rest.map(disguised)] }
  }),
})

/** Every member of every entry but those that may depend on content: salted, or under a key. */
async function ledgerOf({ genesis, steps }: History): Promise<readonly string[]> {
  const played = await openForTest({ genesis })
  for (const step of steps) await take(played, step)
  return played.store.rows(STACK_ID).entries.map(({ bytes }) => {
    const { commitment, prevHash: _, decision, ...entry } = readEntry(bytes)
    const { tombstone: __, ...facts } = decision.facts
    return canonicalize({ ...entry, seals: commitment !== null, ...decision, facts })
  })
}

describe('the ledger', () => {
  test('says nothing of the words: with all of them changed, every entry is the same', async () => {
    await fc.assert(
      fc.asyncProperty(histories({ maxSteps: 20 }), async (history) => {
        expect(await ledgerOf(inDisguise(history))).toEqual(await ledgerOf(history))
      }),
      runs(60),
    )
  })

  test('positive control: every word is another one, and what is sealed is not the same', async () => {
    expect(Object.keys(OTHER_WORDS)).toEqual(PHRASES)
    expect(new Set(Object.values(OTHER_WORDS)).size).toBe(STATEMENTS.size)
    const [phrase = ''] = PHRASES
    const drafts = [{ ...PLAIN, saying: { ...PLAIN.saying, phrase } }] as const
    const history: History = {
      genesis: 'house',
      steps: [{ type: 'write', waitMs: 0, drafts: [...drafts] }],
    }
    const sealed = await Promise.all([history, inDisguise(history)].map(sealedIn))
    expect(sealed[0]).toContain(phrase)
    expect(sealed[1]).toContain(inOtherWords(phrase))
  })
})

async function sealedIn({ genesis, steps }: History): Promise<string> {
  const played = await openForTest({ genesis })
  for (const step of steps) await take(played, step)
  const rows = [...played.store.rows(STACK_ID).sealed.values()]
  return rows.map(({ bytes }) => new TextDecoder().decode(bytes)).join()
}
