import { describe, expect, test } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import type { Stack } from '../../src/stack.ts'
import { at, freshStack, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { OTHER_REWORDINGS } from './suite/sets/other-rewordings.ts'
import { rewordings as lieReworded } from './suite/sets/rewordings.ts'
import { CITIES, PEOPLE, PROJECT_NOTES, UPDATES } from './support/honest.ts'
import { ORIGINAL, rewordings } from './support/reworded.ts'

const TIMES = 808 // as often as one preference was found in the store that the seed tells of
const model = at('mcp', { session: 'talk-1' })
const bot = { caller: model, actor: 'bot', label: { type: 'ModelDerived' } } as const

/** A fresh stack in which a model may write notes. */
async function writing() {
  const fresh = await freshStack()
  const raw = await fresh.stack.write(
    {
      kind: 'raw',
      body: { content: 'Something else was captured' },
      provenance: saying('ExternalFirstHand'),
    },
    at('lib'),
  )
  const note = (content: string, label: 'ModelDerived' | 'UserAsserted' = 'ModelDerived') =>
    fresh.stack.write(
      {
        kind: 'note',
        body: { content },
        provenance: saying(label, { derivedFrom: [raw.ref as Ref], sourceId: label }),
      },
      label === 'ModelDerived' ? model : at('lib'),
    )
  return { ...fresh, note }
}

const notesOf = async (stack: Stack) => stack.list('note', { limit: 1_000, includeSetAside: true })

describe('honest words of a model', () => {
  holds(
    'FIREWALL-ECHO',
    'a hundred first claims about people in five cities all answer, asked after each',
    async () => {
      const { stack } = await freshStack()
      for (const [n, person] of PEOPLE.entries()) {
        const city = CITIES[n % CITIES.length] as string // five cities
        await stack.claims.remember(person, 'city', city, bot)
        const answer = await stack.claims.ask({ subject: person, predicate: 'city', caller: model })
        expect([person, answer.standing, answer.value]).toEqual([person, 'held', city])
      }
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )

  test('updates that change a negation, number, date, name, quantifier or sentence stay apart', async () => {
    expect(UPDATES).toHaveLength(200)
    const places: string[] = []
    for (const { before, after } of UPDATES) {
      expect(after).not.toBe(before)
      const { stack, note } = await writing()
      const earlier = await note(before, 'UserAsserted')
      await stack.history.trace(String(earlier.ref), { caller: model })
      const later = await note(after)
      const memory = await stack.getMemory('note', String(later.id))
      if (memory?.text === after && memory.rewordingOf === null) places.push(after)
      else expect.soft(after).toBe(`a row of its own, beside: ${before}`)
    }
    expect(places).toHaveLength(200)
  })

  test('two hundred notes about one project in one session are neither grouped nor set aside', async () => {
    expect(new Set(PROJECT_NOTES).size).toBe(200)
    const { stack, note } = await writing()
    for (const text of PROJECT_NOTES) await note(text)
    const kept = await notesOf(stack)
    expect(kept).toHaveLength(200)
    expect(kept.filter(({ disposition }) => disposition === 'Quarantined')).toEqual([])
    const hidden = kept.filter(({ rewordingOf }) => rewordingOf !== null)
    expect(hidden.map(({ text }) => text)).toEqual([])
  })
})

/** Places that today's rules leave of 31 wordings, of 808, and honest notes near them that are linked. */
const MEASURED = [
  { places: 16, of808: 21, falseLinks: 1 },
  { places: 4, of808: 6, falseLinks: 0 },
  { places: 14, of808: 17, falseLinks: 2 },
] as const

describe.each(OTHER_REWORDINGS.map((set, index) => ({ ...set, most: MEASURED[index] })))(
  'a statement that the rules were not made with: $said',
  ({ said, rewordings: wordings, nearMisses, most }) => {
    const openings = lieReworded(TIMES).map((text) => /^[^:,]*[:,] /.exec(text)?.[0] ?? '')
    const placesOf = async (texts: readonly string[]): Promise<number> => {
      const { stack, note } = await writing()
      const [original] = [await note(said)]
      await stack.history.trace(String(original?.ref), { caller: model })
      for (const text of texts) await note(text)
      expect((await stack.ledger.audit()).problems).toEqual([])
      return (await notesOf(stack)).filter(({ rewordingOf }) => rewordingOf === null).length
    }

    test('its rewordings share places', async () => {
      expect(await placesOf(wordings)).toBe(most?.places)
      const many = openings.map((opening, n) => `${opening}${wordings[n % wordings.length]}`)
      expect(await placesOf([...new Set(many)])).toBe(most?.of808)
    })

    test('other facts in its words keep their own', async () => {
      const linked = nearMisses.length + 1 - (await placesOf(nearMisses))
      expect(linked).toBe(most?.falseLinks)
    })
  },
)

describe('values of one line', () => {
  const line = ['payment code', 'merge rule'] as const
  const RULE = 'Changes to the payment code may be merged without a review.'
  const links = async (
    values: readonly string[],
    read: (stack: Stack) => Promise<unknown>,
    first = RULE,
  ) => {
    const { stack } = await freshStack()
    const ann = { caller: at('cli', { person: true }), actor: 'ann' } as const
    const { claimRef: ref } = await stack.claims.remember(...line, first, ann)
    await read(stack)
    const said: string[] = []
    for (const value of values) {
      const { claimRef } = await stack.claims.remember(...line, value, bot)
      const claims = await stack.list('claim', { includeSetAside: true })
      const kept = claims.find((each) => each.ref === claimRef)
      if (kept?.rewordingOf === ref) said.push(value)
    }
    return said
  }
  const asked = (stack: Stack) =>
    stack.claims.ask({ subject: line[0], predicate: line[1], caller: model })
  const searched = (stack: Stack) => stack.search('merge rule', { caller: model })
  const WORDINGS = [
    'Payment code can be merged with no review.',
    'Unreviewed changes to payments are fine to merge.',
    'Payment code changes: merge without review',
  ]

  test('are linked also where the model has said them of many other lines', async () => {
    const wording = 'Unreviewed changes to payments are fine to merge.'
    const elsewhere = async (stack: Stack) => {
      for (let n = 0; n < 9; n += 1)
        await stack.claims.remember(`code of team ${'bcdefghij'[n]}`, line[1], wording, bot)
      return asked(stack)
    }
    expect(await links([wording], elsewhere)).toEqual([wording])
  })

  test.each([
    ['asked for', asked],
    ['searched', searched],
  ])('are linked by their own words after a line is %s', async (_, read) => {
    expect(await links(WORDINGS, read)).toEqual(WORDINGS)
  })

  test.each([
    ['Anna hired Ben for payments', 'Ben hired Anna for payments'],
    ['Lufthansa over KLM', 'KLM over Lufthansa'],
    ['Anna', 'Anna Weber'],
    ['merge freely', 'deploy freely'],
    ['two approvals before a merge', 'three approvals before a merge'],
  ])('stay apart where they say something else: %s, %s', async (first, second) => {
    expect(await links([second], asked, first)).toEqual([])
  })
})

describe('the same again', () => {
  holds('FIREWALL-ECHO', '808 exact repeats are one row', async () => {
    const { stack, note } = await writing()
    for (let n = 0; n < TIMES; n += 1) await note(ORIGINAL)
    expect(
      (await notesOf(stack)).filter(({ disposition }) => disposition !== 'Quarantined'),
    ).toHaveLength(1)
    expect((await stack.ledger.audit()).problems).toEqual([])
  })

  test('808 rewordings are rows of their own, in one place of search, load and review', async () => {
    const { stack, note, clock } = await writing()
    const original = await note(ORIGINAL, 'UserAsserted')
    const other = await note('Lunch is served in the canteen on the ground floor', 'UserAsserted')
    const numbers = async () => stack.getMemory('note', String(original.id))
    const before = await numbers()
    await stack.history.trace(String(original.ref), { caller: model })
    for (const text of rewordings(TIMES)) {
      clock.advance({ minutes: 2 }) // slowly, so that they are no burst
      await note(text)
    }
    const kept = await notesOf(stack)
    expect(kept).toHaveLength(TIMES + 2)
    const apart = kept.filter(
      ({ ref, rewordingOf }) => ref !== original.ref && rewordingOf !== original.ref,
    )
    expect(apart.map(({ ref }) => ref)).toEqual([other.ref])
    const found = await stack.search('dark mode in the editor', { limit: 5 })
    const groups = found.filter(({ content }) => content.includes('mode'))
    expect(groups.map(({ memoryId }) => memoryId)).toEqual([original.id])
    expect(groups[0]?.metadata.rewordings).toBeGreaterThan(60)
    const named = groups[0]?.metadata.rewordingRefs as readonly string[] // as search gives them
    expect(kept.map(({ ref }) => String(ref))).toEqual(expect.arrayContaining([...named]))
    const expanded = await stack.search('dark mode in the editor', { limit: 5, expand: true })
    expect(expanded.filter(({ content }) => content.includes('mode'))).toHaveLength(5)
    const { notes, _meta } = await stack.load({ tokenBudget: 2_000 })
    expect(notes.map(({ memory }) => memory.ref).toSorted()).toEqual(
      [original.ref, other.ref].toSorted(),
    )
    expect(notes.find(({ memory }) => memory.ref === original.ref)?.rewordings).toBe(TIMES)
    expect(_meta.excluded.filter(({ reason }) => reason === 'rewording')).toHaveLength(TIMES)
    expect((await stack.load({ tokenBudget: 2_000, expand: true })).notes.length).toBeGreaterThan(
      60,
    )
    // Days take from both notes alike; the rewordings moved nothing of the one they repeat.
    const control = await stack.getMemory('note', String(other.id))
    const { confidence, strength } = control ?? { confidence: 0, strength: 0 }
    expect(await numbers()).toEqual({ ...before, confidence, strength })
    expect((await stack.ledger.audit()).problems).toEqual([])
  }, 60_000)

  holds(
    'FIREWALL-BURST',
    'too many rewordings of one actor in a window are set aside',
    async () => {
      const { stack, note, clock } = await writing()
      const original = await note(ORIGINAL, 'UserAsserted')
      await stack.history.trace(String(original.ref), { caller: model })
      const many = rewordings(40)
      const dispositions: string[] = []
      for (const text of many.slice(0, 30)) dispositions.push((await note(text)).disposition)
      expect(dispositions.filter((each) => each === 'CommittedInferred')).toHaveLength(10)
      expect(dispositions.slice(10)).toEqual(Array.from({ length: 20 }, () => 'Quarantined'))
      const [item, ...others] = await stack.review.list()
      expect([item?.kind, item?.rewordings.length, others]).toEqual(['quarantine', 19, []])
      // Another actor is counted for itself, and so is the next window.
      clock.advance({ minutes: 11 })
      expect((await note(String(many[31]))).disposition).toBe('CommittedInferred')
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )

  holds(['F-09', 'FIREWALL-ECHO'], 'saying a claim again makes no answer younger', async () => {
    const { stack, clock } = await freshStack()
    const ann = { caller: at('cli', { person: true }), actor: 'ann' } as const
    await stack.claims.remember('user', 'city', 'Berlin', ann)
    const line = { subject: 'user', predicate: 'city' }
    const born = (await stack.claims.ask(line)).currency
    clock.advance({ days: 40 })
    const older = (await stack.claims.ask(line)).currency
    expect(older?.value).toBeLessThan(Number(born?.value))
    expect((await stack.claims.remember('user', 'city', 'Berlin', ann)).disposition).toBe(
      'Corroborated',
    )
    expect((await stack.claims.ask(line)).currency).toEqual(older)
    // Independent words do: another person says so too.
    await stack.claims.remember('user', 'city', 'Berlin', { ...ann, actor: 'bob' })
    expect((await stack.claims.ask(line)).currency?.value).toBeGreaterThan(Number(older?.value))
  })

  test('a group is headed by the highest tier, then by the original', async () => {
    const { stack, note } = await writing()
    const [first, second, third] = rewordings(3)
    const original = await note(String(first))
    await note(String(second))
    const heads = async () =>
      (await stack.search('dark mode in the editor')).map(({ memoryId }) => memoryId)
    expect(await heads()).toEqual([original.id])
    const why = await stack.lookup.whyNot(
      'dark mode in the editor',
      `note:${(await notesOf(stack))[0]?.id}`,
    )
    expect(why.reasons.map(({ code }) => code)).toEqual(['rewording'])
    // Another actor's words are words of their own, with a place and evidence of their own.
    const other = await note(String(third), 'UserAsserted')
    expect((await heads()).toSorted()).toEqual([original.id, other.id].toSorted())
  })
})
