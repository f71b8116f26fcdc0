import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const from = (path: string): string => new URL(`../../${path}`, import.meta.url).href
const PAGE = readFileSync(new URL('../../docs/components.md', import.meta.url), 'utf8')
const EXAMPLES = [...PAGE.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)

/** The example that holds `mark`, as a reader who copied it would run it, and what he adds to it. */
function run(mark: string, more: string, change = (code: string): string => code) {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-page-'))
  try {
    // What it imports is found where a reader would have installed it.
    symlinkSync(fileURLToPath(from('node_modules')), join(folder, 'node_modules'))
    const example = EXAMPLES.find((code) => code.includes(mark)) ?? ''
    const code = change(example)
      .replace("from 'muniment'", `from '${from('src/index.ts')}'`)
      .replace("from 'muniment/ai-sdk'", `from '${from('src/adapters/ai-sdk/index.ts')}'`)
    const file = join(folder, 'example.ts')
    writeFileSync(file, `${code}\n${more}`)
    const env = { ...process.env, MUNIMENT_HOME: folder, NODE_OPTIONS: '' }
    return spawnSync(process.execPath, [file], { cwd: folder, env, encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('the component of the page measures, sorts, shows itself and counts', () => {
  const { stdout, stderr } = run(
    'class Lengths',
    `import { Entity } from '${from('src/index.ts')}'
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
