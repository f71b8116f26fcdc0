import { describe, expect, test } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import { parseRef, splitRef } from '../../src/domain/ids.ts'
import { scratch } from '../cli/support/scratch.ts'
import { holds } from '../support/holds.ts'
import { type ServeProgram, serveIn } from './support/program.ts'
import { served } from './support/server.ts'

const WRITERS = 16

/** Writes until the server is gone, and says which refs it was told. */
async function write(server: ServeProgram, writer: number): Promise<readonly string[]> {
  const told: string[] = []
  for (let count = 0; ; count += 1) {
    try {
      const response = await server.fetch('/v1/stacks/default/raw', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ content: `writer ${writer}, word ${count}` }),
      })
      if (response.status !== 201) return told
      const { ref } = (await response.json()) as { ref: string } // what a write answers with
      told.push(ref)
    } catch {
      return told
    }
  }
}

describe('a server that is told to stop', () => {
  holds(
    'STORE-ACKED',
    'in the middle of its load, it loses nothing that it acknowledged',
    async () => {
      const home = scratch()
      const server = await serveIn(home)
      const writers = Array.from({ length: WRITERS }, (_, writer) => write(server, writer))
      const first = await server.fetch('/v1/stacks/default/changes?from=0')
      const reader = first.body?.pipeThrough(new TextDecoderStream()).getReader()
      let seen = ''
      while (!seen.includes('id: 60\n')) seen += (await reader?.read())?.value ?? ''
      server.child.kill('SIGTERM')
      const told = (await Promise.all(writers)).flat()
      expect(await server.ended()).toBe(0)
      expect(told.length).toBeGreaterThan(WRITERS)
      const stack = await openStack('default', { home })
      for (const ref of told) {
        const { kind, id } = splitRef(parseRef(ref))
        expect(await stack.getMemory(kind, id), ref).not.toBeNull()
      }
      expect((await stack.ledger.audit()).ok).toBe(true)
      await stack.close()
    },
    60_000,
  )

  test('ends streams, and takes nothing new', async () => {
    const server = await serveIn(scratch())
    const stream = await server.fetch('/v1/stacks/default/changes')
    server.child.kill('SIGINT')
    await stream.text() // comes to its end
    expect(await server.ended()).toBe(0)
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow()
  })

  test('ends though something under way never does', async () => {
    let isAsked: () => void = () => undefined
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    const server = await served({
      stopMs: 100,
      source: {
        open: () => {
          isAsked()
          return new Promise(() => undefined) // a disk that does not answer
        },
        exists: async () => true,
        list: async () => ['default'],
      },
    })
    const hanging = server.op('stats')
    hanging.catch(() => undefined) // cut off below, and looked at there
    await asked
    await server.serving.stop()
    await expect(hanging).rejects.toThrow()
  })

  test('says which port is taken, and what to do', async () => {
    const home = scratch()
    const server = await serveIn(home)
    const { port } = new URL(server.url)
    const { spawnSync } = await import('node:child_process')
    const bin = new URL('../../src/doors/cli/bin.ts', import.meta.url).pathname
    const args = [bin, 'serve', '--port', port, '--home', home, '--json']
    const said = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect(said.status).toBe(5)
    expect(JSON.parse(said.stdout).error).toMatchObject({ code: 'store_unavailable' })
    expect(said.stdout).toContain('--port')
  })

  test('listens no wider than this machine without a token', async () => {
    const { spawnSync } = await import('node:child_process')
    const bin = new URL('../../src/doors/cli/bin.ts', import.meta.url).pathname
    const args = [bin, 'serve', '--host', '0.0.0.0', '--home', scratch(), '--json']
    const said = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect(said.status).toBe(1)
    expect(JSON.parse(said.stdout).error.hint).toContain('muniment trust token create')
  })
})
