import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { withHooks } from '../../src/doors/setup/claude-code.ts'
import { CLIENTS } from '../../src/doors/setup/clients.ts'
import { withServer } from '../../src/doors/setup/server-entry.ts'
import { SETTING_NAMES, SETTINGS } from '../../src/operations/settings.ts'
import { toolsOf } from '../../src/operations/tools.ts'

const text = (name: string): string =>
  readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
const json = (name: string) => JSON.parse(text(name)) as Record<string, unknown>

const LAUNCHER = { command: 'muniment', args: [], options: [], stack: null }
const PACKAGE = json('package.json')
const TITLE_CHARS_MAX = 100 // of a description in the registry

describe('the entry for the MCP registry', () => {
  const server = json('server.json')

  test('names the package as the package names the entry', () => {
    expect(server.name).toBe(PACKAGE.mcpName)
    expect(server.name).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    const { version, name: identifier } = PACKAGE
    expect(server).toMatchObject({ version, packages: [{ version, identifier }] })
    expect(String(server.description).length).toBeLessThanOrEqual(TITLE_CHARS_MAX)
  })

  test('starts the program as setup does', () => {
    const settings = withServer({}, LAUNCHER, { ...CLIENTS.windsurf, scope: 'user' })
    const { args } = (settings.mcpServers as { muniment: { args: readonly string[] } }).muniment
    const [entry] = server.packages as readonly {
      readonly packageArguments: readonly { readonly value: string }[]
    }[]
    expect(entry?.packageArguments.map(({ value }) => value)).toEqual(args)
  })

  test('names settings that the program reads', () => {
    const known = SETTING_NAMES.map((name) => SETTINGS[name].variable)
    const [entry] = server.packages as readonly {
      readonly environmentVariables: readonly { readonly name: string }[]
    }[]
    const names = entry?.environmentVariables.map(({ name }) => name) ?? []
    expect(names.length).toBeGreaterThan(0)
    expect(names.filter((name) => !known.some((each) => each === name))).toEqual([])
  })
})

describe('the plugin for Claude Code', () => {
  test('brings the hooks and the server that setup writes for all projects', () => {
    expect(json('plugin/hooks/hooks.json')).toEqual(withHooks({}, LAUNCHER, 'user'))
    expect(json('plugin/.mcp.json')).toEqual(
      withServer({}, LAUNCHER, { ...CLIENTS['claude-code'], scope: 'user' }),
    )
  })

  test('has the version of the package everywhere', () => {
    const { version } = PACKAGE
    expect(json('plugin/.claude-plugin/plugin.json')).toMatchObject({ name: 'muniment', version })
    const market = json('.claude-plugin/marketplace.json')
    expect(market).toMatchObject({ plugins: [{ source: './plugin', version }] })
  })

  test('has a skill that names only tools of the default set', () => {
    const named = text('plugin/skills/memory/SKILL.md').match(/\b(?:memory|meta)_[a-z]+\b/g) ?? []
    const tools = toolsOf('default').map(({ name }) => name)
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((name) => !tools.includes(name))).toEqual([])
  })
})
