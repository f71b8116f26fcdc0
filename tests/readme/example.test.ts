import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const INDEX = new URL('../../src/index.ts', import.meta.url).href
const VERIFY = new URL('../../src/verify/index.ts', import.meta.url).href

const exampleOf = (text: string): string => /```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? ''

test('the example of the README does what it says, to its last line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-readme-'))
  try {
    const example = exampleOf(README).replace("from 'muniment'", `from '${INDEX}'`)
    const shown = `${example}`.replace(
      "await me.belief('Fridays",
      "console.log(ok, lineage.map(({ memory }) => memory.kind).join())\nawait me.belief('Fridays",
    )
    const file = join(folder, 'example.ts')
    writeFileSync(file, shown)
    const env = { ...process.env, MUNIMENT_HOME: folder, NODE_OPTIONS: '' }
    const ran = spawnSync(process.execPath, [file], { cwd: folder, env, encoding: 'utf8' })
    expect(ran.stdout.trim()).toBe('true raw,episode,belief')
    expect(ran.stderr).toContain('ProvenanceError')
    expect(ran.stderr).toContain('A belief may cite: episode, note, claim.')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the second example of the README does what it says', () => {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-readme-'))
  try {
    const [, second = ''] = [...README.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code)
    const example = second
      .replace("from 'muniment'", `from '${INDEX}'`)
      .replace("from 'muniment/verify'", `from '${VERIFY}'`)
      .replace(
        'verifyReceipt(receipt',
        'console.log((await stack.getBeliefs()).length)\nverifyReceipt(receipt',
      )
      .replace('keys: [key] }).ok', 'keys: [key] }).ok || process.exit(1)')
    const file = join(folder, 'example.ts')
    writeFileSync(file, example)
    const env = { ...process.env, MUNIMENT_HOME: folder, NODE_OPTIONS: '' }
    const ran = spawnSync(process.execPath, [file], { cwd: folder, env, encoding: 'utf8' })
    expect(ran.stderr).not.toContain('Error')
    expect(ran).toMatchObject({ stdout: '1\n', status: 0 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the README gives the two commands that do everything', () => {
  expect(README).toContain('npm ci && npm start')
  expect(README).toContain('npm ci && npm test')
})
