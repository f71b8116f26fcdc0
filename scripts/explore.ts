/** Runs every property and simulation with fresh seeds: `npm run explore -- --minutes 60 --only audit`. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Exploration } from '../tests/support/exploration.ts'
import type { FailingSeed } from '../tests/support/failing-seeds.ts'
import { projectFiles, ROOT } from '../tests/support/project-files.ts'
import { isTestPath } from '../tests/support/source.ts'

const DEFAULT_MINUTES = 10
const MINUTE_MS = 60_000
const SLICE_MS_MIN = 1_000
const SLICE_MS_MAX = 20_000
const POLL_MS = 1_000

/** A failure of a property or simulation, as `tests/support/exploration.ts` reports failures. */
interface Failure extends FailingSeed {
  readonly message: string
}

interface TestResult {
  readonly title: string
  readonly fullName: string
  readonly status: string
  readonly failureMessages: readonly string[]
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly status: string
    readonly assertionResults: readonly TestResult[]
  }[]
}

const USAGE = 'npm run explore -- [--minutes 60] [--only part-of-a-path-or-title]'

function readArguments(): { readonly minutes: number; readonly only: string | null } {
  const { values } = parseArgs({
    options: { minutes: { type: 'string' }, only: { type: 'string' } },
  })
  const minutes = Number(values.minutes ?? DEFAULT_MINUTES)
  if (!(minutes > 0)) throw new Error(`--minutes takes a number above 0. Usage: ${USAGE}`)
  return { minutes, only: values.only ?? null }
}

interface PropertyFile {
  readonly file: string
  /** Number of properties and simulations in the text of the file. */
  readonly count: number
}

function findProperties(): readonly PropertyFile[] {
  const PROPERTY = /\bfc\.assert\(|\bforEachSeed\(/g
  return projectFiles()
    .filter(({ path: file }) => isTestPath(file) && !file.startsWith('tests/tidy/'))
    .map(({ path: file, text }) => ({ file, count: text.match(PROPERTY)?.length ?? 0 }))
    .filter(({ count }) => count > 0)
}

/** One round uses the whole time where the limits of a slice allow this. */
function sliceOf(files: readonly PropertyFile[], minutes: number): number {
  const count = files.reduce((sum, each) => sum + each.count, 0)
  const workers = Math.min(availableParallelism(), files.length)
  const share = (minutes * MINUTE_MS * workers) / count
  return Math.round(Math.min(SLICE_MS_MAX, Math.max(SLICE_MS_MIN, share)))
}

/** The table takes this row as printed. */
const asRow = ({ file, test, property, seed, path: to }: Failure): string =>
  [
    '  {',
    `    file: ${JSON.stringify(file)},`,
    `    test: ${JSON.stringify(test)},`,
    `    property: ${property},`,
    `    seed: ${seed},`,
    ...(to ? [`    path: ${JSON.stringify(to)},`] : []),
    '  },',
  ].join('\n')

const firstLines = (text: string): string => text.split('\n').slice(0, 6).join('\n  ')

class Findings {
  readonly #file: string
  readonly #rows: Failure[] = []
  readonly #others = new Map<string, string>()
  #read = 0

  constructor(file: string) {
    this.#file = file
  }

  /** Prints each new failure at once: an exploration may be stopped at any moment. */
  poll(): void {
    if (!existsSync(this.#file)) return
    const lines = readFileSync(this.#file, 'utf8').split('\n').slice(0, -1)
    for (const line of lines.slice(this.#read)) {
      const failure = JSON.parse(line) as Failure // written by reportFailure
      this.#rows.push(failure)
      console.log(`\nFAILED ${failure.file}\n  ${firstLines(failure.message)}`)
      console.log(`Row for tests/support/failing-seeds.ts:\n${asRow(failure)}`)
    }
    this.#read = lines.length
  }

  /** A failure without a seed: a plain test, a hook, or a file that did not load. */
  addOthers(report: VitestReport): void {
    for (const { name, status, message, assertionResults } of report.testResults) {
      const file = path.relative(ROOT, name)
      const failed = assertionResults.filter((each) => each.status === 'failed')
      for (const { title, fullName, failureMessages } of failed) {
        const isKnown = this.#rows.some(
          ({ file: where, test }) => where === file && test.endsWith(title),
        )
        if (!isKnown) this.addOther(`${file} > ${fullName}`, failureMessages[0] ?? '')
      }
      if (
        failed.length === 0 &&
        status === 'failed' &&
        !this.#rows.some((row) => row.file === file)
      )
        this.addOther(file, message)
    }
  }

  addOther(place: string, message: string): void {
    if (this.#others.has(place)) return
    this.#others.set(place, message)
    console.log(`\nFAILED without a seed: ${place}\n  ${firstLines(message)}`)
  }

  /** Prints the summary; returns the number of properties and tests that failed. */
  summarise(): number {
    const distinct = new Map(
      this.#rows.map((row) => [`${row.file} ${row.test} ${row.property}`, row]),
    )
    const total = distinct.size + this.#others.size
    console.log(`\n${total === 0 ? 'Nothing failed.' : `${total} failed.`}`)
    for (const row of distinct.values()) {
      const times = this.#rows.filter((each) => each.file === row.file && each.test === row.test)
      console.log(`  ${times.length} times  ${row.file} > ${row.test}`)
    }
    for (const place of this.#others.keys()) console.log(`  no seed  ${place}`)
    if (distinct.size > 0) {
      console.log('\nRows for tests/support/failing-seeds.ts, the last one of each property:')
      console.log([...distinct.values()].map(asRow).join('\n'))
    }
    return total
  }
}

function runVitest(
  filters: readonly string[],
  { exploration, output }: { readonly exploration: Exploration; readonly output: string },
): Promise<void> {
  const vitest = path.join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const reporting = ['--reporter=json', `--outputFile=${output}`]
  const projects = ['unit', 'suite', 'apart', 'postgres'].map((name) => `--project=${name}`)
  const child = spawn(process.execPath, [vitest, 'run', ...reporting, ...projects, ...filters], {
    cwd: ROOT,
    stdio: 'ignore',
    env: { ...process.env, MUNIMENT_EXPLORATION: JSON.stringify(exploration) },
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', () => resolve())
  })
}

async function main(): Promise<void> {
  const { minutes, only } = readArguments()
  const all = findProperties()
  const named = only === null ? all : all.filter(({ file }) => file.includes(only))
  const files = named.length > 0 ? named : all
  const titles = named.length > 0 ? [] : ['-t', String(only)]
  const filters = [...files.map(({ file }) => file), ...titles]
  const started = Date.now()
  const sliceMs = sliceOf(files, minutes)
  const folder = mkdtempSync(path.join(tmpdir(), 'muniment-explore-'))
  const findings = new Findings(path.join(folder, 'failures.jsonl'))
  const until = started + minutes * MINUTE_MS
  const each = `${sliceMs / 1_000} s for each property in a round`
  console.log(`${files.length} files with properties, ${minutes} minutes, ${each}.`)
  const timer = setInterval(() => findings.poll(), POLL_MS)
  for (let round = 1; round === 1 || Date.now() < until; round += 1) {
    const report = path.join(folder, 'failures.jsonl')
    const output = path.join(folder, `round-${round}.json`)
    const exploration = { until, sliceMs, report, isFirstRound: round === 1 }
    await runVitest(filters, { exploration, output })
    findings.poll()
    if (!existsSync(output)) {
      findings.addOther('vitest', 'vitest ended without a report. Run: npx vitest run')
      break
    }
    const result = JSON.parse(readFileSync(output, 'utf8')) as VitestReport // written by vitest
    findings.addOthers(result)
    const passed = Math.round((Date.now() - started) / MINUTE_MS)
    console.log(`Round ${round} ended after ${passed} of ${minutes} minutes.`)
  }
  clearInterval(timer)
  process.exitCode = findings.summarise() > 0 ? 1 : 0
  rmSync(folder, { recursive: true })
}

await main()
