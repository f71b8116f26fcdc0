import { describe, expect, test } from 'vitest'
import type { Shown } from '../../src/doors/cli/demo/story.ts'
import { Desk } from './support/fake-host.ts'
import { muniment } from './support/program.ts'
import { scratch } from './support/scratch.ts'

describe('the demo', () => {
  test('tells the whole story, and every part of it is true', async () => {
    const said = await new Desk(scratch()).call(['demo', '--json'])
    expect(said.code).toBe(0)
    const { refused, echoes, audit, auditAfterTampering, captured } = said.json() as Shown
    expect(refused.code).toBe('refused')
    expect(refused.hint).toContain('A belief may cite')
    expect(echoes.sent).toBe(808)
    expect(echoes.before.repeatEntries).toBe(0)
    expect(echoes.after).toEqual({ ...echoes.before, repeatEntries: 2 })
    expect(audit.ok).toBe(true)
    expect(auditAfterTampering.problems[0]).toMatchObject({
      code: 'commitment.mismatch',
      ref: captured[0],
    })
  })

  test('fits one page, without colour where there is no terminal', async () => {
    const said = await new Desk(scratch()).call(['demo'])
    const lines = said.out.trimEnd().split('\n')
    expect(lines.length).toBeGreaterThanOrEqual(40)
    expect(lines.length).toBeLessThanOrEqual(60)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
    expect(said.out).not.toContain('\u001b')
    expect(said.out).toContain('“I live in Lisbon now. Trains, not flights, please.”')
    expect(said.out).toContain('NOT AS WRITTEN')
  })

  test('runs on a real file and leaves nothing behind', () => {
    const home = scratch()
    const ran = muniment(['demo'], { home, env: { TMPDIR: home } })
    expect(ran).toMatchObject({ code: 0, err: '' })
    expect(ran.out).toMatch(/byte [\d,]+ of demo\.db/)
    expect(muniment(['doctor', '--json'], { home }).out).toContain('is not there yet')
  })
})
