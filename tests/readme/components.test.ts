import { expect, test } from 'vitest'
import { runSample } from './support/run-sample.ts'
import { samplesOf } from './support/samples.ts'

/** The sample that holds `mark`, as a reader runs it who adds lines. */
function run(mark: string, more: string, change = (code: string): string => code) {
  const sample = samplesOf('docs/components.md', 'ts').find(({ code }) => code.includes(mark))
  return runSample(`${change(sample?.code ?? '')}\n${more}`)
}

test('the component of the page measures, sorts, shows itself and counts', () => {
  const { stdout, stderr } = run(
    'class Lengths',
    `import { Entity } from 'muniment'
     const me = new Entity('reader')
     await me.attachStack(stack)
     await me.note('A short tale of the harbour')
     await me.note('A tale of the harbour, ' + 'told at length '.repeat(20))
     const [first] = await stack.search('tale of the harbour', { recordTypes: ['note'] })
     const [newest] = await stack.getNotes({ limit: 1 })
     const { lengths } = await stack.maintenance()
     console.log(JSON.stringify([first.content.length, newest.annotations.lengths,
       (await stack.load()).lengths, lengths, await stack.health.componentErrors()]))`,
  )
  expect(stderr).not.toContain('Error')
  expect(JSON.parse(stdout)).toEqual([27, { characters: 323 }, { measured: true }, { long: 1 }, {}])
})

test('the example of a model on the page runs to its end', () => {
  const answer = JSON.stringify({ items: [] })
  const { stdout, stderr, status } = run('aiSdkModel', "console.log('done')", (code) =>
    code
      .replace(/import \{ openai \}.*\n/, '')
      .replace(
        'import { aiSdkModel }',
        "import { MockEmbeddingModelV4, MockLanguageModelV4 } from 'ai/test'\nimport { aiSdkModel }",
      )
      .replace(
        "openai('gpt-5-mini')",
        `new MockLanguageModelV4({ provider: 'mock', modelId: 'one', doGenerate: {
           content: [{ type: 'text', text: ${JSON.stringify(answer)} }],
           finishReason: { unified: 'stop', raw: 'stop' }, warnings: [],
           usage: { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
                    outputTokens: { total: 1, text: 1, reasoning: 0 } } } })`,
      )
      .replace(
        "openai.embedding('text-embedding-3-small')",
        `new MockEmbeddingModelV4({ provider: 'mock', modelId: 'vectors', maxEmbeddingsPerCall: 64,
           doEmbed: async ({ values }) => ({ warnings: [],
             embeddings: values.map(() => Array.from({ length: 1536 }, (_, at) => Math.sin(at))) }) })`,
      ),
  )
  expect(stderr).not.toContain('Error')
  expect(status).toBe(0)
  expect(stdout).toContain('done')
})
