import { mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { FolderMemoryTool } from '../../../src/adapters/anthropic/index.ts'
import { scratch } from '../../cli/support/scratch.ts'

const base = () => path.join(scratch(), 'memory')

async function contents(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) =>
    each.isFile(),
  )
  const read = names.map(async ({ parentPath, name }) => {
    const file = path.join(parentPath, name)
    return [path.relative(folder, file), await readFile(file, 'utf8')] as const
  })
  return Object.fromEntries(await Promise.all(read))
}

test('the folder is a copy of the files, through edits, renames and deletions', async () => {
  const folder = base()
  const tool = await FolderMemoryTool.init(folder)
  await tool.create({ command: 'create', path: '/memories/a/one.md', file_text: 'one' })
  await tool.create({ command: 'create', path: '/memories/two.md', file_text: 'two' })
  await tool.str_replace({
    command: 'str_replace',
    path: '/memories/two.md',
    old_str: 'two',
    new_str: '2',
  })
  expect(await contents(folder)).toEqual({ 'memories/a/one.md': 'one', 'memories/two.md': '2' })
  await tool.rename({ command: 'rename', old_path: '/memories/a', new_path: '/memories/b' })
  await tool.delete({ command: 'delete', path: '/memories/two.md' })
  expect(await contents(folder)).toEqual({ 'memories/b/one.md': 'one' })
  await tool.close()
})

test('files that are there are taken over, and a second start finds everything', async () => {
  const folder = base()
  await mkdir(path.join(folder, 'memories', 'old'), { recursive: true })
  await writeFile(path.join(folder, 'memories', 'old', 'notes.md'), 'of before')
  const first = await FolderMemoryTool.init(folder)
  const view = { command: 'view', path: '/memories/old/notes.md' } as const
  expect(await first.view(view)).toContain('of before')
  await first.create({ command: 'create', path: '/memories/new.md', file_text: 'of now' })
  await first.close()
  const second = await FolderMemoryTool.init(folder)
  expect(await second.view(view)).toContain('of before')
  expect(Object.keys(await contents(folder)).sort()).toEqual([
    'memories/new.md',
    'memories/old/notes.md',
  ])
  await second.close()
})

test('a link leads no command out of the folder', async () => {
  const folder = base()
  const outside = await mkdtemp(path.join(scratch(), 'outside-'))
  await writeFile(path.join(outside, 'secret.txt'), 'secret')
  const tool = await FolderMemoryTool.init(folder)
  await symlink(outside, path.join(folder, 'memories', 'link'), 'dir')
  const refusal = 'Path would escape /memories directory via symlink'
  const seen = tool.view({ command: 'view', path: '/memories/link/secret.txt' })
  await expect(seen).rejects.toThrow(refusal)
  const written = { command: 'create', path: '/memories/link/new/x', file_text: 'x' } as const
  await expect(tool.create(written)).rejects.toThrow(refusal)
  expect(await readdir(outside)).toEqual(['secret.txt'])
  await tool.close()
})
