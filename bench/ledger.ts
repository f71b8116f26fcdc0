import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { openStack, verifyReceipt } from './built.ts'
import { quantiles, type Record, timed } from './report.ts'
import { sized } from './size.ts'
import { type Bench, withStack, writeNotes } from './stacks.ts'

const seconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6

export async function benchLedger(record: Record, memories: number): Promise<void> {
  await withStack(async (bench) => {
    const began = process.cpuUsage()
    await writeNotes(bench, { count: memories / 2, writers: 256 })
    const { stack, folder } = bench
    await benchAppend(record, bench, { memories, cpu: seconds(process.cpuUsage(began)) })
    for (const only of ['chain', undefined] as const) {
      const start = process.cpuUsage()
      const delay = monitorEventLoopDelay({ resolution: 5 })
      delay.enable()
      const { entries, ok } = await stack.ledger.audit(only ? { only } : {})
      delay.disable()
      if (!ok) throw new Error('the audit found problems')
      const rate = entries / seconds(process.cpuUsage(start))
      const budget = only ? { budget: '≥ 200,000 a CPU second', met: rate >= 200_000 } : {}
      const name = only
        ? "audit, only 'chain': bytes, links, tree, seals"
        : 'audit, everything it can recompute'
      record({ name, value: rate, unit: 'entries/CPU s', ...budget })
      const p99 = delay.percentile(99) / 1e6
      const met = p99 <= 50
      record({
        name: `event-loop delay during it, p99`,
        value: p99,
        unit: 'ms',
        budget: '≤ 50 ms',
        met,
      })
    }
    benchFirstAudit(record, bench)
    await benchReplay(record, bench)
    await benchProofs(record, bench)
    await benchErasure(record, bench)
    await stack.close()
    const opens = await timed(sized(20, 2), async () =>
      (await openStack('bench', { home: folder })).close(),
    )
    const { p50 } = quantiles(opens)
    const name = `open a stack of ${memories.toLocaleString('en')} memories, p50`
    record({ name, value: p50, unit: 'ms', budget: '≤ 100 ms', met: p50 <= 100 })
  })
}

const AUDITOR = fileURLToPath(new URL('./auditor.ts', import.meta.url))

/** The same in a process of its own: a thread is started and warms up, nothing was read before. */
function benchFirstAudit(record: Record, { folder }: Bench): void {
  const out = execFileSync(process.execPath, [AUDITOR, folder], { encoding: 'utf8' })
  const { ok, entries, cpu } = JSON.parse(out) as { ok: boolean; entries: number; cpu: number }
  if (!ok) throw new Error('the audit found problems')
  const name = "audit, only 'chain', the first of a process"
  record({ name, value: entries / cpu, unit: 'entries/CPU s' })
}

/** One decision made again: nearly all of it is reading the ledger up to there, as an audit does. */
async function benchReplay(record: Record, { stack }: Bench): Promise<void> {
  const { seq } = await stack.ledger.head()
  const start = process.cpuUsage()
  const { code } = await stack.ledger.replay(seq)
  const cpu = seconds(process.cpuUsage(start))
  if (code !== 'decision.same') throw new Error(`the replay came to ${code}`)
  record({ name: 'replay the last decision', value: cpu * 1_000, unit: 'CPU ms' })
  record({ name: '… which reads', value: (seq + 1) / cpu, unit: 'entries/CPU s' })
}

/** What an entry costs to write, and a memory to keep. */
async function benchAppend(
  record: Record,
  { stack, folder }: Bench,
  { memories, cpu }: { readonly memories: number; readonly cpu: number },
): Promise<void> {
  const { head } = await stack.ledger.audit({ only: 'chain' })
  record({ name: 'append, 256 in flight', value: (head.seq + 1) / cpu, unit: 'entries/CPU s' })
  let ledger = 0
  for await (const line of stack.transfer.bundle()) {
    if (line.startsWith('{"actor":')) ledger += line.length - 1
  }
  record({ name: 'ledger, entries alone', value: ledger / memories, unit: 'bytes/memory' })
  const files = join(folder, 'stacks')
  const size = readdirSync(files).reduce((sum, name) => sum + statSync(join(files, name)).size, 0)
  record({ name: 'everything on disk', value: size / memories, unit: 'bytes/memory' })
}

const PROOFS = sized(500, 5)

async function benchProofs(record: Record, { stack }: Bench): Promise<void> {
  const first = process.cpuUsage()
  await stack.ledger.checkpoint()
  const signed = seconds(process.cpuUsage(first)) * 1_000
  record({ name: 'sign a head, the tree below it at hand', value: signed, unit: 'CPU ms' })
  const notes = await stack.getNotes({ limit: PROOFS })
  const start = process.cpuUsage()
  const receipts = []
  for (const { ref } of notes) receipts.push(await stack.ledger.prove(ref))
  const proving = seconds(process.cpuUsage(start))
  record({ name: 'prove', value: receipts.length / proving, unit: 'receipts/CPU s' })
  const keys = [await stack.ledger.verifierKey()]
  const then = process.cpuUsage()
  if (!receipts.every((receipt) => verifyReceipt(receipt, { keys }).ok)) {
    throw new Error('a receipt did not verify')
  }
  const verifying = seconds(process.cpuUsage(then))
  const name = 'verify, with nothing but JavaScript'
  record({ name, value: receipts.length / verifying, unit: 'receipts/CPU s' })
}

async function benchErasure(record: Record, { stack }: Bench): Promise<void> {
  const [note] = await stack.getNotes({ limit: 1 })
  if (!note) throw new Error('there is nothing to erase')
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const began = performance.now()
  const { scrubbed } = await stack.erasure.erase(note.ref)
  const took = performance.now() - began
  delay.disable()
  if (!scrubbed) throw new Error('the files were not scrubbed')
  record({ name: 'erase one memory, every file clean', value: took, unit: 'ms' })
  const p99 = delay.percentile(99) / 1e6
  const budget = { budget: '≤ 50 ms', met: p99 <= 50 }
  record({ name: 'event-loop delay during it, p99', value: p99, unit: 'ms', ...budget })
}
