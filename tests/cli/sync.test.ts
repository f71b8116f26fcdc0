import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Desk } from './support/fake-host.ts'

const folder = (): string => mkdtempSync(join(tmpdir(), 'sync-cli-'))

async function twoDesks() {
  const remote = join(folder(), 'remote')
  const [one, two] = [new Desk(folder()), new Desk(folder())]
  await one.person(['note', 'the train leaves at nine'])
  await one.person(['sync', remote])
  const { out } = await one.person(['sync', remote, '--show-code'])
  return { one, two, remote, code: out.split('\n')[0] ?? '' }
}

describe('muniment sync', () => {
  test('brings a note to another machine that was given the code', async () => {
    const { two, remote, code } = await twoDesks()
    const without = await two.person(['sync', remote])
    expect([without.code, without.err]).toEqual([2, expect.stringContaining('another machine')])
    const said = await two.person(['sync', remote, '--code', code])
    expect([said.code, said.out]).toEqual([0, expect.stringMatching(/sent, \d+ taken in/u)])
    expect((await two.person(['list', 'notes'])).out).toContain('the train leaves at nine')
    const again = await two.call(['sync', '--json'], { env: { MUNIMENT_SYNC: remote } })
    expect(again.json()).toMatchObject({ pulled: 0, errors: [], remote })
  })

  test('shows words on both machines, and pairs by them', async () => {
    const { one, two, remote, code } = await twoDesks()
    await two.person(['sync', remote, '--code', code])
    const own = await one.person(['sync', remote, '--status'])
    const [words = ''] = /(?:[a-z]{5}-){5}[a-z]{5}/u.exec(own.out) ?? []
    const seen = await two.call(['sync', remote, '--status', '--json'])
    expect(seen.json()).toMatchObject({ peers: [{ words, trust: 'unknown' }] })
    const paired = await two.person(['sync', remote, '--trust', words])
    expect(paired.out).toContain(words)
    const after = await two.call(['sync', remote, '--status', '--json'])
    expect(after.json()).toMatchObject({ peers: [{ words, trust: 'paired' }] })
    const gone = await two.person(['sync', remote, '--distrust', words])
    expect(gone.out).toContain('Believed no longer')
  })

  test('a program sees no code and pairs with nobody', async () => {
    const { one, remote } = await twoDesks()
    for (const option of [['--show-code'], ['--trust', 'a'], ['--distrust', 'a']]) {
      const said = await one.call(['sync', remote, ...option])
      expect([said.code, said.err]).toEqual([expect.any(Number), expect.stringContaining('person')])
      expect(said.code).not.toBe(0)
    }
  })

  test('asks for a remote where none is named', async () => {
    const said = await new Desk(folder()).person(['sync'])
    expect([said.code, said.err]).toEqual([2, expect.stringContaining('Which remote')])
  })
})
