import { readFileSync } from 'node:fs'
import type { JsonValue } from '../../src/domain/kinds/json-value.ts'
import type { Conversation, Turn } from './data.ts'

export interface DayMemory {
  readonly id: string
  readonly topic: string
  readonly day: string
  readonly by: 'person' | 'agent'
  readonly kind: 'prompt' | 'note' | 'run' | 'decision' | 'belief' | 'goal' | 'claim'
  readonly text: string
  /** Memories whose fact this one replaces. */
  readonly replaces: readonly string[]
  /** A standing wish of a person, in the person's words or in the agent's. */
  readonly wish?: true
  /** A goal that was completed at once. */
  readonly done?: true
  readonly claim?: {
    readonly subject: string
    readonly predicate: string
    readonly value: JsonValue
  }
}

export interface DayQuestion {
  readonly id: string
  readonly topic: string
  readonly half: 'dev' | 'held'
  readonly kind: string
  readonly text: string
  readonly answers: readonly string[]
  /** Replaced facts for a question of now; the present fact for a question of the past. */
  readonly outdated: readonly string[]
}

const linesOf = <T>(name: string): readonly T[] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T) // written beside this file

/** A store whose memories were kept over some weeks, and its questions. */
export interface Days {
  readonly name: 'agent-day' | 'household'
  /** Days on which a session starts, the last one after every memory. */
  readonly starts: readonly string[]
}

/** A developer agent: its dev half may tune weights and rules. */
export const AGENT_DAY: Days = {
  name: 'agent-day',
  starts: ['2026-03-16', '2026-03-23', '2026-03-30', '2026-04-06', '2026-04-08'],
}
/** An assistant of a household: held out as a whole. */
export const HOUSEHOLD: Days = {
  name: 'household',
  starts: ['2026-05-18', '2026-05-25', '2026-06-01', '2026-06-08'],
}

export const dayMemories = ({ name }: Days): readonly DayMemory[] =>
  linesOf(`${name}-memories.jsonl`)
export const dayQuestions = ({ name }: Days): readonly DayQuestion[] =>
  linesOf(`${name}-questions.jsonl`)

export const turnsOf = (memories: readonly DayMemory[]): readonly Turn[] =>
  memories.map(({ id, day, by, kind, text }) => ({
    id,
    session: `${day} ${kind === 'prompt' ? 'prompts' : 'notes'}`, // stretches are of one kind
    at: day,
    role: by === 'person' ? 'user' : 'assistant',
    speaker: by === 'person' ? 'user' : 'assistant',
    text,
  }))

/** The dev half as conversations for learning: each topic asks of all memories. */
export function devDays(): readonly Conversation[] {
  const turns = turnsOf(dayMemories(AGENT_DAY))
  const dev = dayQuestions(AGENT_DAY).filter(({ half }) => half === 'dev')
  return [...new Set(dev.map(({ topic }) => topic))].map((topic) => ({
    id: `agent-day ${topic}`,
    set: 'agent-day',
    turns,
    questions: dev
      .filter((each) => each.topic === topic)
      .map(({ id, kind, text, answers, outdated }) => ({
        ...{ id, text, evidence: answers, beside: outdated },
        category: kind === 'none' ? 'abstention' : kind,
      })),
  }))
}
