import { expect, it } from 'vitest'
import { RECORD_KINDS } from '../ids.ts'
import { definitionOf } from './table.ts'

/** LINE-KINDS: the table of the design, as literal text. `+` may cite the one it revises. */
const TABLE = `
raw            | 0 |                                        | -           | -                     | 1   | event
episode        | 1 | raw                                    | 0.01/30/0.5 | 0.4                   | 0.8 | event
note           | 1 | raw                                    | 0.015/30/0.4| 0.35                  | 0.8 | asserts
claim          | 1 | raw, episode, note, claim              | 0.01/30/0.5 | 0.55                  | 0.8 | asserts
belief         | 1 | episode, note, claim +                 | 0.01/30/0.5 | 0.7 + confidence/10   | 0.8 | asserts
goal           | 1 | episode, belief                        | 0.01/30/0.5 | 0.65                  | 0.8 | asserts
relationship   | 1 | episode                                | 0.01/30/0.5 | 0.3                   | 0.8 | asserts
value          | 1 | belief                                 | 0.005/60/0.7| 0.9 + priority/1000   | 0.9 | asserts
drive          | 1 | episode, belief                        | 0.005/60/0.6| 0.6 + intensity/10    | 0.8 | asserts
playbook       | 1 | episode, belief +                      | -           | 0.5                   | 0.8 | asserts
summary        | 1 | episode, note, belief, summary         | -           | decade 0.95 epoch 0.85 year 0.8 quarter 0.5 month 0.35 | 0.8 | asserts
self_narrative | 1 | episode, belief, value, goal, drive +  | -           | 0.9                   | 0.8 | asserts
epoch          | 0 |                                        | -           | -                     | 0.8 | event
suggestion     | 0 |                                        | -           | -                     | 0.8 | event
assessment     | 0 |                                        | -           | -                     | 0.8 | event
report         | 0 |                                        | -           | -                     | 1   | event
`

const row = (kind: (typeof RECORD_KINDS)[number]): string => {
  const { sources, decay, load, confidence, asserts } = definitionOf(kind)
  const scopes = Object.entries(load?.baseByScope ?? {}).map((scope) => scope.join(' '))
  const bonus = load?.bonus ? ` + ${load.bonus.from}/${load.bonus.divisor}` : ''
  return [
    kind,
    sources.min,
    `${sources.from.join(', ')}${sources.revises ? ' +' : ''}`,
    decay ? `${decay.rate}/${decay.periodDays}/${decay.floor}` : '-',
    scopes.join(' ') || (load ? `${load.base}${bonus}` : '-'),
    confidence,
    asserts ? 'asserts' : 'event',
  ].join(' | ')
}

it('LINE-KINDS: needs, sources, decay, load priority, confidence and asserting are the table', () => {
  const expected = TABLE.trim()
    .split('\n')
    .map((line) => line.replace(/ *\| */g, ' | '))
  expect(RECORD_KINDS.map(row)).toEqual(expected)
})
