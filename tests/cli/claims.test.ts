import { describe, expect, test } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

/** Somebody else speaks, through a program that vouches for him. */
async function bobSays(desk: Desk, value: string): Promise<void> {
  const stack = await openStack('default', { store: desk.store('default') })
  await stack.claims.remember('user', 'city', value, { actor: 'bob' })
  await stack.close()
}

describe('claims at the command line', () => {
  test('are asked about, contested, decided, taken back and shown along time', async () => {
    const desk = new Desk(scratch())
    const typed = async (...args: readonly string[]) => (await desk.person([...args])).out
    await typed('claim', 'user', 'city', 'Berlin')
    expect(await typed('ask', 'User', 'city')).toMatch(
      /^Berlin {2}1 first-hand source, said lately\n/,
    )
    await bobSays(desk, 'Paris')
    const contested = await typed('ask', 'user', 'city')
    expect(contested).toMatch(/^Contested\. Each of these is said first-hand:\nBerlin/)
    const [, ref = ''] = /muniment claims adjudicate (claim:\w+) affirm/.exec(contested) ?? []
    expect(await typed('claims', 'adjudicate', ref, 'affirm')).toMatch(/^Decided: claim:\w+/)
    expect(await typed('ask', 'user', 'city')).toMatch(
      /^Paris {2}affirmed by a verdict, 1 first-hand source, said lately\n.* · affirmed$/m,
    )
    expect(await typed('why', ref)).toMatch(
      /first-hand claims disagree[\s\S]*decided for it; claim:\w+ lost/,
    )
    const line = await typed('claims', 'timeline', 'user', 'city')
    expect(line).toMatch(/^no dates {2}replaced {2}claim:\w+ {2}.*Berlin\n/)
    expect(line).toMatch(/no dates {2}held .*Paris/)
    expect(await typed('ask', 'user')).toMatch(/^city {2}held {2}Paris/)
    expect(await typed('claims', 'timelines', '--about', 'user')).toMatch(
      /^user {2}city {2}held {2}Paris\n$/,
    )
    expect(await typed('claims', 'timelines', '--about', 'nobody')).toMatch(
      /^Nothing of that is claimed\./,
    )
    expect(await typed('claims', 'retract', ref)).toContain(
      `undo it: muniment claims reopen ${ref}`,
    )
    expect(await typed('ask', 'user', 'city')).toMatch(/^Berlin/)
  })

  test('whose dates contradict each other wait with the reason, and say who let them in', async () => {
    const desk = new Desk(scratch())
    const typed = async (...args: readonly string[]) => (await desk.person([...args])).out
    const dates = ['--valid-from', '2025', '--valid-until', '2024']
    const said = await typed('claim', 'user', 'city', 'Berlin', ...dates)
    expect(said).toContain('by its own dates it starts after it ends')
    await typed('claim', 'user', 'team', 'Search', ...dates)
    expect(await typed('review', '--limit', '1')).toMatch(
      /^1 of 2 memories that wait for a person\.[\s\S]*\nthe next: muniment review --after claim:\w+$/m,
    )
    const waiting = await typed('review')
    expect(waiting).toContain('\n  by its own dates it starts after it ends')
    const [, ref = ''] = /^(claim:\w+)/m.exec(waiting) ?? []
    await typed('review', ref, 'accept')
    expect(await typed('why', ref)).toMatch(/a person, cli +accepted in review: it is let in/)
  })

  test('that do not hold, or not alone, are marked among what a search finds', async () => {
    const desk = new Desk(scratch())
    await desk.person(['claim', 'user', 'city', 'Berlin', '--valid-until', '2020'])
    await bobSays(desk, 'Paris')
    const { out } = await desk.person(['search', 'user city'])
    expect(out).toMatch(/(?:strong|good|weak) match +a person +\[past\] user city Berlin/)
    expect(out).toMatch(/(?:strong|good|weak) match {2}a person {2}user city Paris/)
    const found = (await desk.person(['search', 'user city', '--json'])).json() as readonly {
      readonly content: string
      readonly metadata: { readonly standing?: string }
    }[]
    const stands = found.map(({ content, metadata }) => [content, metadata.standing])
    expect(stands).toContainEqual(['user city Berlin', 'past'])
    expect(stands).toContainEqual(['user city Paris', 'held'])
    await desk.person(['claim', 'user', 'city', 'Rome'])
    expect((await desk.person(['search', 'user city'])).out).toContain('[contested] user city Rome')
  })

  test('of which a distrust changes only the ground say what of it changes', async () => {
    const desk = new Desk(scratch())
    await desk.person(['claim', 'user', 'city', 'Berlin'])
    await bobSays(desk, 'Berlin')
    const { out } = await desk.person(['trust', 'distrust', '--actor', 'bob'])
    expect(out).toContain('user city: stays held Berlin; sources 2 → 1')
    await bobSays(desk, 'Paris')
    expect((await desk.person(['trust', 'distrust', '--actor', 'bob'])).out).toMatch(
      /user city: contested .*Paris.* → held Berlin$/m,
    )
  })

  test('of an actor that is trusted again are as they were, by a person who says no more than that', async () => {
    const desk = new Desk(scratch())
    await bobSays(desk, 'Paris')
    await desk.person(['trust', 'distrust', '--actor', 'bob', '--yes'])
    expect((await desk.person(['ask', 'user', 'city'])).out).not.toMatch(/^Paris/)
    const program = await desk.call(['trust', 'distrust', '--actor', 'bob', '--off'])
    expect(program).toMatchObject({ code: 1, err: expect.stringContaining('a person') })
    expect(await desk.person(['trust', 'distrust', '--actor', 'bob', '--off'])).toMatchObject({
      code: 0,
    })
    expect((await desk.person(['ask', 'user', 'city'])).out).toMatch(/^Paris/)
  })

  test('of what nobody ever spoke it says so, and where else to look', async () => {
    const desk = new Desk(scratch())
    await desk.person(['claim', 'user', 'city', 'Berlin'])
    expect((await desk.person(['ask', 'user', 'colour'])).out).toBe(
      'Nothing was ever said of it.\n  what else is said: muniment ask "user"\n',
    )
    expect((await desk.person(['ask', 'user'])).out).toMatch(/^city {2}held {2}Berlin/)
  })

  test('outside every window nothing is known, and what was said is still shown', async () => {
    const desk = new Desk(scratch())
    const { out } = await desk.person(['claim', 'user', 'city', 'Berlin', '--json'])
    const { ref } = JSON.parse(out) as { ref: string }
    await desk.person(['claims', 'end', ref, '--at', '2024'])
    expect((await desk.person(['ask', 'user', 'city'])).out).toMatch(/^Unknown/)
    const before = await desk.person(['ask', 'user', 'city', '--valid-at', '2023'])
    expect(before.out).toMatch(/^Berlin/)
    expect((await desk.person(['claims', 'timeline', 'user', 'city'])).out).toMatch(
      /^until 2024.* {2}past/,
    )
  })

  test('take dates as people write them, and show them no more exact than they were', async () => {
    const desk = new Desk(scratch())
    const typed = async (...args: readonly string[]) => (await desk.person([...args])).out
    await typed('claim', 'user', 'city', 'Berlin', '--valid-from', '2018', '--valid-until', '2021')
    await typed('claim', 'user', 'city', 'Paris', '--valid-from', '2022-05')
    const line = await typed('claims', 'timeline', 'user', 'city')
    expect(line).toMatch(/^2018 to 2021 +past .* Berlin\nsince 2022-05 +held .* Paris\n$/)
    expect(await typed('ask', 'user', 'city', '--valid-at', '2021-12-31')).toMatch(/^Berlin/)
    expect(await typed('ask', 'user', 'city', '--valid-at', '2022-02')).toMatch(/^Unknown/)
    const wrong = await desk.person(['claim', 'user', 'city', 'Oslo', '--valid-from', 'May'])
    expect(wrong).toMatchObject({
      code: 2,
      err: expect.stringContaining('--valid-from: expected 2024'),
    })
    expect(await typed('claims', 'recast', 'user', 'city', 'SetValued')).toMatch(
      /^The timeline is written anew at/,
    )
  })

  test('a program’s verdict shows what is asked for, and why it cannot be granted', async () => {
    const desk = new Desk(scratch())
    const { out } = await desk.person(['claim', 'user', 'city', 'Berlin', '--json'])
    const { ref } = JSON.parse(out) as { ref: string }
    await desk.call(['claims', 'adjudicate', ref, 'deny', '--reason', 'he said Rome'])
    expect((await desk.person(['review'])).out).toContain('the verdict “deny”: “he said Rome”')
    const refused = await desk.person(['review', ref, 'accept'])
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('contested by nobody') })
    expect(refused.err).toMatch(/muniment review claim:\w{8} dismiss/)
    expect((await desk.person(['review', ref, 'dismiss'])).code).toBe(0)
  })

  test('a program’s proposal to take one back waits for a person', async () => {
    const desk = new Desk(scratch())
    const { out } = await desk.person(['claim', 'user', 'city', 'Berlin', '--json'])
    const { ref } = JSON.parse(out) as { ref: string }
    expect(await desk.call(['claims', 'retract', ref])).toMatchObject({ code: 6 })
    expect((await desk.call(['ask', 'user', 'city'])).out).toMatch(/^Berlin/)
  })
})
