import { KINDS } from '../../domain/ids.ts'
import { labelName } from '../../domain/labels.ts'
import { sourcesIn } from '../../domain/provenance.ts'
import { RECEIPT_LIMITS } from '../../ports/receipts.ts'
import { type DumpMemory, dumpMarkdown } from '../../recall/dump.ts'
import type { Engine } from '../engine.ts'
import { findAll } from '../read/list.ts'
import type { Memory } from '../read/memory-view.ts'
import type { ReadBy } from '../read/served.ts'
import { tierMinOf, type UseOptions } from '../read/use-gate.ts'
import { flagOf, given, nameOf, oneOf } from '../write/arguments.ts'
import { DUMP_FORMAT, type Dump } from './import/dump.ts'
import type { Transfer } from './transfer.ts'

export interface DumpOptions extends Pick<UseOptions, 'caller'> {
  readonly format?: 'markdown' | 'json'
  readonly includeRaw?: boolean
  readonly includeForgotten?: boolean
}

export interface ExportOptions extends Omit<DumpOptions, 'format'> {
  /** A bundle is the ledger alone; JSON holds the memories and, by default, the ledger. */
  readonly format?: 'markdown' | 'json' | 'bundle'
  /** True to add the ledger to JSON; ignored without raw captures, which are part of the ledger. */
  readonly includeLedger?: boolean
}

export interface Exported {
  /** True if an import on this machine can restore the stack from the file. */
  readonly isSealed: boolean
}

interface Dumped {
  readonly text: string
  readonly memories: readonly Memory[]
}

/** Every memory as one text, unshortened: for people, or for programs with an import. */
async function dump(engine: Engine, options?: DumpOptions | null): Promise<Dumped> {
  const asked: DumpOptions = given(options)
  const format = oneOf('format', asked.format ?? 'markdown', ['markdown', 'json'])
  const includeRaw = flagOf('includeRaw', asked.includeRaw, true)
  const includeForgotten = flagOf('includeForgotten', asked.includeForgotten, false)
  const tierMin = tierMinOf((await engine.moment()).policy, asked, 0)
  const memories: Memory[] = []
  for (const kind of KINDS) {
    if (kind === 'raw' && !includeRaw) continue
    const found = await findAll(engine, kind, { includeForgotten: true, includeSetAside: true })
    for (const memory of found) {
      const isRead = memory.tier >= tierMin
      if (isRead && (includeForgotten || memory.strength > 0)) memories.push(memory)
    }
  }
  if (format === 'markdown') return { text: dumpMarkdown(memories.map(asDumped)), memories }
  const whole: Dump = { format: DUMP_FORMAT, stack: engine.stackId, memories }
  return { text: `${JSON.stringify(whole, null, 2)}\n`, memories }
}

const asDumped = (memory: Memory): DumpMemory => ({
  ref: memory.ref,
  kind: memory.kind,
  text: memory.text,
  createdAt: memory.createdAt,
  label: labelName(memory.provenance.label),
  tier: memory.tier,
  confidence: memory.confidence,
  strength: memory.strength,
  sourceId: memory.provenance.sourceId,
  derivedFrom: sourcesIn(memory.provenance),
  tags: memory.tags,
  disposition: memory.disposition,
  isProtected: memory.isProtected,
})

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
