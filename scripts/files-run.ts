/**
 * Counts the files and functions of ours that one call runs through, disk and back, by V8 coverage:
 * `npm run files-run`, or `npm run files-run -- ../other-checkout --list belief`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { ROOT } from '../tests/support/project-files.ts'

interface Ran {
  readonly name: string
  readonly files: readonly string[]
  readonly functions: number
}

/** The few members that the calls need; another checkout may keep `ask` in a facet. */
interface OpenStack {
  close(): Promise<void>
  search(query: string): Promise<unknown>
  ask?(question: object): Promise<unknown>
  readonly claims?: { ask(question: object): Promise<unknown> }
}

interface Agent {
  attachStack(stack: OpenStack): Promise<void>
  note(text: string, options: object): Promise<{ readonly ref: string }>
  belief(text: string, options: object): Promise<unknown>
  claim(claim: object, options: object): Promise<unknown>
}

interface Package {
  openStack(id: string, options: object): Promise<OpenStack>
  readonly Entity: new (id: string) => Agent
}

type Call = (number: 0 | 1 | 2) => Promise<unknown>

/** Texts that neither repeat nor contradict each other: the usual way of a write is counted. */
const BELIEFS = [
  'Pumps run longer with clean oil.',
  'Customers prefer short letters.',
  'Migrations fail when two writers meet.',
] as const
const NOTES = [
  'The roof was painted on Monday.',
  'Anna moved the meeting to Friday.',
  'The second build took nine minutes.',
] as const

const { values, positionals } = parseArgs({
  options: { list: { type: 'string' }, json: { type: 'boolean' } },
  allowPositionals: true,
})
const root = path.resolve(positionals[0] ?? ROOT)
const source = pathToFileURL(path.join(root, 'src')).href

const rows = await measured()
if (values.json) console.log(JSON.stringify(rows.map(({ files, ...row }) => withCount(row, files))))
else
  for (const { name, files, functions } of rows)
    console.log(`${name.padEnd(14)} ${files.length} files, ${functions} functions`)
const listed = rows.find(({ name }) => name.endsWith(values.list ?? '\n'))
if (listed) console.log(`\n${listed.files.join('\n')}`)

function withCount(row: Omit<Ran, 'files'>, files: readonly string[]) {
  return { ...row, files: files.length }
}

async function measured(): Promise<readonly Ran[]> {
  // Only the root is computed: the package under measurement is this checkout or another.
  const { openStack, Entity } = (await import(`${source}/index.ts`)) as Package
  const home = mkdtempSync(path.join(tmpdir(), 'muniment-files-run-'))
  const stack = await openStack('files', { home })
  const entity = new Entity('files')
  await entity.attachStack(stack)
  const label = { type: 'External', kind: 'UserAsserted' }
  const derivedFrom = [(await entity.note('The readings of last week were good.', { label })).ref]
  const calls: readonly (readonly [name: string, call: Call])[] = [
    ['Entity.belief', (n) => entity.belief(BELIEFS[n], { derivedFrom })],
    ['Entity.note', (n) => entity.note(NOTES[n], { label })],
    ['search', () => stack.search('which pump needs oil')],
    ['ask', () => askOf(stack)({ subject: 'pump', predicate: 'oil' })],
  ]
  const session = new Session()
  session.connect()
  try {
    await entity.claim({ subject: 'pump', predicate: 'oil', value: 'SAE 30' }, { label })
    for (const [, call] of calls) for (const n of [0, 1] as const) await call(n) // loads lazy modules
    const all: Ran[] = []
    for (const [name, call] of calls) all.push({ name, ...(await ranBy(session, () => call(2))) })
    return all
  } finally {
    session.disconnect()
    await stack.close()
    rmSync(home, { recursive: true, force: true })
  }
}

function askOf(stack: OpenStack): (question: object) => Promise<unknown> {
  if (stack.ask) return stack.ask.bind(stack)
  if (stack.claims) return stack.claims.ask.bind(stack.claims)
  throw new Error('The stack of this checkout has no ask.')
}

/** Functions that were called at least once; each file that has one counts. */
async function ranBy(session: Session, call: () => Promise<unknown>) {
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await call()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  await session.post('Profiler.stopPreciseCoverage')
  const files: string[] = []
  let functions = 0
  for (const { url, functions: all } of result) {
    if (!url.startsWith(source)) continue
    const called = all.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
    if (called.length === 0) continue
    files.push(url.slice(source.length + 1))
    functions += called.length
  }
  return { files: files.sort(), functions }
}
