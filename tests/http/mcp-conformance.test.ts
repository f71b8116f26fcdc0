import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { scratch } from '../cli/support/scratch.ts'
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
]

/** Why the others do not apply: they need parts of the protocol that a memory has no use for. */
const NOT_OURS: Readonly<Record<string, string>> = {
  'logging-set-level': 'the log is stderr; the protocol has let go of its own',
  'completion-complete': 'no completion is offered',
  'resources-subscribe': 'no subscription is offered: HTTP has the changes as events',
  'resources-unsubscribe': 'no subscription is offered',
  'server-sse-polling': 'asks for a test tool; streams are not cut and resumed',
  ...Object.fromEntries(
    [
      'tools-call-simple-text',
      'tools-call-image',
      'tools-call-audio',
      'tools-call-embedded-resource',
      'tools-call-mixed-content',
      'tools-call-with-logging',
      'tools-call-error',
      'tools-call-with-progress',
      'tools-call-sampling',
      'tools-call-elicitation',
      'json-schema-2020-12',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
      'resources-read-text',
      'resources-read-binary',
      'resources-templates-read',
      'prompts-get-simple',
      'prompts-get-with-args',
      'prompts-get-embedded-resource',
      'prompts-get-with-image',
    ].map((name) => [name, 'calls a tool, resource or prompt that only a test server has']),
  ),
}

describe('the conformance runner of the protocol', () => {
  test('has no scenario for servers that is neither run nor argued away', async () => {
    const { stdout } = await runner(scratch(), 'list')
    const [servers = ''] = stdout.split('Client scenarios')
    const names = [...servers.matchAll(/^ {2}- (\S+)$/gm)].map(([, name = '']) => name)
    expect(names.length).toBeGreaterThan(20)
    expect(names.toSorted()).toEqual([...APPLY, ...Object.keys(NOT_OURS)].toSorted())
  })

  test.each(APPLY)('%s', async (scenario) => {
    const server = await served()
    const args = ['server', '--url', `${server.url}/mcp`, '--scenario', scenario]
    const { stdout, stderr } = await runner(scratch(), ...args)
    expect(`${stdout}${stderr}`).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/)
  })
})
