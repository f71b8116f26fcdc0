import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { COMPILED } from '../support/compiled.ts'
import { Desk } from './support/fake-host.ts'
import { scratch } from './support/scratch.ts'

test('whoever stops an audit is told where to go on, and goes on there', async () => {
  const desk = new Desk(scratch())
  for (const word of ['one', 'two', 'three']) await desk.person(['note', word])
  await desk.call(['audit', '--since', '0', '--to', '3'])
  const [, command = ''] = /Go on with: muniment (.*)\n$/.exec(desk.lastWords()) ?? []
  expect(command).toMatch(/^audit --since 4:[0-9a-f]{64}$/)
  expect(await desk.call(command.split(' '))).toMatchObject({ code: 0 })
  await desk.call(['audit'])
  expect(desk.lastWords()).toContain('a full audit begins anew')
})

test.skipIf(process.platform === 'win32')(
  'a demo that is stopped leaves nothing behind',
  async () => {
    const folder = scratch()
    const bin = fileURLToPath(new URL('../../src/doors/cli/bin.ts', import.meta.url))
    const child = spawn(process.execPath, [bin, 'demo'], {
      env: { ...COMPILED, PATH: process.env.PATH, HOME: folder, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const made = () => readdirSync(folder).filter((name) => name.startsWith('muniment-demo-'))
    await once(child.stdout, 'data') // the story has begun
    expect(made()).toHaveLength(1)
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    expect([code, made()]).toEqual([130, []])
  },
)
