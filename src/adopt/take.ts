import type { Caller } from '../domain/doors.ts'
import { type ErrorCode, MunimentError } from '../domain/errors.ts'
import { type MemoryId, tryParseRef } from '../domain/ids.ts'
import { contentText } from '../domain/kinds/table.ts'
import type { Redactor } from '../domain/words/secrets.ts'
import type { Stack } from '../stack.ts'
import { actorOf, actorsOf, CARD_SESSION, countOf, listBatches } from './batches.ts'
import { present } from './fields.ts'
import { adoptedId, batchOf } from './identity.ts'
import { ADOPT_LIMITS, type SourceRecord } from './record.ts'
import {
  isOfFile,
  type RequestParts,
  requestOf,
  UNVOUCHED,
  VOUCHED,
  withoutSecretsIn,
} from './request.ts'
import { itemsIn, type Source } from './source.ts'
import type { SourceFile } from './source-file.ts'

/** A part of a source that did not come in, with the reason. */
export interface Problem {
  readonly file: string
  readonly position: string
  readonly why: string
}

/** The counts of a source: `records` are those that could be read. */
export interface Counts {
  readonly records: number
  /** Left out on purpose, by reason. */
  readonly skipped: Readonly<Record<string, number>>
  readonly bad: number
  /** The first problems, in order; `bad` and `refused` count all. */
  readonly problems: readonly Problem[]
}

/** The result of taking a source: taken, here, repeated and refused add up to the records. */
export interface Taken extends Counts {
  readonly batch: string
  readonly taken: number
  /** Here from an earlier run. */
  readonly here: number
  /** Of the records that are here: no longer believed, because their own batch was undone. */
  readonly undone: number
  /** Records that stand in the source twice. */
  readonly repeated: number
  readonly refused: number
}

export interface TakeOptions {
  readonly key: Uint8Array
  readonly by: Caller
  /** A person vouches for the source. */
  readonly isVouched: boolean
  readonly redact: Redactor
  readonly onBytes?: (bytes: number) => void
  /** Records of one actor; a batch with more has several. */
  readonly partRecords?: number
}

/** Counts the records of a source without a write. */
export async function countSource(
  source: Source,
  onBytes?: (bytes: number) => void,
): Promise<Counts> {
  const counts = new Tally()
  for await (const { file, item } of itemsIn(source, onBytes)) {
    if (item.type === 'record') counts.records += 1
    else counts.note(file, item)
  }
  return counts.result()
}

const AT_ONCE = 512 // writes that wait together for one commit

/** Memories of one actor, so that one command can distrust or erase them all. */
const PART_RECORDS = 20_000

/** Writes the records of a source through the gate. A second run writes nothing twice. */
export async function takeSource(
  stack: Stack,
  source: Source,
  options: TakeOptions,
): Promise<Taken> {
  const { key, onBytes } = options
  const files = source.files.map(({ file }) => file)
  const batch = await batchOf(key, source.format.name, source.place, files)
  const { partRecords = PART_RECORDS } = options
  const parts = await actorsOf(stack, batch)
  const last = parts.at(-1)
  const known =
    last === undefined
      ? 0
      : (parts.length - 1) * partRecords + (await countOf(stack, last, partRecords))
  const hasUndone = (await listBatches(stack)).some(({ isDistrusted }) => isDistrusted)
  const format = source.format.name
  const run = new Run(stack, { ...options, partRecords, batch, known, format, hasUndone, source })
  if (known > 0) await run.writeCard()
  for await (const { file, item } of itemsIn(source, onBytes)) {
    if (item.type === 'record') await run.add(item.record, file)
    else run.counts.note(file, item)
  }
  return run.end()
}

class Tally {
  records = 0
  bad = 0
  readonly #skipped = new Map<string, number>()
  readonly #problems: Problem[] = []

  note(
    { path: file }: SourceFile,
    item:
      | { readonly type: 'skipped'; readonly why: string }
      | { readonly type: 'bad'; readonly position: string; readonly why: string },
  ): void {
    if (item.type === 'skipped') {
      this.#skipped.set(item.why, (this.#skipped.get(item.why) ?? 0) + 1)
      return
    }
    this.bad += 1
    this.list({ file, position: item.position, why: item.why })
  }

  list(problem: Problem): void {
    if (this.#problems.length < ADOPT_LIMITS.shownProblemsMax) this.#problems.push(problem)
  }

  result(): Counts {
    const { records, bad } = this
    const skipped = Object.fromEntries(this.#skipped)
    return { records, skipped, bad, problems: this.#problems }
  }
}

interface RunParts extends TakeOptions {
  readonly batch: string
  readonly format: string
  readonly partRecords: number
  /** Records of the batch from an earlier, interrupted run. */
  readonly known: number
  /** Some batch of the stack is no longer believed. */
  readonly hasUndone: boolean
  readonly source: Source
}

type Ending = 'taken' | 'here' | 'repeated' | 'refused'

/** `undone`: here, and no longer believed, as the batch of this file or of another was undone. */
type RecordEnding = Ending | 'undone' | 'undone elsewhere'

interface RecordPlace {
  readonly id: MemoryId
  readonly part: number
  readonly file: SourceFile
}

/** Faults of the stack or its store end the run; every other code concerns one record. */
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

class Run {
  readonly counts = new Tally()
  readonly #stack: Stack
  readonly #parts: RunParts
  readonly #ends: Record<Ending, number> = { taken: 0, here: 0, repeated: 0, refused: 0 }
  #undone = 0
  readonly #ids = new Set<MemoryId>()
  #card: Promise<void> | null = null
  #waiting: Promise<void>[] = []
  /** Writes without a result so far; some of those that wait have one. */
  #open = 0

  constructor(stack: Stack, parts: RunParts) {
    this.#stack = stack
    this.#parts = parts
  }

  async add(given: SourceRecord, file: SourceFile): Promise<void> {
    const { key, format, redact, known, partRecords } = this.#parts
    const part = Math.floor((known + this.#ends.taken + this.#open) / partRecords)
    this.counts.records += 1
    const of = withoutSecretsIn(given, redact)
    const id = adoptedId(key, 'memory', format, of.key)
    if (this.#ids.has(id)) {
      this.#ends.repeated += 1
      return
    }
    this.#ids.add(id)
    this.#open += 1
    this.#waiting.push(this.#write(of, { id, part, file }))
    if (this.#waiting.length >= AT_ONCE) await this.#settle()
  }

  async end(): Promise<Taken> {
    await this.#settle()
    const { batch } = this.#parts
    return { batch, ...this.counts.result(), ...this.#ends, undone: this.#undone }
  }

  /** Written before the first new record, so that a killed run is listed and can be undone. */
  writeCard(): Promise<void> {
    this.#card ??= this.#writeCardOf(this.#parts.source)
    return this.#card
  }

  /** A capture about the batch itself, in the batch's own name. */
  async #writeCardOf({ format, place, files }: Source): Promise<void> {
    const { key, batch } = this.#parts
    const words = {
      key: batch,
      position: 'the whole source',
      voice: 'document' as const,
      text: `${format.tool}: ${files.length} ${files.length === 1 ? 'file' : 'files'}, ${place}`,
      from: 'adopt',
    }
    const id = adoptedId(key, 'card', batch)
    const actor = actorOf(batch, 0)
    const parts = { id, actor, format: format.name, path: place, isVouched: false }
    const request = requestOf(words, parts)
    const provenance = { ...request.provenance, session: CARD_SESSION }
    await this.#stack.write({ ...request, provenance }, this.#caller(null)).catch((cause) => {
      if (!(cause instanceof MunimentError) || FAULTS.has(cause.code)) throw cause
    })
  }

  async #settle(): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    const failed = (await Promise.allSettled(waiting)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }

  async #write(of: SourceRecord, place: RecordPlace): Promise<void> {
    const { key, format } = this.#parts
    try {
      const ending = await this.#endingOf(of, place)
      if (ending !== 'undone elsewhere') return this.#count(ending)
      // The words of a source that was undone are another source's words too.
      const id = adoptedId(key, 'memory', format, of.key, place.file.path)
      const own = await this.#endingOf(of, { ...place, id })
      this.#count(own === 'undone elsewhere' ? 'undone' : own)
    } catch (cause) {
      if (!(cause instanceof MunimentError) || FAULTS.has(cause.code)) throw cause
      this.#count('refused')
      this.#refuse(of, place.file, cause.message)
    } finally {
      this.#open -= 1
    }
  }

  #count(ending: Exclude<RecordEnding, 'undone elsewhere'>): void {
    if (ending === 'undone') this.#undone += 1
    this.#ends[ending === 'undone' ? 'here' : ending] += 1
  }

  async #endingOf(of: SourceRecord, { id, part, file }: RecordPlace): Promise<RecordEnding> {
    const { batch, format, isVouched } = this.#parts
    const parts = { id, actor: actorOf(batch, part), format, path: file.path, isVouched }
    if (of.own !== undefined && (await this.#isOwn(of.own, of))) return 'here'
    if (this.#card === null && (await this.#memoryOf(of, id)) === null) await this.writeCard()
    try {
      const caller = this.#caller()
      let result = await this.#stack.write(requestOf(of, parts), caller)
      const note = result.rule === 'lint' ? noteOf(of) : undefined
      if (note !== undefined) result = await this.#stack.write(requestOf(note, parts), caller)
      if (result.ref === null) {
        this.#refuse(of, file, result.message ?? `refused by the rule ${result.rule}`)
        return 'refused'
      }
      if (!result.ref.endsWith(id)) return 'repeated'
      return result.reasons.includes('already_saved') ? this.#hereAs(of, parts) : 'taken'
    } catch (cause) {
      if (!(cause instanceof MunimentError) || cause.code !== 'id_exists') throw cause
      return this.#hereAs(of, parts) // of another batch, or changed here since
    }
  }

  #memoryOf({ conclusion }: SourceRecord, id: MemoryId) {
    return this.#stack.getMemory(conclusion?.kind ?? 'raw', id)
  }

  /** A file whose words were undone stays undone, however the file grew since. */
  async #hereAs(of: SourceRecord, { id, path }: RequestParts): Promise<RecordEnding> {
    if (!this.#parts.hasUndone) return 'here'
    const memory = await this.#memoryOf(of, id)
    if (memory?.disposition !== 'Distrusted') return 'here'
    return isOfFile(memory.provenance.document, path) ? 'undone' : 'undone elsewhere'
  }

  /** True if the record was written out of this stack, and the memory still says the same. */
  async #isOwn(own: string, { text }: SourceRecord): Promise<boolean> {
    const named = tryParseRef(own)
    if (named === undefined) return false
    const memory = await this.#stack.getMemory(named.kind, named.id)
    if (memory?.erased) {
      throw new MunimentError('refused', `${own} was erased here, and its words stay out.`)
    }
    return memory !== null && contentText(memory.kind, memory.body as never) === text // of its kind
  }

  #refuse({ position }: SourceRecord, { path: file }: SourceFile, why: string): void {
    this.counts.list({ file, position, why })
  }

  #caller(session = this.#parts.by.person ? null : this.#parts.by.session): Caller {
    const { by, isVouched } = this.#parts
    return {
      door: 'import',
      operation: 'adopt',
      person: false,
      grant: isVouched ? VOUCHED : UNVOUCHED,
      session,
      turn: null,
      // The session of a calling program bounds the tier, as with every write of a program.
      ...(by.person ? {} : { through: by.door }),
    }
  }
}

/** The note of a belief that the gate takes for noise: a source’s words are not thrown away. */
function noteOf(of: SourceRecord): SourceRecord | undefined {
  if (of.conclusion?.kind !== 'belief') return undefined
  const { statement: content, context, tags } = of.conclusion.body
  const body = present({ content, context, tags, contextTags: ['belief'] })
  return { ...of, conclusion: { kind: 'note', body } }
}
