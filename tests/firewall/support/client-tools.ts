import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { openStack } from '../../../src/compose/open-stack.ts'
import type { Stack } from '../../../src/stack.ts'
import { Desk } from '../../cli/support/fake-host.ts'
import { scratch } from '../../cli/support/scratch.ts'

/** A file of the project that is committed before any session begins. */
export const HANDBOOK = 'docs/handbook.md'
export const HANDBOOK_TEXT = 'Releases go out on Tuesdays.\nThe staging database is called Heron.\n'

const SHELL_ENV = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'someone',
  GIT_AUTHOR_EMAIL: 'someone@example.org',
  GIT_COMMITTER_NAME: 'someone',
  GIT_COMMITTER_EMAIL: 'someone@example.org',
}

/** A client with hooks, in a git project: tools run for real, and the hooks of the program get the results. */
export class ClientTools {
  readonly desk = new Desk(scratch())
  readonly project = scratch()
  session = 'session-1'
  env: Readonly<Record<string, string>> = { CLAUDE_CODE_ENTRYPOINT: 'cli' }

  constructor() {
    mkdirSync(path.join(this.project, 'docs'))
    writeFileSync(path.join(this.project, HANDBOOK), HANDBOOK_TEXT)
    for (const args of [
      ['init', '-q'],
      ['add', '.'],
      ['commit', '-qm', 'first'],
    ]) {
      execFileSync('git', args, { cwd: this.project, env: SHELL_ENV })
    }
  }

  async hook(name: string, more: object): Promise<string> {
    const event = { session_id: this.session, cwd: this.project, ...more }
    const { code, out, err } = await this.desk.call(['hook', name], {
      stdin: JSON.stringify(event),
      env: { CLAUDE_PROJECT_DIR: this.project, ...this.env },
    })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    return out
  }

  /** The person vouches for the committed files of the project. */
  async trust(): Promise<void> {
    const given = ['trust', 'captures', 'trust', 'Read', '--path', this.project]
    expect(await this.desk.person(given)).toMatchObject({ code: 0 })
  }

  start = (): Promise<string> =>
    this.hook('start', { hook_event_name: 'SessionStart', source: 'startup' })

  prompt = (prompt: string): Promise<string> =>
    this.hook('prompt', { hook_event_name: 'UserPromptSubmit', prompt })

  /** Any tool, with the result that the test gives. */
  used = (tool_name: string, tool_input: object, tool_response: unknown): Promise<string> =>
    this.hook('tool', { hook_event_name: 'PostToolUse', tool_name, tool_input, tool_response })

  /** Runs a command as a model does, and returns its output. */
  async bash(command: string): Promise<string> {
    const { stdout, stderr } = spawnSync('bash', ['-c', command], {
      cwd: this.project,
      env: { ...SHELL_ENV, TMPDIR: this.desk.home },
      encoding: 'utf8',
    })
    await this.used('Bash', { command, description: 'a step' }, { stdout, stderr })
    return stdout
  }

  async write(file: string, content: string): Promise<void> {
    const whole = path.resolve(this.project, file)
    mkdirSync(path.dirname(whole), { recursive: true })
    writeFileSync(whole, content)
    await this.used('Write', { file_path: whole, content }, { filePath: whole, content })
  }

  async edit(file: string, old_string: string, new_string: string): Promise<void> {
    const whole = path.resolve(this.project, file)
    writeFileSync(whole, readFileSync(whole, 'utf8').replace(old_string, new_string))
    const input = { file_path: whole, old_string, new_string }
    await this.used('Edit', input, {
      filePath: whole,
      oldString: old_string,
      newString: new_string,
    })
  }

  async read(file: string, tool = 'Read'): Promise<void> {
    const whole = path.resolve(this.project, file)
    const content = readFileSync(whole, 'utf8')
    await this.used(
      tool,
      { file_path: whole },
      { type: 'text', file: { filePath: whole, content } },
    )
  }

  /** Every capture, the newest first. */
  async captures(): Promise<readonly { text: string; tier: number; label: string }[]> {
    const stack = await this.stack()
    const raws = await stack.list('raw', { limit: 1_000, includeSetAside: true })
    return raws.map(({ text, tier, provenance: { label } }) => ({
      text,
      tier,
      label: label.type === 'External' ? label.kind : label.type,
    }))
  }

  stack = (): Promise<Stack> => openStack('default', { store: this.desk.store('default') })
}
