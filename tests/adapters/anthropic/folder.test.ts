import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  BetaLocalFilesystemMemoryTool,
  FolderMemoryTool,
} from '../../../src/adapters/anthropic/index.ts'
import { scratch } from '../../cli/support/scratch.ts'
import { child, OWNER } from '../support/stacks.ts'

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
  const tool = await BetaLocalFilesystemMemoryTool.init(folder)
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

test('a planted link is no draft: the file behind the link stays as it was', async () => {
  const folder = base()
  const victim = path.join(await mkdtemp(path.join(scratch(), 'outside-')), 'rc')
  await writeFile(victim, 'mine')
  const tool = await FolderMemoryTool.init(folder)
  await symlink(victim, path.join(folder, '.muniment.tmp'))
  await tool.create({ command: 'create', path: '/memories/a.md', file_text: 'planted' })
  expect(await readFile(victim, 'utf8')).toBe('mine')
  expect((await readdir(folder)).sort()).toEqual(['.muniment.tmp', 'memories']) // no draft is left
  await tool.close()
})

test('a link in place of the folder leads no command into another folder', async () => {
  const folder = base()
  const outside = await mkdtemp(path.join(scratch(), 'outside-'))
  await writeFile(path.join(outside, 'secret.txt'), 'secret')
  await mkdir(folder, { recursive: true })
  await symlink(outside, path.join(folder, 'memories'), 'dir')
  const tool = await FolderMemoryTool.init(folder)
  const refusal = 'Path would escape /memories directory via symlink'
  for (const command of [
    { command: 'view', path: '/memories' },
    { command: 'view', path: '/memories/secret.txt' },
    { command: 'create', path: '/memories/new.md', file_text: 'x' },
    { command: 'delete', path: '/memories/secret.txt' },
  ] as const) {
    await expect(tool[command.command](command as never)).rejects.toThrow(refusal)
  }
  expect(await contents(outside)).toEqual({ 'secret.txt': 'secret' })
  await tool.close()
})

const AT = '/memories/notes.md'

test('files that people edit, add and delete in the folder count, with every line ending', async () => {
  const folder = base()
  const tool = await FolderMemoryTool.init(folder)
  const onDisk = path.join(folder, 'memories', 'notes.md')
  await writeFile(onDisk, 'one\r\ntwo\r\n')
  expect(await tool.view({ command: 'view', path: AT })).toContain('     1\tone\r\n     2\ttwo\r\n')
  const ref = await tool.memory.refOf(AT)
  await tool.str_replace({ command: 'str_replace', path: AT, old_str: 'two', new_str: '2' })
  expect(await readFile(onDisk, 'utf8')).toBe('one\r\n2\r\n')
  await writeFile(onDisk, 'one\r\n2\r\nthree')
  await tool.insert({ command: 'insert', path: AT, insert_line: 0, insert_text: 'zero' })
  expect(await readFile(onDisk, 'utf8')).toBe('zero\none\r\n2\r\nthree')
  expect(await tool.memory.refOf(AT)).toBe(ref) // versions of one memory
  expect((await tool.memory.blame(AT)).map(({ text }) => text)).toEqual([
    'zero',
    'one\r',
    '2\r',
    'three',
  ])
  await rm(onDisk)
  await expect(tool.view({ command: 'view', path: AT })).rejects.toThrow('does not exist')
  await tool.create({ command: 'create', path: AT, file_text: 'again' })
  expect(await contents(folder)).toEqual({ 'memories/notes.md': 'again' })
  await tool.close()
})

test('an edit between two starts counts, and a file that a person protects comes back', async () => {
  const folder = base()
  const first = await FolderMemoryTool.init(folder)
  await first.create({ command: 'create', path: AT, file_text: 'by the model' })
  await first.create({ command: 'create', path: '/memories/kept.md', file_text: 'kept' })
  const kept = await first.memory.refOf('/memories/kept.md')
  await first.stack.protectMemory('raw', kept.slice('raw:'.length))
  await first.close()
  await writeFile(path.join(folder, 'memories', 'notes.md'), 'by a person')
  await rm(path.join(folder, 'memories', 'kept.md'))
  const second = await FolderMemoryTool.init(folder)
  expect(await second.view({ command: 'view', path: AT })).toContain('by a person')
  expect(await contents(folder)).toEqual({
    'memories/kept.md': 'kept',
    'memories/notes.md': 'by a person',
  })
  await second.close()
})

test('a file too long for one memory is kept whole, and a view counts its lines', async () => {
  const folder = base()
  const tool = await FolderMemoryTool.init(folder)
  const text = Array<string>(1_000_000).fill('line').join('\n')
  await tool.create({ command: 'create', path: AT, file_text: text })
  await expect(tool.view({ command: 'view', path: AT })).rejects.toThrow('Maximum is 999,999 lines')
  expect(await contents(folder)).toEqual({ 'memories/notes.md': text })
  const root = { command: 'view', path: '/memories' } as const
  expect(await tool.view(root)).toMatch(/\n4.8M\t\/memories\/notes.md$/)
  await tool.rename({ command: 'rename', old_path: AT, new_path: '/memories/far/notes.md' })
  expect(await contents(folder)).toEqual({ 'memories/far/notes.md': text })
  const edit = { command: 'insert', path: '/memories/far/notes.md', insert_line: 0 } as const
  await expect(tool.insert({ ...edit, insert_text: 'x' })).rejects.toThrow('too long')
  await writeFile(path.join(folder, 'memories', 'far', 'notes.md'), 'short')
  expect(await tool.view({ command: 'view', path: edit.path })).toContain('     1\tshort')
  await tool.delete({ command: 'delete', path: '/memories/far' })
  expect(await contents(folder)).toEqual({})
  expect(await tool.stack.list('raw', { includeForgotten: false })).toEqual([])
  await tool.close()
}, 60_000)

test('a file of the folder that nobody may read, or that is a link, harms no other file', async () => {
  const folder = base()
  const outside = path.join(scratch(), 'outside.txt')
  await writeFile(outside, 'secret')
  const tool = await FolderMemoryTool.init(folder)
  const at = (name: string): string => path.join(folder, 'memories', name)
  await symlink(outside, at('link.md'))
  await symlink(path.join(folder, 'nowhere'), at('broken.md'))
  await tool.create({ command: 'create', path: AT, file_text: 'fine' })
  const listed = await tool.view({ command: 'view', path: '/memories' })
  expect(listed).not.toContain('link.md')
  const written = { command: 'create', path: '/memories/broken.md', file_text: 'x' } as const
  await expect(tool.create(written)).rejects.toThrow('via symlink')
  expect(await readdir(folder)).toEqual(['memories'])
  expect(await readFile(outside, 'utf8')).toBe('secret')
  await tool.close()
})

test('only the owner of the folder may read the copies', async () => {
  const folder = base()
  const tool = await FolderMemoryTool.init(folder)
  await tool.create({ command: 'create', path: '/memories/a/b.md', file_text: 'old' })
  const file = path.join(folder, 'memories', 'a', 'b.md')
  await chmod(file, 0o644)
  const edit = { command: 'str_replace', path: '/memories/a/b.md' } as const
  await tool.str_replace({ ...edit, old_str: 'old', new_str: 'new' })
  const modes = [path.join(folder, 'memories'), path.dirname(file), file].map(async (each) => {
    return (await stat(each)).mode & 0o777
  })
  expect(await Promise.all(modes)).toEqual([0o700, 0o700, 0o600])
  await tool.close()
})

test('why of a file in the folder ends at the message of the person', async () => {
  const tool = await FolderMemoryTool.init(base(), { user: OWNER })
  await tool.memory.hear({ role: 'user', text: 'The launch is on Monday.' })
  await tool.create({ command: 'create', path: AT, file_text: 'Launch: Monday.' })
  const { turn } = await tool.stack.history.why(await tool.memory.refOf(AT))
  expect(turn?.nearestWords).toMatchObject({ tier: 3, text: 'The launch is on Monday.' })
  await tool.close()
})

test('two processes that edit one folder at once lose nothing', async () => {
  const folder = base()
  const tool = await FolderMemoryTool.init(folder)
  await tool.create({ command: 'create', path: AT, file_text: '' })
  const names = ['one', 'two']
  await Promise.all(names.map((name) => child('folder.ts', { folder, name, count: 20 })))
  const wanted = names.flatMap((name) => Array.from({ length: 20 }, (_, n) => `${name} ${n}`))
  const files = await contents(folder)
  const { 'memories/notes.md': notes = '', ...own } = files
  expect(notes.split('\n').filter(Boolean).sort()).toEqual(wanted.toSorted())
  expect(Object.values(own).sort()).toEqual(wanted.toSorted())
  expect(await tool.view({ command: 'view', path: AT })).toContain('two 19')
  await tool.close()
})
