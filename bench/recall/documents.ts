import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Record } from '../report.ts'
import { sized } from '../size.ts'
import type { Conversation } from './data.ts'
import { type Answered, measuresOf } from './measures.ts'
import { bm25 } from './rivals.ts'
import { FILES, withConversation } from './stores.ts'

// Questions and statements put to stores of plain documents, where nothing was said in turns.

/** Questions to pages of an encyclopedia and of medicine; statements to pieces of minutes. */
const SETS = { medquad: 'qa', qmsum: null, wikipedia: 'summary' } as const
const DOCUMENTS = sized(2_000, 40)
const QUESTIONS = sized(400, 5)
const LIMIT = 20

interface Pair {
  readonly a: string
  readonly b: string
  readonly kind: string
}

/** A document each fifth pair, and one question for each document. */
function documentsOf(path: string, set: string, kind: string | null): Conversation {
  const pairs = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Pair) // a line of the data
    .filter((pair) => kind === null || pair.kind === kind)
  const questionOf = new Map<string, string>()
  for (const { a, b } of pairs.filter((_, at) => at % 5 === 0))
    if (questionOf.size < DOCUMENTS && !questionOf.has(b)) questionOf.set(b, a)
  const all = [...questionOf].map(([text, question], at) => ({ id: `d${at}`, text, question }))
  const every = Math.max(1, Math.floor(all.length / QUESTIONS))
  return {
    id: set,
    set,
    turns: all.map(({ id, text }) => ({
      ...{ id, text, session: id, at: '2024-01-01' },
      ...{ role: 'user', speaker: 'user' },
    })),
    questions: all
      .filter((_, at) => at % every === 0)
      .map(({ id, question }) => ({
        ...{ id: `q ${id}`, category: 'document', text: question },
        evidence: [id],
      })),
  }
}

/** Left out where the folder holds no pairs. */
export async function benchDocuments(record: Record, folder: string): Promise<void> {
  const archive = join(folder, 'pairs.tar.xz')
  if (!existsSync(archive)) return
  const unpacked = mkdtempSync(join(tmpdir(), 'muniment-pairs-'))
  try {
    const names = Object.keys(SETS).map((set) => `${set}.jsonl`)
    const { status } = spawnSync('tar', ['xJf', archive, '-C', unpacked, ...names])
    if (status !== 0) return console.error('recall: documents are left out; tar cannot unpack them')
    for (const [set, kind] of Object.entries(SETS))
      await askDocuments(record, documentsOf(join(unpacked, `${set}.jsonl`), set, kind))
  } finally {
    rmSync(unpacked, { recursive: true, force: true })
  }
}

/** Search beside bm25, each document a memory of its own. */
export async function askDocuments(record: Record, documents: Conversation): Promise<void> {
  const words = bm25(documents)
  const [search, plain]: [Answered[], Answered[]] = [[], []]
  await withConversation(documents, FILES, async ({ stack, turnOf }) => {
    for (const { text, evidence: gold } of documents.questions) {
      const results = await stack.search(text, { limit: LIMIT })
      const order = results.map(({ metadata }) => turnOf.get(String(metadata.ref)) ?? '')
      search.push({ gold, order })
      plain.push({ gold, order: words(text) })
    }
  })
  const [ours, theirs] = [measuresOf(search).ndcg10, measuresOf(plain).ndcg10]
  const name = `documents, ${documents.set}`
  const budget = { budget: '≥ bm25 alone', met: ours >= theirs }
  record({ name: `${name}, search, NDCG@10`, value: ours, unit: '', ...budget })
  record({ name: `${name}, bm25 alone, NDCG@10`, value: theirs, unit: '' })
}
