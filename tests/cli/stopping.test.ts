import { expect, test } from 'vitest'
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
