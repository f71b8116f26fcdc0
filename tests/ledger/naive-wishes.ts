// Section 4 of docs/ledger-format.md: what only some may ask for, what others may wish for, and
// what a change may seal.

import { hasExactly, isList, isObject, type Json, readCanonical } from './naive-canonical.ts'
import type { Entry } from './naive-entry.ts'
import { commitmentOf } from './naive-hash.ts'
import { isExternal, type Memory } from './naive-memory.ts'
import type { SealedRow } from './naive-sealed.ts'

const TAKING = [
  'memory.forgotten',
  'memory.weakened',
  'memory.described',
  'memory.unprotected',
  'belief.deactivated',
  'memory.recovered',
  'memory.processed',
]

export const takesFrom = ({ op }: Entry): boolean => TAKING.includes(op)

const WISHES: Record<string, readonly string[]> = {
  forget: [],
  recover: [],
  process: [],
  weaken: ['amount'],
  describe: ['confidence'],
  protect: [],
  deactivate: [],
  supersede: [],
}

export function problemOfWish(
  { label, decision: { facts } }: Entry,
  memory: Memory,
  memories: ReadonlyMap<string, Memory>,
) {
  const { change, into, ...more } = facts
  const allowed = WISHES[String(change)]
  if (allowed === undefined) return 'wishes for an unknown change'
  const isShare = (value: Json): boolean => typeof value === 'number' && value >= 0 && value <= 1
  if (!Object.entries(more).every(([name, value]) => allowed.includes(name) && isShare(value))) {
    return 'wishes for a change with other numbers'
  }
  const isInto = isList(into) && into.every((ref) => memories.has(String(ref)))
  if (change === 'process' ? !isInto : into !== undefined) return 'wishes into nothing'
  if (change === 'weaken' && more.amount === undefined) return 'wishes to weaken by nothing'
  if (!memory.isFirstHand || isExternal(label)) return 'proposes what needed no leave'
  const isOpen = memory.flags.some(({ code }) => code === 'proposed')
  return isOpen ? 'proposes beside an open proposal' : null
}

/** What a change seals, and whether it had to, or could. */
export function problemsOfNote(entry: Entry, row: SealedRow | undefined): string[] {
  const { op, commitment, decision } = entry
  const { facts, rule } = decision
  const hasTags = op === 'memory.described' && facts.tags !== undefined
  if (commitment === null) {
    return op === 'memory.annotated' || hasTags ? ['seals nothing where it must'] : []
  }
  if (rule === null) return ['follows, and yet seals something']
  if (row === undefined) return ['has lost its sealed row']
  const problems: string[] = []
  if (row.salt.length !== 32) problems.push('has a salt that is not 32 bytes')
  if (row.ref !== entry.ref) problems.push('has a sealed row of another memory')
  if (commitmentOf(row.salt, row.bytes) !== commitment) {
    problems.push('has a sealed row that does not hash to its commitment')
  }
  const note = readCanonical(row.bytes)
  if (!isObject(note) || !hasExactly(note, ['fields', 'tags', 'text'])) {
    return [...problems, 'seals something else than a note in canonical form']
  }
  const { fields, tags, text } = note
  const isTexts = isList(tags) && tags.every((tag) => typeof tag === 'string')
  if (text !== null && typeof text !== 'string') problems.push('seals a text that is none')
  if (tags !== null && !isTexts) problems.push('seals tags that are none')
  if (fields === null && tags === null && text === null) problems.push('seals nothing')
  if (op === 'memory.annotated' ? !isObject(fields) : fields !== null) {
    problems.push('seals fields, or none, against its operation')
  }
  const isSaid = ['memory.proposed', 'memory.attested'].includes(op) && facts.change === 'describe'
  const count = isList(tags) ? tags.length : undefined
  if (!isSaid && count !== (hasTags ? facts.tags : undefined)) {
    problems.push('seals another number of tags')
  }
  return problems
}
