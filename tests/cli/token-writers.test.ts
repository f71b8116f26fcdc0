import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createToken, readTokens, revokeToken, tokensFile } from '../../src/doors/access/tokens.ts'
import { scratch } from './support/scratch.ts'

const TOKENS = new URL('../../src/doors/access/tokens.ts', import.meta.url).href
const createdAt = '2026-01-01T00:00:00.000Z'

/** Waits until told, so that all of them begin at once; then makes several tokens. */
const MAKER = `
  import { createToken } from ${JSON.stringify(TOKENS)}
  const [home, who, count] = process.argv.slice(1)
  process.stdout.write('ready')
  process.stdin.once('data', async () => {
    for (let n = 0; n < Number(count); n += 1) {
      await createToken(home, { name: who + '-' + n, createdAt: ${JSON.stringify(createdAt)} })
    }
    process.exit()
  })`

test('tokens that several processes make at once are all there', async () => {
  const home = scratch()
  const [processes, each] = [4, 5]
  const makers = Array.from({ length: processes }, (_, who) =>
    spawn(
      process.execPath,
      ['--input-type=module', '-e', MAKER, home, `maker-${who}`, String(each)],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    ),
  )
  await Promise.all(makers.map(({ stdout }) => once(stdout, 'data')))
  const ended = makers.map((maker) => once(maker, 'exit'))
  for (const { stdin } of makers) stdin.write('now')
  expect((await Promise.all(ended)).map(([code]) => code)).toEqual(makers.map(() => 0))
  const names = (await readTokens(home)).map(({ name }) => name)
  expect(new Set(names).size).toBe(processes * each)
  expect(names).toHaveLength(processes * each)
  expect(readdirSync(home)).toEqual(['tokens.json'])
}, 60_000)

test('and so are those of one process, and one that is revoked meanwhile is gone', async () => {
  const home = scratch()
  await createToken(home, { name: 'old', createdAt })
  const names = ['a', 'b', 'c', 'd']
  await Promise.all([
    ...names.map((name) => createToken(home, { name, createdAt })),
    revokeToken(home, 'old'),
  ])
  expect((await readTokens(home)).map(({ name }) => name).sort()).toEqual(names)
})

test('a lock whose holder has ended is taken away; one whose holder lives is waited for', async () => {
  const home = scratch()
  const lock = `${tokensFile(home)}.lock`
  const ended = spawn(process.execPath, ['-e', ''])
  await once(ended, 'exit')
  writeFileSync(lock, `${ended.pid} 00ff`)
  await createToken(home, { name: 'after-a-crash', createdAt })
  expect(existsSync(lock)).toBe(false)
  writeFileSync(lock, `${process.pid} 00ff`)
  let isMade = false
  const made = createToken(home, { name: 'patient', createdAt }).then(() => {
    isMade = true
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(isMade).toBe(false)
  writeFileSync(lock, `${ended.pid} 00ff`)
  await made
  expect(await readTokens(home)).toHaveLength(2)
})
