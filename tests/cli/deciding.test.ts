import { describe, expect, test } from 'vitest'
import type { Memory } from '../../src/engine/read/memory-view.ts'
import { Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

async function suggested(): Promise<{ desk: Desk; short: string }> {
  const desk = new Desk(scratch())
  await desk.person([
    'memory',
    'episode',
    'deploy v2',
    'failed',
    '--lesson',
    'Migrate before you deploy',
  ])
  await desk.person([
    'memory',
    'episode',
    'deploy v3',
    'worked',
    '--lesson',
    'Migrate before you deploy',
  ])
  const said = await desk.person(['agent', 'promote', '--as', 'suggestion', '--json'])
  const { suggestionsCreated } = said.json() as { suggestionsCreated: readonly string[] }
  return { desk, short: suggestionsCreated[0]?.slice(-8) ?? '' }
}

describe('review', () => {
  test('lists what waits, with why and what to type; an empty queue says so', async () => {
    const { desk } = await suggested()
    const { out } = await desk.call(['review'])
    expect(out).toMatch(/^1 memory waits for a person\.\n\nsuggestion:\w+ {2}Migrate before you/)
    expect(out).toMatch(/would become a belief, from episode:\w+, episode:\w+/)
    expect(out).toMatch(/muniment review suggestion:\w+ accept\|dismiss/)
    expect((await desk.call(['review', '--kind', 'quarantine'])).out).toBe(
      'Nothing waits for a person.\n',
    )
  })

  test('a person accepts, and is told what it became; a program may only look', async () => {
    const { desk, short } = await suggested()
    const refused = await desk.call(['review', short, 'accept'])
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.err).toContain('Only a person can do this. This call is a program’s')
    const one = await desk.call(['review', short, '--json'])
    expect(one.json()).toMatchObject([{ kind: 'suggestion', answers: ['accept', 'dismiss'] }])
    const said = await desk.person(['review', short, 'accept'])
    expect(said.out).toMatch(/^Saved belief:\w+, as suggestion:\w+ suggested\./)
    expect((await desk.person(['review', short, 'accept'])).code).toBe(3)
    expect((await desk.person(['list', 'belief'])).out).toContain('Migrate before you deploy')
  })

  test('an answer that does not fit says which do', async () => {
    const { desk, short } = await suggested()
    const said = await desk.person(['review', short, 'keep'])
    expect(said).toMatchObject({ code: 2 })
    expect(said.err).toContain('accept, dismiss')
    expect(await desk.person(['review', '--reason', 'x', short, 'dismiss'])).toMatchObject({
      code: 0,
    })
    expect((await desk.person(['review'])).out).toBe('Nothing waits for a person.\n')
  })

  test('a person who accepts a model’s proposal does it', async () => {
    const desk = new Desk(scratch())
    await desk.person(['belief', 'Migrations go first', '--because', 'two deploys failed'])
    const said = await desk.person(['list', 'belief', '--json'])
    const [belief] = said.json() as readonly Memory[]
    const ref = belief?.ref ?? ''
    await desk.call(['claims', 'supersede', ref, 'Migrations go a day before'])
    const accepted = await desk.person(['review', ref, 'accept'])
    expect(accepted.out).toMatch(/^Replaced belief:\w+ with belief:\w+\./)
    expect((await desk.person(['list', 'belief'])).out).toMatch(/a person +.*a day before/)
    const [adopted] = (await desk.person(['list', 'belief', '--json'])).json() as readonly Memory[]
    await desk.call(['forget', adopted?.ref ?? '', 'no use'])
    const gone = await desk.person(['review', adopted?.ref ?? '', 'accept', '--json'])
    expect(gone.json()).toMatchObject({ did: `Forgot ${adopted?.ref}.` })
    expect((await desk.person(['list', 'belief'])).out).toContain('There is no belief to show')
  })
})

describe('a proposal', () => {
  test('is answered by its number: one that was made since is not granted unread', async () => {
    const desk = new Desk(scratch())
    await desk.person(['belief', 'Migrations go first', '--because', 'two deploys failed'])
    const [belief] = (await desk.person(['list', 'belief', '--json'])).json() as readonly Memory[]
    const ref = belief?.ref ?? ''
    await desk.call(['memory', 'describe', ref, '--confidence', '0.6'])
    const seen =
      /accept\|dismiss --proposal (\d+)/.exec((await desk.person(['review'])).out)?.[1] ?? ''
    await desk.person(['review', ref, 'dismiss', '--proposal', seen])
    await desk.call(['forget', ref, 'no use'])
    const stale = await desk.person(['review', ref, 'accept', '--proposal', seen])
    expect(stale).toMatchObject({ code: 1 })
    expect(stale.err).toContain('another proposal')
    expect((await desk.person(['list', 'belief'])).out).toContain('Migrations go first')
    const [item] = (await desk.person(['review', ref, '--json'])).json() as [
      { proposal: { seq: number } },
    ]
    const now = String(item.proposal.seq)
    expect((await desk.person(['review', ref, 'accept', '--proposal', now])).code).toBe(0)
    expect((await desk.person(['list', 'belief'])).out).toContain('There is no belief to show')
  })

  test('that is granted with a reason keeps the reason as a source', async () => {
    const desk = new Desk(scratch())
    await desk.person(['belief', 'Migrations go first', '--because', 'two deploys failed'])
    const [belief] = (await desk.person(['list', 'belief', '--json'])).json() as readonly Memory[]
    await desk.call(['claims', 'supersede', belief?.ref ?? '', 'Migrations go a day before'])
    const how = ['--reason', 'forty million rows', '--json']
    const said = await desk.person(['review', belief?.ref ?? '', 'accept', ...how])
    const { became } = said.json() as { became: string }
    expect((await desk.person(['why', became])).out).toContain('forty million rows')
    expect((await desk.person(['review'])).out).toBe('Nothing waits for a person.\n')
  })
})

describe('trust', () => {
  test('a person scores somebody matter by matter; a score in one leaves the others', async () => {
    const desk = new Desk(scratch())
    await desk.person(['init'])
    expect((await desk.call(['trust', 'assess', 'bot'])).out).toBe(
      'bot is trusted 0.50: nothing is known of them.\n',
    )
    expect(await desk.call(['trust', 'assess', 'bot', '--score', '1'])).toMatchObject({ code: 1 })
    await desk.person(['trust', 'assess', 'bot', '--score', '0.4'])
    const said = await desk.person([
      'trust',
      'assess',
      'bot',
      '--domain',
      'deploys',
      '--score',
      '0.9',
    ])
    expect(said.out).toMatch(/^bot is trusted 0\.90 in deploys: scored in this matter\./)
    expect((await desk.call(['trust', 'assess', 'bot', '--json'])).json()).toMatchObject({
      score: 0.4,
      assessment: { dimensions: { general: { score: 0.4 }, deploys: { score: 0.9 } } },
    })
    expect((await desk.call(['trust', 'assess'])).out).toMatch(/^bot +deploys +0\.90/)
  })
})

describe('promote and maintain', () => {
  test('lessons that recur become beliefs once', async () => {
    const { desk } = await suggested()
    const first = await desk.person(['agent', 'promote'])
    expect(first.out).toMatch(/^2 episodes looked at; 1 lesson recurs, 0 known already\.\n {2}made/)
    expect((await desk.person(['agent', 'promote'])).out).toContain('1 known already')
  })

  test('maintain says what every part did, and --dry-run only what would be forgotten', async () => {
    const { desk } = await suggested()
    expect((await desk.person(['stack', 'maintain'])).out).toMatch(
      /^forgetting +swept 0, forgotten 0, kept 0$/m,
    )
    expect((await desk.person(['stack', 'maintain', '--json'])).json()).toMatchObject({
      stack: { dormant: 0 },
    })
    expect((await desk.person(['stack', 'maintain', '--dry-run'])).out).toContain(
      '0 memories would be',
    )
  })
})
