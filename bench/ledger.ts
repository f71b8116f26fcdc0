import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openStack } from './built.ts'
import { quantiles, type Record, timed } from './report.ts'
import { withStack, writeNotes } from './stacks.ts'

const seconds = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1e6

export async function benchLedger(record: Record, memories: number): Promise<void> {
  await withStack(async (bench) => {
    await writeNotes(bench, { count: memories / 2, writers: 256 })
    const { stack, folder } = bench
    for (const only of ['chain', undefined] as const) {
      const start = process.cpuUsage()
      const delay = monitorEventLoopDelay({ resolution: 5 })
      delay.enable()
      const { entries, ok } = await stack.audit(only ? { only } : {})
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
    await stack.close()
    const opens = await timed(20, async () => (await openStack('bench', { home: folder })).close())
    const { p50 } = quantiles(opens)
    const name = `open a stack of ${memories.toLocaleString('en')} memories, p50`
    record({ name, value: p50, unit: 'ms', budget: '≤ 100 ms', met: p50 <= 100 })
  })
}
