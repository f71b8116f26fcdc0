import { describe, expect, test } from 'vitest'
import { replacementsBy } from './replacement.ts'
import { isRunLog } from './run-log.ts'

const judged = (later: string, earlier: string) => replacementsBy(later)?.(earlier) ?? null

describe('a later statement that replaces an earlier one', () => {
  test.each([
    ['The wiki moved from Notion to Outline', 'Our wiki is kept in Notion'],
    ['Tickets are no longer tracked in Trello', 'Tickets are tracked in a Trello board'],
    ['Webpack is gone, the shop is built with Vite', 'The shop is built with Webpack'],
    ['Redis replaces Memcached for sessions', 'Sessions are kept in Memcached'],
    ['Indent with four spaces instead of tabs', 'Indent with tabs'],
    ['The stand-up has moved to 9:45', 'The stand-up is at 9:15'],
    ['Raise the upload limit to 20 MB from now on', 'The upload limit is 5 MB'],
    ['Reports are built every hour now', 'Reports are built once a day'],
    ['The flag dark_mode is on for ten percent', 'The flag dark_mode is off for everyone'],
    ['Ada is on call this week', 'Tom is on call this week'],
    ['Tom left, Ada takes over the invoices', 'Tom owns the invoices'],
    ['Anna has quit; Tom runs the newsletter', 'The newsletter is run by Anna'],
    ['The report goes to Helene', 'The report goes to Marcus'],
    ['Type checking happens with mypy since the move', 'Type checking happens with pyright'],
    ['The old Quay account is closed', 'Docker images are pushed to Quay'],
    ['We ditched Slack for Matrix', 'The team talks on Slack'],
    [
      'The coffee machine has moved to the second floor',
      'The coffee machine is on the first floor',
    ],
    ['Yoga is on Wednesdays', 'Yoga is on Mondays in the small hall'],
  ])('%s — %s', (later, earlier) => {
    expect(judged(later, earlier)).not.toBeNull()
  })

  test.each([
    ['Should we move from Notion to Outline?', 'Our wiki is kept in Notion'],
    ['We might switch from Notion to Outline', 'Our wiki is kept in Notion'],
    ['We plan to replace Redis with Valkey', 'Sessions are kept in Redis'],
    ['We used to run Memcached instead of Redis', 'Sessions are kept in Redis'],
    ['Heroku is gone', 'We moved from Heroku to Fly'],
    ['Ran the suite: 214 passed, 0 failed', 'Ran the suite: 212 passed, 0 failed'],
    ['Staging answers in 118 ms', 'Staging answers in 120 ms'],
    ['Invoice 18 is due on Friday', 'Invoice 17 is due on Monday'],
    ['The pool of Anna holds 5 fish', 'The pool of Bruno holds 9 fish'],
    ['Ada likes tea', 'Tom likes coffee'],
    ['The cache lives in Redis', 'The queue lives in RabbitMQ'],
    ['The users table has 9 columns', 'The orders table has 12 columns'],
    ['Slack costs 11 euros', 'The team talks on Slack'],
    ['Tom plays the violin', 'Leo plays chess on Sundays'],
    ['The printer needs toner', 'The printer stands in the hall'],
  ])('not: %s — %s', (later, earlier) => {
    expect(judged(later, earlier)).toBeNull()
  })

  test('a number without a word of change may name another thing', () => {
    expect(judged('Belief 18', 'Belief 17')?.isClear ?? false).toBe(false)
    expect(judged('The pool holds 35', 'The pool holds 20')?.isClear).toBe(false)
  })

  test('two values of things with words of their own are only likely the same thing', () => {
    expect(
      judged('The connection pool has a size of 35', 'The connection pool holds 20')?.isClear,
    ).toBe(false)
    expect(judged('The pool now holds 35', 'The pool holds 20')?.isClear).toBe(true)
  })
})

test('a note about one run is told from a statement', () => {
  for (const run of [
    'Ran the suite: 214 passed, 0 failed, 48 s.',
    'Deployed 4.1.0 to production',
    'Type check clean, 7 s.',
    'The disk is 61 percent full',
    'Cellar 12 degrees, humidity 70 percent',
  ])
    expect(isRunLog(run), run).toBe(true)
  for (const statement of [
    'Failed charges are retried 5 times',
    'The deploy window is 30 minutes',
    'The cellar must stay below 15 degrees',
    'Decided: amounts are integer cents',
  ])
    expect(isRunLog(statement), statement).toBe(false)
})
