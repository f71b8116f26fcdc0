import { MunimentError } from '../../domain/errors.ts'
import type { Hash } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { Engine } from '../engine.ts'
import { wrong } from '../write/arguments.ts'

/** An entry of the ledger: the hashed text, and its stored hash. */
export interface LedgerLine {
  readonly seq: number
  readonly hash: Hash
  readonly entry: string
}

export interface LedgerPage {
  /** The head at the time of the read; seq is -1 for an empty ledger. */
  readonly head: LedgerHead
  readonly entries: readonly LedgerLine[]
}

export interface LedgerHead {
  readonly seq: number
  readonly hash: Hash
  /** Rises with every commit, also with a commit without an entry. */
  readonly rev: number
}

export interface EntriesOptions {
  readonly from?: number
  readonly limit?: number
}

const PAGE = 100

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export async function headOf(engine: Engine): Promise<LedgerHead> {
  const { tip } = await engine.read({ type: 'standing' })
  const { seq, hash, rev } = tip.head
  return { seq, hash, rev }
}

export async function entriesOf(
  engine: Engine,
  { from = 0, limit = PAGE }: EntriesOptions,
): Promise<LedgerPage> {
  if (!Number.isSafeInteger(from) || from < 0) throw wrong('from', 'the number of an entry')
  if (!Number.isSafeInteger(limit) || limit < 0 || limit > LIMITS.pageItemsMax) {
    throw wrong('limit', `a number up to ${LIMITS.pageItemsMax}`)
  }
  const head = await headOf(engine)
  const rows = limit === 0 ? [] : await engine.read({ type: 'entries', from, limit })
  return {
    head,
    entries: rows.map(({ seq, hash, bytes }) => ({ seq, hash, entry: textOf(seq, bytes) })),
  }
}

/** Throws for invalid UTF-8, because replaced characters would change the text. */
function textOf(seq: number, bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw new MunimentError('store_corrupt', `Entry ${seq} is not text.`, {
      hint: 'Run audit: it names the first bad entry.',
      cause,
    })
  }
}
