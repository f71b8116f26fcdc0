import type { Entity } from '../agent/entity.ts'
import type { Caller } from '../domain/doors.ts'
import { MunimentError } from '../domain/errors.ts'
import { parseRef, splitRef } from '../domain/ids.ts'
import { toInstant } from '../domain/time.ts'
import type { Redactor } from '../domain/words/secrets.ts'
import type { AuditMark } from '../engine/audit/codes.ts'
import type { ExplainOptions } from '../engine/history/why.ts'
import type { AsOf } from '../engine/read/as-of.ts'
import type { Memory } from '../engine/read/memory-view.ts'
import type { Stack } from '../stack.ts'

/** Facts about a call, known before its work. */
export interface Traced {
  readonly caller: Caller
  readonly stackId: string
}

/** Does the work, and reports the call. */
export type Trace = <T>(call: Traced, work: () => Promise<T>) => Promise<T>

/** Reports nothing. */
export const untraced: Trace = (_, work) => work()

/** The part of every call that a door supplies. */
export interface DoorContext {
  readonly entity: Entity
  readonly stack: Stack
  readonly caller: Caller
  /** The calling person or program, as provenance shall name the caller. */
  readonly actor: string
  /** The id of a new memory, where fixed before; random unless given. */
  readonly id?: string | undefined
  /** The model behind the words, where the caller is not a person. */
  readonly model?: string
  /** Removes secrets from incoming words; the default redactor unless given. */
  readonly redact?: Redactor | undefined
  /** Traces every call; off by default. */
  readonly trace?: Trace | undefined
  /** Days until maintenance erases captures of hooks, if the person set a number. */
  readonly capturesKeptDays?: number | undefined
  /** Reports progress of long work, at a door able to show progress. */
  readonly onProgress?: (progress: {
    readonly done: number
    readonly total: number
    /** The current part, where there are several. */
    readonly component?: string
    /** The place to resume, if possible. */
    readonly mark?: AuditMark | null
  }) => void
}

/** The reader, for receipts. */
export const readerOf = ({ caller, actor }: DoorContext) => ({ caller, actor })

/** Drops undefined members, so a use case applies its own defaults. */
export const given = <Fields extends object>(fields: Fields): DefinedFields<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as DefinedFields<Fields> // only members that were undefined are missing

type DefinedFields<Fields> = { readonly [K in keyof Fields]?: Exclude<Fields[K], undefined> }

const NUMBER = /^\d+$/
const DAY = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/** A moment as people write time: the number of an entry, a day, or a time. */
export function momentOf(text: string): AsOf {
  if (NUMBER.test(text)) return Number(text)
  if (DAY.test(text)) return `${text}T23:59:59.999Z`
  const ms = TIME.test(text) ? Date.parse(text) : Number.NaN
  return Number.isFinite(ms) ? toInstant(ms) : text
}

/** An optional moment. */
export const pastOf = (asOf: string | undefined): { readonly asOf?: AsOf } =>
  asOf === undefined ? {} : { asOf: momentOf(asOf) }

export async function memoryAt(
  stack: Stack,
  ref: string,
  options: ExplainOptions = {},
): Promise<Memory> {
  const { kind, id } = splitRef(parseRef(ref))
  const memory = await stack.getMemory(kind, id, options)
  if (memory) return memory
  throw new MunimentError('not_found', `${ref} does not exist in this stack.`, { facts: { ref } })
}
