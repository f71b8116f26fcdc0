import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { COMPILED } from '../support/compiled.ts'
import { scratch } from './support/scratch.ts'

const BIN = fileURLToPath(new URL('../../src/doors/cli/bin.ts', import.meta.url))
const OTHER = 61_235 // root may do everything: a user who may not

const isRoot = process.getuid?.() === 0

/** A home of a user who is bound by modes, and the program as that user starts it. */
function home() {
  const folder = scratch()
  if (isRoot) chownSync(folder, OTHER, OTHER)
  const call = (...args: readonly string[]) => {
    const { status, stdout, stderr, error } = spawnSync(process.execPath, [BIN, ...args], {
      cwd: '/',
      env: { ...COMPILED, PATH: process.env.PATH, HOME: folder, MUNIMENT_HOME: folder },
      encoding: 'utf8',
      ...(isRoot ? { uid: OTHER, gid: OTHER } : {}),
    })
    if (error) throw error
    return { code: status, out: stdout, err: stderr }
  }
  const failing = (...args: readonly string[]) => {
    const { code, out } = call(...args, '--json')
    return [code, JSON.parse(out).error?.code]
  }
  return { folder, call, failing, in: (name: string) => path.join(folder, name) }
}

describe.skipIf(process.platform === 'win32')('where one may not write', () => {
  test('keys, nothing is made and nobody is blamed for it', () => {
    const { call, failing, in: at } = home()
    call('note', 'Deploys freeze on Friday')
    chmodSync(at('keys'), 0o500)
    expect(failing('ledger', 'checkpoint')).toEqual([5, 'store_read_only'])
    expect(failing('init', '--stack', 'new')).toEqual([5, 'store_read_only'])
    expect(failing('note', 'Hm', '--stack', 'new')).toEqual([5, 'store_read_only'])
    expect(readdirSync(at('stacks')).filter((name) => name.startsWith('new'))).toEqual([])
    expect(call('doctor').out).toMatch(/warning +keys +.*can not be written to/)
    chmodSync(at('keys'), 0o700)
    expect(call('ledger', 'checkpoint').code).toBe(0)
  })

  test('stacks, a stack that is not made leaves no key behind', () => {
    const { call, failing, in: at } = home()
    call('note', 'Deploys freeze on Friday')
    const keys = readdirSync(at('keys'))
    chmodSync(at('stacks'), 0o500)
    expect(failing('init', '--stack', 'new')).toEqual([5, 'store_read_only'])
    expect(readdirSync(at('keys'))).toEqual(keys)
  })

  test('at all, what was written is read, checked and taken elsewhere', () => {
    const { call, failing, in: at } = home()
    call('note', 'Deploys freeze on Friday')
    call('ledger', 'checkpoint')
    rmSync(at('cache'), { recursive: true, force: true })
    const to = home()
    // As a copy has it; what SQLite needs to read a file that others write to cannot be made here.
    for (const end of ['-wal', '-shm']) rmSync(at(`stacks/default.db${end}`), { force: true })
    for (const name of ['stacks', 'keys', '.']) chmodSync(at(name), 0o500)
    expect(call('list')).toMatchObject({ code: 0, out: expect.stringContaining('Friday') })
    expect(call('search', 'deploys').out).toContain('Friday')
    expect(call('audit')).toMatchObject({ code: 0 })
    expect(call('stack', 'backup', to.in('copy.db')).code).toBe(0)
    expect(call('stack', 'export', to.in('all.json')).code).toBe(0)
    expect(failing('note', 'Hm')).toEqual([5, 'store_read_only'])
    const doctor = call('doctor')
    expect(doctor.code).toBe(0)
    expect(doctor.out).toMatch(/warning +home +.*can not be written to/)
    for (const name of ['.', 'stacks', 'keys']) chmodSync(at(name), 0o700)
    expect(call('note', 'Hm').code).toBe(0)
  })

  test('nor look, nobody is told that there is nothing', () => {
    const { call, failing, in: at } = home()
    call('note', 'Deploys freeze on Friday')
    chmodSync(at('stacks'), 0o000)
    expect(failing('list')).toEqual([5, 'store_unavailable'])
    expect(failing('note', 'Hm')).toEqual([5, 'store_unavailable'])
    expect(call('doctor')).toMatchObject({
      code: 5,
      out: expect.stringMatching(/warning +stacks +.*can not be read/),
    })
    chmodSync(at('stacks'), 0o700)
    expect(call('list').out).toContain('Friday')
  })
})
