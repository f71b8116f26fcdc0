import {
  type Caller,
  type LabelTiers,
  lowerTier,
  parseCaller,
  sessionAt,
} from '../../domain/doors.ts'
import { type ErrorCode, MunimentError } from '../../domain/errors.ts'
import { type Ref, type StackId, tryParseRef } from '../../domain/ids.ts'
import { definitionOf } from '../../domain/kinds/table.ts'
import type { WriteResult } from '../../domain/outcome.ts'
import type { Instant } from '../../domain/time.ts'
import type { Sha256 } from '../../hash/sha256.ts'
import { refusalError } from '../refusal.ts'
import type { WriteRequest } from '../requests.ts'
import { type DumpItem, isFields, readDump, readItem } from './dump.ts'
import { type Group, inOrder } from './order.ts'
import { requestOf } from './request.ts'

export interface ImportOptions {
  /**
   * The highest tier each label may bring along; a label that is missing is not taken. The file
   * says what its memories were, the caller how much of that is believed. Without one, models'
   * words at tier 1 and echoes are taken, and nothing that calls itself first-hand.
   */
  readonly grant?: LabelTiers
  /** Who brings it: what was served to a model bounds what comes in by its hand. */
  readonly by?: Caller
  /** Told after every write, in memories of the dump. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

export interface ImportRefusal {
  /** Where in the dump it stands. */
  readonly index: number
  readonly ref: Ref | null
  readonly code: ErrorCode
  readonly message: string
}

/** What became of every memory of the dump: the four add up to the total. */
export interface ImportReport {
  readonly total: number
  readonly written: number
  /** There already, the same. */
  readonly unchanged: number
  /** Another telling of a memory that is there; what cites it here cites that one. */
  readonly collapsed: number
  readonly refused: readonly ImportRefusal[]
}

export interface Importing {
  readonly write: (request: WriteRequest, caller: Caller) => Promise<WriteResult>
  readonly sha256: Sha256
  readonly now: Instant
}

/** A model's word and an echo: all that a file may say of itself when nobody vouches for it. */
const UNVOUCHED: LabelTiers = { ModelDerived: 1, RecallReEntry: 0 }

/**
 * Writes the memories of a dump through the gate at the door `import`, each with new entries and
 * never above the label and tier it had at its origin. A refusal is reported and the rest goes on.
 */
export async function importRecords(
  importing: Importing,
  dump: unknown,
  { grant = UNVOUCHED, by, onProgress }: ImportOptions = {},
): Promise<ImportReport> {
  const { stackId, memories } = readDump(dump)
  const caller = parseCaller({ ...CALLER, ...boundAs(by, importing.now), grant })
  const run = new Import({ ...importing, stackId, caller, grant, total: memories.length })
  const items: DumpItem[] = []
  for (const [index, memory] of memories.entries()) {
    const item = run.read(memory, index)
    if (item) items.push(item)
  }
  const { groups, orphans } = inOrder(items)
  for (const item of orphans) run.refuse(item, ORPHAN)
  for (const group of groups) {
    await run.add(group)
    onProgress?.({ done: run.done, total: memories.length })
  }
  const report = await run.end()
  onProgress?.({ done: report.total, total: report.total })
  return report
}

/** Whose context bounds what comes in: that of a model which brings it, as in all that it says itself. */
const boundAs = (by: Caller | undefined, now: Instant): Partial<Caller> =>
  by === undefined || by.person
    ? { turn: by?.turn ?? null }
    : { session: sessionAt(by, now), turn: by.turn, through: by.door }

const CALLER = {
  door: 'import',
  operation: 'import_records',
  person: false,
  session: null,
  turn: null,
} as const

const ORPHAN = new MunimentError(
  'refused',
  'It was captured for a memory that is not in this dump, and witnesses nothing by itself.',
)

const AT_ONCE = 256 // writes that wait together for one commit

/** What is wrong with one memory; every other code says that something is wrong with the stack. */
const OF_ONE_MEMORY: ReadonlySet<ErrorCode> = new Set([
  'invalid_input',
  'invalid_json',
  'invalid_id',
  'invalid_ref',
  'invalid_provenance',
  'not_canonical',
  'limit_exceeded',
  'refused',
  'version_conflict',
  'id_exists',
  'id_erased',
  'scope',
  'tombstone_key_missing',
])

interface ImportParts extends Importing {
  readonly stackId: StackId
  readonly caller: Caller
  readonly grant: LabelTiers
  readonly total: number
}

class Import {
  readonly #parts: ImportParts
  readonly #refused: ImportRefusal[] = []
  readonly #counts = { written: 0, unchanged: 0, collapsed: 0 }
  /** Memories that go by another name here. */
  readonly #renamed = new Map<Ref, Ref>()
  #waiting: Promise<void>[] = []
  /** Written but not answered for: it may turn out to be another telling of something. */
  readonly #open = new Set<Ref>()

  constructor(parts: ImportParts) {
    this.#parts = parts
  }

  get done(): number {
    const { written, unchanged, collapsed } = this.#counts
    return written + unchanged + collapsed + this.#refused.length
  }

  read(memory: unknown, index: number): DumpItem | null {
    try {
      return readItem(memory, index, this.#parts.sha256)
    } catch (cause) {
      const isCoded = cause instanceof MunimentError
      const error = isCoded ? cause : new MunimentError('invalid_input', 'It cannot be read.')
      this.#note(index, refIn(memory), error)
      return null
    }
  }

  refuse({ index, ref }: DumpItem, error: MunimentError): void {
    this.#note(index, ref, error)
  }

  /** Sends it off; waits only where its name for a source is not settled yet. */
  async add(group: Group): Promise<void> {
    const before = group.supersedes === null ? [] : [group.supersedes]
    const cited = [...group.parents, ...group.main.evidence, ...before]
    if (this.#waiting.length >= AT_ONCE || cited.some((ref) => this.#open.has(ref))) {
      await this.#settle()
    }
    if (definitionOf(group.main.kind).asserts) this.#open.add(group.main.ref)
    const writing = this.#write(group)
    writing.catch(() => undefined) // looked at when all that wait together have settled
    this.#waiting.push(writing)
  }

  async end(): Promise<ImportReport> {
    await this.#settle()
    const refused = this.#refused.toSorted((a, b) => a.index - b.index)
    return { total: this.#parts.total, ...this.#counts, refused }
  }

  async #settle(): Promise<void> {
    const settled = await Promise.allSettled(this.#waiting)
    this.#waiting = []
    this.#open.clear()
    for (const outcome of settled) if (outcome.status === 'rejected') throw outcome.reason
  }

  async #write(group: Group): Promise<void> {
    const { main, captures } = group
    try {
      const request = requestOf(group, { ...this.#parts, renamed: this.#renamed })
      const result = await this.#parts.write(request, this.#callerFor(main))
      if (result.ref === null) throw refusalError(result)
      if (result.ref !== main.ref) this.#renamed.set(main.ref, result.ref)
      this.#counts[outcomeOf(main, result)] += 1 + captures.length
    } catch (cause) {
      for (const { index, ref } of [main, ...captures]) this.#note(index, ref, cause)
    }
  }

  #note(index: number, ref: Ref | null, cause: unknown): void {
    if (!(cause instanceof MunimentError) || !OF_ONE_MEMORY.has(cause.code)) throw cause
    this.#refused.push({ index, ref, code: cause.code, message: cause.message })
  }

  /** One label and one tier: what it had at its origin, and no more than the caller vouches for. */
  #callerFor({ label, tier }: DumpItem): Caller {
    const vouched = this.#parts.grant[label]
    const grant = vouched === undefined ? {} : { [label]: lowerTier(vouched, tier) }
    return { ...this.#parts.caller, grant }
  }
}

function outcomeOf(main: DumpItem, { ref, reasons }: WriteResult) {
  if (ref !== main.ref) return 'collapsed'
  return reasons.includes('already_saved') ? 'unchanged' : 'written'
}

const refIn = (memory: unknown): Ref | null =>
  isFields(memory) && tryParseRef(memory.ref) ? (memory.ref as Ref) : null // just found to be one
