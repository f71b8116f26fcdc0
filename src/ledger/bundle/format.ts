import type { ErrorDetails } from '../../domain/errors.ts'
import { MunimentError } from '../../domain/errors.ts'
import type { Hash } from '../../domain/ids.ts'

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
