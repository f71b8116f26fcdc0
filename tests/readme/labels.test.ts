import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const page = (name: string): string =>
  readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
const INDEX = new URL('../../src/index.ts', import.meta.url).href
const EXAMPLES = [...page('docs/labels.md').matchAll(/```ts\n([\s\S]*?)```/g)].map(
  ([, code = '']) => code,
)

/** The comment behind each `console.log` is the line that it prints. */
const promised = (code: string): readonly string[] =>
  [...code.matchAll(/console\.log\(.*\) \/\/ (.+)$/gm)].map(([, text = '']) => text)

function printed(code: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-labels-'))
  try {
    const file = join(folder, 'example.ts')
    writeFileSync(file, code.replace("from 'muniment'", `from '${INDEX}'`))
    const env = { ...process.env, MUNIMENT_HOME: folder, NODE_OPTIONS: '' }
    const ran = spawnSync(process.execPath, [file], { cwd: folder, env, encoding: 'utf8' })
    expect(ran.stderr).not.toContain('Error')
    return ran.stdout.trim().split('\n')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('the page of labels has an example of the options and one of a successor', () => {
  expect(EXAMPLES.map((code) => promised(code).length)).toEqual([7, 4])
})

test.each(EXAMPLES.map((code, at) => [at + 1, code] as const))(
  'example %i of the page of labels prints what its comments say',
  (_, code) => {
    expect(printed(code)).toEqual(promised(code))
  },
)

test('the README and the page of methods link the page of labels', () => {
  expect(page('README.md')).toContain('(docs/labels.md)')
  expect(page('docs/api.md')).toContain('(labels.md)')
})
