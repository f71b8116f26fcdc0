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
  await fresh.stack.history.trace(ref, { caller: model() })
  return { ...fresh, ref, raw: raw.ref as Ref }
}

describe('our own words in others', () => {
  holds('FIREWALL-ECHO', 'a rewording is a row of its own, linked, with its score', async () => {
    const { stack, store, ref, raw } = await told()
    for (const text of TEMPLATES.slice(0, 3)) {
      const kept = await stack.write(note(text, 'ModelDerived', [raw]), model())
      expect(kept).toMatchObject({
        rule: 'admit',
        disposition: 'CommittedInferred',
        reasons: ['rewording'],
      })
      expect(kept.message).toContain(ref)
      const facts = entriesOf(store, stack).at(-1)?.decision.facts
      expect(facts).toMatchObject({ phrasingOf: ref })
      expect(Number.isSafeInteger(facts?.score)).toBe(true)
      const memory = await stack.getMemory('note', String(kept.id))
      expect(memory).toMatchObject({ text, rewordingOf: ref })
    }
    expect((await stack.ledger.audit()).problems).toEqual([])
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

  test('a word that may frame a statement is a word of the statement where it stands in it', async () => {
    const { stack, raw } = await told('The search service is written in Python')
    const other = 'The report service is written in Python'
    expect((await stack.write(note(other, 'ModelDerived', [raw]), model())).reasons).toEqual([])
    const framed = 'To report: the search service is written in Python'
    const again = await stack.write(note(framed, 'ModelDerived', [raw]), model())
    expect(again.reasons).toEqual(['rewording'])
  })

  test('what only another actor’s session was served is not linked', async () => {
    const { stack, raw } = await told()
    const text = TEMPLATES[0] as string
    const written = await stack.write(note(text, 'ModelDerived', [raw]), model('talk-2'))
    expect(written).toMatchObject({ rule: 'admit', reasons: [] })
    // The actor's own words are known again, in whichever session the actor repeats them.
    const again = TEMPLATES[1] as string
    const repeated = await stack.write(note(again, 'ModelDerived', [raw]), model('talk-3'))
    expect(repeated.reasons).toEqual(['rewording'])
    expect((await stack.getMemory('note', String(repeated.id)))?.rewordingOf).toBe(written.ref)
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

  test('other numbers and another order of names are no rewording', async () => {
    const { stack, raw } = await told('Ann pays Bob 40 euro for the flat every month')
    for (const text of [
      'Ann pays Bob 50 euro for the flat every month',
      'Bob pays Ann 40 euro for the flat every month',
    ]) {
      const written = await stack.write(note(text, 'ModelDerived', [raw]), model())
      expect(written.reasons, text).toEqual([])
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
      const kept = new Set<string>()
      for (let turn = 0; turn < 808; turn += 1) {
        const session = `talk-${turn % 8}`
        if (turn < 8) await stack.history.trace(ref, { caller: model(session) })
        const text = turn % 4 === 0 ? PREFERENCE : (TEMPLATES[turn % TEMPLATES.length] as string)
        const name = turn % 3 === 0 ? 'RecallReEntry' : 'ModelDerived'
        const written = await stack.write(note(text, name, [raw]), model(session))
        expect(['Corroborated', 'CommittedInferred', 'Quarantined'], text).toContain(
          written.disposition,
        )
        if (written.ref !== ref && written.disposition === 'CommittedInferred')
          kept.add(written.ref as string)
      }
      const after = await stack.getMemory('note', ref.slice('note:'.length))
      expect(after?.flags.map(({ code }) => code)).toEqual(['repeated'])
      expect({ ...after, flags: before?.flags, review: before?.review }).toEqual(before)
      expect(kept.size).toBeLessThanOrEqual(TEMPLATES.length)
      const log = entriesOf(store, stack)
      for (const one of kept) {
        const birth = log.find((each) => each.ref === one)
        expect(birth?.decision.facts.phrasingOf, one).toBe(ref)
      }
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )

  holds(
    ['FIREWALL-ECHO', 'F-09'],
    'of a claim leave one value, its evidence and its currency',
    async () => {
      const { stack, store } = await freshStack()
      const ann = { caller: at('cli', { person: true }), actor: 'ann' } as const
      await stack.claims.remember('user', 'preferred theme', 'dark quiet mode', ann)
      const line = { subject: 'user', predicate: 'preferred theme' }
      const first = await stack.claims.ask({ ...line, caller: model() })
      const ways = [
        'dark quiet mode',
        'Dark, quiet mode',
        'the dark, quiet mode',
        'quiet dark mode',
      ]
      for (let turn = 0; turn < 202; turn += 1) {
        for (const value of ways) {
          await stack.claims.remember('user', 'preferred theme', value, {
            caller: model(),
            label: { type: turn % 2 ? 'ModelDerived' : 'RecallReEntry' },
          })
        }
      }
      const last = await stack.claims.ask({ ...line, caller: model() })
      expect({ ...last, validAt: null, beside: [] }).toEqual({ ...first, validAt: null })
      expect(last).toMatchObject({ standing: 'held', value: 'dark quiet mode', evidence: 1 })
      // A model's words stand beside the person's: the last of each label.
      expect(last.beside.length).toBeLessThanOrEqual(2)
      expect(entriesOf(store, stack).length).toBeLessThan(40)
      expect((await stack.ledger.audit()).problems).toEqual([])
    },
  )
})

describe('what is left to be inspected', () => {
  holds('F-16', 'why a write was counted, linked or let in is told, with its lineage', async () => {
    const { stack, ref, raw } = await told()
    await stack.write(note(PREFERENCE, 'ModelDerived', [raw]), model())
    const why = await stack.history.why(ref)
    expect(why.lineage.map(({ memory }) => memory.ref)).toEqual([raw, ref])
    expect(why.letInBy.rule).toBe('admit')
    expect(why.changes.at(-1)).toMatchObject({
      op: 'memory.collapsed',
      decision: { rule: 'echo', reasons: ['echo_exact'], facts: { match: ref } },
    })
    const kept = await stack.write(note(TEMPLATES[0] as string, 'ModelDerived', [raw]), model())
    expect((await stack.history.why(String(kept.ref))).changes.at(-1)).toMatchObject({
      decision: { reasons: ['rewording'], facts: { phrasingOf: ref } },
    })
  })

  holds('F-19', 'the documents warn that what stands uncontested may be false', () => {
    const page = readFileSync(new URL('../../docs/firewall.md', import.meta.url), 'utf8')
    expect(page).toMatch(/consistent, first-hand and uncontested, and still be false/)
  })
})
