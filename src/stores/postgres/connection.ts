import { MunimentError } from '../../domain/errors.ts'
import type { Hash, StackId } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import type { Head } from '../../domain/waist.ts'
import { STATE_COLUMNS, type Standing, standingOf, TIP_COLUMNS } from '../sql/rows.ts'
import { selected } from './columns.ts'
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

  /** Policies are read out of the log itself, each once; a lost pointer costs time, no more. */
  async policy(hash: Hash | null): Promise<Policy | null> {
    if (hash === null) return null
    const known = this.known.policies.get(hash)
    if (known) return known
    const pointed = await this.rows(POINTED, hash)
    const found = policyIn(pointed, hash) ?? policyIn(await this.rows(SOUGHT), hash)
    if (found) this.known.policies.set(hash, found)
    return found
  }

  /** A transaction sees the stack that it was begun for, and answers for no other (SCOPE-BOUND). */
  answersFor(stack: StackId): void {
    if (stack === this.stack) return
    throw new MunimentError('invariant', 'A transaction is of one stack.')
  }
}

const STANDING = `
  SELECT s.stack_id, ${selected(TIP_COLUMNS.slice(2), 's')}, ${selected(STATE_COLUMNS.slice(1), 's')},
    EXISTS (SELECT 1 FROM absent a WHERE a.stack_id = $1)::int
  FROM stacks s WHERE s.stack_id = $1`

const POINTED = `
  SELECT l.bytes FROM policies p JOIN provenance_log l ON l.stack_id = $1 AND l.seq = p.seq
  WHERE p.stack_id = $1 AND p.hash = decode(?, 'hex')`

const SOUGHT = `
  SELECT l.bytes FROM provenance_log l
  WHERE l.stack_id = $1 AND position('"op":"policy"'::bytea IN l.bytes) > 0`

const decoder = new TextDecoder()

/** What is read here of an entry that may be a policy's. */
interface PolicyEntry {
  readonly op?: string
  readonly decision?: { readonly facts?: { readonly hash: Hash; readonly policy: Policy } }
}

function policyIn(rows: readonly PgRow[], hash: Hash): Policy | null {
  for (const [bytes] of rows) {
    const text = decoder.decode(bytes as Uint8Array) // a bytea
    const { op, decision } = JSON.parse(text) as PolicyEntry // checked in the next line
    if (op === 'policy' && decision?.facts?.hash === hash) return decision.facts.policy
  }
  return null
}
