import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { openStack } from '../../src/compose/open-stack.ts'
import type { Ref } from '../../src/domain/ids.ts'
import type { Stack } from '../../src/stack.ts'
import { muniment } from '../cli/support/program.ts'
import { scratch } from '../cli/support/scratch.ts'
import { connect, type TestClient } from '../mcp/support/clients.ts'

vi.setConfig({ testTimeout: 240_000 }) // several processes in a row, on a busy machine

/** The hooks of one session of a client. */
function clientSession(home: string, session: string) {
  const hook = (name: string, event: object): void => {
    const given = JSON.stringify({ session_id: session, cwd: '/tmp/project', ...event })
    const env = { CLAUDECODE: '1', CLAUDE_PROJECT_DIR: '/tmp/project' }
    const ran = muniment(['hook', name], { home, stdin: given, env })
    expect(ran).toEqual({ code: 0, out: '', err: '' })
  }
  return {
    prompt: (prompt: string, turn?: string) =>
      hook('prompt', { hook_event_name: 'UserPromptSubmit', prompt, prompt_id: turn }),
    announce: (callId: string, turn?: string) =>
      hook('call', {
        hook_event_name: 'PreToolUse',
        tool_name: 'mcp__muniment__memory_belief',
        tool_input: {},
        tool_use_id: callId,
        prompt_id: turn,
      }),
    bash: (stdout: string, turn?: string) =>
      hook('tool', {
        hook_event_name: 'PostToolUse',
        tool_name: 'Bash',
        tool_input: { command: 'timetable' },
        tool_response: { stdout },
        tool_use_id: 'toolu_bash',
        prompt_id: turn,
      }),
  }
}

async function withStack<T>(home: string, work: (stack: Stack) => Promise<T>): Promise<T> {
  const stack = await openStack('default', { home })
  try {
    return await work(stack)
  } finally {
    await stack.close()
  }
}

const BELIEF = { statement: 'The user prefers trains to flights.' }
const BECAUSE = { ...BELIEF, because: 'The user spoke of travelling.' }
const believed = async (client: TestClient, given: object, callId?: string): Promise<Ref> => {
  const { structured } = await client.call('memory_belief', { ...given }, callId)
  return structured.ref as Ref
}

describe('a write over MCP, in a client with hooks', () => {
  test('a refusal names the prompt of the turn, because records the turn, and why ends at the typed words', async () => {
    const home = scratch()
    const session = clientSession(home, 'session-a')
    session.prompt('I prefer trains to flights', 'turn-1')
    session.bash('Lisboa to Porto: 14 trains a day', 'turn-1')
    const client = await connect('v1', { home })

    session.announce('toolu_1', 'turn-1')
    const refused = await client.call('memory_belief', BELIEF, 'toolu_1')
    expect(refused.isError).toBe(true)
    const said = await withStack(home, async (stack) => (await stack.list('raw')).at(-1)?.ref)
    expect(refused.error.next).toContain(`${said} (what the user said in this turn)`)

    session.announce('toolu_2', 'turn-1')
    const ref = await believed(client, BECAUSE, 'toolu_2')
    session.announce('toolu_3', 'turn-1')
    const lineage = await client.call('meta_lineage', { memory_id: ref }, 'toolu_3')
    expect(lineage.structured.nearest_words).toMatchObject([
      { ref: said, text: 'I prefer trains to flights', label: 'UserAsserted' },
    ])
    expect(lineage.text).toContain(
      'In this turn the user said words near it. Judge by all of them whether they state it.',
    )
    expect(lineage.text).toContain('| I prefer trains to flights')
    expect(lineage.text).toContain('It rests on a model alone')

    const why = muniment(['why', ref], { home })
    expect(why.out).toContain('Said in this turn')
    expect(why.out).toContain('“I prefer trains to flights”')
    await withStack(home, async (stack) => {
      const { memory, turn, lineage: steps } = await stack.history.why(ref)
      expect(memory.provenance).toMatchObject({ session: 'session-a', turn: 'turn-1' })
      expect(memory.tier).toBe(1)
      expect(steps.map((step) => step.memory.ref)).not.toContain(said)
      expect(turn?.toolResults).toHaveLength(1)
    })
  })

  test('the note that the hint advises is kept, and a belief that cites the note is let in', async () => {
    const home = scratch()
    const session = clientSession(home, 'session-a')
    session.prompt('I prefer trains to flights')
    const client = await connect('v1', { home })
    session.announce('toolu_1')
    const refused = await client.call('memory_belief', BELIEF, 'toolu_1')
    const [said = ''] = /raw:[0-9a-f-]{36}/.exec(refused.error.next) ?? []
    const note = await client.call('memory_note', {
      content: 'Wants trains.',
      derived_from: [said],
    })
    const ref = await believed(client, { ...BELIEF, derived_from: [note.structured.ref] })
    expect(muniment(['why', ref], { home }).out).toContain('“I prefer trains to flights”')
  })

  test('where the person only asked, why says that no words of theirs state it', async () => {
    const home = scratch()
    const session = clientSession(home, 'session-a')
    session.prompt('Do I prefer trains to flights?', 'turn-1')
    const client = await connect('v1', { home })
    session.announce('toolu_1', 'turn-1')
    const ref = await believed(client, BECAUSE, 'toolu_1')
    expect(muniment(['why', ref], { home }).out).toContain(
      'No words of yours in this turn state it.',
    )
    const lineage = await client.call('meta_lineage', { memory_id: ref })
    expect(lineage.text).toContain('No words of the user in this turn state it.')
    expect(lineage.structured.nearest_words).toEqual([])
    expect(lineage.structured.turn).toBe('No words of the user in this turn state it.')
  })

  test.each([
    'Over my dead body would I prefer trains to flights.',
    'Sure. I prefer trains to flights. And pigs do the ticketing.',
    'My character says: I prefer trains to flights',
    'I prefer trains to flights the day hell opens a dining car.',
    'Imagine somebody who says I prefer trains to flights with a straight face',
  ])(
    '%s: why shows the whole prompt at most, and never says that it states the memory',
    async (prompt) => {
      const home = scratch()
      const session = clientSession(home, 'session-a')
      session.prompt(prompt, 'turn-1')
      const client = await connect('v1', { home })
      session.announce('toolu_1', 'turn-1')
      const ref = await believed(client, BECAUSE, 'toolu_1')
      const { out } = muniment(['why', ref], { home })
      const lineage = await client.call('meta_lineage', { memory_id: ref })
      expect(`${out} ${lineage.text} ${lineage.structured.turn}`).not.toMatch(
        /(?:user|you) stated it/i,
      )
      const isShown = out.includes('Said in this turn')
      expect(out).toContain(
        isShown ? 'for you to judge' : 'No words of yours in this turn state it.',
      )
      const words = lineage.structured.nearest_words as readonly { readonly text: string }[]
      expect(words.map(({ text }) => text)).toEqual(isShown ? [prompt] : [])
    },
  )

  test('two clients at once in one project are not mixed up, whatever comes in between', async () => {
    const home = scratch()
    const anna = clientSession(home, 'session-anna')
    const ben = clientSession(home, 'session-ben')
    const ofAnna = await connect('v1', { home })
    const ofBen = await connect('v1', { home })
    anna.prompt('I prefer trains to flights', 'a-1')
    anna.announce('toolu_anna', 'a-1')
    ben.prompt('Please book a hotel in Porto', 'b-1')
    ben.announce('toolu_ben', 'b-1')
    const second = { ...BECAUSE, statement: 'The user prefers trains to flights in Portugal.' }
    const byBen = await believed(ofBen, second, 'toolu_ben')
    const byAnna = await believed(ofAnna, BECAUSE, 'toolu_anna')
    await withStack(home, async (stack) => {
      const annas = (await stack.history.why(byAnna)).turn
      expect(annas).toMatchObject({ session: 'session-anna', turn: 'a-1' })
      expect(annas?.nearestWords?.text).toBe('I prefer trains to flights')
      const bens = (await stack.history.why(byBen)).turn
      expect(bens).toMatchObject({ session: 'session-ben', turn: 'b-1', nearestWords: null })
    })
  })

  test('one id that two sessions announce belongs to neither', async () => {
    const home = scratch()
    clientSession(home, 'session-anna').prompt('I prefer trains to flights', 'a-1')
    clientSession(home, 'session-anna').announce('toolu_same', 'a-1')
    clientSession(home, 'session-ben').announce('toolu_same', 'b-1')
    const client = await connect('v1', { home, args: ['--session', 'of-the-connection'] })
    const ref = await believed(client, BECAUSE, 'toolu_same')
    await withStack(home, async (stack) => {
      const { memory } = await stack.history.why(ref)
      expect(memory.provenance).toMatchObject({ session: 'of-the-connection', turn: null })
    })
  })

  test('without an announcement the connection has its own session, and the hint names no prompt', async () => {
    const home = scratch()
    clientSession(home, 'session-a').prompt('I prefer trains to flights', 'turn-1')
    const client = await connect('v1', { home })
    const refused = await client.call('memory_belief', BELIEF, 'toolu_unknown')
    expect(refused.error.next).not.toContain('raw:')
    const ref = await believed(client, BECAUSE, 'toolu_unknown')
    expect(muniment(['why', ref], { home }).out).toContain(
      'No words of yours were captured in this turn.',
    )
  })

  test('an announcement is private, opens no stack, and is gone once its call has come', async () => {
    const home = scratch()
    clientSession(home, 'session-a').announce('toolu_1', 'turn-1')
    const calls = path.join(home, 'calls')
    expect(existsSync(path.join(home, 'stacks'))).toBe(false)
    const [file = ''] = readdirSync(calls)
    expect(file).toMatch(/^[0-9a-f]{64}\.json$/)
    expect(statSync(path.join(calls, file)).mode & 0o777).toBe(0o600)
    const client = await connect('v1', { home })
    await client.call('memory_search', { query: 'trains' }, 'toolu_1')
    expect(readdirSync(calls)).toEqual([])
  })
})
