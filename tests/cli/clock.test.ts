import { describe, expect, test } from 'vitest'
import { fakeClock } from '../../src/testing/world.ts'
import { Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

const DAYS_AHEAD = 1_000 // less than nine years: the gate cannot know that the clock is wrong

/** A desk whose stack was written to once with a clock far ahead. */
async function deskInFuture() {
  const clock = fakeClock()
  const desk = new Desk(scratch(), { clock })
  await desk.person(['note', 'Said while the clock was right.'])
  clock.advance({ days: DAYS_AHEAD })
  await desk.person(['note', 'Said while the clock was far ahead.'])
  clock.advance({ days: -DAYS_AHEAD })
  return desk
}

const clockLine = (out: string) => out.split('\n').find((line) => line.includes(' clock '))

describe('a stack that is dated in the future', () => {
  test('takes no words, and says what to do; a person corrects it, no program does', async () => {
    const desk = await deskInFuture()
    const refused = await desk.person(['note', 'Dated by nobody.'])
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('Not saved: the clock reads 2026-01-01T00:00:00.000Z, 1000 days')
    expect(refused.err).toContain('muniment stack clock --correct')
    const looked = await desk.person(['stack', 'clock'])
    expect(looked.out).toContain('1,000 days in the future of this clock; nothing can be written.')
    expect((await desk.call(['stack', 'clock', '--correct', '--json'])).json()).toMatchObject({
      error: { code: 'scope' },
    })
    const corrected = await desk.person(['stack', 'clock', '--correct'])
    expect(corrected.code).toBe(0)
    expect(corrected.out).toMatch(/^Corrected in entry \d+: the clock is right/)
    expect((await desk.person(['note', 'Dated by the right clock.'])).code).toBe(0)
    expect((await desk.person(['stack', 'clock'])).out).toContain(
      'The clock agrees with the last entry',
    )
    expect((await desk.person(['audit'])).code).toBe(0)
  })

  test('is a warning of the doctor, and none once it was corrected', async () => {
    const desk = await deskInFuture()
    const before = await desk.person(['doctor'])
    expect(before.code).toBe(0)
    expect(clockLine(before.out)).toMatch(
      /^warning +clock +The last entry is dated 2028-09-27T00:00:00.000Z, 1,000 days in the future of this clock.* → If this clock is wrong, set it\. If it is right, a person corrects the stack: muniment stack clock --correct$/,
    )
    await desk.person(['stack', 'clock', '--correct'])
    expect(clockLine((await desk.person(['doctor'])).out)).toMatch(/^ok +clock +The clock agrees/)
  })
})
