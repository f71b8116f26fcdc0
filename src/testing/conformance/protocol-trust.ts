import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { type Case, holds } from '../manifest/case.ts'
import { errorOf } from './compare.ts'
import { idOf, type StackGiven, type StackHand } from './protocol-given.ts'
import { MODEL, PERSON } from './protocol-review.ts'

const assess = ({ stack }: StackHand, entityId: string, scores: Record<string, number>) =>
  stack.saveTrustAssessment({
    entityId,
    dimensions: Object.fromEntries(
      Object.entries(scores).map(([domain, score]) => [domain, { score }]),
    ),
    authority: [{ scope: 'deployment' }],
  })

export const trustCases: readonly Case<StackGiven>[] = [
  holds(
    'S-50',
    'assessments are found by entity and domain, the last word on each',
    async (given) => {
      const hand = await given.open()
      const { stack } = hand
      await assess(hand, 'ann', { general: 0.2 })
      const ann = await assess(hand, 'ann', { general: 0.9, medicine: 0.4 })
      const bob = await assess(hand, 'bob', { cooking: 0.8 })
      const found = async (options?: Parameters<typeof stack.getTrustAssessments>[0]) =>
        (await stack.getTrustAssessments(options)).map(({ id }) => id)
      deepStrictEqual(await found(), [bob, ann])
      deepStrictEqual(await found({ entityId: 'ann' }), [ann])
      deepStrictEqual(await found({ domain: 'cooking' }), [bob])
      deepStrictEqual(await found({ domain: 'medicine' }), [ann])
      deepStrictEqual(await found({ entityId: 'bob', domain: 'medicine' }), [])
      deepStrictEqual(await found({ entityId: 'nobody' }), [])
      const [kept] = await stack.getTrustAssessments({ entityId: 'ann' })
      deepStrictEqual(kept?.dimensions, { general: { score: 0.9 }, medicine: { score: 0.4 } })
      deepStrictEqual(kept.authority, [{ scope: 'deployment' }])
    },
  ),

  holds(
    'S-51',
    'a figure for an entity: in a domain, in general, by the mean, or a half',
    async (given) => {
      const hand = await given.open()
      const { stack } = hand
      await assess(hand, 'ann', { general: 0.9, medicine: 0.4 })
      await assess(hand, 'bob', { cooking: 0.8, driving: 0.2 })
      const figure = async (entityId: string, domain?: string) => {
        const { score, basis } = await stack.computeTrust(entityId, domain)
        return [score, basis]
      }
      deepStrictEqual(await figure('ann'), [0.9, 'general'])
      deepStrictEqual(await figure('ann', 'medicine'), [0.4, 'domain'])
      deepStrictEqual(await figure('ann', 'cooking'), [0.9, 'general'])
      deepStrictEqual(await figure('bob'), [0.5, 'mean'])
      deepStrictEqual(await figure('bob', 'cooking'), [0.8, 'domain'])
      deepStrictEqual(await figure('nobody'), [0.5, 'unknown'])
      strictEqual((await stack.computeTrust('ann', null)).domain, 'general')
    },
  ),

  holds(
    'S-50',
    'the gate goes by it: an actor’s trust bounds the tier of what it says',
    async (given) => {
      const hand = await given.open()
      const { stack } = hand
      const tierOf = async (sourceId: string) =>
        (await stack.getMemory('raw', await hand.id('raw', {}, { sourceId })))?.tier
      strictEqual(await tierOf('ann'), 2, 'of whom nothing is said')
      for (const [score, tier] of [
        [0.29, 0],
        [0.3, 1],
        [0.59, 1],
        [0.6, 2],
        [1, 2],
      ] as const) {
        await assess(hand, 'ann', { general: score })
        strictEqual(await tierOf('ann'), tier, String(score))
      }
      strictEqual(await tierOf('bob'), 2, 'and nobody else’s')
      deepStrictEqual((await stack.ledger.audit()).problems, [])
    },
  ),

  holds(
    ['S-50', 'FIREWALL-DISTRUST'],
    'what is said of an actor’s trust by one who is not believed neither lowers nor lifts it',
    async (given) => {
      const hand = await given.open()
      const { stack } = hand
      const tierOf = async (sourceId: string) =>
        (await stack.getMemory('raw', await hand.id('raw', {}, { sourceId })))?.tier
      const low = `assessment:${await assess(hand, 'ann', { general: 0.1 })}`
      const high = `assessment:${await assess(hand, 'ann', { general: 0.9 })}`
      await assess(hand, 'bob', { general: 0.1 })
      await stack.sources.distrust(high)
      strictEqual(await tierOf('ann'), 0, 'the last word that is believed')
      await stack.sources.distrust(low)
      strictEqual(await tierOf('ann'), 2, 'as of whom nothing is said')
      strictEqual(await tierOf('bob'), 0, 'and of others as before')
      await stack.sources.trust(low)
      strictEqual(await tierOf('ann'), 0, 'believed again')
      deepStrictEqual((await stack.ledger.audit()).problems, [])
    },
  ),

  holds('S-50', 'a person or the host says who is trusted, and nobody else', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const body = { entityId: 'the model itself', dimensions: { general: { score: 1 } } }
    const error = await errorOf(() => stack.saveTrustAssessment(body, { caller: MODEL }), 'a model')
    strictEqual(error.code, 'scope')
    deepStrictEqual(await stack.getTrustAssessments(), [])
    const id = await stack.saveTrustAssessment(body, { caller: PERSON })
    const memory = await stack.getMemory('assessment', id)
    deepStrictEqual(memory?.provenance.label, { type: 'External', kind: 'UserAsserted' })
    const low = { ...body, dimensions: { general: { score: 1.5 } } }
    strictEqual(
      (await errorOf(() => stack.saveTrustAssessment(low), 'above one')).code,
      'invalid_input',
    )
  }),
]

const LESSON = 'Leave a quarter of an hour early'

export const featureCases: readonly Case<StackGiven>[] = [
  holds('S-52', 'lessons that recur become beliefs that cite their episodes', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const one = await hand.make('episode', { lessons: [LESSON, 'Take an umbrella along'] })
    const two = await hand.make('episode', { lessons: ['leave a quarter of an hour  early.'] })
    await hand.make('episode', { lessons: [] })
    const promoted = await stack.promote()
    strictEqual(promoted.episodesScanned, 3)
    strictEqual(promoted.patternsFound, 1)
    const [ref] = promoted.beliefsCreated
    ok(ref)
    const belief = await stack.getMemory('belief', idOf(ref))
    strictEqual(belief?.body.statement, LESSON)
    deepStrictEqual(belief.provenance.derivedFrom, [one, two])
    strictEqual(belief.provenance.sourceType, 'consolidation')
    const entries = await hand.entryCount()
    const again = await stack.promote()
    deepStrictEqual([again.alreadyKnown, again.beliefsCreated], [1, []])
    await stack.forgetMemory('belief', idOf(ref), 'it is not so')
    for (let times = 0; times < 12; times += 1) {
      deepStrictEqual((await stack.promote()).beliefsCreated, [], 'what was let go stays so')
    }
    strictEqual(await hand.entryCount(), entries + 1, 'only the forgetting was written')
  }),

  holds('S-52', 'promote goes by context, and may only suggest', async (given) => {
    const hand = await given.open()
    const { stack } = hand
    const context = 'project:rails'
    await hand.make('episode', { lessons: [LESSON], context })
    await hand.make('episode', { lessons: [LESSON], contextTags: [context] })
    await hand.make('episode', { lessons: ['Pack the night before'] })
    await hand.make('episode', { lessons: ['Pack the night before'] })
    const inContext = await stack.promote({ context, as: 'suggestion' })
    strictEqual(inContext.episodesScanned, 2)
    const [ref] = inContext.suggestionsCreated
    ok(ref)
    deepStrictEqual(inContext.beliefsCreated, [])
    const suggestion = await stack.getSuggestion(idOf(ref))
    strictEqual(suggestion?.content.statement, LESSON)
    strictEqual(suggestion.content.context, context)
    strictEqual(suggestion.sourceRefs.length, 2)
    deepStrictEqual((await stack.promote({ context, as: 'suggestion' })).suggestionsCreated, [])
    await stack.dismissSuggestion(idOf(ref), 'no')
    const afterNo = await stack.promote({ context, as: 'suggestion' })
    deepStrictEqual(afterNo.suggestionsCreated, [], 'a no is not asked for twice')
    strictEqual((await stack.promote({ minEpisodes: 3 })).patternsFound, 0)
    strictEqual((await stack.promote()).beliefsCreated.length, 2)
  }),

  holds(
    'S-53',
    'the sweep takes what is dormant and hardly missed, and spares identity',
    async (given) => {
      const hand = await given.open()
      const { stack } = hand
      const faint = await hand.make('note')
      const used = await hand.make('note')
      const guarded = await hand.make('note')
      const drive = await hand.make('drive')
      const self = await hand.make('self_narrative')
      const raw = await hand.make('raw')
      const fresh = await hand.make('note')
      for (const ref of [faint, used, drive, self, raw]) await hand.setStrength(ref, 0.15)
      await hand.setStrength(guarded, 0.15)
      await stack.protectMemory('note', idOf(guarded))
      given.clock.advance({ days: 60 })
      for (let times = 0; times < 3; times += 1) await stack.recordAccess('note', idOf(used))
      const gone = async () => {
        const all = [faint, used, guarded, drive, self, raw, fresh]
        const states = await Promise.all(all.map((ref) => stack.history.why(ref)))
        return all.filter((_, at) => states[at]?.memory.strength === 0)
      }
      const rehearsal = await stack.applyForgetting({ dryRun: true })
      deepStrictEqual([rehearsal.refs, rehearsal.forgotten], [[faint], 0])
      deepStrictEqual(await gone(), [])
      const swept = await stack.applyForgetting()
      deepStrictEqual([swept.refs, swept.forgotten], [[faint], 1])
      deepStrictEqual(await gone(), [faint], 'used, guarded, identity, ground and fresh ones stay')
      const entries = await hand.entryCount()
      strictEqual((await stack.applyForgetting()).forgotten, 0, 'twice is once')
      strictEqual(await hand.entryCount(), entries)
      const all = await stack.applyForgetting({ protectIdentity: false })
      deepStrictEqual(all.refs.toSorted(), [drive, self].toSorted(), 'unless it is asked for')
      deepStrictEqual((await stack.ledger.audit()).problems, [])
    },
  ),
]
