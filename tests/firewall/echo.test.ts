import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Caller } from '../../src/domain/doors.ts'
import type { Ref } from '../../src/domain/ids.ts'
import type { LabelName } from '../../src/domain/labels.ts'
import { at, entriesOf, freshStack, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { PREFERENCE, TEMPLATES } from './preference.ts'

type Fresh = Awaited<ReturnType<typeof freshStack>>

const TALK = 'talk-1'
const model = (session = TALK): Caller => at('mcp', { session })

const note = (
  content: string,
  name: LabelName = 'ModelDerived',
  derivedFrom: readonly Ref[] = [],
) => ({
  kind: 'note' as const,
  body: { content },
  provenance: saying(name, { derivedFrom: [...derivedFrom] }),
})

/** A stack with one note of a person, served to the model's session. */
async function told(text = PREFERENCE): Promise<Fresh & { readonly ref: Ref; readonly raw: Ref }> {
  const fresh = await freshStack()
  const raw = await fresh.stack.write(
    {
      kind: 'raw',
      body: { content: 'Something else was captured' },
      provenance: saying('ExternalFirstHand'),
    },
    at('lib'),
  )
  const written = await fresh.stack.write(note(text, 'UserAsserted', [raw.ref as Ref]), at('lib'))
  const ref = written.ref as Ref
  await fresh.stack.trace(ref, { caller: model() })
  return { ...fresh, ref, raw: raw.ref as Ref }
}

describe('our own words in others', () => {
  holds(
    'FIREWALL-ECHO',
    'a near-certain rewording collapses, and says how near it was',
    async () => {
      const { stack, store, ref, raw } = await told()
      const again = await stack.write(note(TEMPLATES[0] as string, 'ModelDerived', [raw]), model())
      expect(again).toMatchObject({
        ref,
        rule: 'echo',
        disposition: 'Corroborated',
        reasons: ['echo_reworded'],
      })
      const entry = entriesOf(store, stack).at(-1)
      expect(entry).toMatchObject({
        op: 'memory.collapsed',
        ref,
        decision: { facts: { match: ref } },
      })
      expect(Number.isSafeInteger(entry?.decision.facts.score)).toBe(true)
      expect(entry?.commitment).not.toBeNull()
      expect((await stack.audit()).problems).toEqual([])
    },
  )

  holds('FIREWALL-ECHO', 'a likely one is kept, linked, and counts for nothing', async () => {
    const { stack, store, ref, raw } = await told()
    const text = 'The user prefers dark mode, and a quiet theme wherever there is an editor'
    const kept = await stack.write(note(text, 'ModelDerived', [raw]), model())
    expect(kept).toMatchObject({
      rule: 'echo',
      disposition: 'CommittedInferred',
      reasons: ['echo_phrasing'],
    })
    expect(kept.message).toContain(ref)
    expect(entriesOf(store, stack).at(-1)?.decision.facts).toMatchObject({ phrasingOf: ref })
    expect((await stack.audit()).problems).toEqual([])
  })

  test('what is new is new', async () => {
    const { stack, raw } = await told()
    for (const text of [
      'The deploy on Friday failed because migration twelve locked the table',
      'The user does not prefer dark mode in the editor and a quiet theme',
    ]) {
      const written = await stack.write(note(text, 'ModelDerived', [raw]), model())
      expect(written, text).toMatchObject({ rule: 'admit' })
    }
  })

  test('what only another session was served is never folded away, and linked where it is near', async () => {
    const { stack, ref, raw } = await told()
    const written = await stack.write(
      note(TEMPLATES[0] as string, 'ModelDerived', [raw]),
      model('talk-2'),
    )
    expect(written).toMatchObject({ rule: 'echo', reasons: ['echo_phrasing'] })
    expect(written.message).toContain(ref)
    const far = 'The user likes it dark, and no noise'
    expect(await stack.write(note(far, 'ModelDerived', [raw]), model('talk-2'))).toMatchObject({
      rule: 'admit',
    })
    expect((await stack.audit()).problems).toEqual([])
  })

  test('what nobody was served is no echo in other words', async () => {
    const { stack } = await freshStack()
    const body = { content: PREFERENCE }
    const raw = await stack.write(
      { kind: 'raw', body, provenance: saying('UserAsserted') },
      at('lib'),
    )
    const cited = [raw.ref as Ref]
    await stack.write(note(PREFERENCE, 'UserAsserted', cited), at('lib'))
    const text = TEMPLATES[0] as string
    const written = await stack.write(note(text, 'ModelDerived', cited), model('talk-2'))
    expect(written).toMatchObject({ rule: 'admit' })
  })

  test('a person or a hook repeats nobody', async () => {
    const { stack, raw } = await told()
    const text = TEMPLATES[0] as string
    const said = await stack.write(note(text, 'UserAsserted', [raw]), at('hook', { session: TALK }))
    expect(said).toMatchObject({ rule: 'admit', disposition: 'CommittedCheap' })
  })

  test('what is captured is never an echo', async () => {
    const { stack } = await told()
    const body = { content: TEMPLATES[0] as string }
    const raw = await stack.write(
      { kind: 'raw', body, provenance: saying('ModelDerived') },
      model(),
    )
    expect(raw).toMatchObject({ rule: 'admit' })
  })

  test('other numbers and another order are no certain echo', async () => {
    const { stack, raw, ref } = await told('Ann pays Bob 40 euro for the flat every month')
    for (const text of [
      'Ann pays Bob 50 euro for the flat every month',
      'Bob pays Ann 40 euro for the flat every month',
    ]) {
      const written = await stack.write(note(text, 'ModelDerived', [raw]), model())
      expect(written.ref, text).not.toBe(ref)
    }
  })
})

describe('808 re-entries', () => {
  holds(
    ['FIREWALL-ECHO', 'F-11', 'F-04'],
    'exact, reworded by ten templates, across sessions and labelled dishonestly move nothing',
    async () => {
      const { stack, store, ref, raw } = await told()
      const before = await stack.getMemory('note', ref.slice('note:'.length))
      const entries = entriesOf(store, stack).length
      const kept = new Set<string>()
      for (let turn = 0; turn < 808; turn += 1) {
        const session = `talk-${turn % 8}`
        if (turn < 8) await stack.trace(ref, { caller: model(session) })
        const text = turn % 4 === 0 ? PREFERENCE : (TEMPLATES[turn % TEMPLATES.length] as string)
        const name = turn % 3 === 0 ? 'RecallReEntry' : 'ModelDerived'
        const written = await stack.write(note(text, name, [raw]), model(session))
        expect(['Corroborated', 'CommittedInferred', 'Quarantined'], text).toContain(
          written.disposition,
        )
        if (written.ref !== ref && written.disposition === 'CommittedInferred')
          kept.add(written.ref as string)
      }
      const { ...after } = await stack.getMemory('note', ref.slice('note:'.length))
      // All that is new of it is that a person may look at what was folded away.
      expect(after).toEqual({ ...before, review: 'echo' })
      expect(kept.size).toBeLessThanOrEqual(TEMPLATES.length)
      const log = entriesOf(store, stack)
      for (const one of kept) {
        const birth = log.find((each) => each.ref === one)
        expect(birth?.decision.facts.phrasingOf, one).toBe(ref)
      }
      expect(log.length - entries).toBeLessThan(60)
      expect((await stack.audit()).problems).toEqual([])
    },
  )

  holds(
    ['FIREWALL-ECHO', 'F-09'],
    'of a claim leave one value, its evidence and its currency',
    async () => {
      const { stack, store } = await freshStack()
      const ann = { caller: at('cli', { person: true }), actor: 'ann' } as const
      await stack.remember('user', 'preferred theme', 'dark quiet mode', ann)
      const line = { subject: 'user', predicate: 'preferred theme' }
      const first = await stack.ask({ ...line, caller: model() })
      const ways = [
        'dark quiet mode',
        'Dark, quiet mode',
        'the dark, quiet mode',
        'quiet dark mode',
      ]
      for (let turn = 0; turn < 202; turn += 1) {
        for (const value of ways) {
          await stack.remember('user', 'preferred theme', value, {
            caller: model(),
            label: { type: turn % 2 ? 'ModelDerived' : 'RecallReEntry' },
          })
        }
      }
      const last = await stack.ask({ ...line, caller: model() })
      expect({ ...last, validAt: null }).toEqual({ ...first, validAt: null })
      expect(last).toMatchObject({
        standing: 'held',
        value: 'dark quiet mode',
        evidence: 1,
        beside: [],
      })
      expect(entriesOf(store, stack).length).toBeLessThan(40)
      expect((await stack.audit()).problems).toEqual([])
    },
  )
})

describe('what is left to be inspected', () => {
  holds(
    'F-16',
    'why a write was folded away, kept or let in is told, with its lineage',
    async () => {
      const { stack, ref, raw } = await told()
      await stack.write(note(TEMPLATES[0] as string, 'ModelDerived', [raw]), model())
      const why = await stack.why(ref)
      expect(why.lineage.map(({ memory }) => memory.ref)).toEqual([raw, ref])
      expect(why.letInBy.rule).toBe('admit')
      expect(why.changes.at(-1)).toMatchObject({
        op: 'memory.collapsed',
        decision: { rule: 'echo', reasons: ['echo_reworded'], facts: { match: ref } },
      })
    },
  )

  holds('F-19', 'the documents warn that what stands uncontested may be false', () => {
    const page = readFileSync(new URL('../../docs/firewall.md', import.meta.url), 'utf8')
    expect(page).toMatch(/consistent, first-hand and uncontested, and still be false/)
  })
})

describe('words kept for whoever overrules', () => {
  test('are sixteen for a memory, then they are counted, and they are erased with it', async () => {
    const { stack, store, ref, raw } = await told('Ann plays chess')
    for (let turn = 0; turn < 40; turn += 1) {
      const text = `Ann plays chess${'.'.repeat(turn + 1)}`
      await stack.write(note(text, 'ModelDerived', [raw]), model())
    }
    const sealed = entriesOf(store, stack).filter(
      ({ op, commitment }) => op === 'memory.collapsed' && commitment !== null,
    )
    expect(sealed).toHaveLength(16)
    expect(entriesOf(store, stack).filter(({ op }) => op === 'memory.collapsed')).toHaveLength(17)
    expect((await stack.audit()).problems).toEqual([])
    await stack.erase(ref)
    expect((await stack.receipts(TALK)).filter((row) => row.ref === ref)).toEqual([])
    expect((await stack.audit()).problems).toEqual([])
  })
})
