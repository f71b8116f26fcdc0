import { copyFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { muniment } from '../cli/support/program.ts'
import { scratch } from '../cli/support/scratch.ts'
import { serveIn } from '../http/support/program.ts'
import { connect } from '../mcp/support/clients.ts'
import { holds } from '../support/holds.ts'

/** A server that wrote a note, and its way to end. */
type Serving = (home: string) => Promise<{ readonly end: () => Promise<unknown> }>

async function overHttp(home: string) {
  const server = await serveIn(home)
  const body = JSON.stringify({ content: 'Written after the copy' })
  const headers = { 'content-type': 'application/json' }
  const written = await server.fetch('/v1/stacks/default/raw', { method: 'POST', headers, body })
  expect(written.status).toBe(201)
  server.child.kill('SIGTERM')
  return { end: () => server.ended() }
}

async function overMcp(home: string) {
  const client = await connect('v2', { home })
  const { isError } = await client.call('memory_raw', { content: 'Written after the copy' })
  expect(isError).toBe(false)
  return { end: () => client.close() }
}

const SERVERS: readonly (readonly [string, Serving])[] = [
  ['HTTP', overHttp],
  ['MCP', overMcp],
]

holds(
  'LEDGER-DETECT',
  'an older copy in the place of a stack that a server wrote is named, and takes nothing',
  async () => {
    for (const [door, serving] of SERVERS) {
      const home = scratch()
      const call = (...args: readonly string[]) => muniment(args, { home })
      expect(call('note', 'Written before the copy').code, door).toBe(0)
      const file = path.join(home, 'stacks', 'default.db')
      const copy = path.join(scratch(), 'copy.db')
      copyFileSync(file, copy)
      const { end } = await serving(home)
      await end()
      expect(call('audit').code, door).toBe(0)

      copyFileSync(copy, file)
      rmSync(`${file}-head`) // the signed head alone must be enough
      const audit = call('audit', '--json')
      expect(audit.code, door).toBe(4)
      expect(JSON.parse(audit.out).problems, door).toMatchObject([{ code: 'head.rollback' }])
      const said = call('note', 'On top', '--json')
      expect([said.code, JSON.parse(said.out).error.code], door).toEqual([5, 'data_loss'])
    }
  },
)
