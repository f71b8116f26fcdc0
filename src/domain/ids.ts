import { MunimentError } from './errors.ts'

/**
 * The thirteen kinds, in the order of lists and exports.
 * @example for (const kind of KINDS) console.log(kind)
 */
export const KINDS = [
  'raw',
  'episode',
  'note',
  'claim',
  'belief',
  'goal',
  'relationship',
  'value',
  'drive',
  'playbook',
  'summary',
  'self_narrative',
  'epoch',
] as const

/** A kind of memory that a person or an agent writes. */
export type Kind = (typeof KINDS)[number]

/** Records about memory: kept and sealed like memories, believed by nobody. */
export const RECORD_KINDS = [...KINDS, 'suggestion', 'assessment', 'report'] as const

/** A kind of record, with suggestions, assessments and reports. */
export type RecordKind = (typeof RECORD_KINDS)[number]

const kinds: ReadonlySet<string> = new Set(KINDS)
const recordKinds: ReadonlySet<string> = new Set(RECORD_KINDS)

export const isKind = (text: unknown): text is Kind => typeof text === 'string' && kinds.has(text)

export const isRecordKind = (text: unknown): text is RecordKind =>
  typeof text === 'string' && recordKinds.has(text)

declare const memoryId: unique symbol
/** A UUID in lower case. New ids are version 7 and sort by birth. */
export type MemoryId = string & { readonly [memoryId]: true }

declare const ref: unique symbol
/** `kind:id`, the name of one record inside its stack. */
export type Ref = string & { readonly [ref]: true }

declare const stackId: unique symbol
/** The name of a stack. */
export type StackId = string & { readonly [stackId]: true }

declare const hash: unique symbol
/** 64 lower-case hex digits of a SHA-256. */
export type Hash = string & { readonly [hash]: true }

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const STACK = /^[a-z0-9](?:[a-z0-9._-]{0,98}[a-z0-9])?$/i
const HASH = /^[0-9a-f]{64}$/

export const ZERO_HASH = '0'.repeat(64) as Hash // a constant, not a digest

export const isMemoryId = (text: unknown): text is MemoryId =>
  typeof text === 'string' && UUID.test(text)

export function parseMemoryId(text: unknown): MemoryId {
  if (isMemoryId(text)) return text
  throw new MunimentError('invalid_id', 'An id is a UUID in lower case.', {
    issues: [{ path: 'id', message: 'expected a lower-case UUID' }],
  })
}

export const isHash = (text: unknown): text is Hash => typeof text === 'string' && HASH.test(text)

export function parseHash(text: unknown, path = 'hash'): Hash {
  if (isHash(text)) return text
  throw new MunimentError('invalid_input', `${path} is 64 lower-case hex digits.`, {
    issues: [{ path, message: 'expected 64 lower-case hex digits' }],
  })
}

/** Letters, digits, dot, dash and underscore, so a stack's id is also a safe file name. */
export function parseStackId(text: unknown): StackId {
  if (typeof text === 'string' && STACK.test(text) && !text.includes('..')) return text as StackId
  throw new MunimentError(
    'invalid_id',
    'A stack id is 1 to 100 letters, digits, dots, dashes or underscores, starting and ending with a letter or digit.',
    { issues: [{ path: 'stackId', message: 'not a stack id' }] },
  )
}

export interface RefParts {
  readonly kind: RecordKind
  readonly id: MemoryId
}

export function tryParseRef(text: unknown): RefParts | undefined {
  if (typeof text !== 'string') return undefined
  const colon = text.indexOf(':')
  const kind = text.slice(0, colon)
  const id = text.slice(colon + 1)
  return colon > 0 && isRecordKind(kind) && isMemoryId(id) ? { kind, id } : undefined
}

export function parseRef(text: unknown, path = 'ref'): Ref {
  if (tryParseRef(text)) return text as Ref
  throw new MunimentError('invalid_ref', `${path}: expected kind:id, for example episode:<uuid>.`, {
    issues: [{ path, message: 'expected kind:id' }],
  })
}

export const toRef = (kind: RecordKind, id: MemoryId): Ref => `${kind}:${id}` as Ref

/** Splits a ref without a check: the branded type promises the shape. */
export function splitRef(of: Ref): RefParts {
  const colon = of.indexOf(':')
  return { kind: of.slice(0, colon) as RecordKind, id: of.slice(colon + 1) as MemoryId }
}

/** Characters of an id shown in lists: the last, because the first only tell the time. */
export const SHORT_ID_CHARS = 8
