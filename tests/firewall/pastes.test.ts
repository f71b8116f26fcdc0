import { describe, expect, test } from 'vitest'
import { ClientTools } from './support/client-tools.ts'
import { FRESH_PASTES, FRESH_TYPED } from './support/fresh-prompts.ts'
import { HONEST, PASTED_WORDS, PASTES } from './support/prompts.ts'

const sentencesIn = (text: string): readonly string[] =>
  text.split(/(?<=[.?!])\s+|\n/).filter((sentence) => sentence.trim() !== '')

async function capturesOf(prompt: string) {
  const client = new ClientTools()
  await client.prompt(prompt)
  return client.captures()
}

describe('what a person pasted', () => {
  test.each(PASTES)('is no word of the person: %j', async (prompt) => {
    const captures = await capturesOf(prompt)
    const holding = captures.filter(({ text }) => text.includes(PASTED_WORDS))
    expect(holding.map(({ label, tier }) => [label, tier])).toEqual([['ExternalFirstHand', 1]])
  })
})

test('of the sentences in forty honest prompts, nine of ten stay the person’s, at tier 3', async () => {
  expect([HONEST.length, PASTES.length]).toEqual([40, 41])
  let all = 0
  const lost: string[] = []
  for (const parts of HONEST) {
    const prompt = parts.map((part) => (typeof part === 'string' ? part : part.code)).join('\n\n')
    const captures = await capturesOf(prompt)
    const own = captures.filter(({ tier, label }) => tier === 3 && label === 'UserAsserted')
    for (const sentence of parts.flatMap((part) =>
      typeof part === 'string' ? sentencesIn(part) : [],
    )) {
      all += 1
      if (!own.some(({ text }) => text.includes(sentence))) lost.push(sentence)
    }
  }
  expect(all).toBeGreaterThan(120)
  expect(lost.length / all, lost.join('\n')).toBeLessThanOrEqual(0.1)
})

describe('prompts that the rules had not seen when the prompts were written', () => {
  test('nineteen of twenty pastes are no words of the person', async () => {
    const own: string[] = []
    for (const { prompt, words } of FRESH_PASTES) {
      const holding = (await capturesOf(prompt)).filter(({ text }) => text.includes(words))
      expect(holding, prompt).toHaveLength(1)
      if (holding.some(({ tier }) => tier !== 1)) own.push(prompt)
    }
    expect(FRESH_PASTES).toHaveLength(20)
    expect(own.length, own.join('\n\n')).toBeLessThanOrEqual(1)
  })

  test('nine of ten sentences of twenty long typed prompts stay the person’s, at tier 3', async () => {
    const lost: string[] = []
    let all = 0
    for (const prompt of FRESH_TYPED) {
      const own = (await capturesOf(prompt)).filter(({ tier }) => tier === 3)
      const sentences = sentencesIn(prompt)
      all += sentences.length
      lost.push(...sentences.filter((each) => !own.some(({ text }) => text.includes(each))))
    }
    expect(FRESH_TYPED).toHaveLength(20)
    expect(lost.length / all, lost.join('\n')).toBeLessThanOrEqual(0.1)
  })
})

describe('a prompt that no person typed', () => {
  test.each([
    ['a script', { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }],
    ['a program', { CLAUDE_CODE_ENTRYPOINT: 'sdk-ts' }],
    ['a build machine', { CLAUDE_CODE_ENTRYPOINT: 'cli', CI: 'true' }],
  ])('has tier 1: %s', async (_, env) => {
    const client = new ClientTools()
    client.env = env
    await client.prompt('We deploy on Fridays.')
    expect(await client.captures()).toEqual([
      { text: 'We deploy on Fridays.', tier: 1, label: 'ExternalFirstHand' },
    ])
  })

  test.each([
    [{ CLAUDE_CODE_ENTRYPOINT: 'cli' }],
    [{ CLAUDE_CODE_ENTRYPOINT: 'claude-vscode' }],
    [{}],
  ])('and one that a person typed has tier 3: %j', async (env) => {
    const client = new ClientTools()
    client.env = env
    await client.prompt('We deploy on Mondays.')
    expect(await client.captures()).toEqual([
      { text: 'We deploy on Mondays.', tier: 3, label: 'UserAsserted' },
    ])
  })
})

test('secrets are taken out of a paste as of the person’s words', async () => {
  const token = `ghp_${'a1B2'.repeat(9)}`
  const captures = await capturesOf(
    `Push with ${token} please.\n\`\`\`\nPASSWORD=hunter-22\n${token}\n\`\`\``,
  )
  expect(captures).toHaveLength(2)
  const kept = captures.map(({ text }) => text).join('\n')
  expect(kept).not.toContain(token)
  expect(kept).not.toContain('hunter-22')
  expect(kept.match(/\[redacted:github-token\]/g)).toHaveLength(2)
})
