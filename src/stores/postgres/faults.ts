import { type ErrorCode, MunimentError, ScopeError } from '../../domain/errors.ts'

type Fault = Extract<ErrorCode, `store_${string}`>

/** Error codes for PostgreSQL's codes and network codes; all others mean `store_unavailable`. */
const MEANINGS: readonly (readonly [Fault, RegExp])[] = [
  ['store_busy', /^(55P03|57014|40001|40P01)$/], // no lock in time, took too long, crossed another
  ['store_read_only', /^25006$/],
  ['store_full', /^(53100|ENOSPC)$/],
  ['store_corrupt', /^(23...|42P01|42703|XX001|XX002|22021|22P02|22P05)$/],
]

/** The connection is gone, or the server is not ready to talk: worth another try. */
const LOST =
  /^(08...|57P0[123]|53300|ECONN[A-Z]+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND)$/
const LOST_SAYS =
  /Connection terminated|connection error|not queryable|timeout exceeded when trying to connect|Connection ended/i
/** The work is sound, and PostgreSQL asks for a retry. */
const CROSSED = /^(40001|40P01)$/
const FORBIDDEN = '42501'
const STATE = /^[0-9A-Z]{5}$/

const SAYS: Readonly<Record<Fault, readonly [says: string, hint: string]>> = {
  store_busy: ['PostgreSQL did not get to it in time', 'Try again; or raise lockTimeoutMs.'],
  store_read_only: ['PostgreSQL takes no writes here', 'Name the primary server, not a replica.'],
  store_corrupt: ['PostgreSQL holds what cannot be', 'See: muniment doctor. Restore a backup.'],
  store_full: ['PostgreSQL has no room left', 'Free some space on its disk; nothing was written.'],
  store_unavailable: [
    'PostgreSQL cannot be used',
    'Check that it runs and that the address is right.',
  ],
}

export const codeOf = (cause: unknown): string => {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : ''
}

export const isLost = (cause: unknown): boolean =>
  cause instanceof Error && (LOST.test(codeOf(cause)) || LOST_SAYS.test(cause.message))

export const isCrossed = (cause: unknown): boolean => CROSSED.test(codeOf(cause))

/** The transaction had failed already. */
export const isAftermath = (cause: unknown): boolean => codeOf(cause) === '25P02'

/** A coded error for any PostgreSQL or network error; other errors pass unchanged. */
export function faultOf(cause: unknown): unknown {
  if (cause instanceof MunimentError || !(cause instanceof Error)) return cause
  const code = codeOf(cause)
  if (code === FORBIDDEN) return forbidden(cause)
  if (cause instanceof SyntaxError) return faultNamed('store_corrupt', { cause }) // stored JSON
  const known = MEANINGS.find(([, codes]) => codes.test(code))?.[0]
  const isOurs = /^42/.test(code) // a wrong statement is our bug and must stay visible
  if (known === undefined && (isOurs || !(isLost(cause) || STATE.test(code)))) return cause
  return faultNamed(known ?? 'store_unavailable', { cause, ...(code && { facts: { code } }) })
}

interface FaultDetails {
  readonly cause?: unknown
  readonly facts?: Readonly<Record<string, unknown>>
}

export function faultNamed(fault: Fault, details: FaultDetails = {}): MunimentError {
  const [says, hint] = SAYS[fault]
  return new MunimentError(fault, `${says}.`, { ...details, hint })
}

const forbidden = (cause: Error): MunimentError =>
  new ScopeError('This login may not do that to this stack.', {
    hint: 'Let the owner of the database run: muniment stack migrate; then grant the role to this login.',
    cause,
    facts: { code: FORBIDDEN },
  })

export const schemaNewer = (found: number, known: number): MunimentError =>
  new MunimentError('schema_newer', 'The database was made by a newer Muniment.', {
    hint: 'Upgrade Muniment; what is there was not touched.',
    facts: { found, known },
  })

export const schemaOlder = (found: number, known: number): MunimentError =>
  new MunimentError('store_unavailable', 'The database is not prepared for this Muniment.', {
    hint: 'Let its owner run: muniment stack migrate --store postgres://…',
    facts: { found, known },
  })

/** The head names entries that the log no longer holds. The loss is reported, never repaired. */
export const dataLoss = (head: number, last: number): MunimentError =>
  new MunimentError(
    'data_loss',
    `The stack has lost entries: its head is entry ${head}, its log ends at ${last}.`,
    {
      hint: 'Nothing more is written here. Keep the database as it is, and restore a backup.',
      facts: { head, last },
    },
  )
