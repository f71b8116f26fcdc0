import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
const INDEX = new URL('../../src/index.ts', import.meta.url).href

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

test('the seed’s example in the README prints what its comments say', () => {
  const [, second] = [...README.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code ?? '')
  const folder = mkdtempSync(join(tmpdir(), 'muniment-readme-'))
  try {
    const file = join(folder, 'claims.ts')
    writeFileSync(file, String(second).replace("from 'muniment'", `from '${INDEX}'`))
    const env = { ...process.env, MUNIMENT_HOME: folder, NODE_OPTIONS: '' }
    const ran = spawnSync(process.execPath, [file], { cwd: folder, env, encoding: 'utf8' })
    expect(ran.stdout.trim().split('\n')).toEqual(['CommittedCheap', 'true', 'contested'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the README gives the two commands that do everything', () => {
  expect(README).toContain('npm ci && npm start')
  expect(README).toContain('npm ci && npm test')
})
