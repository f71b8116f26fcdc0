import fc from 'fast-check'
import { DOORS } from '../../src/domain/doors.ts'
import { by, draft, index, type Of, often, waitMs } from './picks.ts'
import type { ClaimSaying } from './steps.ts'

/** Choices that only mean something where what was served is known again. */

const model = fc.record({
  door: fc.oneof(
    { weight: 4, arbitrary: fc.constant('mcp' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...DOORS) },
  ),
  person: often(false, fc.constant(true), 6),
  grant: fc.constant(null),
})

const EDITS = [
  ...['to the letter', 'with a word more', 'with a word less', 'turned around'],
  ...['denied', 'with another number', 'as a belief', 'with dates of its own'],
] as const
type Edit = (typeof EDITS)[number]

/** A text said again, more or less. */
export function edited(text: string, how: Edit): string {
  const words = text.split(' ')
  switch (how) {
    case 'to the letter':
    case 'as a belief':
    case 'with dates of its own':
      return text
    case 'with a word more':
      return `Well, ${text}`
    case 'with a word less':
      return words.length > 3 ? words.slice(1).join(' ') : text
    case 'turned around':
      return [...words].reverse().join(' ')
    case 'denied':
      return `${text}, or not`
    case 'with another number':
      return `${text} 7`
  }
}

/** The same of a claim: its value may say more or less, or hold at another time. */
export function editedClaim(claim: ClaimSaying, how: Edit): Partial<ClaimSaying> {
  const { value } = claim
  if (how === 'with dates of its own') return { start: '2019-05-01T00:00:00.000Z' }
  if (typeof value !== 'string' || how === 'as a belief') return {}
  // The same words, and yet another value.
  if (how === 'turned around') return { value: [value] }
  return { value: edited(value, how).trim() || value }
}

const CUTS = [
  ...['nothing', 'whole', 'sentence', 'two sentences', 'unmarked'],
  ...['part', 'padded', 'other words', 'in capitals'],
] as const
type Cut = (typeof CUTS)[number]

/** Words of an account as somebody may quote them. */
export function cutFrom(text: string, cut: Cut, which = 0): string {
  const sentences = text.split(/(?<=[.?]) /u)
  const at = which % sentences.length
  const one = sentences[at] ?? text
  switch (cut) {
    case 'nothing':
    case 'whole':
      return text
    case 'sentence':
      return one
    case 'two sentences':
      return sentences.slice(at, at + 2).join(' ')
    case 'unmarked':
      return one.replace(/[.?]$/u, '')
    case 'part':
      return one.slice(0, -4)
    case 'padded':
      return `  ${one} `
    case 'other words':
      return one.replace('moved', 'walked')
    case 'in capitals':
      return one.toUpperCase()
  }
}

export const quoted = fc.record({
  type: fc.constant('quote' as const),
  waitMs,
  which: index,
  account: index,
  met: fc.record({
    isNote: fc.boolean(),
    isModel: often(false, fc.constant(true), 5),
    isCaptured: often(false, fc.constant(true), 3),
    actor: fc.constantFrom('ann', 'bob'),
  }),
  /** Whether what it quotes was served as a note before, and whether somebody says otherwise after. */
  isServed: often(false, fc.constant(true), 2),
  isAnswered: often(false, fc.constant(true), 2),
  cut: fc.constantFrom(...CUTS),
  value: fc.constantFrom(
    'Berlin',
    'Paris',
    'paris',
    'maybe Berlin',
    'never Paris',
    2,
    'cat',
    'Kim',
  ),
  draft: draft.map((chosen) => ({
    ...chosen,
    kind:
      chosen.kind === 'note'
        ? ('note' as const)
        : chosen.kind === 'belief'
          ? ('belief' as const)
          : ('claim' as const),
    label: chosen.label === 'UserAsserted' ? ('UserAsserted' as const) : ('ModelDerived' as const),
    parents: { how: 'fitting' as const, picks: chosen.parents.picks.slice(0, 1) },
  })),
  way: model,
})

/** What only means something where what was served is known again. */
export const echoing = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('reword' as const),
      waitMs,
      which: index,
      isShown: often(true, fc.constant(false), 3),
      how: fc.constantFrom(...EDITS),
      draft,
      way: model,
    }),
  },
  { weight: 3, arbitrary: quoted },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('parrot' as const),
      waitMs,
      which: index,
      /** How many rewordings of one memory, … */
      times: fc.integer({ min: 1, max: 4 }),
      /** … and whether somebody says one of them first-hand before a link is removed. */
      isSaidSince: fc.boolean(),
      isWished: fc.boolean(),
      way: model,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('overrule' as const),
      waitMs,
      which: index,
      isAimed: often(true, fc.constant(false), 6),
      by,
    }),
  },
)

export type EchoPick = Of<typeof echoing>
