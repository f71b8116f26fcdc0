import { MunimentError } from '../../domain/errors.ts'
import type { Hash, StackId } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import type { Head } from '../../domain/waist.ts'
import { selected } from '../sql/columns.ts'
import { policyOf } from '../sql/policy.ts'
import { STATE_COLUMNS, type Standing, standingOf, TIP_COLUMNS } from '../sql/rows.ts'
import type { Steps } from '../sql/steps.ts'
import { POSTGRES } from './dialect.ts'
import type { PgClient, PgRow, PgValue } from './driver.ts'
import { isAftermath } from './faults.ts'
import { sent } from './sent.ts'

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

/** What is known of a stack from before; none of it is trusted where it may have changed. */
export interface Known {
  /** By their hashes: they never change. */
  readonly policies: Map<Hash, Policy>
  /** How long repeats were counted together, by the policy that was in force last. */
  tallyWindowMs: number | null
  /** The last head that was seen on which no parent was absent: nobody who is born then was waited for. */
  whole: Head | null
}

/** One transaction that sees one stack. */
export class Connection {
  readonly stack: StackId
  readonly client: PgClient
  readonly known: Known
  #failure: unknown = null

  constructor(client: PgClient, stack: StackId, known: Known) {
    this.client = client
    this.stack = stack
    this.known = known
  }

  /** Sent at once: statements that do not need each other's answers share one way to the server. */
  rows(sql: string, ...values: readonly PgValue[]): Promise<readonly PgRow[]> {
    const rows = this.client.query(numbered(sql), [this.stack, ...values])
    rows.catch((cause: unknown) => {
      this.#failure ??= cause
    })
    return rows
  }

  /** What went wrong first: statements that were sent behind it only say that something did. */
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

  /** The answer of a query that may need several statements; those of one step are sent together. */
  async run<T>(steps: Steps<T>): Promise<T> {
    let step = steps.next()
    while (!step.done) {
      const asked = step.value.map(({ sql, values }) => this.rows(sql, ...values))
      step = steps.next(await Promise.all(asked))
    }
    return step.value
  }

  /** A transaction sees the stack that it was begun for, and answers for no other (SCOPE-BOUND). */
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
