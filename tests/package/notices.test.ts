import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { notices } from '../../scripts/notices.ts'
import { scratch } from '../cli/support/scratch.ts'

type Files = Readonly<Record<string, string>>

const manifestOf = (name: string): string =>
  JSON.stringify({ name, license: 'MIT', type: 'module', exports: './index.js' })

const ONE: Files = {
  'in.js': "import { one } from 'one'\nglobalThis.got = one",
  'node_modules/one/package.json': manifestOf('one'),
  'node_modules/one/index.js': 'export const one = Math.random()',
  'node_modules/one/LICENSE': 'One may be copied.',
}

async function noticesOf(files: Files): Promise<string> {
  const root = scratch()
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const bundle = await rolldown({
    cwd: root,
    input: path.join(root, 'in.js'),
    plugins: [notices('notices.txt')],
  })
  const { output } = await bundle.generate()
  const file = output.find(({ fileName }) => fileName === 'notices.txt')
  return file?.type === 'asset' ? `${file.source}` : ''
}

test('a licence is passed on with its package', async () => {
  expect(await noticesOf(ONE)).toBe('one (MIT)\n\nOne may be copied.\n')
})

test('so is the licence of what a package was bundled from', async () => {
  const made = `//#region ../node_modules/.store/two@1.0.0/node_modules/two/index.js\n`
  const files = {
    ...ONE,
    'node_modules/one/index.js': `${made}export const one = Math.random()\n//#endregion`,
  }
  const two = {
    'node_modules/two/package.json': manifestOf('two'),
    'node_modules/two/licence.md': 'Two may be copied.',
  }
  expect(await noticesOf({ ...files, ...two })).toContain('two (MIT)\n\nTwo may be copied.\n')
  await expect(noticesOf(files)).rejects.toThrow('contains two, whose licence is not installed')
})

test('a package without a licence stops the build', async () => {
  const { 'node_modules/one/LICENSE': _, ...files } = ONE
  await expect(noticesOf(files)).rejects.toThrow('one has no licence that could be passed on')
})

test('what is not in the bundle needs no licence there', async () => {
  expect(await noticesOf({ 'in.js': 'globalThis.got = 1' })).toBe('')
})
