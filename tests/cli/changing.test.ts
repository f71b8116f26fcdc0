import { describe, expect, test } from 'vitest'
import type { Memory } from '../../src/engine/read/memory-view.ts'
import type { OperationName } from '../../src/operations/operations.ts'
import { commandWords } from './support/command-words.ts'
import { Desk, type Said } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

const newest = async (desk: Desk, kind: string): Promise<Memory> => {
  const said = await desk.call(['list', kind, '--all', '--json'])
  const [memory] = said.json() as readonly Memory[]
  if (!memory) throw new Error(`no ${kind}`)
  return memory
}

/** A person's belief, with the short name a person would type. */
async function believing(): Promise<{ desk: Desk; belief: Memory; short: string }> {
  const desk = new Desk(scratch())
  await desk.person(['belief', 'Migrations go first', '--because', 'two deploys failed on locks'])
  const belief = await newest(desk, 'belief')
  return { desk, belief, short: belief.id.slice(-8) }
}

const says = (said: Said) => ({ code: said.code, out: said.out.replace(/[0-9a-f]{8}/g, 'x') })

test('a goal that is so already is not written again, and no version is spent', async () => {
  const desk = new Desk(scratch())
  await desk.person(['memory', 'goal', 'Ship the release', '--because', 'promised'])
  const { ref } = await newest(desk, 'goal')
  expect(await desk.person(['memory', 'goal', ref, '--status', 'completed'])).toMatchObject({
    code: 0,
  })
  const { version } = await newest(desk, 'goal')
  const again = await desk.person(['memory', 'goal', ref, '--status', 'completed'])
  expect(again.err).toContain('Nothing to change: the goal is so already.')
  expect((await newest(desk, 'goal')).version).toBe(version)
  expect(await desk.person(['memory', 'goal', ref, '--status', 'active'])).toMatchObject({
    code: 0,
  })
})

test('distrust of a name that nobody has says so, and holds for what comes later', async () => {
  const desk = new Desk(scratch())
  await desk.person(['claim', 'user', 'city', 'Berlin'])
  const asked = ['trust', 'distrust', '--actor', 'nobody-here', '--yes']
  expect((await desk.person(asked)).out).toContain('Nothing that is believed comes from there')
  const told = (await desk.person([...asked.with(3, 'somebody-else'), '--json'])).json()
  expect(told).toMatchObject({ note: expect.stringContaining('is the name right?') })
  expect((await desk.person(['trust', 'distrust'])).out).toContain('nobody-here')
})

describe('what a person changes', () => {
  test('forget and recover, by a short name, and why tells both with numbers and reason', async () => {
    const { desk, belief, short } = await believing()
    const forgot = await desk.person(['forget', short, 'the table was split'])
    expect(says(forgot)).toEqual({
      code: 0,
      out: [
        'Forgotten: belief:x  confidence 0.80, strength 0.00 (forgotten)',
        '  back again: muniment memory recover belief:x\n',
      ].join('\n'),
    })
    expect((await desk.person(['forget', short])).out).toContain('so it is already')
    expect((await desk.person(['memory', 'recover', short])).out).toMatch(
      /^Recovered: .*0\.20 \(weak\)/,
    )
    const why = (await desk.person(['why', belief.ref])).out
    expect(why).toMatch(/ {2}just now +a person, cli +forgotten; strength 1\.00 → 0\.00/)
    expect(why).toContain('“the table was split”')
    expect(why).toMatch(/recovered; strength 0\.00 → 0\.20/)
  })

  test('what rests on a forgotten memory is put up for a look', async () => {
    const { desk } = await believing()
    const note = await newest(desk, 'note')
    const said = await desk.person(['forget', note.ref, '--reason', 'wrong deploy'])
    expect(said.out).toContain('1 memory rests on it and waits for a look: muniment review')
    const belief = await newest(desk, 'belief')
    expect((await desk.person(['why', belief.ref])).out).toMatch(/note:.*\n.* · FORGOTTEN · /)
    const queue = (await desk.person(['review'])).out
    expect(queue).toContain('Ungrounded: every source is gone')
    expect(queue).toContain('a source was forgotten: note:')
    expect(queue).toMatch(/muniment review belief:\w+ keep\|forget/)
  })

  test('a protected memory refuses, and says what to type first', async () => {
    const { desk, short } = await believing()
    expect((await desk.person(['memory', 'protect', short])).out).toMatch(/^Protected: /)
    const refused = await desk.person(['forget', short])
    expect(refused).toMatchObject({ code: 1, out: '' })
    expect(refused.err).toMatch(
      /is protected\.\n {2}First: muniment memory protect belief:\w+ --off/,
    )
    expect((await desk.person(['forget', short, '--json'])).json()).toMatchObject({
      error: { code: 'refused', hint: expect.stringContaining('--off') },
    })
    expect((await desk.person(['memory', 'protect', short, '--off'])).out).toMatch(
      /^No longer protected: /,
    )
    expect(await desk.person(['memory', 'weaken', short, '0.3'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('strength 0.70 (fading)'),
    })
    expect((await desk.person(['memory', 'access', short])).out).toContain('strength 0.72')
  })

  test('verify and reinforce count other first-hand words, once; the rest is written down', async () => {
    const { desk, short } = await believing()
    await desk.person(['memory', 'raw', 'A third deploy failed on a lock'])
    const raw = await newest(desk, 'raw')
    const own = await desk.person(['claims', 'verify', short, '--json'])
    expect(own.json()).toMatchObject({ changed: false, reason: 'attested' })
    const verified = await desk.person(['claims', 'verify', short, '--evidence', raw.id.slice(-8)])
    expect(verified.out).toMatch(/^Verified: .*confidence 0\.90/)
    const again = await desk.person(['claims', 'reinforce', short, '--evidence', raw.ref])
    expect(again).toMatchObject({ code: 0, out: expect.stringContaining('no number moved') })
    const why = (await desk.person(['why', short])).out
    expect(why).toMatch(/verified by independent evidence; confidence 0\.80 → 0\.90/)
    expect(why).toMatch(/evidence raw:\w{8}/)
    expect(why).toContain('written down as said (reinforce); moves no number')
  })

  test('describe sets confidence and tags, and needs one of them', async () => {
    const { desk, short } = await believing()
    const args = [
      'memory',
      'describe',
      short,
      '--confidence',
      '0.95',
      '--tag',
      'deploy',
      '--tag',
      'db',
    ]
    expect((await desk.person(args)).out).toMatch(/confidence 0\.95, .*tags deploy, db/)
    expect(await desk.person(['memory', 'describe', short])).toMatchObject({ code: 2 })
    expect(await desk.person(['memory', 'describe', short, '--confidence', '7'])).toMatchObject({
      code: 2,
    })
  })

  test('supersede keeps the old belief in its history', async () => {
    const { desk, short } = await believing()
    const args = [
      'claims',
      'supersede',
      short,
      'Migrations go a day before',
      '--because',
      'an hour was short',
    ]
    const said = await desk.person(args)
    expect(said.out).toMatch(
      /^Saved belief:\w+ \(you said it\)\n {2}takes the place of belief:\w+, which stays/,
    )
    expect((await desk.person(['why', short])).out).toMatch(/superseded by belief:\w+/)
    const listed = (await desk.person(['list', 'belief'])).out
    expect(listed).toContain('a day before')
    expect(listed).not.toContain('go first')
  })

  test('what is not there is 3, for every change alike', async () => {
    const { desk } = await believing()
    for (const command of ['forget', 'recover', 'protect', 'access', 'verify'] as const) {
      const args = [...commandWords(command), 'belief:ffffffff']
      expect(await desk.person(args), command).toMatchObject({ code: 3 })
    }
  })
})

describe('what a model may not change', () => {
  test.each<[OperationName, readonly string[], RegExp]>([
    ['forget', ['it is old'], /forgetting it: “it is old”/],
    ['weaken', ['0.5'], /weakening it by 0\.5/],
    ['describe', ['--confidence', '0.1'], /a confidence of 0\.1/],
    [
      'supersede',
      ['Migrations go last of all'],
      /another belief in its place: “Migrations go last/,
    ],
  ])('%s of a person’s memory is put up for review, and ends with 6', async (name, args, wish) => {
    const { desk, belief, short } = await believing()
    const said = await desk.call([...commandWords(name), short, ...args])
    expect(said.code).toBe(6)
    expect(said.out).toMatch(
      /^Put up for review: belief:\w+ is first-hand, and this call is a model’s/,
    )
    expect(said.out).toContain('Nothing has changed.')
    const json = await desk.call([...commandWords(name), short, ...args, '--json'])
    expect(json).toMatchObject({ code: 6 })
    expect(json.json()).toMatchObject({ changed: false, reason: 'proposed', ref: belief.ref })
    const after = await newest(desk, 'belief')
    expect([after.strength, after.confidence]).toEqual([belief.strength, belief.confidence])
    expect((await desk.call(['review'])).out).toMatch(wish)
  })

  test('its own memories are its own to forget', async () => {
    const { desk } = await believing()
    await desk.call(['belief', 'Mornings are quiet', '--because', 'it seemed so'])
    const own = await newest(desk, 'belief')
    const said = await desk.call(['forget', own.ref])
    expect(said).toMatchObject({ code: 0, out: expect.stringContaining('Forgotten: ') })
    const reasons = await desk.call(['memory', 'recover', own.ref, '-v'])
    expect(reasons.out).toMatch(/entry \d+, as ModelDerived: stdin is not a terminal/)
  })
})

describe('what is erased', () => {
  test('is only shown without --yes; a model can propose it; a person does it and lets it back', async () => {
    const { desk, belief } = await believing()
    const raw = await newest(desk, 'raw')
    const shown = await desk.person(['erase', raw.ref])
    expect(shown.out).toMatch(/^ {2}raw:\w{8} {2}two deploys failed on locks$/m)
    expect(shown.out).toContain('Nothing was done')
    const wish = await desk.call(['erase', raw.ref, '--yes'])
    expect(wish).toMatchObject({ code: 6, out: expect.stringMatching(/review raw:\w{8} dismiss/) })
    expect((await desk.call(['erase', raw.ref, '--yes'])).out).toMatch(
      /^Not recorded: another proposal/,
    )
    const gone = await desk.person(['erase', raw.ref, '--yes', '--basis', 'secret', '--json'])
    expect(gone.code).toBe(0)
    expect(gone.json()).toMatchObject({ scrubbed: true, certificate: expect.any(Object) })
    const left = await desk.person(['show', raw.ref])
    expect(left.out).toMatch(/\(erased\)[\s\S]*erased by +entry \d+/)
    expect(left.out).not.toMatch(/0{8}/)
    expect((await desk.person(['why', belief.ref])).out).toMatch(/raw:\w+\n.* · ERASED · /)
    expect((await desk.person(['audit', '--json'])).json()).toMatchObject({ ok: true })
    expect((await desk.call(['trust', 'readmit', raw.ref])).code).not.toBe(0)
    expect((await desk.person(['trust', 'readmit', raw.ref])).out).toMatch(/^Let back in, by entry/)
    expect((await desk.person(['trust', 'readmit', raw.ref])).out).toBe(
      'Nothing kept these words out.\n',
    )
  })

  test('stays out, says by which name it comes back, and then comes back whole', async () => {
    const desk = new Desk(scratch())
    await desk.person(['note', 'launch code zebra'])
    const note = await newest(desk, 'note')
    const gone = await desk.person(['erase', note.ref, '--yes'])
    expect(gone.out).toMatch(/muniment ledger certificate note:\w{8} > erased\.json/)
    const twice = await desk.person(['erase', note.ref, '--yes'])
    expect(twice.out).toMatch(/^Nothing to erase/)
    const why = await desk.person(['why', note.ref])
    expect(why.out).toMatch(/a person, cli +erased: what it said is gone for good; somebody asked/)
    const again = await desk.person(['note', 'launch code zebra'])
    expect(again.code).toBe(1)
    const [, typed = ''] = /muniment (trust readmit note:\w{8})\n/.exec(again.err) ?? []
    expect((await desk.person(typed.split(' '))).out).toMatch(/^Let back in, by entry/)
    expect((await desk.person(['note', 'launch code zebra'])).out).toMatch(/^Saved note:/)
    expect((await desk.person(['audit', '--json'])).json()).toMatchObject({ ok: true })
  })
})
