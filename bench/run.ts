import { benchLedger } from './ledger.ts'
import { benchProcesses, benchStart } from './programs.ts'
import { benchReads } from './reads.ts'
import { recorder } from './report.ts'
import { benchGrowth, benchWrites } from './writes.ts'

const args = new Set(process.argv.slice(2))
if (args.has('--help')) {
  console.log(
    'npm run bench -- [--json] [--quick]\n  --json   one JSON object a line\n  --quick  10,000 memories instead of 100,000',
  )
} else {
  const memories = args.has('--quick') ? 10_000 : 100_000
  const { record, all } = recorder(args.has('--json'))
  await benchStart(record)
  await benchWrites(record)
  await benchProcesses(record)
  await benchGrowth(record, memories)
  await benchReads(record, memories)
  await benchLedger(record, memories)
  const missed = all.filter(({ met }) => met === false)
  if (!args.has('--json'))
    console.log(
      missed.length === 0 ? '\nEvery budget was met.' : `\n${missed.length} budgets were missed.`,
    )
}
