import { describe, expect, test } from 'vitest'
import { DEFAULT_FUSION } from '../../src/domain/words/search.ts'
import { label } from '../../src/index.ts'
import { freshEntity } from '../stack/support.ts'

/** Notes of every sort that a search can leave out. */
async function scene() {
  const fresh = await freshEntity()
  const { me, stack } = fresh
  const said = { label: label.userAsserted(), session: 'monday' }
  const monday = await me.note('The deploy window is on monday', said)
  const nine = await me.note('The window opens at nine', { ...said, context: 'project:ship' })
  const echo = await me.note('The deploy window is a lie', { label: label.recallReEntry() })
  const cake = await me.note('Cake is for the birthday', { label: label.userAsserted() })
  const belief = await me.belief('The deploy window is fixed', {
    confidence: 0.6,
    derivedFrom: [monday.ref],
  })
  return { ...fresh, stack, refs: { monday, nine, echo, cake, belief } }
}

const QUERY = 'When is the deploy window?'

describe('explain', () => {
  test('gives every signal’s share, and they add up to the sum', async () => {
    const { stack, refs } = await scene()
    const [first] = await stack.search(QUERY)
    expect(first).toBeDefined()
    if (!first) return
    const told = await stack.lookup.explain(QUERY, first)
    expect(told).toMatchObject({ ref: refs.monday.ref, rank: 1, score: first.score, repeats: null })
    const sum = told.signals.reduce((total, { share }) => total + share, 0)
    expect(sum).toBeCloseTo(told.sum, 2)
    const { slope, offset } = DEFAULT_FUSION.calibration
    expect(1 / (1 + Math.exp(-(slope * told.sum + offset)))).toBeCloseTo(told.score, 3)
    expect(told.signals.map(({ signal }) => signal)).toContain('coverage')
    for (const { share, value, weight } of told.signals)
      expect(share).toBeCloseTo(value * weight, 2)
    expect(told.says).toEqual(['deploy', 'window'])
    expect(told.words.join('\n')).toMatch(/^rank 1 of \d+, score 0\.\d+/)
    expect(told.words.join('\n')).toContain('a person said it or vouches for it (tier 2 or 3)')
  })

  test('names the word that is a kind of what was asked for', async () => {
    const { me, stack } = await scene()
    const puppy = await me.note('We took the puppy to the lake', { label: label.userAsserted() })
    const { signals, words } = await stack.lookup.explain('Which pets do we have?', puppy.ref)
    expect(signals.find(({ signal }) => signal === 'kind')?.share).toBeGreaterThan(0)
    expect(words.join('\n')).toContain('kind: puppy is a kind of pet')
    const window = await stack.lookup.explain('Which window is a pet?', puppy.ref)
    expect(window.words.join('\n')).toContain('puppy is a kind of pet')
  })

  test('is told with the results where it is asked for, and says the same', async () => {
    const { stack } = await scene()
    const plain = await stack.search(QUERY)
    expect(plain.every(({ metadata }) => metadata.explained === undefined)).toBe(true)
    const results = await stack.search(QUERY, { explain: true })
    expect(results.map(({ memoryId }) => memoryId)).toEqual(plain.map(({ memoryId }) => memoryId))
    for (const result of results) {
      expect(result.metadata.explained).toEqual(await stack.lookup.explain(QUERY, result))
    }
  })

  test('names the memory of a lower tier before which a first-hand one was moved', async () => {
    const { me, stack } = await freshEntity()
    const page = await me.note('When is the deploy window? The deploy window is on sunday.')
    const own = await me.note('We deploy on monday', { saidBy: 'ann' })
    const [first, second] = await stack.search(QUERY)
    expect([first?.metadata.ref, second?.metadata.ref]).toEqual([own.ref, page.ref])
    const told = await stack.lookup.explain(QUERY, own.ref)
    expect(told).toMatchObject({ standsBefore: page.ref, score: second?.score })
    expect(told.words).toContain(`it stands before ${page.ref}, which is not first-hand`)
    expect((await stack.lookup.explain(QUERY, page.ref)).standsBefore).toBeNull()
  })

  test('names the better one that a memory repeats', async () => {
    const { me, stack } = await scene()
    const said = { label: label.userAsserted() }
    const twin = await me.raw('The deploy window is on monday', said)
    const { repeats, words } = await stack.lookup.explain(QUERY, twin.ref)
    expect(repeats).toMatch(/^note:/)
    expect(words.join('\n')).toContain(`it repeats ${repeats}`)
  })
})

describe('why not', () => {
  const codes = ({ reasons }: { readonly reasons: readonly { readonly code: string }[] }) =>
    reasons.map(({ code }) => code)

  test('says that nothing bars what is shown', async () => {
    const { stack, refs } = await scene()
    const told = await stack.lookup.whyNot(QUERY, refs.monday.ref)
    expect(told).toMatchObject({ isShown: true, reasons: [], words: ['it is shown, at rank 1'] })
  })

  test('names every filter that bars it, and what would let it through', async () => {
    const { stack, refs } = await scene()
    const tier = await stack.lookup.whyNot(QUERY, refs.echo.ref)
    expect(tier.reasons).toMatchObject([
      { code: 'tier', because: 'tier 0 is below 1', remedy: 'pass minTier: 0' },
    ])
    const use = await stack.lookup.whyNot(QUERY, refs.belief.ref, {
      for: 'act',
      minConfidence: 0.7,
    })
    expect(codes(use)).toEqual(['use', 'confidence'])
    expect(use.words.join()).toContain("tier 1 is below 2, which for: 'act' takes")
    const others = { recordTypes: ['belief'], context: 'project:ship', inSession: 'tuesday' }
    expect(codes(await stack.lookup.whyNot(QUERY, refs.monday.ref, others))).toEqual([
      'kind',
      'context',
      'session',
    ])
  })

  test('of what is too weak says that it can be recovered', async () => {
    const { stack, refs } = await scene()
    await stack.changes.weaken(refs.monday.ref, 0.85, { label: label.userAsserted() })
    const weak = await stack.lookup.whyNot(QUERY, refs.monday.ref)
    expect(weak.reasons).toMatchObject([
      { code: 'strength', because: 'strength 0.15 is below 0.2', remedy: 'recover it' },
    ])
    await stack.forgetMemory('note', refs.nine.id, 'over', { label: label.userAsserted() })
    expect((await stack.lookup.whyNot('window', refs.nine.ref)).reasons[0]?.because).toBe(
      'it is forgotten',
    )
  })

  test('of what says none of the words says so', async () => {
    const { stack, refs } = await scene()
    const told = await stack.lookup.whyNot(QUERY, refs.cake.ref)
    expect([codes(told), told.explained]).toEqual([['words'], null])
  })

  test('of what is erased, unknown or later says so', async () => {
    const { stack, refs } = await scene()
    const none = 'note:01980000-0000-7000-8000-00000000ffff'
    expect(codes(await stack.lookup.whyNot(QUERY, none))).toEqual(['not_found'])
    const before = await stack.lookup.whyNot(QUERY, refs.belief.ref, {
      asOf: refs.monday.entry.seq,
    })
    expect(codes(before)).toEqual(['later'])
    await stack.erasure.erase(refs.cake.ref)
    expect(codes(await stack.lookup.whyNot('cake', refs.cake.ref))).toEqual(['erased'])
  })

  test('of what stands too far behind gives its rank, and its remedies bring everything in', async () => {
    const { me, stack } = await freshEntity()
    const said = { label: label.userAsserted() }
    const notes = []
    for (let n = 0; n < 40; n += 1) {
      notes.push(await me.note(`Window ${n} ${'of many words '.repeat(n)}`, said))
    }
    const options = { recordTypes: ['note'], limit: 5 }
    const shown = new Set((await stack.search('window', options)).map(({ memoryId }) => memoryId))
    expect(shown.size).toBe(5)
    for (const { ref, id } of notes) {
      const told = await stack.lookup.whyNot('window', ref, options)
      expect(told.isShown).toBe(shown.has(id))
      if (told.isShown) continue
      const limit = Number(/^pass limit: (\d+)$/.exec(told.reasons[0]?.remedy ?? '')?.[1])
      expect(limit).toBe(told.explained?.rank)
      const more = await stack.search('window', { ...options, limit })
      expect(more.at(-1)?.memoryId).toBe(id)
    }
  })

  test('of what a component took away says that a component did', async () => {
    const { me, stack } = await scene()
    await stack.addComponent({
      name: 'strict',
      version: '1',
      required: false,
      needsInference: false,
      onSearch: (results) => results.filter(({ content }) => !content.includes('monday')),
    })
    const monday = await me.note('monday it is', { label: label.userAsserted() })
    expect(codes(await stack.lookup.whyNot('monday', monday.ref))).toEqual(['component'])
  })

  test('leaves a receipt: which words a memory holds is something of what it says', async () => {
    const { stack, refs } = await scene()
    await stack.lookup.whyNot(QUERY, refs.echo.ref, { session: 's' })
    expect(await stack.history.receipts('s')).toMatchObject([
      { operation: 'why_not', ref: refs.echo.ref },
    ])
  })
})

describe('a search as of then', () => {
  test('shows what was known then, by the numbers of then', async () => {
    const { me, stack, refs, clock } = await scene()
    const then = refs.belief.entry.seq
    const options = { asOf: then, limit: 10 }
    const before = await stack.search(QUERY, options)
    expect(before.map(({ memoryId }) => memoryId)).toContain(refs.monday.id)
    clock.advance({ days: 400 })
    await stack.forgetMemory('note', refs.monday.id, 'moved', { label: label.userAsserted() })
    for (let n = 0; n < 30; n += 1)
      await me.note(`The deploy window moved ${n} times`, { observed: true })
    expect(await stack.search(QUERY, options)).toEqual(before)
    const now = await stack.search(QUERY)
    expect(now.map(({ memoryId }) => memoryId)).not.toContain(refs.monday.id)
    expect(now).toHaveLength(10)
  })

  test('and of one session shows what was written in it', async () => {
    const { stack, refs } = await scene()
    const found = await stack.search('window', { inSession: 'monday', recordTypes: ['note'] })
    expect(found.map(({ memoryId }) => memoryId).sort()).toEqual(
      [refs.monday.id, refs.nine.id].sort(),
    )
  })
})

describe('recall', () => {
  test('says whether what it found is likely to answer', async () => {
    const { stack } = await scene()
    const known = await stack.recall(QUERY)
    expect(known.results).toEqual(await stack.search(QUERY))
    expect(known.answerable.isLikely).toBe(true)
    const unknown = await stack.recall('Which passport number does the pilot window have?')
    expect(unknown.answerable.isLikely).toBe(false)
    expect(unknown.answerable.chance).toBeLessThan(known.answerable.chance)
    expect(await stack.recall('zebra')).toEqual({
      results: [],
      answerable: { chance: 0, isLikely: false, match: 'nothing' },
      withheld: null,
    })
  })

  test('draws its line where the policy does', async () => {
    const { stack } = await scene()
    const { policy } = await stack.control.getPolicy()
    const { answer } = policy.recall
    await stack.control.setPolicy({
      ...policy,
      recall: { ...policy.recall, answer: { ...answer, abstainBelow: 1 } },
    })
    expect((await stack.recall(QUERY)).answerable.isLikely).toBe(false)
  })
})
