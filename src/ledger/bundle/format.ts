import { type ErrorDetails, LimitError, MunimentError } from '../../domain/errors.ts'
import type { Hash } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import { canonicalize } from '../canonical.ts'
import { readJson } from '../read-json.ts'
import { type Hasher, utf8 } from '../sha256.ts'

/** The format's name; docs/ledger-format.md defines the format. */
export const BUNDLE_FORMAT = 'muniment/bundle/1'

/** The sections after the header, in this order; the header gives the number of lines of each. */
export const SECTIONS = [
  'entries',
  'sealed',
  'actorKeys',
  'tallies',
  'bursts',
  'tombstones',
] as const

export type SectionName = (typeof SECTIONS)[number]

/** Sections with rows under a tag; a line of `entries` holds the bytes of the entry. */
export type RowSection = Exclude<SectionName, 'entries'>

export type Counts = Readonly<Record<SectionName, number>>

export interface BundleHeader {
  readonly format: typeof BUNDLE_FORMAT
  readonly stack: string
  readonly uid: string
  readonly head: { readonly seq: number; readonly hash: Hash }
  readonly root: Hash
  readonly counts: Counts
}

/** A sealed row with its bytes as text. */
export interface SealedLine {
  readonly seq: number
  readonly ref: string
  /** 32 bytes as hex. */
  readonly salt: string
  readonly text: string
}

/** The only member of a row's line. */
export const TAGS: Readonly<Record<RowSection, string>> = {
  sealed: 'sealed',
  actorKeys: 'actorKey',
  tallies: 'tally',
  bursts: 'burst',
  tombstones: 'tombstone',
}

/** The line number of a section's n-th row; the header is line 1. */
export function lineOf(counts: Counts, section: SectionName, index: number): number {
  let line = 2 + index
  for (const before of SECTIONS) {
    if (before === section) break
    line += counts[before]
  }
  return line
}

/** Names a bad line and its fault, never its content, which may be a memory. */
export const badLine = (line: number, what: string, details: ErrorDetails = {}): MunimentError =>
  new MunimentError('invalid_bundle', `Line ${line} of the bundle ${what}.`, {
    hint: 'Nothing was restored. Export the stack again, or take another copy.',
    ...details,
    facts: { line, ...details.facts },
  })

const UNIT_BYTES_MAX = 3 // UTF-8 bytes for one UTF-16 unit

export type TextLines = AsyncIterable<string> | Iterable<string>

/** The lines of a bundle in order, counted, measured and hashed on the way. */
export class LineReader {
  readonly #lines: AsyncIterator<string> | Iterator<string>
  readonly #hasher: Hasher
  #number = 0

  constructor(lines: TextLines, hasher: Hasher) {
    this.#lines =
      Symbol.asyncIterator in lines ? lines[Symbol.asyncIterator]() : lines[Symbol.iterator]()
    this.#hasher = hasher
  }

  /** The number of the line read last; the first is 1. */
  get number(): number {
    return this.#number
  }

  /** The next line without its line feed; the digest at the end of the bundle covers both. */
  async next(): Promise<string> {
    const line = await this.#take()
    this.#hasher.update(`${line}\n`)
    return line
  }

  /** The last line, the digest of all lines before. */
  async last(): Promise<{ readonly line: string; readonly digest: Hash }> {
    const line = await this.#take()
    const { done } = await this.#lines.next()
    if (done !== true) throw badLine(this.#number + 1, 'stands behind the last one')
    return { line, digest: this.#hasher.digest() }
  }

  /** The source of the lines may still hold a file open. */
  async close(): Promise<void> {
    await this.#lines.return?.()
  }

  async #take(): Promise<string> {
    const { done, value } = await this.#lines.next()
    this.#number += 1
    if (done === true) throw badLine(this.#number, 'is missing')
    if (typeof value !== 'string') throw badLine(this.#number, 'is not text')
    const line = value.endsWith('\n') ? value.slice(0, -1) : value
    if (!line.isWellFormed()) throw badLine(this.#number, 'holds half a character')
    const bytes = line.length * UNIT_BYTES_MAX > LIMITS.jsonBytesMax ? utf8(line).length : 0
    if (bytes > LIMITS.jsonBytesMax) throw tooLong(this.#number, bytes)
    if (line.includes('\n')) throw badLine(this.#number, 'is several lines')
    return line
  }
}

/** A line is a JSON document, under the same length limit as any other document. */
export const tooLong = (line: number, actual: number): LimitError =>
  new LimitError('jsonBytesMax', LIMITS.jsonBytesMax, actual, {
    issues: [{ path: `line ${line}`, message: 'is longer than a line may be' }],
    hint: 'Nothing was restored. Lines of a bundle end with a line feed, and with nothing else.',
  })

/** The value of a line, if the line is canonical JSON. */
export function jsonIn(line: string, number: number): unknown {
  const value = parsed(line)
  if (value === undefined || !isCanonical(value, line)) {
    throw badLine(number, 'is not JSON in canonical form, as lines of a bundle are')
  }
  return value
}

function parsed(line: string): unknown {
  try {
    return readJson(line)
  } catch {
    return undefined
  }
}

function isCanonical(value: unknown, line: string): boolean {
  try {
    return canonicalize(value) === line
  } catch {
    return false
  }
}
