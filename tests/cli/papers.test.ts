import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { Entity } from '../../src/agent/entity.ts'
import { openStack } from '../../src/compose/open-stack.ts'
import { stacksFolder } from '../../src/doors/access/home.ts'
import { muniment } from './support/program.ts'
import { scratch } from './support/scratch.ts'

vi.setConfig({ testTimeout: 120_000 }) // several processes in a row, on a busy machine

/** A home with one note that stays and one that was erased. */
async function withPapers() {
  const home = scratch()
  const stack = await openStack('default', { home })
  const me = new Entity('tester')
  await me.attachStack(stack)
  const kept = await me.note('The table has forty million rows')
  const gone = await me.note('launch code zebra')
  await stack.erasure.erase(gone.ref)
  await stack.close()
  const call = (args: readonly string[], stdin = '') => muniment(args, { home, stdin })
  const file = (name: string, text: string): string => {
    const at = path.join(home, name)
    writeFileSync(at, text)
    return at
  }
  return { home, call, file, kept, gone }
}

test('a head is read back as it was printed, by file, stdin or text, and says that it agreed', async () => {
  const { call, file } = await withPapers()
  const printed = call(['ledger', 'checkpoint']).out
  const { note, key } = JSON.parse(call(['ledger', 'checkpoint', '--json']).out) as Record<
    string,
    string
  >
  const head = file('head.txt', printed)
  const agreed =
    /ok {2}\d+ entries recomputed\. .*\n {2}It agrees with the head that was kept: \d+ /
  for (const against of [head, file('head.json', JSON.stringify({ note })), note ?? '']) {
    const said = call(['audit', '--against', against])
    expect(said).toMatchObject({ code: 0, out: expect.stringMatching(agreed) })
  }
  expect(call(['audit', '--against', '-', '--key', key ?? ''], printed).out).toMatch(agreed)
  expect(call(['ledger', 'check', head]).out).toMatch(/^ok {2}This signed head holds\./)
  const none = call(['audit', '--against', file('none.txt', 'no head at all')])
  expect(none).toMatchObject({ code: 2, err: expect.stringContaining('not a signed head') })
})

test('a head that was altered is refused itself, and accuses no ledger', async () => {
  const { call, file } = await withPapers()
  const [size] = /^ {2}\d+$/m.exec(call(['ledger', 'checkpoint']).out) ?? []
  const altered = file('head.txt', call(['ledger', 'checkpoint']).out.replace(`${size}\n`, '  3\n'))
  const said = call(['audit', '--against', altered])
  expect(said).toMatchObject({ code: 2, err: expect.stringContaining('not as it was signed') })
  expect(call(['ledger', 'check', altered])).toMatchObject({
    code: 4,
    out: expect.stringContaining('signature.invalid'),
  })
})

test('an audit of a part of a ledger says that it saw no more, and where to go on', async () => {
  const { call, file } = await withPapers()
  expect(call(['audit', '--since', '2']).out).toContain('From entry 2 on the chain is as it was')
  const part = call(['audit', '--since', '2', '--to', '3']).out
  expect(part).toContain('From entry 2 to 3 the chain is as it was')
  const [, mark = ''] = /mark {2}(4:[0-9a-f]{64})/.exec(part) ?? []
  expect(call(['audit', '--since', mark]).out).toContain('From entry 4 on the chain')
  const other = mark.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
  const rewritten = call(['audit', '--since', other])
  expect(rewritten).toMatchObject({ code: 4, out: expect.stringContaining('head.rewritten') })
  const head = file('since.txt', call(['ledger', 'checkpoint']).out)
  expect(call(['audit', '--since', head]).out).toContain('It agrees with the head that was kept')
  expect(call(['audit', '--since', 'nowhere'])).toMatchObject({ code: 2 })
})

test('receipts and certificates are checked, and what was altered does not hold', async () => {
  const { call, file, kept, gone } = await withPapers()
  const receipt = call(['ledger', 'prove', kept.ref]).out
  expect(call(['ledger', 'check', file('receipt.json', receipt)])).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^ok {2}This receipt holds\.\n {2}Entry \d+, memory\.saved of note:/,
    ),
  })
  const altered = file('altered.json', receipt.replace('forty', 'fifty'))
  expect(call(['ledger', 'check', altered])).toMatchObject({
    code: 4,
    out: expect.stringContaining('commitment.mismatch'),
  })
  const erased = call(['ledger', 'certificate', gone.ref]).out
  const certified = call(['ledger', 'check', '-', '--json'], erased)
  expect(JSON.parse(certified.out)).toMatchObject({ paper: 'certificate', ok: true })
  const other = 'other+e3f5b2c1+AQ=='
  expect(call(['ledger', 'check', '-', '--key', other], erased)).toMatchObject({
    code: 4,
    out: expect.stringContaining('signature.unknown'),
  })
})

test('a bundle is checked against a head that was kept, and holds only with it', async () => {
  const { call, file } = await withPapers()
  const head = file('head.txt', call(['ledger', 'checkpoint']).out)
  const bundle = head.replace('head.txt', 'whole.bundle')
  call(['stack', 'export', bundle])
  expect(call(['ledger', 'check', bundle, '--head', head])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^ok {2}This bundle holds\.\n {2}\d+ entries of default, as/),
  })
  const altered = file('other.bundle', readFileSync(bundle, 'utf8').replace('forty', 'fifty'))
  expect(call(['ledger', 'check', altered, '--head', head])).toMatchObject({
    code: 4,
    out: expect.stringMatching(/first that is not so is entry \d+\.\n.*\n.*commitment\.mismatch/),
  })
  const alone = call(['ledger', 'check', bundle])
  expect(alone).toMatchObject({ code: 2, err: expect.stringContaining('--head head.txt') })
})

test('an older copy of the file that was put back is found by a later head beside it', async () => {
  const { call, home } = await withPapers()
  const file = path.join(stacksFolder(home), 'default.db')
  const older = readFileSync(file)
  call(['note', 'written since'])
  call(['ledger', 'checkpoint'])
  expect(call(['doctor', '--json']).code).toBe(0)
  writeFileSync(file, older)
  for (const how of [['audit'], ['audit', '--since', '2']]) {
    expect(call(how)).toMatchObject({ code: 4, out: expect.stringContaining('head.rollback') })
  }
  const said = call(['doctor', '--json'])
  expect(said).toMatchObject({ code: 4, out: expect.stringContaining('head.rollback') })
})

test('a bundle that goes on behind the head that is held says how far it is covered', async () => {
  const { home, call, file } = await withPapers()
  const head = file('head.txt', call(['ledger', 'checkpoint']).out)
  call(['note', 'written since'])
  const whole = path.join(home, 'whole.bundle')
  expect(call(['stack', 'export', whole]).code).toBe(0)
  const said = call(['ledger', 'check', whole, '--head', head])
  expect(said).toMatchObject({ code: 0, out: expect.stringContaining('behind the head') })
})
