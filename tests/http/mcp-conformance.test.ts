import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { scratch } from '../cli/support/scratch.ts'
import { servedFixture } from './support/fixture-server.ts'
import { served } from './support/server.ts'

const RUNNER = createRequire(import.meta.url)
  .resolve('@modelcontextprotocol/conformance/package.json')
  .replace(/package\.json$/, 'dist/index.js')

const run = promisify(execFile)
const runner = (cwd: string, ...args: readonly string[]) =>
  run(process.execPath, [RUNNER, ...args], { cwd, env: { PATH: process.env.PATH } })

const APPLY = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
  'logging-set-level',
]

/** Scenarios that call tools, resources and prompts by names that only a test server has. */
const BY_NAME = [
  ...['tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-mixed-content'],
  ...['tools-call-embedded-resource', 'tools-call-with-logging', 'tools-call-error'],
  ...['tools-call-with-progress', 'tools-call-sampling', 'tools-call-elicitation'],
  ...['json-schema-2020-12', 'elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
  ...['resources-read-text', 'resources-read-binary', 'resources-templates-read'],
  ...['resources-subscribe', 'resources-unsubscribe', 'completion-complete'],
  ...['prompts-get-simple', 'prompts-get-with-args', 'prompts-get-with-image'],
  'prompts-get-embedded-resource',
]

/** Scenarios of what this server does not offer; the runner only warns there. */
const NOT_OFFERED = ['server-sse-polling'] // streams are not cut in the middle of a call

const passed = async (url: string, scenario: string): Promise<void> => {
  const { stdout, stderr } = await runner(scratch(), 'server', '--url', url, '--scenario', scenario)
  expect(`${stdout}${stderr}`).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/)
}

describe('the conformance runner of the protocol', () => {
  test('has no scenario for servers that is not run', async () => {
    const { stdout } = await runner(scratch(), 'list')
    const [servers = ''] = stdout.split('Client scenarios')
    const names = [...servers.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(20)
    expect(names.toSorted()).toEqual([...APPLY, ...BY_NAME, ...NOT_OFFERED].toSorted())
  })

  test.each(APPLY)('%s, by the server itself', async (scenario) => {
    const server = await served()
    await passed(`${server.url}/mcp`, scenario)
  })

  test.each(BY_NAME)('%s, by the server with the tools that the runner knows', async (scenario) => {
    await passed(await servedFixture(), scenario)
  })
})
