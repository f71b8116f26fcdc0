import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect } from 'vitest'
import { muniment } from '../cli/support/program.ts'
import { scratch } from '../cli/support/scratch.ts'
import { holds } from '../support/holds.ts'

const LAST = 'The deploy key must never be shared'

/** A stack, and a copy from before its last note. */
function ground() {
  const home = scratch()
  const stacks = path.join(home, 'stacks')
  const call = (...args: readonly string[]) => muniment(args, { home })
  const codes = () => {
    const { out } = call('audit', '--json')
    return (JSON.parse(out).problems as { readonly code: string }[]).map(({ code }) => code)
  }
  call('note', 'An early fact')
  const old = scratch()
  cpSync(stacks, old, { recursive: true })
  call('note', LAST)
  const putBack = () => {
    for (const file of readdirSync(stacks)) rmSync(path.join(stacks, file), { recursive: true })
    cpSync(old, stacks, { recursive: true })
  }
  return { call, codes, putBack, witness: path.join(stacks, 'default.db-head') }
}

holds(
  ['LEDGER-DETECT', 'STORE-ACKED'],
  'an older copy that was written on to the same length is named, and takes and serves nothing',
  () => {
    const { call, codes, putBack, witness } = ground()
    const seen = readFileSync(witness)
    putBack()
    expect(call('note', 'The deploy key may be shared with everyone').code).toBe(0)
    writeFileSync(witness, seen)
    expect(codes()).toContain('head.rewritten')
    expect(call('audit').code).toBe(4)
    for (const args of [
      ['search', 'key'],
      ['note', 'a new fact'],
      ['stack', 'backup', `${witness}.copy`],
    ]) {
      const { code, err } = call(...args)
      expect([args[0], code], err).toEqual([args[0], 5])
    }
    expect(call('doctor').out).toContain('is not the one that was written')
  },
)

describe.each([
  ['emptied', ''],
  ['cut', '000000000000'],
  ['garbage', 'hello\n'.repeat(40)],
  ['impossible', `99999999999999999999 ${'a'.repeat(64)}\n`],
])('a witness that is %s', (_, text) => {
  holds('LEDGER-DETECT', 'is named as damaged, accuses nobody, and is mended by a write', () => {
    const { call, codes, witness } = ground()
    writeFileSync(witness, text)
    expect(codes()).toEqual(['head.mismatch'])
    for (const command of ['audit', 'doctor']) {
      expect(call(command).out.replace(/\s+/g, ' '), command).toContain('-head is damaged')
    }
    expect(call('search', 'deploy key').out).toContain(LAST)
    expect(call('note', 'a new fact').code).toBe(0)
    expect(codes()).toEqual([])
  })
})
