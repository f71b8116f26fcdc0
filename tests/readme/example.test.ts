import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const INDEX = new URL('../../src/index.ts', import.meta.url).href
const VERIFY = new URL('../../src/ledger/verify/index.ts', import.meta.url).href

const EXAMPLES = [...README.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)

/** Runs the example that calls `name`, as a reader who copied it would, with a few lines made loud. */
function run(name: string, change: (code: string) => string = (code) => code) {
  const example = EXAMPLES.find((code) => code.includes(`${name}(`)) ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'muniment-readme-'))
  try {
    const file = join(folder, 'example.ts')
    const code = example
      .replace("from 'muniment'", `from '${INDEX}'`)
      .replace("from 'muniment/verify'", `from '${VERIFY}'`)
    writeFileSync(file, change(code))
    const env = { ...process.env, MUNIMENT_HOME: folder, NODE_OPTIONS: '' }
    return spawnSync(process.execPath, [file], { cwd: folder, env, encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('the example of the README does what it says, to its last line', () => {
  const ran = run('attachStack', (code) =>
    code.replace(
      'try {',
      'console.log(ok, lineage.map(({ memory }) => memory.kind).join())\ntry {',
    ),
  )
  const [first, ...message] = ran.stdout.trim().split('\n')
  expect(first).toBe('true raw,episode,belief')
  expect(message.join('\n')).toContain('cites no source')
  expect(message.join('\n')).toContain('A belief may cite: episode, note, claim.')
  expect(ran).toMatchObject({ status: 0, stderr: '' })
})

test('the example of a life in the README does what it says', () => {
  const ran = run('verifyReceipt', (code) =>
    code
      .replace(
        '\nawait stack.search',
        '\nconsole.log((await stack.getMemory("belief", belief.id)).confidence)\nawait stack.search',
      )
      .replace(
        'verifyReceipt(receipt',
        'console.log((await stack.getBeliefs()).length)\nverifyReceipt(receipt',
      )
      .replace('keys: [key] }).ok', 'keys: [key] }).ok || process.exit(1)'),
  )
  expect(ran.stderr).not.toContain('Error')
  expect(ran).toMatchObject({ stdout: '0.9\n1\n', status: 0 })
})

test('the example of erasing in the README does what it says', () => {
  const ran = run('verifyErasure', (code) =>
    code
      .replace('verifyErasure(certificate', 'console.log(verifyErasure(certificate')
      .replace('{ keys }).ok ', '{ keys }).ok) ')
      .replace(/await (me\.note\(.*\)\.catch\(String\))/, 'console.log(await $1, ok)')
      .replace(
        /await (me\.note\('The password is hunter2'\)) {2}/,
        'console.log((await $1).disposition)',
      ),
  )
  expect(ran.stdout).toMatch(/^true\n.*kept out\. true\nCommittedInferred\n$/)
})

test('the seed’s example in the README prints what its comments say', () => {
  const ran = run('claims.ingest')
  expect(ran.stdout.trim().split('\n')).toEqual(['CommittedCheap', 'true', 'contested'])
})

test('the README gives the two commands that do everything', () => {
  expect(README).toContain('npm ci && npm start')
  expect(README).toContain('npm ci && npm test')
})
