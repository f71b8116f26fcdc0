import type { Answer, AnswerValue } from './answer.ts'

/** One difference between two answers to a question. */
export interface Difference {
  readonly of: 'answer' | 'sources' | 'tier' | 'beside' | 'currency' | 'claims'
  readonly before: string
  readonly after: string
}

const NONE = 'nothing'

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

const valuesIn = (values: readonly AnswerValue[]): string =>
  values.map(({ value }) => shown(value)).join(' or ') || NONE

export const answerWords = ({ standing, values }: Answer): string =>
  values.length === 0 ? standing : `${standing} ${valuesIn(values)}`

const tierOf = ({ claims }: Answer): string =>
  claims.length === 0 ? NONE : String(Math.max(...claims.map(({ tier }) => tier)))

const refsIn = ({ claims, beside, retracted, erased }: Answer): number =>
  claims.length + beside.flatMap((side) => side.claims).length + retracted.length + erased.length

const READ: Readonly<Record<Difference['of'], (answer: Answer) => string>> = {
  answer: answerWords,
  sources: ({ evidence }) => String(evidence),
  tier: tierOf,
  beside: ({ beside }) => valuesIn(beside),
  currency: ({ currency }) => currency?.band ?? NONE,
  claims: (answer) => String(refsIn(answer)),
}

/**
 * Compares two answers to one question. A changed answer is the only difference reported; otherwise
 * its support is compared. The number of claims counts only when nothing else differs.
 */
export function differencesOf(before: Answer, after: Answer): readonly Difference[] {
  const all = (Object.keys(READ) as Difference['of'][]).flatMap((of) => {
    const [was, is] = [READ[of](before), READ[of](after)]
    return was === is ? [] : [{ of, before: was, after: is }]
  })
  const answer = all.find(({ of }) => of === 'answer')
  if (answer) return [answer]
  const finer = all.filter(({ of }) => of !== 'claims')
  return finer.length > 0 ? finer : all
}
