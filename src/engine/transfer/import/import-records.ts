import {
  type Caller,
  type LabelTiers,
  lowerTier,
  parseCaller,
  sessionAt,
} from '../../../domain/doors.ts'
import { type ErrorCode, MunimentError } from '../../../domain/errors.ts'
import {
  type Hash,
  parseMemoryId,
  type Ref,
  type StackId,
  splitRef,
  toRef,
  tryParseRef,
} from '../../../domain/ids.ts'
import { definitionOf } from '../../../domain/kinds/table.ts'
import { isFirstHand, label } from '../../../domain/labels.ts'
import { LIMITS } from '../../../domain/limits.ts'
import type { Instant } from '../../../domain/time.ts'
import type { WriteResult } from '../../../domain/write.ts'
import { captureId } from '../../../ledger/chance.ts'
import { contentHash } from '../../../ledger/ledger.ts'
import type { Sha256 } from '../../../ledger/sha256.ts'
import { refusalError } from '../../write/outcomes.ts'
import type { CaptureRequest, WriteRequest } from '../../write/write-request.ts'
import { type DumpFile, type DumpItem, isFields, readItem } from './dump.ts'
import { type Group, inOrder, missingSources, standInCaptures, withoutMissing } from './order.ts'

interface RequestParts {
  readonly sha256: Sha256
  readonly stackId: StackId
  /** True if the importer vouches for the file's actors. */
  readonly isVouched: boolean
  /** Memories with another ref in this stack; captures of a revision are added. */
  readonly renamed: Map<Ref, Ref>
}

/** Converts a group to a write at the import door; its captures are captured again. */
function requestOf(
  group: Group,
  { sha256, stackId, isVouched, renamed }: RequestParts,
): WriteRequest {
  const { main, captures, parents, supersedes } = group
  const { id } = splitRef(main.ref)
  const standIns = standInCaptures(group, stackId)
  for (const [at, { ref, kind }] of captures.entries()) {
    const given = captureId(sha256, id, { index: standIns.length + at, revision: 1 })
    renamed.set(ref, toRef(kind, parseMemoryId(given)))
  }
  const here = (refs: readonly Ref[]): readonly Ref[] => refs.map((ref) => renamed.get(ref) ?? ref)
  return {
    kind: main.kind,
    id,
    body: main.body,
    captures: [
      ...standIns,
      ...captures.map(({ kind, body }) => ({ kind, body }) as CaptureRequest),
    ],
    provenance: {
      ...originOf(main),
      ...(isVouched ? {} : namedAfter(stackId, main.provenance)),
      ingestionPath: `import:${stackId}`,
      derivedFrom: here(parents),
      sourceEpisodes: here(main.evidence),
    },
    ...(supersedes === null
      ? {}
      : { consequence: { type: 'supersedes', ref: renamed.get(supersedes) ?? supersedes } }),
  } as unknown as WriteRequest // body and provenance are parsed by the stack, as for every write
}

const KEPT = [
  'sourceType',
  'label',
  'sourceId',
  'sourceEntity',
  'session',
  'turn',
  'relayed',
  'document',
  'llmModel',
] as const

/** The origin of the memory; its time of writing becomes the event time. */
function originOf({ provenance, confidence, at }: DumpItem) {
  const kept = KEPT.filter((name) => provenance[name] !== undefined)
  return {
    ...Object.fromEntries(kept.map((name) => [name, provenance[name]])),
    eventTime: provenance.eventTime ?? at,
    confidence,
  }
}

/** Prefixes names of an unvouched file, so that none passes for a local actor or session. */
function namedAfter(stackId: StackId, { sourceId, session }: DumpItem['provenance']) {
  const named = (name: unknown): unknown =>
    typeof name === 'string' ? `import:${stackId}/${name}` : name
  return { sourceId: named(sourceId), session: named(session) }
}

/** The trust in an imported file. */
export interface ImportOptions {
  /**
   * The highest tier that each label may carry; labels without a tier are refused. Without a grant
   * the file is unvouched: first-hand labels become ModelDerived, tiers are at most 1, and actors
   * and sessions are named after the file's stack.
   */
  readonly grant?: LabelTiers
  /** The importing caller: receipts of a model's session bound the imported tiers. */
  readonly by?: Caller
  /** The most memories in one import; a served door allows fewer than a local file. */
  readonly memoriesMax?: number
  /** Called after every write with the number of memories. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/** A record that an import refused. */
export interface ImportRefusal {
  /** Position in the dump. */
  readonly index: number
  readonly ref: Ref | null
  readonly code: ErrorCode
  readonly message: string
}

/** A stack that was restored as a whole. */
export interface BroughtBack {
  /** The last entry of the file's ledger. */
  readonly head: { readonly seq: number; readonly hash: Hash }
  /** Lost entries: a head signed here covers them, and the file ends before. */
  readonly laterEntries: number
  /** Repeated erasures, which were done after the export. */
  readonly erasedAgain: number
}

/** The result of an import: the four counts add up to the total. */
export interface ImportReport {
  /** `own`: the file restored the stack. `importer`: memories became the importer's words. */
  readonly as: 'own' | 'importer'
  /** The reason why the stack was not restored; null for an own export. */
  readonly because: string | null
  readonly whole: BroughtBack | null
  readonly total: number
  readonly written: number
  /** Already present with equal content. */
  readonly unchanged: number
  /** Repeats of an existing memory; later citations point to the existing memory. */
  readonly collapsed: number
  readonly refused: readonly ImportRefusal[]
  /** Cited sources that neither the file nor this stack holds. */
  readonly sourcesMissing: number
}

export interface Importing {
  readonly write: (request: WriteRequest, caller: Caller) => Promise<WriteResult>
  /** The content hash of an existing memory; null without one. */
  readonly wordsOf: (ref: Ref) => Promise<Hash | null>
  readonly sha256: Sha256
  readonly now: Instant
  readonly yieldToEventLoop: () => Promise<void> | void
}

export const MEMORIES_MAX = LIMITS.importFileMemoriesMax
const READ_AT_ONCE = 256 // memories read before other work runs

/** Labels of an unvouched file: a model's word and an echo. */
const UNVOUCHED: LabelTiers = { ModelDerived: 1, RecallReEntry: 0 }

/**
 * Writes the memories of a dump through the gate at the door `import`, with new entries and never
 * above the label and tier of the origin. A refusal is reported and the import continues.
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
    if (index % READ_AT_ONCE === 0) await importing.yieldToEventLoop()
    const item = run.read(memory, index)
    if (item) items.push(item)
  }
  const missing = await missingSources(items, {
    inFile: new Set(memories.flatMap((memory) => refIn(memory) ?? [])),
    isHere: async (ref) => (await importing.wordsOf(ref)) !== null,
  })
  const { groups, orphans } = inOrder(
    items.map((item) => withoutMissing(item, missing)),
    new Set(memories.flatMap(citedBy)),
  )
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

/** The session of an importing model bounds the import, as with every write of the model. */
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
  'It was captured for a memory that does not come in with it, and witnesses nothing by itself.',
)

const AT_ONCE = 256 // writes that wait together for one commit

/** Faults of the stack or its store; every other code concerns one memory. */
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
  /** True if the importer vouches for the file's actors. */
  readonly isVouched: boolean
}

class Import {
  readonly #parts: ImportParts
  readonly #refused: ImportRefusal[] = []
  readonly #refusedRefs = new Set<Ref>()
  readonly #counts = { written: 0, unchanged: 0, collapsed: 0 }
  /** Memories with another ref in this stack. */
  readonly #renamed = new Map<Ref, Ref>()
  #waiting: Promise<void>[] = []
  /** Pending writes, which may still turn out to be repeats. */
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

  /** Starts a write; waits only while the ref of a source is pending. */
  async add(group: Group): Promise<void> {
    const before = group.supersedes === null ? [] : [group.supersedes]
    const cited = [...group.parents, ...group.main.evidence, ...before]
    if (this.#waiting.length >= AT_ONCE || cited.some((ref) => this.#open.has(ref))) {
      await this.#settle()
    }
    if (definitionOf(group.main.kind).asserts) this.#open.add(group.main.ref)
    const writing = this.#write(group)
    writing.catch(() => undefined) // checked once all pending writes have settled
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

  /** Reports the progress at a fault: written memories stay, and the next import skips them. */
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

  /** True if the memory exists with equal content, under any actor. */
  async #isHere({ ref, body }: DumpItem, cause: unknown): Promise<boolean> {
    if (!(cause instanceof MunimentError) || cause.code !== 'id_exists') return false
    const { wordsOf, sha256 } = this.#parts
    return (await wordsOf(ref)) === contentHash(sha256, body)
  }

  /** A refused belief cannot be replaced. */
  #takenIn(ref: Ref | null): Ref | null {
    return ref !== null && this.#refusedRefs.has(ref) ? null : ref
  }

  /** An unvouched first-hand label becomes ModelDerived. */
  #bounded(item: DumpItem): DumpItem {
    const { isVouched, stackId } = this.#parts
    if (isVouched || !isFirstHand(item.label)) return item
    const llmModel = `unknown:import:${stackId}` // ModelDerived needs a model, and the file names none
    const origin = { label: label.modelDerived(), sourceType: 'external', llmModel }
    const provenance = { ...item.provenance, ...origin }
    return { ...item, label: 'ModelDerived', provenance }
  }

  #note(index: number, ref: Ref | null, cause: unknown): void {
    if (!(cause instanceof MunimentError) || FAULTS.has(cause.code)) throw cause
    if (ref !== null) this.#refusedRefs.add(ref)
    this.#refused.push({ index, ref, code: cause.code, message: cause.message })
  }

  /** Grants one label with the tier of the origin, bounded by the caller's grant. */
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
  isFields(memory) && tryParseRef(memory.ref) ? (memory.ref as Ref) : null // checked just before

/** Sources that a memory of the file names, captures of its own included; also of a refused one. */
function citedBy(memory: unknown): readonly unknown[] {
  const provenance = isFields(memory) && isFields(memory.provenance) ? memory.provenance : {}
  if (provenance.captured === true) return []
  return [provenance.derivedFrom, provenance.revisedFrom].flatMap((refs) =>
    Array.isArray(refs) ? refs : [],
  )
}
