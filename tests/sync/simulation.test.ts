import { expect, test } from 'vitest'
import { forEachSeed } from '../support/each-seed.ts'
import { exploration } from '../support/exploration.ts'
import { answersOf, live } from './schedule.ts'
import { testVault } from './support.ts'

const SEEDS = Number(process.env.MUNIMENT_SCHEDULES || 40)
const STEPS = 40
const decoder = new TextDecoder()

test('three replicas with cut connections and skewed clocks come to the same answers', async () => {
  const met = new Set<string>()
  await forEachSeed(SEEDS, async (seed) => {
    const { members, remote, acknowledged, erasedWords, met: now } = await live(seed, STEPS)
    for (const deed of now) met.add(deed)
    const now0 = Math.max(...members.map(({ clock }) => clock.now()))
    for (const { clock } of members) clock.advance({ ms: now0 - clock.now() })
    const [first, ...others] = await Promise.all(members.map(answersOf))
    for (const other of others) expect(other, `seed ${seed}`).toEqual(first)
    const listed = JSON.stringify(first)
    for (const ref of acknowledged)
      expect(listed, `seed ${seed}: ${ref} was acknowledged`).toContain(ref)
    for (const { stack } of members) {
      expect((await stack.ledger.audit()).problems, `seed ${seed}`).toEqual([])
    }
    const vault = testVault(0)
    for (const [name, bytes] of remote.files) {
      const plain = decoder.decode((await vault.open(name, bytes)) ?? undefined)
      for (const words of erasedWords) expect(plain, `seed ${seed}: ${name}`).not.toContain(words)
    }
  })
  if (exploration === null) {
    expect([...met].sort()).toEqual([
      'change',
      'cut',
      'drive',
      'erase',
      'note',
      'revise',
      'rewind',
      'say',
      'sync',
    ])
  }
}, 600_000)
