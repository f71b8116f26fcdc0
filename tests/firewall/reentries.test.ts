import { describe, expect } from 'vitest'
import type { Ref } from '../../src/domain/ids.ts'
import type { LabelName } from '../../src/domain/labels.ts'
import { labelNamed } from '../../src/domain/labels.ts'
import { at, entriesOf, freshStack, saying } from '../stack/support.ts'
import { holds } from '../support/holds.ts'
import { PREFERENCE, TEMPLATES } from './preference.ts'

const TIMES = 808 // as often as one preference was found in the store that the seed tells of
const VALUE = 'dark quiet mode'
const VALUES: readonly string[] = [
  'Dark, quiet mode',
  'the dark, quiet mode',
  'quiet dark mode',
  'a dark and quiet mode',
  'dark-quiet mode',
  'dark quiet modes',
  '“dark quiet mode”',
  'mode: dark, quiet',
  'dark & quiet mode',
  'a mode that is dark and quiet',
]

interface Way {
  readonly session: (turn: number) => string
  readonly label: (turn: number) => LabelName
  readonly isReworded: boolean
}

const here = (): string => 'talk-0'
const WAYS = {
  declared: {
    session: here,
    label: () => 'RecallReEntry',
    isReworded: false,
  },
  undeclared: {
    session: here,
    label: () => 'ModelDerived',
    isReworded: false,
  },
  reworded: {
    session: here,
    label: () => 'ModelDerived',
    isReworded: true,
  },
  elsewhere: {
    session: (turn) => `talk-${1 + (turn % 7)}`,
    label: () => 'ModelDerived',
    isReworded: true,
  },
  mixed: {
    session: (turn) => `talk-${turn % 8}`,
    label: (turn) => (turn % 3 === 0 ? 'RecallReEntry' : 'ModelDerived'),
    isReworded: true,
  },
} as const satisfies Record<string, Way>

const LINE = { subject: 'user', predicate: 'preferred theme' }
const ANN = { caller: at('cli', { person: true }), actor: 'ann' } as const
const model = (session: string) => at('mcp', { session })

/** A preference that a person gave, as a note and as a claim, served once in one session. */
async function given() {
  const fresh = await freshStack()
  const { stack } = fresh
  const body = { content: PREFERENCE }
  const person = at('cli', { person: true })
  const own = saying('UserAsserted', { sourceId: 'ann' })
  const raw = await stack.write({ kind: 'raw', body, provenance: own }, person)
  const provenance = { ...own, derivedFrom: [raw.ref as Ref] }
  const note = await stack.write({ kind: 'note', body, provenance }, person)
  await stack.claims.remember(LINE.subject, LINE.predicate, VALUE, ANN)
  await stack.history.trace(note.ref as Ref, { caller: model('talk-0') })
  const answer = await stack.claims.ask({ ...LINE, caller: model('talk-0') })
  return { ...fresh, raw: raw.ref as Ref, note: note.ref as Ref, answer }
}

const unmoved =
  ({ session, label, isReworded }: Way) =>
  async () => {
    const { stack, store, raw, note, answer } = await given()
    const claim = answer.claims[0]?.ref as Ref
    // A burst is counted on the live memory, as one item of review.
    const uncounted = { flags: null, review: null }
    const states = async () => [
      { ...(await stack.getMemory('note', note.slice('note:'.length))), ...uncounted },
      { ...(await stack.getMemory('claim', claim.slice('claim:'.length))), ...uncounted },
    ]
    const before = await states()
    const kept = new Map<Ref, Ref>()
    for (let turn = 0; turn < TIMES; turn += 1) {
      const text = isReworded ? (TEMPLATES[turn % 10] as string) : PREFERENCE
      const value = isReworded ? (VALUES[turn % 10] as string) : VALUE
      const caller = model(session(turn))
      const provenance = saying(label(turn), { derivedFrom: [raw], sourceId: 'model' })
      const again = await stack.write({ kind: 'note', body: { content: text }, provenance }, caller)
      const claimed = await stack.claims.remember(LINE.subject, LINE.predicate, value, {
        caller,
        actor: 'model',
        label: labelNamed(label(turn)),
      })
      for (const [ref, disposition, of] of [
        [again.ref, again.disposition, note],
        [claimed.claimRef, claimed.disposition, claim],
      ] as const) {
        if (disposition === 'CommittedInferred' && ref !== of) kept.set(ref as Ref, of)
      }
    }
    expect(await states()).toEqual(before)
    const last = await stack.claims.ask(LINE)
    expect(last).toMatchObject({ standing: 'held', value: VALUE, evidence: 1 })
    expect(last.values).toEqual(answer.values)
    expect(last.beside.length).toBeLessThanOrEqual(2) // the model's last word, under each label
    expect(await stack.claims.ask({ ...LINE, for: 'act' })).toMatchObject({
      value: VALUE,
      evidence: 1,
    })
    const log = entriesOf(store, stack)
    const births = log.filter(({ ref }) => ref !== null && kept.has(ref))
    expect(kept.size).toBeLessThanOrEqual(isReworded ? 20 : 0)
    const linkOf = (ref: Ref) =>
      births.find((each) => each.ref === ref && each.op === 'memory.saved')?.decision.facts
        .phrasingOf
    const unlinked = [...kept.keys()].filter((ref) => linkOf(ref) === undefined)
    // Whom nothing was served has an original of its own: one note and one claim.
    expect(unlinked.length).toBeLessThanOrEqual(session(0) === here() ? 0 : 2)
    for (const [ref, of] of kept) {
      if (!unlinked.includes(ref))
        expect([of, ...unlinked], `${ref} is linked`).toContain(linkOf(ref))
    }
    expect(log.length).toBeLessThan(150)
    expect((await stack.ledger.audit()).problems).toEqual([])
  }

describe('808 re-entries leave one value, one evidence and every number as it was', () => {
  holds(['F-04', 'F-11', 'FIREWALL-ECHO'], 'to the letter, declared', unmoved(WAYS.declared))
  holds(
    ['F-11', 'FIREWALL-ECHO'],
    'to the letter, called the model’s own',
    unmoved(WAYS.undeclared),
  )
  holds('FIREWALL-ECHO', 'reworded by ten templates', unmoved(WAYS.reworded))
  holds('FIREWALL-ECHO', 'in sessions that were not served', unmoved(WAYS.elsewhere))
  holds(['F-04', 'F-09', 'FIREWALL-ECHO'], 'all of it mixed', unmoved(WAYS.mixed))
})
