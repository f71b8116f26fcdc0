import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Contradiction, contradictionBetween } from '../src/recall/contradiction.ts'

const SETS = ['sick-dev', 'negation-snli-dev'] as const
const KINDS = ['any', 'negation', 'opposition', 'number', 'value'] as const

interface Pair {
  readonly label: string
  readonly a: string
  readonly b: string
}

interface Row {
  readonly set: string
  readonly kind: string
  readonly found: number
  readonly right: number
  readonly precision: number
  readonly recall: number
}

function readPairs(folder: string, set: string): readonly Pair[] {
  const lines = readFileSync(join(folder, 'conflict', `${set}.jsonl`), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => JSON.parse(line) as Pair) // the shape that the data's own notes give
}

/** Precision and recall of all that is found, and of each kind of finding. */
function rowsOf(set: string, pairs: readonly Pair[]): readonly Row[] {
  const judged = pairs.map((pair) => ({ pair, found: contradictionBetween(pair.a, pair.b) }))
  const gold = pairs.filter(({ label }) => label === 'contradiction').length
  const isOf = (kind: string, found: Contradiction | null): boolean =>
    found !== null && (kind === 'any' || found.kind === kind)
  return KINDS.map((kind) => {
    const hits = judged.filter(({ found }) => isOf(kind, found))
    const right = hits.filter(({ pair }) => pair.label === 'contradiction').length
    return {
      set,
      kind,
      found: hits.length,
      right,
      precision: right / hits.length,
      recall: right / gold,
    }
  })
}

const lineOf = ({ set, kind, found, right, precision, recall }: Row): string =>
  [
    set.padEnd(20),
    kind.padEnd(12),
    String(found).padStart(6),
    String(right).padStart(6),
    (Number.isNaN(precision) ? '–' : precision.toFixed(3)).padStart(10),
    recall.toFixed(3).padStart(8),
  ].join('')

const args = process.argv.slice(2)
const given = args.includes('--data') ? args[args.indexOf('--data') + 1] : process.env.MUNIMENT_DATA
if (args.includes('--help') || !given) {
  console.log(
    'node bench/conflict.ts --data <folder> [--json]\n  --data  the folder of outside data, or MUNIMENT_DATA\n  --json  one JSON object a line',
  )
  process.exitCode = args.includes('--help') ? 0 : 2
} else {
  const rows = SETS.flatMap((set) => rowsOf(set, readPairs(given, set)))
  if (args.includes('--json')) for (const row of rows) console.log(JSON.stringify(row))
  else {
    console.log('set                 kind         found  right precision  recall')
    for (const row of rows) console.log(lineOf(row))
  }
}
