import { describe, expect, test } from 'vitest'
import {
  AGENT_SIGNS,
  agentSignIn,
  bearerOf,
  callerAt,
  type Signs,
} from '../../src/doors/cli/caller.ts'
import { holds } from '../support/holds.ts'

const TERMINAL: Signs = {
  stdinIsTerminal: true,
  stdoutIsTerminal: true,
  stderrIsTerminal: true,
  env: {},
}

const PIPED = { stdinIsTerminal: false, stdoutIsTerminal: false, stderrIsTerminal: false }

describe('who is calling', () => {
  test.each<[string, Partial<Signs>, boolean, string]>([
    ['a terminal on all three', {}, true, 'terminal'],
    ['stdout piped, stderr a terminal', { stdoutIsTerminal: false }, true, 'terminal'],
    ['stderr piped, stdout a terminal', { stderrIsTerminal: false }, true, 'terminal'],
    [
      'both outputs piped',
      { stdoutIsTerminal: false, stderrIsTerminal: false },
      false,
      'no terminal',
    ],
    ['stdin piped', { stdinIsTerminal: false }, false, 'no terminal'],
    ['everything piped', PIPED, false, 'no terminal'],
    ['a terminal in an agent’s shell', { env: { CLAUDECODE: '1' } }, false, 'agent'],
    ['an aider shell', { env: { AIDER_MODEL: 'some' } }, false, 'agent'],
    ['a build machine', { env: { CI: 'true' } }, false, 'agent'],
    ['CI switched off', { env: { CI: 'false' } }, true, 'terminal'],
    ['a sign set to nothing', { env: { CURSOR_AGENT: '' } }, true, 'terminal'],
  ])('%s', (_, signs, person, by) => {
    const who = callerAt({ ...TERMINAL, ...signs })
    expect({ person: who.person, by: who.by }).toEqual({ person, by })
    expect(who.label).toBe(person ? 'UserAsserted' : 'ModelDerived')
  })

  test('a token decides alone: it says whether its bearer is a person', () => {
    const grant = { ModelDerived: 1 } as const
    const person = bearerOf({ name: 'laptop', isPerson: true, grant })
    expect(person).toMatchObject({ person: true, label: 'UserAsserted', by: 'token', grant })
    const program = bearerOf({ name: 'agent', isPerson: false, grant })
    expect(program).toMatchObject({ person: false, label: 'ModelDerived', by: 'token', grant })
  })

  test('the sign that decided is named', () => {
    expect(callerAt({ ...TERMINAL, env: { GEMINI_CLI: '1' } })).toMatchObject({
      because: 'GEMINI_CLI is set in this shell',
      client: 'gemini-cli',
    })
    expect(callerAt({ ...TERMINAL, stdinIsTerminal: false }).because).toContain('stdin')
  })

  test('nothing in an ordinary environment is a sign', () => {
    expect(agentSignIn({ PATH: '/usr/bin', TERM: 'xterm', LANG: 'C', SSH_AGENT_PID: '1' })).toBe(
      undefined,
    )
  })
})

holds('PROV-DOOR', 'every sign of an agent makes the caller a model, whatever the terminal', () => {
  for (const sign of Object.keys(AGENT_SIGNS)) {
    const env = { [sign.replace('*', 'ANYTHING')]: '1' }
    expect(callerAt({ ...TERMINAL, env }).person, sign).toBe(false)
  }
  expect(callerAt(TERMINAL).person).toBe(true)
})
