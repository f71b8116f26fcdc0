import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { syncVault } from '../../src/compose/sync/sync-vault.ts'
import { seededDice } from '../../src/testing/world.ts'

const CHILD = new URL('./children/machine.ts', import.meta.url).pathname
const KILLS = 6

interface Told {
  readonly notes: readonly string[]
  readonly errors: readonly string[]
  readonly problems: readonly unknown[]
}

interface Machine {
  readonly home: string
  readonly remote: string
  readonly code: string
}

/** Runs a machine to its end, or kills it so many milliseconds after it was ready. */
function run({ home, remote, code }: Machine, deed: string, killAfterMs?: number) {
  return new Promise<Told | null>((resolve, reject) => {
    const child = spawn(process.execPath, ['--no-warnings', CHILD, home, remote, code, deed])
    let out = ''
    let fault = ''
    child.stdout.on('data', (text) => {
      out += String(text)
      if (killAfterMs !== undefined && out.startsWith('ready'))
        setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    })
    child.stderr.on('data', (text) => (fault += String(text)))
    child.on('close', () => {
      if (fault !== '') reject(new Error(fault))
      else resolve((out.split('\n')[1] ?? '') === '' ? null : JSON.parse(out.split('\n')[1] ?? ''))
    })
  })
}

async function twoMachines() {
  const root = mkdtempSync(join(tmpdir(), 'sync-'))
  const remote = join(root, 'remote')
  const one = { home: join(root, 'one'), remote, code: '' }
  await run(one, 'say hello from one')
  const code = readFileSync(join(one.home, 'keys', 'me.sync'), 'utf8').trim()
  const two = { home: join(root, 'two'), remote, code }
  await run(two, 'say hello from two')
  for (const machine of [one, two]) await run(machine, 'trust')
  return { one, two, remote, code }
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))

/** Everything in the remote, opened with its code. */
async function plainOf(remote: string, code: string): Promise<string> {
  const vault = syncVault(Buffer.from(code, 'base64url'), () => new Uint8Array(12))
  const texts = filesIn(join(remote, 'feeds'))
    .filter((path) => !path.includes('/.'))
    .map(async (path) => {
      const name = path.slice(remote.length + 1)
      return new TextDecoder().decode((await vault.open(name, readFileSync(path))) ?? undefined)
    })
  return (await Promise.all(texts)).join('\n')
}

describe('two processes on two homes, through a folder', () => {
  test('come to the same notes, and what one erases is gone everywhere', async () => {
    const { one, two, remote, code } = await twoMachines()
    await run(one, 'say the secret word')
    expect((await run(two, ''))?.notes).toContain('the secret word')
    await run(one, 'erase the secret word')
    for (const machine of [two, one]) {
      const told = await run(machine, '')
      expect(told).toMatchObject({ errors: [], problems: [] })
      expect([...(told?.notes ?? [])].sort()).toEqual(['hello from one', 'hello from two'])
    }
    expect(await plainOf(remote, code)).toContain('hello from one')
    expect(await plainOf(remote, code)).not.toContain('the secret word')
    for (const { home } of [one, two]) {
      const stack = filesIn(join(home, 'stacks')).map((path) => readFileSync(path, 'latin1'))
      expect(stack.join()).not.toContain('the secret word')
    }
  }, 120_000)

  test('a machine killed while it pulls, pushes or erases goes on where it was', async () => {
    const dice = seededDice(7)
    const { one, two, remote, code } = await twoMachines()
    await run(one, 'say many')
    for (let kill = 0; kill < KILLS; kill += 1) {
      await run(one, `say killed ${kill}`, dice.roll(60))
      await run(two, `say beside ${kill}`, dice.roll(120))
    }
    await run(one, 'erase many 7', dice.roll(40))
    for (const machine of [one, two, one, two]) await run(machine, '')
    const [a, b] = [await run(one, ''), await run(two, '')]
    expect(a).toMatchObject({ errors: [], problems: [] })
    expect(b).toMatchObject({ errors: [], problems: [] })
    expect(b?.notes).toEqual(a?.notes)
    for (let kill = 0; kill < KILLS; kill += 1) {
      expect(a?.notes).toEqual(expect.arrayContaining([`killed ${kill}`, `beside ${kill}`]))
    }
    expect(a?.notes).not.toContain('many 7')
    expect(await plainOf(remote, code)).not.toContain('"many 7"')
  }, 300_000)
})
