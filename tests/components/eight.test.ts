import { describe, expect, test } from 'vitest'
import { defaultComponents } from '../../src/components/default-components.ts'
import { emotionsComponent } from '../../src/components/emotions/component.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Stack } from '../../src/stack.ts'
import { part } from '../stack/component-registry.ts'
import { holds } from '../support/holds.ts'
import { fakeModel, items, lived, working } from './support.ts'

describe('emotions', () => {
  holds(
    'S-67',
    'an episode is read for how it felt, and its author is never overruled',
    async () => {
      const { me, stack } = await working()
      const glad = await me.episode({ objective: 'ship it', outcome: 'very happy and proud' })
      const said = await me.episode({
        objective: 'ship it again',
        outcome: 'I was happy',
        emotionalValence: -0.9,
        emotionalArousal: 0.4,
        emotionalTags: ['dread'],
      })
      const plain = await me.episode({ objective: 'fetch', outcome: 'The download completed' })
      const read = await stack.getMemory('episode', glad.id)
      expect(read?.annotations.emotions).toEqual({
        valence: 0.85,
        arousal: 0.625,
        tags: ['joy', 'pride'],
        confidence: 0.7,
      })
      const own = await stack.getMemory('episode', said.id)
      expect(own?.annotations).toEqual({})
      expect(own?.body).toMatchObject({ emotionalValence: -0.9, emotionalTags: ['dread'] })
      expect((await stack.getMemory('episode', plain.id))?.annotations).toEqual({})
      expect((await stack.ledger.audit()).ok).toBe(true)
    },
  )

  holds('S-67', 'in maintenance a model tags what the lexicon cannot, by quoting it', async () => {
    const { me, stack } = await working()
    const isAboutFeelings = (prompt: string): boolean => prompt.startsWith('[{"source"')
    const night = { objective: 'keep the pager', outcome: 'It rang at three and nobody came' }
    const hollow = await me.episode(night)
    const glad = await me.episode({ objective: 'ship it', outcome: 'very happy and proud' })
    const own = { emotionalValence: -0.9, emotionalTags: ['dread'] }
    await me.episode({ objective: 'ship again', outcome: 'It went out', ...own })
    const plain = await me.episode({ objective: 'fetch', outcome: 'The download completed' })
    const { model, asked } = fakeModel(({ prompt }) => {
      if (!isAboutFeelings(prompt)) return items() // other components ask, too
      const shown = JSON.parse(prompt) as readonly { source: string; text: string }[]
      const numberOf = (text: string) => shown.find((each) => each.text.includes(text))?.source
      const [bell, load] = [numberOf('at three'), numberOf('download')]
      return items(
        { source: bell, emotion: 'frustration', quote: 'nobody came' },
        { source: bell, emotion: 'joy', quote: 'words that it does not say' },
        { source: bell, emotion: 'ennui', quote: 'nobody came' },
        { source: load, emotion: 'joy', quote: 'nobody came' },
      )
    })
    await me.setModel(model)
    const saved = await me.episode({ objective: 'keep the pager', outcome: 'It rang at four' })
    expect(asked).toEqual([])
    const before = (await stack.getMemory('episode', saved.id))?.annotations
    expect(before).toEqual({})
    expect((await stack.maintenance()).emotions).toMatchObject({ asked: 3, tagged: 1 })
    const about = () => asked.filter(({ prompt }) => isAboutFeelings(prompt))
    expect(about()).toHaveLength(1)
    expect(about()[0]?.prompt).not.toMatch(/happy|ship/)
    const annotationsOf = async (id: string) =>
      (await stack.getMemory('episode', id))?.annotations.emotions
    expect(await annotationsOf(hollow.id)).toEqual({
      valence: -0.6,
      arousal: 0.7,
      tags: ['frustration'],
      confidence: 0.4,
      model: 'fake:model-1',
    })
    expect(await annotationsOf(plain.id)).toEqual({ tags: [], model: 'fake:model-1' })
    expect(await annotationsOf(glad.id)).toMatchObject({ tags: ['joy', 'pride'] })
    expect((await stack.maintenance()).emotions).not.toHaveProperty('asked')
    expect(about()).toHaveLength(1)
    expect((await stack.ledger.audit()).ok).toBe(true)
  })

  holds(
    'S-67',
    'a model that fails, or costs too much, takes nothing from maintenance',
    async () => {
      const night = { objective: 'keep the pager', outcome: 'It rang at three and nobody came' }
      const broken = await working()
      const { id } = await broken.me.episode(night)
      const { model } = fakeModel(() => 'I would rather talk about the weather')
      await broken.me.setModel(model)
      const stats = await broken.stack.maintenance()
      expect(stats.emotions).toMatchObject({ examined: 1, asked: 0, modelError: 'model_answer' })
      expect(stats.knowledge).not.toHaveProperty('error')
      expect((await broken.stack.getMemory('episode', id))?.annotations).toEqual({})
      expect((await broken.stack.ledger.audit()).ok).toBe(true)
      const poor = await working({ modelBudget: { calls: 0, tokens: 0 } })
      await poor.me.episode(night)
      const { model: dear, asked } = fakeModel(() => items())
      await poor.me.setModel(dear)
      expect((await poor.stack.maintenance()).emotions).toMatchObject({
        modelError: 'model_budget',
      })
      expect(asked).toEqual([])
      const alone = await working()
      await alone.me.episode(night)
      expect((await alone.stack.maintenance()).emotions).toEqual({ examined: 1, felt: 0, read: 0 })
    },
  )

  test('episodes from before it came are read in maintenance, once', async () => {
    const { me, stack, entries } = await working({ components: [] })
    const { id } = await me.episode({ objective: 'a', outcome: 'not happy at all' })
    await stack.addComponent(emotionsComponent())
    expect((await stack.maintenance()).emotions).toMatchObject({ examined: 1, felt: 1, read: 1 })
    const memory = await stack.getMemory('episode', id)
    expect(memory?.annotations.emotions).toMatchObject({ valence: -0.4, tags: [] })
    const before = await entries()
    expect((await stack.maintenance()).emotions).toMatchObject({ read: 0, meanValence: -0.4 })
    expect(await entries()).toBe(before)
  })
})

describe('anxiety', () => {
  holds('S-68', 'load carries its level, its dimensions and what would help', async () => {
    const place = await working()
    const { me, stack, clock } = place
    expect(await stack.load()).not.toHaveProperty('anxiety')
    await lived(
      place,
      ...Array.from({ length: 7 }, (_, at) => ({ objective: `try ${at}`, outcome: 'nothing' })),
    )
    for (let at = 0; at < 4; at += 1)
      await me.raw(`${'A long capture that waits. '.repeat(9)}${at}`)
    clock.advance({ days: 2 })
    expect(await stack.load()).toMatchObject({
      anxiety: {
        level: 'elevated',
        score: 60,
        dimensions: { unsavedWork: 50, consolidationDebt: 61, rawAging: 79 },
        actions: [
          { dimension: 'rawAging', action: 'process' },
          { dimension: 'consolidationDebt', action: 'process' },
        ],
      },
    })
    const asked = { contextTokens: 90_000, contextWindow: 100_000 }
    expect(await stack.health.componentReport('anxiety', asked)).toMatchObject({
      dimensions: { contextPressure: 93 },
    })
  })

  test('the level is kept in the stack by maintenance, and by no reading', async () => {
    const untaught = Array.from({ length: 7 }, (_, at) => ({
      objective: `try ${at}`,
      outcome: 'so',
    }))
    const levelOf = async (stack: Stack) =>
      ((await stack.load()) as { anxiety?: { level: string; score: number } }).anxiety
    const [kept, fresh] = [await working(), await working()]
    for (const place of [kept, fresh]) await lived(place, ...untaught)
    expect(await levelOf(kept.stack)).toMatchObject({ level: 'elevated', score: 54 })
    await kept.stack.maintenance()
    const before = await kept.entries()
    await kept.stack.load()
    await kept.stack.maintenance()
    expect(await kept.entries()).toBe(before)
    for (const { me } of [kept, fresh]) await me.note('where I was', { tags: ['checkpoint'] })
    // The same score for both; whoever was more than aware does not become calm at once.
    const again = await openStack('work', { store: kept.store })
    expect(await levelOf(again)).toMatchObject({ level: 'aware', score: 26 })
    expect(await levelOf(fresh.stack)).toMatchObject({ level: 'calm', score: 26 })
    await again.close()
  })
})

describe('metamemory and knowledge', () => {
  holds(
    'S-70',
    'uncertain memories and what is called to mind are known, without a model',
    async () => {
      const { me, stack } = await working()
      const unsure = await me.belief('It will probably rain', {
        because: 'clouds',
        confidence: 0.3,
      })
      await me.belief('Rain is wet weather', { because: 'it is', confidence: 0.9 })
      await stack.recordAccess('belief', unsure.id)
      expect(await stack.load()).toMatchObject({
        metamemory: { uncertainMemories: 1, leastSure: [unsure.ref] },
      })
      expect(await stack.health.componentReport('metamemory')).toMatchObject({
        uncertain: 1,
        calledUpon: 1,
        leastSure: [{ ref: unsure.ref, confidence: 0.3 }],
        mostCalledUpon: [{ ref: unsure.ref, accessCount: 1 }],
      })
    },
  )

  holds('S-71', 'domains, what connects them and where nothing was concluded', async () => {
    const { me, stack } = await working()
    const first = await me.episode({
      objective: 'move',
      outcome: 'slow',
      tags: ['deploy', 'Tables'],
    })
    await me.episode({ objective: 'move again', outcome: 'slow', tags: ['deploy', 'tables'] })
    await me.episode({ objective: 'cook', outcome: 'burnt', tags: ['kitchen'] })
    await me.episode({ objective: 'cook again', outcome: 'burnt', tags: ['kitchen'] })
    const belief = await me.belief('Locks are slow', {
      derivedFrom: [first.ref],
      sourceDomain: 'deploy',
      confidence: 0.8,
    })
    expect(await stack.health.componentReport('knowledge')).toMatchObject({
      domains: [
        { name: 'deploy', memories: 3, beliefs: 1, meanConfidence: 0.8, standing: 'strong' },
        { name: 'kitchen', memories: 2, beliefs: 0 },
        { name: 'tables', memories: 2, beliefs: 0 },
      ],
      connections: [{ between: ['deploy', 'tables'], memories: 3 }],
      gaps: [
        { domain: 'kitchen', why: 'nothing_concluded' },
        { domain: 'tables', why: 'nothing_concluded' },
      ],
    })
    expect(await stack.health.componentReport('knowledge', { ref: belief.ref })).toEqual({
      ref: belief.ref,
      from: [first.ref],
      into: [],
      domains: ['deploy'],
    })
  })
})

describe('surveys', () => {
  holds(
    'BOUND-LOUD',
    'go through all there is, also what is old or had something come of it',
    async () => {
      const { me, stack } = await working({ components: [] })
      const glad = await me.episode({ objective: 'the first of all', outcome: 'very happy' })
      const first = await me.note('the oldest note', { confidence: 0.1, tags: ['attic'] })
      await me.note('the next one', { confidence: 0.2, tags: ['attic'] })
      for (let at = 0; at < 1_100; at += 1) {
        await me.note(`note ${at}`, { tags: ['cellar', 'stairs'] })
      }
      for (let at = 0; at < 210; at += 1) await me.episode({ objective: `${at}`, outcome: 'so' })
      for (const component of defaultComponents()) await stack.addComponent(component)
      const stats = await stack.maintenance()
      expect(stats.emotions).toMatchObject({ examined: 211, felt: 1, read: 1 })
      expect(stats.metamemory).toMatchObject({ examined: 1_313, uncertain: 2 })
      expect(stats.knowledge).toMatchObject({ domains: 3, connections: 1 })
      expect((await stack.getMemory('episode', glad.id))?.annotations).toHaveProperty('emotions')
      expect(await stack.health.componentReport('metamemory')).toMatchObject({
        leastSure: [{ ref: first.ref, confidence: 0.1 }, { confidence: 0.2 }],
      })
    },
  )
})

describe('forgetting', () => {
  holds('S-65', 'what is dormant and hardly missed goes, what is protected stays', async () => {
    const { me, stack, clock } = await working()
    const [faint, guarded] = [await me.note('a faint thing'), await me.note('a guarded thing')]
    for (const { ref } of [faint, guarded]) await stack.changes.weaken(ref, 0.85)
    await stack.protectMemory('note', guarded.id)
    clock.advance({ days: 60 })
    expect((await stack.maintenance()).forgetting).toEqual({ swept: 1, forgotten: 1, kept: 1 })
    expect((await stack.getMemory('note', faint.id))?.strength).toBe(0)
    expect((await stack.getMemory('note', guarded.id))?.strength).toBeGreaterThan(0)
    expect((await stack.maintenance()).forgetting).toEqual({ swept: 0, forgotten: 0, kept: 1 })
  })
})

describe('suggestions', () => {
  holds(
    'S-69',
    'captures become suggestions, and are done with only when one is taken',
    async () => {
      const { me, stack, entries } = await working()
      const told = await me.raw(
        'I tried the new index today. It failed because the table was locked.',
      )
      const idle = await me.raw('hm, seventeen')
      const stats = await stack.maintenance()
      expect(stats.suggestions).toMatchObject({ examined: 4, suggested: 1 })
      const [suggestion, ...none] = await stack.getSuggestions()
      expect(none).toEqual([])
      expect(suggestion).toMatchObject({
        memoryType: 'episode',
        content: {
          objective: 'I tried the new index today.',
          outcome: 'It failed because the table was locked.',
          outcomeType: 'failure',
        },
        sourceRefs: [told.ref],
      })
      const before = await entries()
      await stack.maintenance()
      expect(await entries()).toBe(before)
      const statusOf = async (id: string) => (await stack.getMemory('raw', id))?.status
      expect(await statusOf(told.id)).toBeNull()
      const made = await stack.acceptSuggestion(suggestion?.id ?? '')
      expect(await statusOf(told.id)).toBe('processed')
      expect(await statusOf(idle.id)).toBeNull()
      const memory = await stack.getMemory('episode', made ?? '')
      expect(memory?.provenance.derivedFrom).toEqual([told.ref])
    },
  )
})

describe('consolidation', () => {
  const lesson = 'Migrations might lock the table'
  const taught = (objective: string, said = lesson) => ({
    objective,
    outcome: 'it was slow',
    lessons: [said],
  })

  holds(
    'S-66',
    'a lesson of three episodes is proposed with its lineage and its doubt',
    async () => {
      const place = await working()
      const { stack } = place
      await lived(place, taught('one'), taught('two', 'migrations MIGHT lock the table'))
      expect((await stack.maintenance()).consolidation).toMatchObject({ suggested: 0 })
      const [third] = await lived(place, taught('three'))
      expect((await stack.maintenance()).consolidation).toMatchObject({ suggested: 1 })
      const [suggestion] = await stack.getSuggestions({ memoryType: 'belief' })
      expect(suggestion).toMatchObject({ content: { statement: lesson }, confidence: 0.7 })
      expect(suggestion?.sourceRefs).toHaveLength(3)
      expect(suggestion?.sourceRefs).toContain(third)
      const id = await stack.acceptSuggestion(suggestion?.id ?? '')
      const belief = await stack.getMemory('belief', id ?? '')
      expect(belief?.provenance.derivedFrom).toHaveLength(3)
      expect((await stack.maintenance()).consolidation).toMatchObject({ suggested: 0 })
    },
  )

  test('with a model, themes are proposed where its quotes are found', async () => {
    const place = await working()
    const { me, stack } = place
    const said = ['The lock held.', 'A lock held again.', 'Locks held a third time.']
    await lived(
      place,
      ...said.map((outcome, at) => ({ objective: `Migration ${at + 1} ran`, outcome })),
      { objective: 'lunch', outcome: 'soup' },
      { objective: 'dinner', outcome: 'bread' },
    )
    const cites = said.map((quote, at) => ({
      source: `S${at + 1}`,
      quote: `Migration ${at + 1} ran\n${quote}`,
    }))
    const { model, asked } = fakeModel(() =>
      items(
        { content: { statement: 'Locks held in every migration' }, confidence: 0.9, cites },
        {
          content: { statement: 'Soup is better than bread' },
          confidence: 0.9,
          cites: [{ source: 'S4', quote: 'soup' }],
        },
      ),
    )
    await me.setModel(model)
    expect((await stack.maintenance()).consolidation).toMatchObject({
      examined: 5,
      suggested: 1,
      dropped: 1,
      calls: 1,
    })
    const [suggestion] = await stack.getSuggestions()
    expect(suggestion).toMatchObject({
      content: { statement: 'Locks held in every migration' },
      confidence: 0.8,
    })
    expect(suggestion?.provenance.llmModel).toBe('fake:model-1')
    expect(asked[0]?.options?.schema).toMatchObject({ type: 'object' })
    expect(asked[0]?.prompt).toContain('<recalled-memory>')
  })
})

describe('the registry', () => {
  holds(
    'S-72',
    'a component that fails loses no write, is counted, and is named in the ledger',
    async () => {
      const failing = part('broken', {
        onSave: () => {
          throw new Error('cannot read: secret words')
        },
      })
      const { me, stack, store } = await working({ components: [failing] })
      const { id } = await me.note('This is kept')
      await me.note('And so is this')
      expect(await stack.getMemory('note', id)).not.toBeNull()
      expect(await stack.getStats()).toMatchObject({ note: 2, report: 1, componentErrors: 4 })
      expect(await stack.health.failingComponents()).toEqual({ broken: ['onSave'] })
      const again = await openStack('work', { store, components: [part('broken')] })
      expect(await again.health.failingComponents()).toEqual({ broken: ['onSave'] })
      await again.maintenance()
      expect(await again.health.failingComponents()).toEqual({})
      expect((await again.ledger.audit()).ok).toBe(true)
      await again.close()
      const words = JSON.stringify(
        [...store.rows(stack.stackId).sealed.values()].map(({ bytes }) =>
          new TextDecoder().decode(bytes),
        ),
      )
      expect(words).not.toContain('secret words')
    },
  )

  test('maintenance twice in a row: the second changes nothing', async () => {
    const place = await working()
    const { me, stack, entries, clock } = place
    for (let at = 0; at < 600; at += 1) {
      await me.raw(`I tried number ${at} today. It failed because of a lock.`)
    }
    await lived(
      place,
      { objective: 'a', outcome: 'so happy', lessons: ['ask first'] },
      { objective: 'b', outcome: 'worried', lessons: ['ask first'] },
      { objective: 'c', outcome: 'fine', lessons: ['ask first'] },
    )
    await me.belief('Asking first is cheap', { because: 'it was', confidence: 0.2 })
    clock.advance({ days: 40 })
    await stack.maintenance()
    const before = await entries()
    await stack.maintenance()
    expect(await entries()).toBe(before)
    expect((await stack.ledger.audit()).ok).toBe(true)
  })

  test('maintenance twice in a row with a model: the second asks and writes nothing', async () => {
    const place = await working()
    const { me, stack, entries, clock } = place
    const quoted = (at: number) => `I tried lock ${at} today and it failed.`
    // One and the same answer to the same question, which quotes what it was shown.
    const { model, asked } = fakeModel(({ prompt, options }) => {
      const at = /I tried lock (\d+) today and it failed\./.exec(prompt)?.[1]
      const isOfNotes = !JSON.stringify(options).includes('objective')
      if (at === undefined || !isOfNotes) return items()
      const cites = [{ source: 'S1', quote: quoted(Number(at)) }]
      const content = { content: `I tried lock ${at} today and it failed` }
      return items({ content, confidence: 0.6, cites })
    })
    await me.setModel(model)
    for (let at = 0; at < 25; at += 1) await me.raw(quoted(at))
    const told = ['red', 'blue', 'green', 'grey', 'white'].map((colour) => ({
      objective: `The ${colour} deploy ran`,
      outcome: `The ${colour} deploy failed on Friday.`,
    }))
    await lived(place, ...told)
    clock.advance({ days: 2 })
    await stack.maintenance()
    const [calls, before] = [asked.length, await entries()]
    expect(calls).toBeGreaterThan(0)
    expect(await stack.getSuggestions()).not.toHaveLength(0)
    await stack.maintenance()
    expect(asked).toHaveLength(calls)
    expect(await entries()).toBe(before)
    expect((await stack.ledger.audit()).ok).toBe(true)
  })

  test('progress is told by the stack and by each that has far to go', async () => {
    const { me, stack } = await working()
    await me.note('one')
    const told = new Set<string>()
    await stack.maintenance({
      onProgress: ({ component, done, total }) => {
        expect(done).toBeLessThanOrEqual(total)
        told.add(component)
      },
    })
    expect([...told].sort()).toEqual(['embedding', 'emotions', 'knowledge', 'metamemory', 'stack'])
  })
})
