import { describe, expect, test } from 'vitest'
import { holds } from '../support/holds.ts'
import { lived, working } from './support.ts'

describe('an epoch', () => {
  test('is begun, borne by what is written, and ended with what it is remembered by', async () => {
    const place = await working()
    const { me, stack, clock } = place
    expect(await stack.epochs.current()).toBeNull()
    await me.note('before anything began')
    const first = await stack.epochs.begin('Apprenticeship')
    clock.advance({ days: 1 })
    const [one, two] = await lived(
      place,
      {
        objective: 'plane a board',
        outcome: 'uneven',
        outcomeType: 'failure',
        lessons: ['go slow'],
      },
      { objective: 'plane another', outcome: 'even', outcomeType: 'success', lessons: ['go slow'] },
    )
    const belief = await me.belief('Going slow is faster', { derivedFrom: [one, two] as string[] })
    await me.drive('craft', { derivedFrom: [belief.ref], intensity: 0.9 })
    clock.advance({ days: 30 })
    const { epoch, summary } = await stack.epochs.end()
    expect(epoch.body).toMatchObject({
      epochNumber: 1,
      endedAt: '2026-02-01T00:00:00.000Z',
      keyBeliefIds: [belief.id],
    })
    expect(epoch.body.dominantDriveIds).toHaveLength(1)
    expect(epoch.id).toBe(first.id)
    expect(summary?.isCut).toBe(false)
    expect([...(summary?.covers ?? [])].sort()).toEqual([belief.ref, one, two].sort())
    const told = await stack.getMemory('summary', summary?.summary.id ?? '')
    expect(told?.body).toMatchObject({ scope: 'epoch', epochId: epoch.id })
    expect(told?.text).toContain('2 episodes (1 went well, 1 did not), 0 notes, 1 belief.')
    expect(told?.text).toContain('- go slow (2)')
    expect(told?.provenance.derivedFrom).toEqual(summary?.covers)
    expect(told?.provenance.label).toEqual({ type: 'ModelDerived' })
    expect(await stack.epochs.current()).toBeNull()
    expect((await stack.ledger.audit()).ok).toBe(true)
  })

  test('the next one is numbered on and ends the one before', async () => {
    const { stack, clock } = await working()
    await stack.epochs.begin('One')
    clock.advance({ days: 3 })
    await stack.epochs.begin('Two', { triggerType: 'detected', triggerDescription: 'a new job' })
    const [two, one] = await stack.getEpochs()
    expect(two?.body).toMatchObject({ epochNumber: 2, name: 'Two', triggerType: 'detected' })
    expect(one?.body).toMatchObject({ epochNumber: 1, endedAt: '2026-01-04T00:00:00.000Z' })
    await expect(stack.epochs.begin(' ')).rejects.toMatchObject({ code: 'invalid_input' })
  })

  test('stays listed for years while it is open, and is let go only by a person who forgets it', async () => {
    const { stack, me, clock } = await working()
    const epoch = await stack.epochs.begin('A long one')
    const note = await me.note('said on its first day')
    clock.advance({ days: 3_200 })
    await stack.maintenance()
    await stack.applyForgetting()
    expect(await stack.getNotes()).toEqual([]) // time takes other memories
    expect(note.ref).not.toBeNull()
    const listed = (await stack.getEpochs()).map(({ id, strength }) => ({ id, strength }))
    expect(listed).toEqual([{ id: epoch.id, strength: 1 }])
    expect((await stack.list('epoch')).map(({ id }) => id)).toEqual([epoch.id])
    expect(await stack.epochs.current()).toMatchObject({ id: epoch.id })
    expect((await stack.review.list()).map(({ ref }) => ref)).not.toContain(epoch.ref)
    expect((await stack.ledger.audit()).problems).toEqual([])
    await stack.forgetMemory('epoch', epoch.id ?? '', 'begun by mistake')
    expect(await stack.getEpochs()).toEqual([])
  })

  test('two that begin at once follow each other, and one that was erased is not open', async () => {
    const { stack, me } = await working()
    await Promise.all([stack.epochs.begin('One'), stack.epochs.begin('Two')])
    const epochs = await stack.getEpochs()
    expect(epochs.map(({ body }) => [body.epochNumber, body.endedAt !== undefined])).toEqual([
      [2, false],
      [1, true],
    ])
    await stack.erasure.erase(epochs[0]?.ref ?? '')
    expect(await stack.epochs.current()).toBeNull()
    await me.note('between epochs')
  })

  test('is ended once: whoever comes second, or may not, tells nothing of it', async () => {
    const { stack, me } = await working()
    await stack.epochs.begin('One')
    await me.note('something happened in it')
    await expect(stack.epochs.end({ label: { type: 'ModelDerived' } })).rejects.toThrow()
    expect(await stack.list('summary')).toEqual([])
    expect(await stack.epochs.current()).not.toBeNull()
    const ends = await Promise.allSettled([stack.epochs.end(), stack.epochs.end()])
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(await stack.list('summary')).toHaveLength(1)
    await expect(stack.epochs.end()).rejects.toMatchObject({ code: 'not_found' })
  })

  test('none that is open cannot be ended', async () => {
    const { stack } = await working()
    await expect(stack.epochs.end()).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('summaries', () => {
  test('a quarter is told from its months, and cites what they did not tell of', async () => {
    const { me, stack, clock } = await working()
    await me.note('January: it snowed')
    const january = await stack.epochs.summarise({
      scope: 'month',
      periodStart: '2026-01-01T00:00:00.000Z',
      periodEnd: '2026-01-31T23:59:59.999Z',
    })
    clock.advance({ days: 40 })
    const late = await me.note('February: it thawed')
    const quarter = await stack.epochs.summarise({
      scope: 'quarter',
      periodStart: '2026-01-01T00:00:00.000Z',
      periodEnd: '2026-03-31T23:59:59.999Z',
      content: 'Snow, then thaw.',
      keyThemes: ['weather'],
      observed: true,
    })
    expect(quarter?.covers).toEqual([january?.summary.ref, late.ref])
    const told = await stack.getMemory('summary', quarter?.summary.id ?? '')
    expect(told?.body).toMatchObject({ content: 'Snow, then thaw.', keyThemes: ['weather'] })
    expect(told?.provenance.label).toMatchObject({ type: 'External' })
  })

  const JANUARY = {
    periodStart: '2026-01-01T00:00:00.000Z',
    periodEnd: '2026-01-31T23:59:59.999Z',
  }
  const QUARTER = { ...JANUARY, periodEnd: '2026-03-31T23:59:59.999Z' }
  const YEAR = { ...JANUARY, periodEnd: '2026-12-31T23:59:59.999Z' }

  test('a month that is told when it is over belongs to its quarter, and as it was told last', async () => {
    const { me, stack, clock } = await working()
    await me.note('January: it snowed')
    clock.advance({ days: 200 })
    await stack.epochs.summarise({ scope: 'month', ...JANUARY, content: 'Much snow.' })
    const again = await stack.epochs.summarise({
      scope: 'month',
      ...JANUARY,
      content: 'Some snow.',
    })
    const quarter = await stack.epochs.summarise({ scope: 'quarter', ...QUARTER })
    expect(quarter?.covers).toEqual([again?.summary.ref])
  })

  test('load leaves out what a longer telling covers, and says so', async () => {
    const { me, stack } = await working()
    await me.note('January: it snowed')
    const month = await stack.epochs.summarise({ scope: 'month', ...JANUARY })
    const quarter = await stack.epochs.summarise({ scope: 'quarter', ...QUARTER })
    const year = await stack.epochs.summarise({
      scope: 'year',
      ...YEAR,
      content: 'A year of snow.',
    })
    expect(year?.covers).toEqual([quarter?.summary.ref])
    const loaded = await stack.load()
    expect(loaded.summaries.map(({ memory }) => memory.ref)).toEqual([year?.summary.ref])
    const covered = loaded._meta.excluded.filter(({ reason }) => reason === 'covered')
    expect(covered.map(({ ref }) => ref).sort()).toEqual(
      [month?.summary.ref, quarter?.summary.ref].sort(),
    )
  })

  holds('FIREWALL-MODEL', 'a longer telling of a model hides no telling of a person', async () => {
    const { me, stack } = await working()
    await me.note('January: it snowed')
    const month = await stack.epochs.summarise({
      scope: 'month',
      ...JANUARY,
      content: 'It snowed.',
      saidBy: 'ann',
    })
    const decade = await me.summary({
      scope: 'decade',
      ...YEAR,
      content: 'It never snowed.',
      covers: [month?.summary.ref as string],
      derivedFrom: [month?.summary.ref as string],
    })
    const refs = (await stack.load()).summaries.map(({ memory }) => memory.ref)
    expect(refs.sort()).toEqual([month?.summary.ref, decade.ref].sort())
  })

  test('of nothing there is nothing to tell', async () => {
    const { stack } = await working()
    const period = {
      periodStart: '2026-01-01T00:00:00.000Z',
      periodEnd: '2026-02-01T00:00:00.000Z',
    }
    expect(await stack.epochs.summarise({ scope: 'month', ...period })).toBeNull()
    const turned = { periodStart: period.periodEnd, periodEnd: period.periodStart }
    await expect(stack.epochs.summarise({ scope: 'month', ...turned })).rejects.toThrow('periodEnd')
  })
})

describe('narratives', () => {
  test('one of each type at a time, with every earlier telling kept', async () => {
    const place = await working()
    const { stack } = place
    const [one] = await lived(place, { objective: 'learn', outcome: 'learnt' })
    const from = { derivedFrom: [one as string] }
    const first = await stack.epochs.narrate({ content: 'One who learns' }, from)
    const second = await stack.epochs.narrate({ content: 'One who learnt' }, from)
    await stack.epochs.narrate(
      { content: 'One who will teach', narrativeType: 'aspirational' },
      from,
    )
    expect(second.id).toBe(first.id)
    const told = await stack.getSelfNarratives()
    expect(told.map(({ text, version }) => [text, version])).toEqual([
      ['One who will teach', 1],
      ['One who learnt', 2],
    ])
    const before = await stack.getMemory('self_narrative', first.id, { asOf: first.entry.seq })
    expect(before?.text).toBe('One who learns')
    // A revision stands on the sources of its birth; a birth needs sources of its own.
    const born = { content: 'Nobody', narrativeType: 'developmental' } as const
    await expect(stack.epochs.narrate(born, { derivedFrom: [] })).rejects.toThrow()
  })
})

describe('narratives of two', () => {
  test('a person and a model each tell one, whoever told last', async () => {
    const place = await working()
    const [one] = await lived(place, { objective: 'learn', outcome: 'learnt' })
    const from = { derivedFrom: [one as string] }
    const model = { ...from, label: { type: 'ModelDerived' } } as const
    for (const round of ['first', 'second']) {
      await place.stack.epochs.narrate(
        { content: `Of a person, ${round}` },
        { ...from, saidBy: 'ann' },
      )
      await place.stack.epochs.narrate({ content: `Of a model, ${round}` }, model)
    }
    const told = await place.stack.getSelfNarratives()
    expect(told.map(({ text }) => text).sort()).toEqual([
      'Of a model, second',
      'Of a person, second',
    ])
  })
})

describe('a playbook', () => {
  test('is not mastered by saying so, by echoes, or by one use told often', async () => {
    const place = await working()
    const { me, stack } = place
    const [one, use] = await lived(
      place,
      { objective: 'deploy', outcome: 'done' },
      { objective: 'deploy again', outcome: 'done' },
    )
    const named = { name: 'deploying', description: 'how', derivedFrom: [one as string] }
    for (const claim of [{ masteryLevel: 'expert' }, { timesUsed: 99 }, { successRate: 1 }]) {
      await expect(me.playbook({ ...named, ...claim } as never)).rejects.toMatchObject({
        code: 'invalid_input',
      })
    }
    const { ref } = await me.playbook(named)
    const echo = await me.episode({
      objective: 'deploy again',
      outcome: 'it went very well',
      label: { type: 'RecallReEntry' },
    })
    for (let at = 0; at < 9; at += 1) {
      await stack.epochs.usePlaybook(ref, { hasSucceeded: true, label: { type: 'RecallReEntry' } })
      await stack.epochs.usePlaybook(ref, { hasSucceeded: true, episode: echo.ref })
      await stack.epochs.usePlaybook(ref, { hasSucceeded: true, episode: one as string })
      await stack.epochs.usePlaybook(ref, { hasSucceeded: true, episode: use as string })
    }
    const used = await stack.epochs.usePlaybook(ref, { hasSucceeded: true, episode: use as string })
    expect(used.body).toMatchObject({ timesUsed: 1, masteryLevel: 'novice' })
    await expect(stack.epochs.usePlaybook(ref, {} as never)).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  test('is used by a model only where it shows the episode', async () => {
    const place = await working()
    const { me, stack } = place
    const [one, use, belief] = [
      ...(await lived(
        place,
        { objective: 'deploy', outcome: 'done' },
        { objective: 'deploy again', outcome: 'done' },
      )),
      (await me.belief('Deploys are dull', { because: 'they were' })).ref,
    ]
    const derivedFrom = [String(one)]
    const { ref } = await me.playbook({ name: 'deploying', description: 'how', derivedFrom })
    const label = { type: 'ModelDerived' } as const
    for (const episode of [undefined, belief]) {
      const said = { hasSucceeded: true, label, ...(episode === undefined ? {} : { episode }) }
      await expect(stack.epochs.usePlaybook(ref, said)).rejects.toMatchObject({
        code: 'invalid_input',
        issues: [{ path: 'episode' }],
      })
    }
    const shown = { hasSucceeded: true, label, episode: String(use) }
    expect((await stack.epochs.usePlaybook(ref, shown)).body.timesUsed).toBe(1)
    expect((await stack.epochs.usePlaybook(ref, { hasSucceeded: true })).body.timesUsed).toBe(2) // the host
  })

  test('is mastered by use, and each use is a revision that cites its episode', async () => {
    const place = await working()
    const { me, stack } = place
    const [one] = await lived(place, { objective: 'deploy', outcome: 'done' })
    const { ref, id } = await me.playbook({
      name: 'deploying',
      description: 'how it is done',
      steps: [{ action: 'migrate' }],
      derivedFrom: [one as string],
    })
    const [use] = await lived(place, { objective: 'deploy again', outcome: 'done' })
    for (let at = 1; at < 5; at += 1)
      await stack.epochs.usePlaybook(ref, { hasSucceeded: at !== 4 })
    const used = await stack.epochs.usePlaybook(ref, { hasSucceeded: true, episode: use as string })
    expect(used.body).toMatchObject({ timesUsed: 5, successRate: 0.8, masteryLevel: 'competent' })
    expect(used.provenance.derivedFrom).toEqual([one])
    expect(used.provenance.revisedFrom).toEqual([use])
    expect((await stack.getMemory('playbook', id))?.version).toBe(6)
    await Promise.all([1, 2, 3].map(() => stack.epochs.usePlaybook(ref, { hasSucceeded: true })))
    expect((await stack.getMemory('playbook', id))?.body.timesUsed).toBe(8)
    await expect(
      stack.epochs.usePlaybook(one as string, { hasSucceeded: true }),
    ).rejects.toMatchObject({
      code: 'not_found',
    })
  })
})
