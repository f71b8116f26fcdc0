import { z } from 'zod'
import { once } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'

/** A line of a memory file that is no record. */
export interface BadLine {
  readonly line: number
  readonly why: string
  readonly text: string
}

const record = once(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('entity'),
      name: z.string(),
      entityType: z.string(),
      observations: z.array(z.string()),
    }),
    z.object({
      type: z.literal('relation'),
      from: z.string(),
      to: z.string(),
      relationType: z.string(),
    }),
  ]),
)

export type FileRecord = z.output<ReturnType<typeof record>>

/** The records of a memory file, in order, and every line that is none. */
export function readLines(lines: readonly string[]): {
  readonly records: readonly FileRecord[]
  readonly bad: readonly BadLine[]
} {
  const records: FileRecord[] = []
  const bad: BadLine[] = []
  for (const [index, text] of lines.entries()) {
    if (text.trim() === '') continue
    const found = recordOf(text)
    if (typeof found === 'string') bad.push({ line: index + 1, why: found, text })
    else records.push(found)
  }
  return { records, bad }
}

/** A record, or the reason for its refusal. */
function recordOf(line: string): FileRecord | string {
  if (line.length > LIMITS.textCharsMax) return `is longer than ${LIMITS.textCharsMax} characters`
  if (!line.isWellFormed()) return 'holds half a character'
  try {
    const { data, error } = record().safeParse(JSON.parse(line))
    const [issue] = error?.issues ?? []
    return data ?? `is no record: ${issue?.path.join('.')}: ${issue?.message}`
  } catch {
    return 'is not JSON'
  }
}
