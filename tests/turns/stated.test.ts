import { describe, expect, test } from 'vitest'
import { label } from '../../src/domain/labels.ts'
import { inTurn, person, playTurn, withStack } from './played-turn.ts'
import { SCRIPTED_TURNS } from './scripted-turns.ts'

describe('which sentence of the person states a memory', () => {
  for (const split of ['development', 'held-out'] as const) {
    const turns = SCRIPTED_TURNS.filter((each) => each.split === split)

    test(`${split}: the stating sentence is shown in nine of ten turns, and absence is said in nine of ten`, async () => {
      const wrong: string[] = []
      const counts = { stated: 0, statedRight: 0, absent: 0, absentRight: 0 }
      for (const each of turns) {
        const { turn } = await playTurn(each)
        expect(turn).not.toBeNull()
        const shown = turn?.nearestWords?.text ?? null
        const isRight = shown === each.statedBy
        if (each.statedBy === null) counts.absent += 1
        else counts.stated += 1
        if (isRight && each.statedBy === null) counts.absentRight += 1
        if (isRight && each.statedBy !== null) counts.statedRight += 1
        if (!isRight) wrong.push(`${each.prompts.join(' / ')} → ${shown}`)
      }
      expect(counts).toMatchObject({ stated: 10, absent: 10 })
      expect(counts.statedRight, wrong.join('\n')).toBeGreaterThanOrEqual(9)
      expect(counts.absentRight, wrong.join('\n')).toBeGreaterThanOrEqual(9)
    })
  }
})

describe('the turn of a write', () => {
  test('why names the prompt and the tool results of the turn, and none of them becomes a source', async () => {
    await withStack(async (stack, me) => {
      await me.raw('Hello there', { ...person, ...inTurn('one') })
      const prompt = await me.raw('I prefer trains to flights', { ...person, ...inTurn('two') })
      const result = await me.raw('14 trains a day', inTurn('two'))
      const other = await me.raw('I prefer trains to flights, said elsewhere', {
        ...person,
        session: 'another',
        turn: 'two',
      })
      const given = { ...inTurn('two'), because: 'Asked for trains.', label: label.modelDerived() }
      const belief = await me.belief('The user prefers trains to flights.', given)
      const later = await me.raw('I prefer trains to flights!', { ...person, ...inTurn('three') })

      const why = await stack.history.why(belief.ref)
      expect(why.turn).toMatchObject({
        session: 's',
        turn: 'two',
        prompts: [prompt.ref],
        toolResults: [result.ref],
        nearestWords: {
          ref: prompt.ref,
          text: 'I prefer trains to flights',
          start: 0,
          end: 26,
          isSameTurn: true,
          sharedWords: ['prefer', 'trains', 'flights'],
        },
      })
      const refs = why.lineage.map(({ memory }) => memory.ref)
      for (const each of [prompt, result, other, later]) expect(refs).not.toContain(each.ref)
      expect(why.memory.evidence).toEqual([])
      expect(why.memory.tier).toBe(1)
      expect(why.memory.provenance.quote).toBeNull()
    })
  })

  test('a memory that names no session has no turn, and the words of the person themselves need none', async () => {
    await withStack(async (stack, me) => {
      const own = await me.raw('I prefer trains to flights', { ...person, ...inTurn('one') })
      const loose = await me.belief('The user prefers trains to flights.', { because: 'Heard it.' })
      expect((await stack.history.why(loose.ref)).turn).toBeNull()
      expect((await stack.history.why(own.ref)).turn).toBeNull()
    })
  })

  test('a memory made later from the first one leads to the words of the first turn', async () => {
    await withStack(async (stack, me) => {
      const prompt = await me.raw('I prefer trains to flights', { ...person, ...inTurn('one') })
      const model = { label: label.modelDerived() }
      const note = await me.note('Asked for trains.', { ...model, ...inTurn('one') })
      await me.raw('Plan my trip.', { ...person, session: 'later', turn: 'x' })
      const belief = await me.belief('The user prefers trains to flights.', {
        ...model,
        session: 'later',
        turn: 'x',
        derivedFrom: [note.ref],
      })
      const { turn } = await stack.history.why(belief.ref)
      expect(turn?.session).toBe('later')
      expect(turn?.nearestWords).toMatchObject({ ref: prompt.ref, session: 's', isSameTurn: false })
    })
  })

  test('a later denial takes back what was said earlier in the session', async () => {
    const turns = ['I live in Lisbon.', 'Sorry, I do not live in Lisbon.']
    const written = { kind: 'belief', statement: 'The user lives in Lisbon.' } as const
    const played = { split: 'development', written, statedBy: null } as const
    expect((await playTurn({ ...played, prompts: turns })).turn?.nearestWords).toBeNull()
    const control = await playTurn({ ...played, prompts: turns.slice(0, 1) })
    expect(control.turn?.nearestWords?.text).toBe('I live in Lisbon.')
  })

  test.each([
    ['Does production run Kubernetes 1.29', 'Production runs Kubernetes 1.29.'],
    ['Add a vegetarian option to the menu page.', 'The user is vegetarian.'],
  ])(
    '%s states nothing: a question without its mark, a request that shares one word',
    async (asked, statement) => {
      const written = { kind: 'belief', statement } as const
      const played = { split: 'development', written, statedBy: null } as const
      expect((await playTurn({ ...played, prompts: [asked] })).turn?.nearestWords).toBeNull()
      const said = statement.replace('The user is', 'I am')
      expect((await playTurn({ ...played, prompts: [said] })).turn?.nearestWords?.text).toBe(said)
    },
  )

  test('somebody else who is convinced of a fact states no words of the person', async () => {
    const statement = 'The fiscal year ends in June.'
    const written = { kind: 'belief', statement } as const
    const played = { split: 'development', written, statedBy: null } as const
    const shown = async (prompt: string) =>
      (await playTurn({ ...played, prompts: [prompt] })).turn?.nearestWords?.text ?? null
    expect(await shown('Jo is convinced that the fiscal year ends in June.')).toBeNull()
    const own = 'Note that the fiscal year ends in June.'
    expect(await shown(own)).toBe(own)
  })

  test('words that the person pasted are not words that the person said', async () => {
    const written = { kind: 'belief', statement: 'The cache expires after 30 minutes.' } as const
    const played = { split: 'development', written, statedBy: null } as const
    const fenced = '```\nThe cache expires after 30 minutes.\n```\nWhat is this?'
    expect((await playTurn({ ...played, prompts: [fenced] })).turn?.nearestWords).toBeNull()
    const quoted = '> The cache expires after 30 minutes.\nPlease answer this mail.'
    expect((await playTurn({ ...played, prompts: [quoted] })).turn?.nearestWords).toBeNull()
    const said = 'Note this:\nThe cache expires after 30 minutes.'
    const control = await playTurn({ ...played, prompts: [said] })
    expect(control.turn?.nearestWords).toMatchObject({
      text: 'The cache expires after 30 minutes.',
      start: 11,
    })
  })

  test('words below the tier that a use takes are withheld, and erased words are gone', async () => {
    await withStack(async (stack, me) => {
      const low = { ...person, trustTier: 1 }
      const prompt = await me.raw('I prefer trains to flights', { ...low, ...inTurn('one') })
      const given = { ...inTurn('one'), because: 'Asked.', label: label.modelDerived() }
      const { ref } = await me.belief('The user prefers trains to flights.', given)
      const open = await stack.history.why(ref)
      expect(open.turn?.nearestWords?.text).toBe('I prefer trains to flights')
      const forActing = await stack.history.why(ref, { for: 'act' })
      expect(forActing.turn?.nearestWords).toMatchObject({ ref: prompt.ref, text: null })
      expect(JSON.stringify(forActing.turn)).not.toContain('trains')
      await stack.erasure.erase(prompt.ref, { basis: 'requested' })
      expect((await stack.history.why(ref)).turn).toMatchObject({ prompts: [], nearestWords: null })
    })
  })
})
