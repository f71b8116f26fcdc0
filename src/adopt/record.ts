import type { BodyInputOf } from '../domain/kinds/table.ts'
import type { Instant } from '../domain/time.ts'
import { present } from './fields.ts'

/** The author of the words: a person, a model, or a document whose author nobody recorded. */
export type Voice = 'person' | 'model' | 'document'

/** A conclusion of the source: its kind and fields. The record's words become the cited raw. */
export type Conclusion =
  | { readonly kind: 'note'; readonly body: BodyInputOf<'note'> }
  | { readonly kind: 'belief'; readonly body: BodyInputOf<'belief'> }
  | { readonly kind: 'episode'; readonly body: BodyInputOf<'episode'> }
  | { readonly kind: 'goal'; readonly body: BodyInputOf<'goal'> }
  | { readonly kind: 'relationship'; readonly body: BodyInputOf<'relationship'> }

/** One memory of a source, in the source's own words. */
export interface SourceRecord {
  /** Names the record in its source, so that a second run recognises the record. */
  readonly key: string
  /** The place in the file, for people: `line 3`, `conversation 2, message 14`. */
  readonly position: string
  readonly voice: Voice
  /** The original wording. */
  readonly text: string
  readonly author?: string
  readonly time?: Instant
  /** The conversation or work session in the source. */
  readonly session?: string
  /** The message in the conversation. */
  readonly turn?: string
  /** A few words on the place of the words, kept with the raw capture. */
  readonly from?: string
  readonly conclusion?: Conclusion
  readonly confidence?: number
  /** The memory of a Muniment stack that was written out as this record. */
  readonly own?: string
}

/** A result of reading: a record, a part left out on purpose, or a part that cannot be read. */
export type ReadItem =
  | { readonly type: 'record'; readonly record: SourceRecord }
  | { readonly type: 'skipped'; readonly why: string }
  | { readonly type: 'bad'; readonly position: string; readonly why: string }

type Needed = 'key' | 'position' | 'voice' | 'text'
type RecordFields = Pick<SourceRecord, Needed> & {
  readonly [K in Exclude<keyof SourceRecord, Needed>]?: SourceRecord[K] | undefined
}

/** The record without the fields that the source does not have. */
export const record = (of: RecordFields): ReadItem => ({
  type: 'record',
  record: present(of),
})
export const skipped = (why: string): ReadItem => ({ type: 'skipped', why })
export const bad = (position: string, why: string): ReadItem => ({ type: 'bad', position, why })

/** Limits of a source. Input over a limit is reported and never cut silently. */
export const ADOPT_LIMITS = {
  fileBytesMax: 4_294_967_296, // a file: 4 GiB
  documentBytesMax: 16_777_216, // a file that is read whole, such as markdown
  lineBytesMax: 16_777_216, // a line of a JSONL file or a list
  elementBytesMax: 67_108_864, // one conversation or memory inside a JSON file
  rowBytesMax: 16_777_216, // a row of a database
  jsonDepthMax: 64, // nesting inside a JSON file
  filesMax: 50_000, // files of a folder
  folderDepthMax: 24, // folders inside each other
  headBytes: 65_536, // bytes read to recognise a file
  shownProblemsMax: 200, // bad records listed one by one; all are counted
} as const
