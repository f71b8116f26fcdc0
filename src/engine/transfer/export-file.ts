import { RECEIPT_LIMITS } from '../../ports/receipts.ts'
import type { EngineCore } from '../core.ts'
import type { ReadBy } from '../read/served.ts'
import { flagOf, given, nameOf } from '../write/arguments.ts'
import { type Dumped, type DumpOptions, dump, type Exported, type ExportOptions } from './dump.ts'
import type { Transfer } from './transfer.ts'

export async function dumpServed(
  core: EngineCore,
  options?: (DumpOptions & ReadBy) | null,
): Promise<Dumped> {
  const dumped = await dump(core.uses, options)
  const { memories } = dumped
  // A receipt has a limit, because a reader remembers only a limited number of memories.
  const newest = memories.toSorted((a, b) => b.entry.seq - a.entry.seq)
  await core.serving.serve('dump', options, newest.slice(0, RECEIPT_LIMITS.toldMax))
  return dumped
}

/** Writes the stack to a file: memories with their ledger, the ledger alone, or plain text. */
export async function exportFile(
  core: EngineCore,
  transfer: Transfer,
  asked: { readonly path: string; readonly options: (ExportOptions & ReadBy) | null | undefined },
): Promise<Exported> {
  const { format = 'markdown', includeLedger, ...narrowed } = given(asked.options)
  const file = nameOf('path', asked.path)
  if (format === 'bundle') {
    await core.uses.writeFile(file, transfer.bundle())
    return { isSealed: false }
  }
  const { text, memories } = await dumpServed(core, { ...narrowed, format })
  const isWhole = flagOf('includeLedger', includeLedger, true) && narrowed.includeRaw !== false
  const { tip } = await core.uses.read({ type: 'standing' })
  if (format !== 'json' || !isWhole || tip.head.seq < 0) {
    await core.uses.writeFile(file, oneChunk(text))
    return { isSealed: false }
  }
  const { chunks, isSealed } = await transfer.exportWhole(memories)
  await core.uses.writeFile(file, chunks)
  return { isSealed }
}

async function* oneChunk(text: string): AsyncGenerator<string> {
  yield text
}
