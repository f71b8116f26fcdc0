import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openNote, openSealed } from '../../src/engine/read/memory-view.ts'
import { Entity, label, openStack, type Stack } from '../../src/index.ts'
import { MemoryStore } from '../../src/stores/memory/store.ts'
import { fakeWorld } from '../../src/testing/world.ts'
import { memoryOf } from '../life/support.ts'

type Fields = Readonly<Record<string, unknown>>

const AUTHORS = {
  ada: { label: label.userAsserted(), actor: 'ada' },
  bob: { label: label.userAsserted(), actor: 'bob' },
  one: { label: label.modelDerived(), actor: 'one' },
  two: { label: label.modelDerived(), actor: 'two' },
} as const
type Author = keyof typeof AUTHORS

const goalFields = fc.record(
  {
    status: fc.constantFrom('active', 'completed', 'paused', 'dropped'),
    priority: fc.constantFrom('low', 'medium', 'high'),
    tags: fc.subarray(['a', 'b', 'c']),
  },
  { requiredKeys: [] },
)

const saves = fc.array(
  fc.record({
    who: fc.constantFrom<Author>('ada', 'bob', 'one', 'two'),
    words: fc.constantFrom('Ship it', 'ship  IT', 'Sleep more'),
    fields: goalFields,
    isRecalled: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    waitMinutes: fc.constantFrom(0, 1, 30),
  }),
  { minLength: 1, maxLength: 25 },
)

interface Modelled {
  readonly author: Author
  fields: Fields
}

/** What a save must come to, by rule 3 alone: one list of goals for each text. */
class SlowModel {
  readonly #goals = new Map<string, Modelled[]>()

  expected(
    who: Author,
    words: string,
    fields: Fields,
  ): 'born' | 'revised' | 'proposed' | 'counted' {
    const key = words.toLowerCase().replaceAll(/\s+/g, ' ')
    const known = this.#goals.get(key) ?? []
    this.#goals.set(key, known)
    const own = known.find(({ author }) => author === who)
    const isNew = (goal: Modelled): boolean =>
      Object.entries(fields).some(
        ([name, value]) => JSON.stringify(goal.fields[name]) !== JSON.stringify(value),
      )
    if (own) {
      if (!isNew(own)) return 'counted'
      own.fields = { ...own.fields, ...fields }
      return 'revised'
    }
    const isModel = who === 'one' || who === 'two'
    if (isModel && known.length > 0) return known.every(isNew) ? 'proposed' : 'counted'
    known.push({ author: who, fields: { ...DEFAULTS, ...fields } })
    return 'born'
  }
}

const DEFAULTS = { status: 'active', priority: 'medium', tags: [] }

/** Every body, of every revision, and all fields that proposals sealed. */
async function everythingKept(stack: Stack, store: MemoryStore): Promise<readonly Fields[]> {
  const rows = store.rows(stack.stackId)
  return [...rows.sealed.values()].map((row) => {
    const note = openNote(row)
    return note.fields === undefined ? (openSealed(row).body as Fields) : (note.fields ?? {})
  })
}

const holdsAll = (kept: Fields, fields: Fields): boolean =>
  Object.entries(fields).every(
    ([name, value]) => JSON.stringify(kept[name] ?? []) === JSON.stringify(value),
  )

test('no field that a caller gave is ever lost', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(saves, async (steps) => {
      const store = new MemoryStore()
      const world = fakeWorld(1)
      const stack = await openStack('test', { store, ...world })
      const me = new Entity('my-agent')
      await me.attachStack(stack)
      const raw = await me.raw('It was seen')
      const outcome = { objective: 'look', outcome: 'seen', derivedFrom: [raw.ref], ...AUTHORS.ada }
      const { ref: episode } = await me.episode(outcome)
      const model = new SlowModel()
      for (const { who, words, fields, isRecalled, waitMinutes } of steps) {
        world.clock.advance({ ms: waitMinutes * 60_000 })
        const how = isRecalled ? { label: label.recallReEntry(), actor: who } : AUTHORS[who]
        const saved = await me.goal(words, { ...fields, derivedFrom: [episode], ...how })
        // A declared re-entry says that it brings nothing; a burst says that it is set aside.
        if (saved.disposition === 'Quarantined') return
        if (isRecalled) {
          if (saved.disposition !== 'Corroborated') return // nothing was known: it is a memory now
          continue
        }
        const came = saved.revised
          ? 'revised'
          : saved.rule === 'authority'
            ? 'proposed'
            : saved.disposition === 'Corroborated'
              ? 'counted'
              : 'born'
        seen.add(came)
        expect(came).toBe(model.expected(who, words, fields))
        // A proposal holds the fields that the memory has otherwise; the memory holds the rest.
        const { body } = await memoryOf(stack, saved.ref)
        const kept = (await everythingKept(stack, store)).flatMap((each) => [
          each,
          ...(came === 'proposed' ? [{ ...body, ...each }] : []),
        ])
        expect(
          kept.some((each) => holdsAll(each, fields)),
          JSON.stringify(fields),
        ).toBe(true)
      }
      expect((await stack.ledger.audit()).problems).toEqual([])
    }),
    { numRuns: 80 },
  )
  expect([...seen].sort()).toEqual(['born', 'counted', 'proposed', 'revised'])
})
