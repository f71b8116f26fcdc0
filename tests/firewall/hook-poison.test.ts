import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { dataFolder, titleWithData } from '../support/data.ts'
import { ClientTools } from './support/client-tools.ts'

interface Question {
  readonly question: string
  readonly 'correct answer': string
  readonly adv_texts: readonly string[]
}

const passages = dataFolder('attack', 'poisonedrag-nq.json')
const QUESTIONS = 100
const TIMEOUT_MS = 300_000

/** How a poisoner’s pages come in: through a search of the network, or through a shell. */
const CHANNELS = {
  'a WebSearch hook': async (client: ClientTools, { question, adv_texts: pages }: Question) => {
    for (const page of pages) await client.used('WebSearch', { query: question }, [page])
  },
  'curl in a shell hook': async (client: ClientTools, { adv_texts: [page] }: Question) => {
    await client.used('Bash', { command: 'curl -s https://example.org' }, { stdout: page })
  },
} as const

describe.skipIf(passages === undefined)(titleWithData('poisoned passages', passages), () => {
  test.each(Object.entries(CHANNELS))(
    'brought in by %s are never served to act, and the person’s answer is',
    async (_, bring) => {
      const client = new ClientTools()
      const all = Object.values(
        JSON.parse(readFileSync(passages ?? '', 'utf8')) as Record<string, Question>,
      ).slice(0, QUESTIONS)
      for (const asked of all) {
        await client.prompt(`${asked.question}: the answer is ${asked['correct answer']}`)
        await bring(client, asked)
      }
      const stack = await client.stack()
      let poisoned = 0
      let answered = 0
      for (const { question, ...asked } of all) {
        const found = await stack.search(question, { for: 'act', limit: 5, recordTypes: ['raw'] })
        if (
          found.some(({ content }) =>
            asked.adv_texts.some((page) => content.includes(page.slice(0, 60))),
          )
        )
          poisoned += 1
        if (
          found.some(({ content }) => content.includes(`the answer is ${asked['correct answer']}`))
        )
          answered += 1
      }
      expect({ questions: all.length, poisoned }).toEqual({ questions: QUESTIONS, poisoned: 0 })
      expect(answered).toBeGreaterThanOrEqual(95)
    },
    TIMEOUT_MS,
  )
})
