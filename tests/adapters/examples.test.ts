import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const FOLDER = new URL('../../examples/', import.meta.url)
const SOURCE = new URL('support/source-exports.mjs', import.meta.url).href
const LINES_MAX = 24

/** The output of each example that needs nothing beside the packages installed here. */
const PRINTS: Readonly<Record<string, string>> = {
  'ai-sdk.ts':
    'assistant:ai_sdk, tier 1: Noted: no peanuts.\nann, tier 3: I am allergic to peanuts.\n',
  'anthropic.ts':
    "Here's the content of /memories/launch.md with line numbers:\n" +
    '     1\tThe launch is on Monday.\n' +
    'line 1 by assistant:memory_tool\n' +
    'said by the person: Remember that the launch is on Monday.\n',
  'claude-agent-sdk.ts': '1 message for the SDK\nann, tier 3: I live in Berlin.\n',
  'mem0.ts':
    'Ann lives in Berlin.\nUPDATE: Ann lives in Berlin.\nADD: I live in Berlin.\nfrom: I live in Berlin.\n',
  'server-memory.ts':
    '[{"name":"Ann","entityType":"person","observations":["lives in Berlin"]}]\n' +
    'tier 1, version 2\nsaid by the person: I live in Berlin.\n',
  'langgraph.ts':
    'home: {"city":"Lisbon"}\n' +
    'version 2 by assistant:langgraph\n' +
    'said by the person: I moved to Lisbon.\n',
  'openai-agents.ts':
    'assistant:openai_agents, tier 1: Noted: Berlin.\nann, tier 3: I live in Berlin.\n',
  'first-memory.ts':
    'raw, tier 2: Deploy failed: migration 12 locked the table\n' +
    'note, tier 1: Migration 12 locks the table\n' +
    'belief, tier 1: Migrations go before the deploy\n' +
    'refused: A belief cannot be saved like this: It cites no source.\n',
  'chatbot.ts': 'ann: | I am allergic to peanuts\nbob: | I love peanut butter\n',
  'contest.ts': 'contested: Berlin (ann), Paris (bob)\nheld: Paris (bob)\n',
  'erasure.ts':
    'would go: 2 memories\ncertificate holds: true\naudit holds: true\n' +
    'phone: unknown, city: Lisbon\n',
  'receipt.ts': 'as sent: true\nforged: false, commitment.mismatch\n',
}

test.for(Object.entries(PRINTS))('examples/%s prints what it promises', ([name, prints]) => {
  const file = fileURLToPath(new URL(name, FOLDER))
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', SOURCE, file], {
    encoding: 'utf8',
  })
  expect({ stdout, stderr }).toEqual({ stdout: prints, stderr: '' })
})

test('every example is short', () => {
  for (const name of readdirSync(FOLDER)) {
    const lines = readFileSync(new URL(name, FOLDER), 'utf8').trimEnd().split('\n')
    expect(lines.length, name).toBeLessThanOrEqual(LINES_MAX)
  }
})
