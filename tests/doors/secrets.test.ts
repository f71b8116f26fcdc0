import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Desk } from '../cli/support/fake-host.ts'
import { scratch } from '../cli/support/scratch.ts'
import { doorsFor, type Input, type Who } from './support/doors.ts'

const KEY = `sk-${'a1B2c3D4'.repeat(5)}`
const SAID = `Deploy with OPENAI_API_KEY=${KEY} on Tuesdays`

test.each(['person', 'model'] as const satisfies readonly Who[])(
  'a key that a %s writes stays out, at every door, and its place says so',
  async (who) => {
    for (const door of await doorsFor(who)) {
      const kept = await door.ask('note', { content: SAID, tags: ['deploy'] })
      expect(kept.ok, door.name).toBe(true)
      const ref = kept.ok ? (kept.value as Input).ref : null
      const shown = await door.ask('show', { ref })
      const text = JSON.stringify(shown)
      expect(text, door.name).not.toContain(KEY)
      expect(text, door.name).toMatch(/\[redacted:[a-z-]+\]/)
      expect(text, door.name).toContain('on Tuesdays')
      await door.ask('claim', { subject: 'service', predicate: 'key', value: SAID })
      const dumped = JSON.stringify(await door.ask('dump', { format: 'json' }))
      expect(dumped, door.name).not.toContain(KEY)
    }
  },
)

test('what a house names is taken out too, at the command line and by hooks', async () => {
  const home = scratch()
  const redact = [{ name: 'badge', pattern: 'EMP-[0-9]{6}' }]
  writeFileSync(path.join(home, 'muniment.config.json'), JSON.stringify({ redact }))
  const desk = new Desk(home)
  await desk.person(['note', 'Ask EMP-123456 about it', '--json'])
  const stdin = JSON.stringify({ session_id: 's', prompt: 'I am EMP-654321' })
  await desk.call(['hook', 'prompt'], { stdin })
  const { out } = await desk.person(['stack', 'dump', '--json'])
  expect(out).toContain('Ask [redacted:badge] about it')
  expect(out).toContain('I am [redacted:badge]')
  expect(out).not.toMatch(/EMP-\d/)
})
