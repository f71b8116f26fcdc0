import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { Desk } from '../cli/support/fake-host.ts'
import { scratch } from '../cli/support/scratch.ts'
import { lay } from './support/scene.ts'

const GRAPH =
  '{"type":"entity","name":"Ann","entityType":"person","observations":["likes tea"]}\n' +
  '{"type":"relation","from":"Ann","to":"Acme","relationType":"works_at"}\n'

/** A home with the memory of two tools, and a project folder with a third. */
function machine() {
  const [home, folder, stacks] = [scratch(), scratch(), scratch()]
  lay(home, {
    '.claude/CLAUDE.md': '# Style\n\nShort sentences.\n',
    '.claude/projects/-x-y/memory/MEMORY.md': '- [Tests](tests.md) run before commits\n',
    '.claude/projects/-x-y/memory/tests.md':
      '---\nname: tests\ndescription: when to run\ntype: feedback\n---\nRun the tests before a commit.\n',
  })
  lay(folder, { 'memory.jsonl': GRAPH })
  const desk = new Desk(stacks)
  const options = { folder, env: { HOME: home } }
  const person = (args: readonly string[], stdin = '') => desk.person(args, { ...options, stdin })
  const program = (args: readonly string[]) => desk.call(args, options)
  return { home, folder, desk, person, program }
}

describe('muniment adopt', () => {
  test('shows what is on this machine, asks, and takes nothing without a yes', async () => {
    const { person, program } = machine()
    const asked = await person(['adopt'], 'n\n')
    expect(asked).toMatchObject({ code: 0 })
    expect(asked.out).toMatch(/Claude Code\s+\S+CLAUDE\.md\s+1 record\b/)
    expect(asked.out).toMatch(/Claude Code\s+\S+memory\s+2 records\b/)
    expect(asked.out).toMatch(/MCP server-memory\s+\S+memory\.jsonl\s+2 records\b/)
    expect(asked.out).toContain('Take them? [y/N]')
    expect((await person(['list', 'raw'])).code).not.toBe(0) // no stack was made
    const shown = await program(['adopt', '--json'])
    expect(shown.json()).toMatchObject({ taken: false })
    expect((await person(['adopt', '--dry-run'])).out).not.toContain('Take them?')
  })

  test('takes all with a yes, once, and lists and undoes the batches', async () => {
    const { person, program } = machine()
    const taken = await person(['adopt'], 'y\n')
    expect(taken).toMatchObject({ code: 0 })
    expect(taken.out).toContain('2 taken from MCP server-memory')
    const again = (await program(['adopt', '--yes', '--json'])).json() as {
      sources: { taken: { batch: string; taken: number; here: number } }[]
    }
    expect(again.sources.map(({ taken: { taken, here } }) => [taken, here]).sort()).toEqual([
      [0, 1],
      [0, 2],
      [0, 2],
    ])
    const { batches } = (await person(['adopt', '--batches', '--json'])).json() as {
      batches: { batch: string; says: string }[]
    }
    expect(batches).toHaveLength(3)
    const graph = batches.find(({ says }) => says.startsWith('MCP server-memory'))?.batch ?? ''
    expect(await program(['adopt', '--undo', graph, '--erase'])).toMatchObject({ code: 1 })
    const undone = await person(['adopt', '--undo', graph])
    expect(undone.out).toContain(`of ${graph}.`)
    expect((await person(['search', 'Ann'])).out).not.toContain('likes tea')
    expect((await person(['search', 'commit'])).out).toContain('commits')
    await person(['trust', 'distrust', '--actor', `adopt:${graph}`, '--off'])
    expect((await person(['search', 'Ann'])).out).toContain('likes tea')
    expect((await person(['adopt', '--undo', graph, '--erase'])).out).toContain('Erased')
    expect((await person(['search', 'Ann'])).out).not.toContain('likes tea')
    expect(await person(['adopt', '--undo', graph])).toMatchObject({ code: 3 })
  })

  test('words of a file reach the terminal without its codes', async () => {
    const { folder, person } = machine()
    const codes = '\u001b]0;owned\u0007'
    const content = { content_type: `tool${codes}`, parts: ['words'] }
    const message = { id: 'a', author: { role: 'user' }, content }
    const mapping = { a: { id: 'a', parent: null, children: [], message } }
    lay(folder, { 'c.json': JSON.stringify([{ title: 't', conversation_id: 'c', mapping }]) })
    const { out } = await person(['adopt', 'c.json', '--yes'])
    expect(out).toContain('left out:')
    expect(out).not.toContain('\u001b]')
    expect(out).not.toContain('\u0007')
  })

  test('a program may not vouch, and gets tier 1', async () => {
    const { person, program } = machine()
    expect(await program(['adopt', '--yes', '--vouch'])).toMatchObject({ code: 1 })
    await program(['adopt', '--yes'])
    expect((await person(['list', 'raw', '--json'])).json()).not.toContainEqual(
      expect.objectContaining({ tier: 2 }),
    )
  })

  test('a place of no known format is named, and bad lines end with 1', async () => {
    const { folder, person } = machine()
    mkdirSync(path.join(folder, 'sub'))
    writeFileSync(path.join(folder, 'sub', 'data.json'), '{"a":1}')
    expect((await person(['adopt', 'sub', '--yes'])).out).toContain('data.json')
    writeFileSync(path.join(folder, 'memory.jsonl'), `${GRAPH}not json\n`)
    const said = await person(['adopt', 'memory.jsonl', '--yes'])
    expect(said).toMatchObject({ code: 1 })
    expect(said.out).toContain('line 3: is not JSON')
    expect(await person(['adopt', 'nowhere'])).toMatchObject({ code: 2 })
    expect(await person(['adopt', '--erase'])).toMatchObject({ code: 2 })
  })
})
