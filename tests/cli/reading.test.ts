import { statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseStackId } from '../../src/domain/ids.ts'
import type { Memory } from '../../src/engine/read/memory-view.ts'
import { Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

const MINUTE = 60_000

async function storied(): Promise<{ desk: Desk; belief: Memory }> {
  const desk = new Desk(scratch())
  await desk.person(['belief', 'Migrations go first', '--because', 'two deploys failed on locks'])
  const [belief] = (await desk.call(['list', 'belief', '--json'])).json() as readonly Memory[]
  if (!belief) throw new Error('no belief')
  return { desk, belief }
}

describe('reading', () => {
  test('why goes down to the words it rests on, and names the rule that let it in', async () => {
    const { desk, belief } = await storied()
    desk.later(5 * MINUTE)
    const said = await desk.person(['why', belief.id.slice(-8)])
    const lines = said.out.trimEnd().split('\n')
    expect(lines.map((line) => line.replace(/[0-9a-f]{8}/g, 'xxxxxxxx'))).toEqual([
      'belief:xxxxxxxx  Migrations go first',
      '│  a person · tier 3 · default:user · cli · 5 min ago',
      '└─ note:xxxxxxxx  two deploys failed on locks',
      '   │  a person · tier 3 · default:user · cli · captured · 5 min ago',
      '   └─ raw:xxxxxxxx',
      '         a person · tier 3 · default:user · cli · captured · 5 min ago',
      '         “two deploys failed on locks”',
      '',
      'Nothing has changed about it since.',
      'the rule that let it in, and entries: muniment why belief:xxxxxxxx -v',
    ])
    const more = (await desk.person(['why', belief.ref, '-v'])).out
    expect(more).toMatch(
      /\n {3}│ {2}a person · tier 3 · UserAsserted · default:user · cli:belief ·/,
    )
    expect(more).toMatch(
      /\nLet in by the rule admit as CommittedCheap, in entry 5, under policy \w{8}\.\n/,
    )
  })

  test('why is the tree of sources, and with --impact the tree the other way', async () => {
    const { desk, belief } = await storied()
    const trace = await desk.person(['why', belief.ref])
    expect(trace.out).toMatch(/^belief:.*\n.*\n└─ note:[\s\S]*└─ raw:[\s\S]*“two deploys/)
    const [raw] = (await desk.call(['list', 'raw', '--all', '--json'])).json() as readonly Memory[]
    const ref = raw?.ref ?? ''
    const counted = await desk.person(['why', ref])
    expect(counted.out).toMatch(/\n2 memories were made from it: muniment why raw:\w{8} --impact\n/)
    const impact = await desk.person(['why', ref, '--impact'])
    expect(impact.out).toMatch(/\n2 memories were made from it\nraw:.*\n└─ note:[\s\S]*└─ belief:/)
    expect((await desk.person(['why', belief.ref, '--impact'])).out).not.toContain('made from it')
  })

  test('list shows one line each, of every kind or of one, in the singular or the plural', async () => {
    const { desk } = await storied()
    const all = (await desk.person(['list', '--all'])).out.trimEnd().split('\n')
    expect(all.map((line) => line.split(':')[0])).toEqual(['belief', 'note', 'raw'])
    expect((await desk.person(['list', 'beliefs'])).out).toBe(
      (await desk.person(['list', 'belief'])).out,
    )
    expect((await desk.person(['list', 'goal'])).out).toContain('muniment help memory goal')
  })

  test('a full page says how to go on, and going on ends', async () => {
    const desk = new Desk(scratch())
    for (const text of ['one', 'two', 'three']) await desk.person(['memory', 'raw', text])
    const first = await desk.person(['list', 'raw', '--limit', '2'])
    const next = /muniment list raw --after ([0-9a-f]+)/.exec(first.out)?.[1] ?? ''
    const second = await desk.person(['list', 'raw', '--limit', '2', '--after', next])
    expect(second.out).toMatch(/^raw:.*one\n$/)
  })

  test('show is the whole birth certificate', async () => {
    const { desk, belief } = await storied()
    const said = await desk.person(['show', belief.ref])
    for (const part of ['UserAsserted (user_input)', 'cli:belief', belief.provenance.contentHash]) {
      expect(said.out).toContain(part)
    }
    expect((await desk.person(['show', belief.ref, '--json'])).json()).toEqual(belief)
  })

  test('an audit that finds something names it and ends with 4', async () => {
    const { desk, belief } = await storied()
    expect(await desk.person(['audit'])).toMatchObject({ code: 0 })
    const { sealed } = desk.store('default').rows(parseStackId('default'))
    const row = sealed.get(belief.entry.seq)
    if (!row) throw new Error('no sealed row')
    const bytes = row.bytes.slice()
    bytes[20] = (bytes[20] ?? 0) ^ 1
    sealed.set(row.seq, { ...row, bytes })
    const said = await desk.person(['audit'])
    expect(said.code).toBe(4)
    expect(said.out).toContain(`Look first at entry ${belief.entry.seq}, belief:`)
    const json = await desk.person(['audit', '--json'])
    expect(json).toMatchObject({ code: 4 })
    expect(json.json()).toMatchObject({
      ok: false,
      problems: expect.arrayContaining([expect.objectContaining({ code: 'commitment.mismatch' })]),
    })
    const doctor = await desk.person(['doctor', '--json'])
    expect(doctor).toMatchObject({ code: 4 })
    expect(doctor.json()).toMatchObject({ ok: false })
  })

  test('reading writes nothing, not even that somebody looked', async () => {
    const { desk } = await storied()
    const { tip } = desk.store('default').rows(parseStackId('default'))
    for (const args of [['list'], ['stack', 'stats'], ['audit'], ['stack', 'state'], ['doctor']])
      await desk.person(args)
    expect(desk.store('default').rows(parseStackId('default')).tip).toEqual(tip)
    await desk.person(['list', '--stack', 'never'])
    expect(desk.store('never').rows(parseStackId('never')).tip.head.seq).toBe(-1)
  })
})

describe('keeping', () => {
  test('init makes a stack once and says what to try', async () => {
    const desk = new Desk(path.join(scratch(), 'new', 'home'))
    const first = await desk.person(['init', '--json'])
    expect(first.json()).toMatchObject({ stack: 'default', state: 'ACTIVE', created: true })
    expect(statSync(desk.home).mode & 0o777).toBe(0o700)
    const again = await desk.person(['init'])
    expect(again.out).toContain('already, ACTIVE')
    expect(again.out).toContain('muniment note "')
  })

  test('doctor of a healthy home is all ok; one that others can enter is a warning', async () => {
    const home = scratch()
    const desk = new Desk(home)
    const before = (await desk.person(['doctor', '--json'])).json()
    expect(before).toMatchObject({
      ok: false,
      checks: expect.arrayContaining([
        expect.objectContaining({
          name: 'stack',
          status: 'warning',
          hint: expect.stringContaining('muniment init'),
        }),
      ]),
    })
    await desk.person(['init'])
    expect((await desk.person(['doctor', '--json'])).json()).toMatchObject({ ok: true })
    writeFileSync(path.join(home, 'tokens.json'), '{"tokens":[]}', { mode: 0o644 })
    const said = await desk.person(['doctor'])
    expect(said.out).toMatch(/warning +tokens +.*chmod go-rwx/)
  })

  test('backup copies into a new file and leaves an old one alone', async () => {
    const { desk } = await storied()
    const file = path.join(scratch(), 'copy.db')
    expect((await desk.person(['stack', 'backup', file, '--json'])).json()).toEqual({
      stack: 'default',
      file,
      bytes: 6,
    })
    expect(await desk.person(['stack', 'backup', file])).toMatchObject({ code: 2 })
    expect(await desk.person(['stack', 'backup'])).toMatchObject({ code: 2 })
  })
})
