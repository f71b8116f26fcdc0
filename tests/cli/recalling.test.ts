import { describe, expect, test } from 'vitest'
import { FIRST_SCREEN, overview } from '../../src/doors/cli/overview.ts'
import type { Memory } from '../../src/engine/read/memory-view.ts'
import { Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

async function stocked(): Promise<Desk> {
  const desk = new Desk(scratch())
  await desk.person(['note', 'The table has forty million rows', '--tag', 'db'])
  await desk.person(['note', 'We deploy on Tuesdays', '--type', 'decision', '--context', 'ops'])
  await desk.person(['belief', 'Migrations go first', '--because', 'two deploys failed on locks'])
  await desk.call(['belief', 'Mornings are quiet', '--because', 'few people deploy before noon'])
  return desk
}

const texts = async (desk: Desk, args: readonly string[]): Promise<readonly string[]> =>
  ((await desk.person([...args, '--json'])).json() as readonly Memory[]).map(({ text }) => text)

describe('search', () => {
  test('shows the nearest first, each with its name, tier and confidence, and what to type', async () => {
    const desk = await stocked()
    const said = await desk.person(['search', 'deploy locks'])
    expect(said.code).toBe(0)
    expect(said.out).toMatch(
      /^note:[0-9a-f]{8} +(?:strong|good|weak) match +a person +two deploys failed on locks/,
    )
    expect(said.out).toMatch(/next: muniment why note:[0-9a-f]{8}/)
  })

  test('calls a memory that says every asked word good at least, and any other by its score', async () => {
    const desk = new Desk(scratch())
    await desk.person(['note', 'coffee'])
    await desk.person(['note', 'The build runs for nine minutes on the small machine'])
    await desk.person(['note', 'The build of the coffee house was late'])
    const { out } = await desk.person(['search', 'coffee'])
    const rows = out.split('\n').filter((line) => line.includes('coffee'))
    expect(rows).toHaveLength(2)
    for (const row of rows) expect(row).toMatch(/(?:good|strong) match/)
    const other = await desk.person(['search', 'coffee grinder warranty'])
    expect(other.out).toMatch(/weak match .*The build of the coffee house/)
  })

  test('--explain calls no short memory long, and a long memory long', async () => {
    const desk = new Desk(scratch())
    await desk.person(['note', 'coffee beans'])
    const words = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ')
    await desk.person(['note', `tea ${words}`])
    const short = await desk.person(['search', 'coffee', '--explain'])
    expect(short.out).toMatch(/length: it holds 2 words, and every word costs a little/)
    expect(short.out).not.toContain('it is long')
    const long = await desk.person(['search', 'tea', '--explain'])
    expect(long.out).toMatch(/length: it is long \(61 words\)/)
  })

  test('--json is what the stack found, with scores and papers', async () => {
    const desk = await stocked()
    const found = (await desk.person(['search', 'forty million', '--json'])).json()
    expect(found).toMatchObject([
      { memoryType: 'note', score: expect.any(Number), metadata: { tier: 3 } },
    ])
  })

  test('takes kinds, a limit, a context, and bounds of confidence and tier', async () => {
    const desk = await stocked()
    const found = async (...options: readonly string[]) => {
      const said = await desk.person(['search', 'deploy', ...options, '--json'])
      return (said.json() as readonly { memoryType: string }[]).map(({ memoryType }) => memoryType)
    }
    expect(new Set(await found('--kind', 'notes'))).toEqual(new Set(['note']))
    expect(await found('--limit', '1')).toHaveLength(1)
    expect(new Set(await found('--context', 'ops'))).toEqual(new Set(['note']))
    expect(await found('--min-confidence', '0.9')).toEqual([])
    expect(await found('--min-tier', '3', '--kind', 'note')).toHaveLength(2)
  })

  test('--explain tells what each signal gave, --why-not what keeps a memory out', async () => {
    const desk = await stocked()
    const why = await desk.person(['search', 'deploy locks', '--explain'])
    expect(why.out).toMatch(/rank 1 of \d+, score 0\.\d+/)
    expect(why.out).toMatch(/\+\d\.\d\d coverage: it says 100 % of what was asked/)
    const [belief] = (await desk.person(['list', 'belief', '--json'])).json() as readonly Memory[]
    const ref = String(belief?.ref)
    const act = ['search', 'mornings quiet', '--for', 'act']
    const not = await desk.person([...act, '--why-not', ref.slice(-8)])
    expect(not.out).toContain("tier 1 is below 2, which for: 'act' takes")
    expect((await desk.person([...act, '--why-not', ref, '--json'])).json()).toMatchObject({
      ref,
      isShown: false,
      reasons: [{ code: 'use' }],
    })
  })

  test('recall says when nothing is likely to answer; render gives a fenced block', async () => {
    const desk = await stocked()
    const far = await desk.person(['recall', 'which passport has the pilot'])
    expect(far.out).toMatch(/^Nothing here (speaks of that|is likely to answer that)/)
    const near = (await desk.person(['recall', 'when do we deploy', '--json'])).json()
    expect(near).toMatchObject({ answerable: { isLikely: true } })
    for (const about of [['forty million'], []]) {
      const block = await desk.person(['agent', 'render', ...about, '--for', 'plan'])
      expect(block.out).toContain('<recalled-memory>')
      expect(block.out).toMatch(/^\| .*forty million/m)
    }
  })

  test('nothing found is an answer; an unknown kind is a mistake', async () => {
    const desk = await stocked()
    expect(await desk.person(['search', 'zebra'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('muniment list'),
    })
    expect(await desk.person(['search', 'x', '--kind', 'epoch'])).toMatchObject({ code: 2 })
    expect(await desk.person(['search'])).toMatchObject({ code: 2 })
  })
})

describe('load', () => {
  test('reads as working memory, what matters most first, and says what it took', async () => {
    const desk = await stocked()
    const said = await desk.person(['agent', 'load', '--budget', '500'])
    expect(said.out).toMatch(/^Beliefs\n {2}.+\n {4}belief:[0-9a-f]{8} · tier \d · confidence/)
    expect(said.out).toContain('\nNotes\n')
    expect(said.out).toMatch(/6 memories, \d+ of 500 tokens, nothing left out\n$/)
  })

  test('--json is the whole of it, with what was left out and why', async () => {
    const desk = await stocked()
    const loaded = (await desk.person(['agent', 'load', '--budget', '16', '--json'])).json()
    expect(loaded).toMatchObject({
      beliefs: [{ priority: expect.any(Number), memory: { provenance: expect.anything() } }],
      _meta: { budgetTotal: 16, excluded: expect.arrayContaining([expect.anything()]) },
    })
    const tight = await desk.person(['agent', 'load', '--budget', '20'])
    expect(tight.out).toMatch(/\d left out\n$/)
    expect((await desk.person(['agent', 'load', '--budget', '0'])).out).toContain('Nothing fits')
    expect(await desk.person(['agent', 'load', '--budget', '-1'])).toMatchObject({ code: 2 })
  })
})

describe('list', () => {
  test('shows what readers are given, with tier and strength; --all shows the rest', async () => {
    const desk = await stocked()
    expect(await texts(desk, ['list'])).toEqual([
      'Mornings are quiet',
      'Migrations go first',
      'We deploy on Tuesdays',
      'The table has forty million rows',
    ])
    expect((await desk.person(['list', 'note'])).out).toMatch(/^note:\w+ +just now +a person +We/)
    expect((await desk.person(['list', 'note', '-v'])).out).toMatch(
      /^note:\w+ +just now +tier 3 +UserAsserted +strong +We deploy/,
    )
    expect(await texts(desk, ['list', '--all'])).toHaveLength(10)
    const [note] = (await desk.person(['list', 'note', '--json'])).json() as readonly Memory[]
    await desk.person(['forget', note?.ref ?? ''])
    expect(await texts(desk, ['list', 'note'])).toEqual(['The table has forty million rows'])
    expect((await desk.person(['list', 'note', '--all'])).out).toMatch(/\[forgotten\] We deploy/)
  })

  test('takes the filters of its kind, before the limit', async () => {
    const desk = await stocked()
    expect(await texts(desk, ['list', 'note', '--type', 'decision'])).toEqual([
      'We deploy on Tuesdays',
    ])
    expect(await texts(desk, ['list', 'note', '--tag', 'db', '--limit', '1'])).toEqual([
      'The table has forty million rows',
    ])
    expect(await texts(desk, ['list', '--context', 'ops'])).toEqual(['We deploy on Tuesdays'])
    expect(await texts(desk, ['list', 'belief', '--min-confidence', '0.9'])).toEqual([])
    expect(await texts(desk, ['list', 'belief', '--min-tier', '2'])).toEqual([
      'Migrations go first',
    ])
    expect((await desk.person(['list', 'goal', '--status', 'active'])).out).toContain('like that')
    expect(await desk.person(['list', '--after', '1a2b'])).toMatchObject({ code: 3 })
  })
})

describe('the overview', () => {
  test('shows at most twenty commands and fits one screen', () => {
    const lines = overview().trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(36)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(Object.keys(FIRST_SCREEN).length).toBeLessThanOrEqual(20)
  })
})
