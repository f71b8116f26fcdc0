import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isTiny } from '../size.ts'

export interface Turn {
  readonly id: string
  readonly session: string
  readonly at: string
  readonly role: string
  readonly speaker: string
  readonly text: string
}

export interface Asked {
  readonly id: string
  readonly category: string
  readonly text: string
  readonly evidence: readonly string[]
  /** Statements that replaced the evidence or were replaced by it: neither right nor wrong. */
  readonly beside?: readonly string[]
}

export interface Conversation {
  readonly id: string
  /** Which file it came from. */
  readonly set: string
  readonly turns: readonly Turn[]
  readonly questions: readonly Asked[]
}

const FILES: Readonly<Record<string, string>> = {
  locomo: 'locomo-dev.jsonl',
  beam: 'beam-dev.jsonl',
}

export const dataFolder = (): string | undefined =>
  process.argv.find((arg) => arg.startsWith('--data='))?.slice('--data='.length) ??
  process.env.MUNIMENT_DATA

/** What the folder holds: `recall/<set>-dev.jsonl`, a conversation a line. */
export function readConversations(folder: string): readonly Conversation[] {
  return Object.entries(FILES).flatMap(([set, file]) => {
    const path = join(folder, 'recall', file)
    if (!existsSync(path)) return []
    const lines = readFileSync(path, 'utf8').trim().split('\n')
    const all = lines.map((line) => ({ ...JSON.parse(line), set }) as Conversation)
    return isTiny ? all.slice(0, 1).map(beginningOf) : all
  })
}

const beginningOf = (conversation: Conversation): Conversation => ({
  ...conversation,
  turns: conversation.turns.slice(0, 30),
  questions: conversation.questions.slice(0, 5),
})

/** Category 5 asks of one person what the other did: the store holds no answer. */
export const isAnswerable = ({ category, evidence }: Asked): boolean =>
  category !== 'cat5' && category !== 'abstention' && evidence.length > 0

const MONTHS =
  'january february march april may june july august september october november december'.split(' ')
const ISO_DAY = /^\d{4}-\d\d-\d\d$/
const AT_TIME = /^(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)$/
const AT_DAY = /^(\w+)-(\d+)-(\d+)$/

/** `1:56 pm on 8 May, 2023` or `March-15-2024`. */
export function momentOf(at: string): number {
  if (ISO_DAY.test(at)) return Date.parse(at)
  const time = AT_TIME.exec(at)
  if (time) {
    const [, hour, minute, half, day, month = '', year] = time
    const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0)
    return Date.UTC(
      Number(year),
      MONTHS.indexOf(month.toLowerCase()),
      Number(day),
      hours,
      Number(minute),
    )
  }
  const [, month = '', day, year] = AT_DAY.exec(at) ?? []
  return Date.UTC(Number(year), MONTHS.indexOf(month.toLowerCase()), Number(day))
}
