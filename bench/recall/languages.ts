import { readFileSync } from 'node:fs'
import type { Record } from '../report.ts'
import type { Conversation } from './data.ts'
import { askDocuments } from './documents.ts'

// Statements put as questions, in five languages of four scripts, written for this bench: ten
// passages with a rewording of each, and eight that share words with the rewordings.

interface Line {
  readonly language: string
  readonly text: string
  readonly question?: string
}

const LINES = new URL('languages.jsonl', import.meta.url)

export async function benchLanguages(record: Record): Promise<void> {
  const lines = readFileSync(LINES, 'utf8').trim().split('\n')
  const all = lines.map((line) => JSON.parse(line) as Line) // written beside this file
  for (const language of new Set(all.map((line) => line.language)))
    await askDocuments(
      record,
      storeOf(
        language,
        all.filter((line) => line.language === language),
      ),
    )
}

const storeOf = (language: string, lines: readonly Line[]): Conversation => ({
  id: `statements-${language}`,
  set: `statements in ${language}`,
  turns: lines.map(({ text }, at) => ({
    ...{ id: `d${at}`, text, session: `d${at}`, at: '2024-01-01' },
    ...{ role: 'user', speaker: 'user' },
  })),
  questions: lines.flatMap(({ question }, at) =>
    question === undefined
      ? []
      : { id: `q${at}`, category: 'document', text: question, evidence: [`d${at}`] },
  ),
})
