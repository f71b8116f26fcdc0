import { LIMITS } from '../../domain/limits.ts'
import type { Entity, Relation } from './graph.ts'

/** A line of a memory file that is no record. */
export interface BadLine {
  readonly line: number
  readonly why: string
}

type FileRecord = ({ type: 'entity' } & Entity) | ({ type: 'relation' } & Relation)

/** The records of a memory file, in order, and every line that is none. */
export function readLines(lines: readonly string[]): {
  readonly records: readonly FileRecord[]
  readonly bad: readonly BadLine[]
} {
  const records: FileRecord[] = []
  const bad: BadLine[] = []
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const found = recordOf(line)
    if (typeof found === 'string') bad.push({ line: index + 1, why: found })
    else records.push(found)
  }
  return { records, bad }
}

/** A record, or the reason for its refusal. */
function recordOf(line: string): FileRecord | string {
  if (line.length > LIMITS.textCharsMax) return `is longer than ${LIMITS.textCharsMax} characters`
  if (!line.isWellFormed()) return 'holds half a character'
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return 'is not JSON'
  }
  if (typeof value !== 'object' || value === null) return 'is no object'
  const { type, name, entityType, observations, from, to, relationType } = value as Record<
    string,
    unknown
  > // members are checked below
  if (type === 'entity') {
    if (!isText(name) || !isText(entityType)) return 'is an entity without name and entityType'
    if (!Array.isArray(observations) || !observations.every(isText)) {
      return 'is an entity whose observations are no list of texts'
    }
    return { type, name, entityType, observations }
  }
  if (type !== 'relation') return 'is neither an entity nor a relation'
  if (isText(from) && isText(to) && isText(relationType)) return { type, from, to, relationType }
  return 'is a relation without from, to and relationType'
}

const isText = (value: unknown): value is string => typeof value === 'string'
