import type { Entity } from '../../agent/entity.ts'
import type { Caller } from '../../domain/doors.ts'
import type { Redactor } from '../../domain/secrets.ts'
import { toInstant } from '../../domain/time.ts'
import type { AuditMark } from '../../engine/audit/range.ts'
import type { AsOf } from '../../engine/read/as-of.ts'
import type { InputOf, OperationName } from '../../operations/operations.ts'
import type { Stack } from '../../stack.ts'
import type { Trace } from '../trace.ts'

/** What a door brings to every call. */
export interface DoorContext {
  readonly entity: Entity
  readonly stack: Stack
  readonly caller: Caller
  /** The person or program on the other side, as provenance shall name it. */
  readonly actor: string
  /** The id of a memory that is made, where it is settled before; a new one unless given. */
  readonly id?: string | undefined
  /** The model whose words these are, where the caller is not a person. */
  readonly model?: string
  /** What takes secrets out of what is said; the usual one unless given. */
  readonly redact?: Redactor | undefined
  /** Told of every call; nobody is unless given. */
  readonly trace?: Trace | undefined
  /** After how many days maintenance erases captures of hooks, where the person settled that. */
  readonly capturesKeptDays?: number | undefined
  /** Told while long work goes on, at a door that can show it. */
  readonly onProgress?: (progress: {
    readonly done: number
    readonly total: number
    /** Which part is at work, where there are several. */
    readonly component?: string
    /** Where it can be taken up, if it can. */
    readonly mark?: AuditMark | null
  }) => void
}

/** Who reads, for the receipts. */
export const readerOf = ({ caller, actor }: DoorContext) => ({ caller, actor })

/** How operations are done: each takes what its own schema has parsed. */
export type Handlers<N extends OperationName> = {
  readonly [K in N]: (context: DoorContext, input: InputOf<K>) => Promise<unknown>
}

/** Without the members that were not given: a use case has defaults of its own. */
export const given = <Fields extends object>(fields: Fields): Given<Fields> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Given<Fields> // only members that were undefined are missing

type Given<Fields> = { readonly [K in keyof Fields]?: Exclude<Fields[K], undefined> }

const NUMBER = /^\d+$/
const DAY = /^\d{4}-\d{2}-\d{2}$/
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/** A moment as people write it: the number of an entry, a day, or a time. */
export function momentOf(text: string): AsOf {
  if (NUMBER.test(text)) return Number(text)
  if (DAY.test(text)) return `${text}T23:59:59.999Z`
  const ms = TIME.test(text) ? Date.parse(text) : Number.NaN
  return Number.isFinite(ms) ? toInstant(ms) : text
}

/** The same, where it may be left out. */
export const pastOf = (asOf: string | undefined): { readonly asOf?: AsOf } =>
  asOf === undefined ? {} : { asOf: momentOf(asOf) }
