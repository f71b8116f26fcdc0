import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { FORMATS } from '../../src/adopt/formats/table.ts'
import { Desk } from '../cli/support/fake-host.ts'
import { scratch } from '../cli/support/scratch.ts'
import { lay } from './support/scene.ts'

const PAGE = readFileSync(new URL('../../docs/adopt.md', import.meta.url), 'utf8')

/** The files that the page shows, by the name above each block. */
const FILES = Object.fromEntries(
  [...PAGE.matchAll(/`([\w.]+)`:\n\n```(?:markdown|json)\n([\s\S]*?)```/g)].map(
    ([, name = '', text = '']) => [name, text],
  ),
)

/** Prompts and what is printed; a line `> text` in a block edits CLAUDE.md. */
const STEPS = [...PAGE.matchAll(/```console\n([\s\S]*?)```/g)]
  .flatMap(([, block = '']) => block.split(/^(?=[$>] )/m))
  .map((part) => {
    const end = part.indexOf('\n')
    return { typed: part.slice(0, end), prints: part.slice(end + 1) }
  })

/** Batches, ids and times differ from run to run. */
const plain = (text: string, folder: string): string =>
  text
    .replaceAll(folder, '/project')
    .replace(/\b([a-z][a-z0-9-]*)-[0-9a-f]{12}\b/g, '$1-000000000000')
    .replace(/\b(raw|note):[0-9a-f]{8}\b/g, '$1:00000000')
    .replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}\.\d{3}Z)?/g, '2026-01-01T00:00')
    .replace(/[ ]+$/gm, '')

test('the commands of the page print what it says, ids and times apart', async () => {
  const folder = realpathSync(scratch())
  const desk = new Desk(scratch())
  lay(folder, FILES)
  expect(Object.keys(FILES)).toEqual(['CLAUDE.md', 'memory.jsonl'])
  expect(STEPS.length).toBeGreaterThan(5)
  let batch = ''
  for (const { typed, prints } of STEPS) {
    const file = path.join(folder, 'CLAUDE.md')
    if (typed.startsWith('> ')) {
      writeFileSync(file, `${readFileSync(file, 'utf8')}${typed.slice(2)}\n`)
      continue
    }
    const words = typed.replace('$ muniment ', '').replace(/server-memory-[0-9a-f]{12}/, batch)
    const args = [...words.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, bare]) => quoted ?? bare ?? '',
    )
    const { out } = await desk.person(args, { folder, env: { HOME: folder } })
    batch = /--undo (server-memory-[0-9a-f]{12})/.exec(out)?.[1] ?? batch
    expect(plain(out, folder), typed).toBe(plain(prints, folder))
  }
})

test('the page has a row for every format', () => {
  const rows = [...PAGE.matchAll(/^\| `([a-z0-9-]+)` \|/gm)].map(([, name]) => name)
  expect(rows.toSorted()).toEqual(FORMATS.map(({ name }) => name).toSorted())
})
