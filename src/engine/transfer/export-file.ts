import { RECEIPT_LIMITS } from '../../ports/receipts.ts'
import type { Engine } from '../engine.ts'
import type { ReadBy } from '../read/served.ts'
import { flagOf, given, nameOf } from '../write/arguments.ts'
import { type Dumped, type DumpOptions, dump, type Exported, type ExportOptions } from './dump.ts'
import type { Transfer } from './transfer.ts'

export async function dumpServed(
  engine: Engine,
  options?: (DumpOptions & ReadBy) | null,
): Promise<Dumped> {
  const dumped = await dump(engine, options)
  const { memories } = dumped
  // A receipt has a limit, because a reader remembers only a limited number of memories.
  const newest = memories.toSorted((a, b) => b.entry.seq - a.entry.seq)
  await engine.serving.serve('dump', options, newest.slice(0, RECEIPT_LIMITS.toldMax))
  return dumped
}

/** Writes the stack to a file: memories with their ledger, the ledger alone, or plain text. */
export async function exportFile(
  engine: Engine,
  transfer: Transfer,
  asked: { readonly path: string; readonly options: (ExportOptions & ReadBy) | null | undefined },
): Promise<Exported> {
  const { format = 'markdown', includeLedger, ...narrowed } = given(asked.options)
  const file = nameOf('path', asked.path)
  if (format === 'bundle') {
    await engine.writeFile(file, transfer.bundle())
    return { isSealed: false }
  }
  const { text, memories } = await dumpServed(engine, { ...narrowed, format })
  const isWhole = flagOf('includeLedger', includeLedger, true) && narrowed.includeRaw !== false
  const { tip } = await engine.read({ type: 'standing' })
  if (format !== 'json' || !isWhole || tip.head.seq < 0) {
    await engine.writeFile(file, oneChunk(text))
    return { isSealed: false }
  }
  const { chunks, isSealed } = await transfer.exportWhole(memories)
  await engine.writeFile(file, chunks)
  return { isSealed }
}

async function* oneChunk(text: string): AsyncGenerator<string> {
  yield text
}
