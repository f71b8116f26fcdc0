import {
  type Caller,
  type LabelTiers,
  lowerTier,
  parseCaller,
  sessionAt,
} from '../../../domain/doors.ts'
import { type ErrorCode, MunimentError } from '../../../domain/errors.ts'
import { type Hash, type Ref, type StackId, tryParseRef } from '../../../domain/ids.ts'
import { definitionOf } from '../../../domain/kinds/table.ts'
import { isFirstHand, label } from '../../../domain/labels.ts'
import { LIMITS } from '../../../domain/limits.ts'
import type { WriteResult } from '../../../domain/outcome.ts'
import type { Instant } from '../../../domain/time.ts'
import { contentHash } from '../../../ledger/ledger.ts'
import type { Sha256 } from '../../../ledger/sha256.ts'
import { refusalError } from '../../write/refusal.ts'
import type { WriteRequest } from '../../write/write-request.ts'
import { type DumpFile, type DumpItem, isFields, readItem } from './dump.ts'
import { missingSources, withoutMissing } from './missing-sources.ts'
import { type Group, inOrder } from './order.ts'
import { requestOf } from './request.ts'

export interface ImportOptions {
  /**
   * The highest tier each label may bring along; a label that is missing is not taken. Without a grant
   * nobody vouches for the file: first-hand labels become ModelDerived, everything has tier 1 at most,
   * and actors and sessions are named after the file's stack.
   */
  readonly grant?: LabelTiers
  /** Who brings it: what was served to a model bounds what comes in by its hand. */
  readonly by?: Caller
  /** At most so many memories; a served door takes fewer than a file on this machine. */
  readonly memoriesMax?: number
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

/** A stack that came back whole. */
export interface BroughtBack {
  /** The last entry of the file's ledger. */
  readonly head: { readonly seq: number; readonly hash: Hash }
  /** Entries that a head signed here covers and the file does not hold: they are lost. */
  readonly laterEntries: number
  /** Erasures done after the export, which were repeated. */
  readonly erasedAgain: number
}

/** What became of every memory of the dump: the four counts add up to the total. */
export interface ImportReport {
  /** `own`: this machine's export came back whole. `importer`: the words of whoever imports. */
  readonly as: 'own' | 'importer'
  /** Why the file did not come back whole; null for an own export. */
  readonly because: string | null
  readonly whole: BroughtBack | null
  readonly total: number
  readonly written: number
  /** There already, the same. */
  readonly unchanged: number
  /** Another telling of a memory that is there; what cites it here cites that one. */
  readonly collapsed: number
  readonly refused: readonly ImportRefusal[]
  /** Sources that memories of the file cite, and that neither the file nor this stack holds. */
  readonly sourcesMissing: number
}

export interface Importing {
  readonly write: (request: WriteRequest, caller: Caller) => Promise<WriteResult>
  /** The content hash of a memory that is here; null where there is none. */
  readonly wordsOf: (ref: Ref) => Promise<Hash | null>
  readonly sha256: Sha256
  readonly now: Instant
  readonly giveWay: () => Promise<void> | void
}

export const MEMORIES_MAX = LIMITS.importFileMemoriesMax
const READ_AT_ONCE = 256 // memories that are read before others have their turn

/** A model's word and an echo: all that a file may say of itself when nobody vouches for it. */
const UNVOUCHED: LabelTiers = { ModelDerived: 1, RecallReEntry: 0 }

/**
 * Writes the memories of a dump through the gate at the door `import`, each with new entries and
 * never above the label and tier it had at its origin. A refusal is reported and the rest goes on.
 */
export async function importRecords(
  importing: Importing,
  { stackId, memories }: DumpFile,
  { grant = UNVOUCHED, by, onProgress, because }: ImportOptions & { readonly because: string },
): Promise<ImportReport> {
  const caller = parseCaller({ ...CALLER, ...boundAs(by, importing.now), grant })
  const isVouched = grant !== UNVOUCHED
  const run = new Import({ ...importing, stackId, caller, grant, isVouched })
  const items: DumpItem[] = []
  for (const [index, memory] of memories.entries()) {
    if (index % READ_AT_ONCE === 0) await importing.giveWay()
    const item = run.read(memory, index)
    if (item) items.push(item)
  }
  const missing = await missingSources(items, {
    inFile: new Set(memories.flatMap((memory) => refIn(memory) ?? [])),
    isHere: async (ref) => (await importing.wordsOf(ref)) !== null,
  })
  const { groups, orphans } = inOrder(items.map((item) => withoutMissing(item, missing)))
  for (const item of orphans) run.refuse(item, ORPHAN)
  for (const group of groups) {
    await run.add(group)
    onProgress?.({ done: run.done, total: memories.length })
  }
  const counts = await run.end()
  onProgress?.({ done: memories.length, total: memories.length })
  const sourcesMissing = missing.size
  return { as: 'importer', because, whole: null, total: memories.length, ...counts, sourcesMissing }
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

/** Faults of the stack or its store; every other code says what is wrong with one memory. */
const FAULTS: ReadonlySet<ErrorCode> = new Set([
  'maintenance_mode',
  'enforcement_changed',
  'policy_differs',
  'stack_closed',
  'backpressure',
  'deadline_exceeded',
  'store_unavailable',
  'store_full',
  'store_read_only',
  'store_corrupt',
  'store_busy',
  'schema_newer',
  'data_loss',
  'invariant',
])

interface ImportParts extends Importing {
  readonly stackId: StackId
  readonly caller: Caller
  readonly grant: LabelTiers
  /** Whether somebody vouches for what the file says of its actors. */
  readonly isVouched: boolean
}

class Import {
  readonly #parts: ImportParts
  readonly #refused: ImportRefusal[] = []
  readonly #refusedRefs = new Set<Ref>()
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

  async end(): Promise<
    Omit<ImportReport, 'as' | 'because' | 'whole' | 'total' | 'sourcesMissing'>
  > {
    await this.#settle()
    const refused = this.#refused.toSorted((a, b) => a.index - b.index)
    return { ...this.#counts, refused }
  }

  async #settle(): Promise<void> {
    const settled = await Promise.allSettled(this.#waiting)
    this.#waiting = []
    this.#open.clear()
    for (const outcome of settled) {
      if (outcome.status === 'rejected') throw this.#cutShort(outcome.reason)
    }
  }

  /** Says how far the import came: what was written stays, and importing again goes on from there. */
  #cutShort(cause: unknown): unknown {
    if (!(cause instanceof MunimentError) || cause.code === 'invariant') return cause
    const { written } = this.#counts
    const hint = `${written} memories were written before. Import the same file again: what is here already is skipped.`
    const facts = { ...cause.facts, written }
    return new MunimentError(cause.code, cause.message, { hint, facts, cause })
  }

  async #write(given: Group): Promise<void> {
    const { captures } = given
    const main = this.#bounded(given.main)
    const group = { ...given, main, supersedes: this.#takenIn(given.supersedes) }
    try {
      const request = requestOf(group, { ...this.#parts, renamed: this.#renamed })
      const result = await this.#parts.write(request, this.#callerFor(main))
      if (result.ref === null) throw refusalError(result)
      if (result.ref !== main.ref) this.#renamed.set(main.ref, result.ref)
      this.#counts[outcomeOf(main, result)] += 1 + captures.length
    } catch (cause) {
      if (await this.#isHere(main, cause)) {
        this.#counts.unchanged += 1 + captures.length
        return
      }
      for (const { index, ref } of [main, ...captures]) this.#note(index, ref, cause)
    }
  }

  /** The same memory with the same words is here already, whoever stands behind it here. */
  async #isHere({ ref, body }: DumpItem, cause: unknown): Promise<boolean> {
    if (!(cause instanceof MunimentError) || cause.code !== 'id_exists') return false
    const { wordsOf, sha256 } = this.#parts
    return (await wordsOf(ref)) === contentHash(sha256, body)
  }

  /** A belief that was refused has no place here that another could take. */
  #takenIn(ref: Ref | null): Ref | null {
    return ref !== null && this.#refusedRefs.has(ref) ? null : ref
  }

  /** A first-hand label that nobody vouches for is the importer's word: a model's at most. */
  #bounded(item: DumpItem): DumpItem {
    const { isVouched, stackId } = this.#parts
    if (isVouched || !isFirstHand(item.label)) return item
    const llmModel = `unknown:import:${stackId}` // a label of models needs one, and the file names none
    const origin = { label: label.modelDerived(), sourceType: 'external', llmModel }
    const provenance = { ...item.provenance, ...origin }
    return { ...item, label: 'ModelDerived', provenance }
  }

  #note(index: number, ref: Ref | null, cause: unknown): void {
    if (!(cause instanceof MunimentError) || FAULTS.has(cause.code)) throw cause
    if (ref !== null) this.#refusedRefs.add(ref)
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
