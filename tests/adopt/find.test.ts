import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { findSources } from '../../src/adopt/find.ts'
import { scratch } from '../cli/support/scratch.ts'
import { BASIC_MEMORY, CHATGPT, layKernle, layMem0History, text } from './support/samples.ts'
import { lay } from './support/scene.ts'

const GRAPH = '{"type":"entity","name":"Ann","entityType":"person","observations":["likes tea"]}\n'
const SERVER = '.npm/_npx/ab12/node_modules/@modelcontextprotocol/server-memory/dist/memory.jsonl'

/** A home with the memory of every tool that has a usual place, and a project. */
function machine() {
  const [home, folder, outside] = [scratch(), scratch(), scratch()]
  lay(outside, { '.obsidian/app.json': '{}', 'private.md': 'Of another place.\n' })
  for (const name of ['.claude-mem', '.kernle', '.mem0']) mkdirSync(path.join(home, name))
  lay(home, {
    '.claude/CLAUDE.md': '# Style\n\nShort.\n',
    '.claude/projects/-x/memory/tests.md': 'Run the tests.\n',
    '.codex/AGENTS.md': '# Agents\n\nBrief.\n',
    [SERVER]: GRAPH,
    'graphs/own.jsonl': GRAPH,
    '.cursor/mcp.json': text({
      mcpServers: {
        memory: { env: { MEMORY_FILE_PATH: path.join(home, 'graphs/own.jsonl') } },
        other: { command: 'x' },
      },
    }),
    'basic-memory/coffee.md': BASIC_MEMORY,
    'work-notes/tea.md': BASIC_MEMORY,
    '.basic-memory/config.json': text({
      projects: { main: '~/work-notes', none: { path: '~/no' } },
    }),
    'Documents/Vault/.obsidian/app.json': '{}',
    'Documents/Vault/day.md': 'A day.\n',
    'far/away/Other/.obsidian/app.json': '{}',
    'far/away/Other/day.md': 'Another day.\n',
    '.config/obsidian/obsidian.json': text({
      vaults: { a: { path: path.join(home, 'far/away/Other') }, b: { path: outside }, c: 5 },
    }),
    'Documents/Plain/day.md': 'No vault.\n',
    'Downloads/chats/conversations.json': text(CHATGPT),
  })
  lay(outside, { 'GEMINI.md': '# Rules\n\nOf another place.\n' })
  symlinkSync(outside, path.join(home, 'Documents', 'Linked'))
  symlinkSync(outside, path.join(home, '.gemini'))
  layKernle(path.join(home, '.kernle', 'memories.db'))
  layMem0History(path.join(home, '.mem0', 'history.db'))
  const db = new DatabaseSync(path.join(home, '.claude-mem', 'claude-mem.db'))
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE observations (id, narrative TEXT)')
  db.close()
  lay(folder, {
    'CLAUDE.md': '# Rules\n\nTabs.\n',
    'AGENTS.md': '# Rules\n\nTabs.\n',
    'MEMORY.md': 'Tabs.\n',
    '.claude/memory/a.md': 'Tabs.\n',
    'memory.jsonl': GRAPH,
    'README.md': '# Not a memory\n\n- [note] with a bracket\n',
  })
  return { home, folder, outside }
}

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .toSorted()

test('every tool is found in its usual places and in those its settings name, and nothing is touched', async () => {
  const { home, folder } = machine()
  const before = filesOf(home).map((file) => [file, readFileSync(file, 'base64')])
  const found = await findSources({ home, folder })
  const names = found.map(({ format, place }) => {
    const isHome = place.startsWith(home)
    return `${format.name} ${isHome ? '~' : '.'}/${path.relative(isHome ? home : folder, place)}`
  })
  expect(names.toSorted()).toEqual([
    'basic-memory ~/basic-memory',
    'basic-memory ~/work-notes',
    'chatgpt ~/Downloads/chats',
    'claude-code ./.claude/memory',
    'claude-code ./AGENTS.md',
    'claude-code ./CLAUDE.md',
    'claude-code ./MEMORY.md',
    'claude-code ~/.claude/CLAUDE.md',
    'claude-code ~/.claude/projects/-x/memory',
    'claude-code ~/.codex/AGENTS.md',
    'claude-mem ~/.claude-mem/claude-mem.db',
    'kernle ~/.kernle/memories.db',
    'mem0 ~/.mem0/history.db',
    'obsidian ~/Documents/Vault',
    'obsidian ~/far/away/Other',
    'server-memory ./memory.jsonl',
    `server-memory ~/${SERVER}`,
    'server-memory ~/graphs/own.jsonl',
  ])
  expect(filesOf(home).map((file) => [file, readFileSync(file, 'base64')])).toEqual(before)
})

test('settings that are no JSON, or name strange things, end no search', async () => {
  const [home, folder] = [scratch(), scratch()]
  lay(home, {
    '.config/obsidian/obsidian.json': '{"vaults":',
    '.basic-memory/config.json': text({ projects: { a: '/', b: '..', c: null, d: '~/\0', e: '' } }),
    '.claude.json': '[]',
    '.claude/CLAUDE.md': '# Style\n\nShort.\n',
  })
  const found = await findSources({ home, folder })
  expect(found.map(({ place }) => path.relative(home, place))).toEqual(['.claude/CLAUDE.md'])
})
