import type { ErrorDetails } from '../../domain/errors.ts'
import { MunimentError } from '../../domain/errors.ts'
import type { Hash } from '../../domain/ids.ts'

/** The format's name; docs/ledger-format.md says what it means. */
export const BUNDLE_FORMAT = 'muniment/bundle/1'

/** What follows the header, in this order; each section has as many lines as the header says. */
export const SECTIONS = [
  'entries',
  'sealed',
  'actorKeys',
  'tallies',
  'bursts',
  'tombstones',
] as const

export type SectionName = (typeof SECTIONS)[number]

/** Sections whose lines are rows under a name of their own; an entry's line is its bytes. */
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

/** A sealed row with its bytes as the text they are. */
export interface SealedLine {
  readonly seq: number
  readonly ref: string
  /** 32 bytes as hex. */
  readonly salt: string
  readonly text: string
}

/** The one member of a row's line. */
export const TAGS: Readonly<Record<RowSection, string>> = {
  sealed: 'sealed',
  actorKeys: 'actorKey',
  tallies: 'tally',
  bursts: 'burst',
  tombstones: 'tombstone',
}

/** The line on which a section's n-th row stands; the header is line 1. */
export function lineOf(counts: Counts, section: SectionName, index: number): number {
  let line = 2 + index
  for (const before of SECTIONS) {
    if (before === section) break
    line += counts[before]
  }
  return line
}

/** What is wrong with a bundle, and where; never what stands there, which is somebody's memory. */
export const badLine = (line: number, what: string, details: ErrorDetails = {}): MunimentError =>
  new MunimentError('invalid_bundle', `Line ${line} of the bundle ${what}.`, {
    hint: 'Nothing was restored. Export the stack again, or take another copy.',
    ...details,
    facts: { line, ...details.facts },
  })
