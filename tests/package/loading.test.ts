import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { scratch } from '../cli/support/scratch.ts'
import { ROOT } from '../support/project-files.ts'
import type { LoadedFile } from './support/installed.ts'

const LISTING = path.join(ROOT, 'tests/package/support/list-loaded.ts')
const SOURCE = `${pathToFileURL(path.join(ROOT, 'src')).href}/`

/** Files of the source that a script loads, as paths below `src`. */
function loadedBy(script: string): readonly string[] {
  const list = path.join(scratch(), 'loaded.jsonl')
  const text = `const m = await import('${SOURCE}index.ts'); ${script}`
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', LISTING, '--input-type=module', '-e', text],
    { cwd: ROOT, env: { ...process.env, LOADED_LIST: list }, encoding: 'utf8' },
  )
  expect({ status, stderr }).toMatchObject({ status: 0 })
  const urls = readFileSync(list, 'utf8').trim().split('\n')
  return urls
    .map((line) => (JSON.parse(line) as LoadedFile).url) // written by list-loaded.ts
    .filter((url) => url.startsWith(SOURCE))
    .map((url) => url.slice(SOURCE.length))
}

const STORES_AND_MODELS =
  /^(?:stores|adapters|doors|adopt)\/|\/(?:static-embedder|text-embedder|word-table|providers\/)/
/** Names the errors of the file system, for keys and signed heads too. */
const FILE_FAULTS = 'stores/sqlite/faults.ts'
const storesAndModels = (files: readonly string[]): readonly string[] =>
  files.filter((file) => STORES_AND_MODELS.test(file) && file !== FILE_FAULTS)

const folders = (files: readonly string[]): ReadonlySet<string> =>
  new Set(storesAndModels(files).map((file) => file.split('/').slice(0, 2).join('/')))

describe('the library loads late', () => {
  test('neither a store nor a model, where it is imported only', () => {
    const files = loadedBy('m.openStack')
    expect(files).toContain('compose/open-stack.ts')
    expect(storesAndModels(files)).toEqual([])
  })

  test('the store of files and the table of words, where a stack is a file', () => {
    const home = scratch()
    const files = loadedBy(`await (await m.openStack('a', { home: '${home}' })).close()`)
    expect([...folders(files)].toSorted()).toEqual([
      'compose/static-embedder.ts',
      'recall/embed',
      'stores/sql',
      'stores/sqlite',
    ])
  })

  test('no other store, where one is passed in', () => {
    const files = loadedBy(`
      const { MemoryStore } = await import('${SOURCE}stores/memory/store.ts')
      await (await m.openStack('a', { store: new MemoryStore() })).close()
    `)
    expect([...folders(files)].toSorted()).toEqual([
      'compose/static-embedder.ts',
      'recall/embed',
      'stores/memory',
    ])
  })
})
