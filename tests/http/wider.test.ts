import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { createToken } from '../../src/doors/access/tokens.ts'
import { scratch } from '../cli/support/scratch.ts'
import { holds } from '../support/holds.ts'
import { BIN, serveIn } from './support/program.ts'

const tokenIn = async (home: string): Promise<string> =>
  (await createToken(home, { name: 'mine', createdAt: new Date().toISOString() })).token

test('without a token it is called by no other name and listens no wider than this machine', () => {
  const home = scratch()
  for (const wider of ['--allow-host=memory.example', '--host=0.0.0.0']) {
    const args = [BIN, 'serve', '--port', '0', '--home', home, wider]
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env: {} })
    expect(stderr, wider).toContain('until there is a token to ask for')
    expect(status, wider).not.toBe(0)
  }
})

holds('PROV-DOOR', 'whoever comes by another name shows a token', async () => {
  const home = scratch()
  const token = await tokenIn(home)
  const { url } = await serveIn(home, '--allow-host', 'memory.example')
  const headers = { authorization: `Bearer ${token}` }
  expect((await fetch(`${url}/v1/stacks`)).status).toBe(401)
  expect((await fetch(`${url}/v1/stacks`, { headers })).status).toBe(200)
})
