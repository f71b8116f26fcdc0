import { benchAdopt } from './adopt.ts'
import { benchClaims } from './claims.ts'
import { benchComponents } from './components.ts'
import { benchDistrust } from './distrust.ts'
import { benchDoors } from './doors.ts'
import { benchEcho } from './echo.ts'
import { benchEmbed } from './embed.ts'
import { benchExplorer } from './explorer.ts'
import { benchExtensions } from './extensions.ts'
import { benchFirewall } from './firewall.ts'
import { benchHttp } from './http.ts'
import { benchLedger } from './ledger.ts'
import { benchPostgres } from './postgres.ts'
import { benchProcesses } from './programs.ts'
import { benchReads } from './reads.ts'
import { benchRecall } from './recall/run.ts'
import { type Record, recorder } from './report.ts'
import { isTiny } from './size.ts'
import { benchStart } from './starts.ts'
import { benchGrowth, benchWrites } from './writes.ts'

type Part = (record: Record, memories: number) => Promise<void>

const PARTS: Readonly<{ [name: string]: Part }> = {
  start: benchStart,
  writes: benchWrites,
  processes: benchProcesses,
  growth: benchGrowth,
  postgres: benchPostgres,
  extensions: benchExtensions,
  reads: async (record, memories) => {
    for (const size of isTiny ? [memories] : [10_000, 100_000])
      if (size <= memories) await benchReads(record, size)
  },
  claims: benchClaims,
  distrust: benchDistrust,
  ledger: benchLedger,
  recall: benchRecall,
  embed: benchEmbed,
  echo: benchEcho,
  components: benchComponents,
  firewall: benchFirewall,
  http: benchHttp,
  doors: benchDoors,
  explorer: benchExplorer,
  adopt: benchAdopt,
}

/** Parts of many minutes, which run where they are named. */
const ONLY_NAMED: ReadonlySet<string> = new Set(['adopt'])

const TINY = 100

const USAGE = `npm run bench -- [--json] [--quick | --tiny] [--data=folder] [--store=postgres] [part …]
  --json   one JSON object a line
  --data   where the conversations for recall lie; MUNIMENT_DATA when it is not named
  --store  recall on PostgreSQL too, and whether it finds what a file does
  --quick  10,000 memories instead of 100,000
  --tiny   a hundred memories, from the source, with no verdict: shows that every part runs
  part     ${Object.keys(PARTS).join(', ')}; all of them but ${[...ONLY_NAMED].join(', ')} when none is named`

const args = process.argv.slice(2)
const flags = new Set(args.filter((arg) => arg.startsWith('--')))
const named = args.filter((arg) => !arg.startsWith('--'))
const unknown = named.find((name) => !Object.hasOwn(PARTS, name))
if (flags.has('--help') || unknown !== undefined) {
  console.log(unknown === undefined ? USAGE : `There is no part ${unknown}.\n${USAGE}`)
  process.exitCode = unknown === undefined ? 0 : 2
} else {
  const memories = isTiny ? TINY : flags.has('--quick') ? 10_000 : 100_000
  const { record, all } = recorder(flags.has('--json'))
  for (const [name, part] of Object.entries(PARTS)) {
    const isLeftOut = named.length === 0 ? ONLY_NAMED.has(name) && !isTiny : !named.includes(name)
    if (isLeftOut) continue
    await part((figure) => record({ part: name, ...figure }), memories)
  }
  const missed = all.filter(({ met }) => met === false)
  if (!flags.has('--json') && !isTiny)
    console.log(
      missed.length === 0 ? '\nEvery budget was met.' : `\n${missed.length} budgets were missed.`,
    )
}
