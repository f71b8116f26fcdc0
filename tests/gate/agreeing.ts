import { expect } from 'vitest'
import { actualOf, expectedOf, tidyAnswer } from './compare.ts'
import { openForTest, take } from './production.ts'
import type { Answer } from './reference/words.ts'
import type { History } from './steps.ts'

/** The gate plays a history as its reference says: every answer, the ledger, and an audit of it. */
export async function expectAgreement(history: History): Promise<void> {
  const { genesis, recognises = false } = history
  const { answers, ...expected } = expectedOf(history)
  const played = await openForTest({ genesis, recognises })
  const given: Answer[] = []
  for (const step of history.steps) given.push(tidyAnswer(await take(played, step)))
  expect(given).toEqual(answers)
  expect(actualOf(played)).toEqual(expected)
  expect((await played.stack.ledger.audit()).problems).toEqual([])
}
