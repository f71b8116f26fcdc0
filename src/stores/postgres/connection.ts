import { MunimentError } from '../../domain/errors.ts'
import type { Hash, StackId } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import type { Head } from '../../domain/waist.ts'
import { type Steps, selected } from '../sql/dialect.ts'
import {
  policyOf,
  STATE_COLUMNS,
  type Standing,
  standingOf,
  TIP_COLUMNS,
} from '../sql/entry-rows.ts'
import { POSTGRES } from './dialect.ts'
import { type PgClient, type PgRow, type PgValue, sent } from './drivers.ts'
import { isAftermath } from './faults.ts'

const statements = new Map<string, string>()

/** `?` is the next value, counted from $2 on: $1 is the stack, in every statement there is. */
function numbered(sql: string): string {
  let text = statements.get(sql)
  if (text === undefined) {
    let count = 1
    text = sql.replace(/\?/g, () => {
      count += 1
      return `$${count}`
    })
    statements.set(sql, text)
  }
  return text
}

/** Data of a stack cached between transactions; values that may have changed are never trusted. */
export interface StackCache {
  /** By their hashes: they never change. */
  readonly policies: Map<Hash, Policy>
  /** The window for counting repeats together, from the last policy in force. */
  tallyWindowMs: number | null
  /**
   * The last head seen without absent parents: no memory waits for a parent born after this head.
   */
  whole: Head | null
}

/** One transaction on one stack. */
export class Connection {
  readonly stack: StackId
  readonly client: PgClient
  readonly known: StackCache
  #failure: unknown = null

  constructor(client: PgClient, stack: StackId, known: StackCache) {
    this.client = client
    this.stack = stack
    this.known = known
  }

  /** Sent at once: independent statements share one round trip. */
  rows(sql: string, ...values: readonly PgValue[]): Promise<readonly PgRow[]> {
    const rows = this.client.query(numbered(sql), [this.stack, ...values])
    rows.catch((cause: unknown) => {
      this.#failure ??= cause
    })
    return rows
  }

  /** The first failure: later statements of a failed transaction only report an abort. */
  firstCause(cause: unknown): unknown {
    return isAftermath(cause) ? (this.#failure ?? cause) : cause
  }

  row(sql: string, ...values: readonly PgValue[]): Promise<PgRow | undefined> {
    return sent(this.rows(sql, ...values).then(([first]) => first))
  }

  standing(): Promise<Standing> {
    return sent(this.#standing())
  }

  async #standing(): Promise<Standing> {
    const row = await this.row(STANDING)
    const standing = standingOf(row)
    this.known.whole = row?.at(-1) === 1 ? null : standing.tip.head
    return standing
  }

  policy(hash: Hash | null): Promise<Policy | null> {
    return this.run(policyOf(POSTGRES, this.known.policies, hash))
  }

  /** Runs all statements of a query; the statements of one step are sent together. */
  async run<T>(steps: Steps<T>): Promise<T> {
    let step = steps.next()
    while (!step.done) {
      const asked = step.value.map(({ sql, values }) => this.rows(sql, ...values))
      step = steps.next(await Promise.all(asked))
    }
    return step.value
  }

  /** A transaction sees the stack it was begun for and refuses all others (SCOPE-BOUND). */
  answersFor(stack: StackId): void {
    if (stack === this.stack) return
    throw new MunimentError('invariant', 'A transaction is of one stack.')
  }
}

const STANDING_COLUMNS = [...TIP_COLUMNS.slice(2), ...STATE_COLUMNS.slice(1)]

const STANDING = `
  SELECT s.stack_id, ${selected(POSTGRES, STANDING_COLUMNS, 's')},
    EXISTS (SELECT 1 FROM absent a WHERE a.stack_id = $1)::int
  FROM stacks s WHERE s.stack_id = $1`
