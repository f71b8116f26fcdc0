import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { openPage, startBrowser } from '../tests/explorer/support/browser.ts'
import { tell } from '../tests/explorer/support/story.ts'
import { Entity, embeddingComponent, openStack, PROGRAM } from './built.ts'
import { INTERACTIONS, type Interaction, IS_SETTLED } from './explorer-interactions.ts'
import { quantiles, type Record } from './report.ts'
import { isTiny } from './size.ts'
import { together, writeLife } from './stacks.ts'

const STACK = 'demo'
const CLAIMED = 20 // one memory in so many is a claim
const VIEWS = 12
const ROUNDS = 6
const FIRST_VIEW_MS = 1_000
const INTERACTION_MS = 100
const SCRIPT_KB = 250

/** The explorer in a real browser, against the program as it is installed. */
export async function benchExplorer(record: Record, memories: number): Promise<void> {
  if (isTiny) {
    console.error(
      'explorer: left out; a tiny run has no built explorer, and tests/explorer has its own',
    )
    return
  }
  const home = mkdtempSync(join(tmpdir(), 'muniment-bench-'))
  let server: ChildProcess | null = null
  let browser: Browser | null = null
  try {
    await live(home, memories)
    const open = ['--json', '--rate', '1000000', '--allow-anyone-on-loopback'] // pages that nobody signed in to
    const args = [PROGRAM, 'serve', '--port', '0', '--home', home, ...open]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    server = child
    const url = await addressOf(createInterface({ input: child.stdout }))
    browser = await startBrowser()
    const of = `at ${memories.toLocaleString('en')} memories`
    await tellFirstViews(record, { browser, url, of, pid: child.pid ?? 0 })
    await tellInteractions(record, { browser, url, of })
  } finally {
    await browser?.close()
    server?.kill('SIGKILL')
    rmSync(home, { recursive: true, force: true })
  }
}

/** Mostly notes, episodes and what was concluded, some claims, and a story with something to review. */
async function live(home: string, memories: number): Promise<void> {
  const stack = await openStack(STACK, { home, components: [embeddingComponent()] })
  const entity = new Entity('bench')
  await entity.attachStack(stack)
  const claims = Math.floor(memories / CLAIMED)
  await writeLife({ folder: home, stack, entity }, memories - 2 * claims) // each with its words
  let said = 0
  await together({ count: claims, writers: 64 }, () => {
    said += 1
    return stack.claims.remember(`service ${said % 500}`, `setting ${said % 7}`, `value ${said}`, {
      actor: `team ${said % 500}`,
    })
  })
  await tell(stack, { pass: () => undefined })
  await stack.maintenance() // vectors: a stack of this size was searched before
  await stack.close()
}

async function addressOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) return JSON.parse(line).url
  throw new Error('The server ended before it listened.')
}

interface Looking {
  readonly browser: Browser
  readonly url: string
  readonly of: string
}

/** Runs from the first moment of a page on: when all that it asked for is there, the time stands. */
const WATCH = `
  const watch = () => {
    if (document.body && (${IS_SETTLED})) globalThis.settledAt = performance.now()
    else requestAnimationFrame(watch)
  }
  requestAnimationFrame(watch)`

/** With an empty cache each time; the first of them opens the stack as well. */
async function tellFirstViews(
  record: Record,
  { browser, url, of, pid }: Looking & { readonly pid: number },
): Promise<void> {
  const times: number[] = []
  const busy: number[] = []
  const kilobytes: number[] = []
  const before = cpuMsOf(pid)
  for (let view = 0; view < VIEWS; view += 1) {
    const { page } = await openPage(browser)
    const scripts: Promise<number>[] = []
    page.on('response', (response) => {
      if (!response.url().endsWith('.js')) return
      scripts.push(response.body().then((body) => gzipSync(body).length / 1_000))
    })
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable')
    await page.addInitScript(WATCH)
    await page.goto(`${url}/${STACK}/overview`)
    times.push(await whenSettled(page))
    const { metrics } = await session.send('Performance.getMetrics')
    busy.push((metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000)
    // What it checks the ledger by comes behind what is looked at, and counts.
    await page.locator('[data-ledger="sound"]').waitFor()
    kilobytes.push((await Promise.all(scripts)).reduce((sum, each) => sum + each, 0))
    await page.context().close()
  }
  const [cold = Number.NaN, ...warm] = times
  const { p50, p95 } = quantiles(warm)
  const budget = `≤ ${FIRST_VIEW_MS} ms`
  record({
    name: `first view ${of}, server just started`,
    value: cold,
    unit: 'ms',
    budget,
    met: cold <= FIRST_VIEW_MS,
  })
  record({ name: `first view ${of}, p50`, value: p50, unit: 'ms' })
  record({
    name: `first view ${of}, p95`,
    value: p95,
    unit: 'ms',
    budget,
    met: p95 <= FIRST_VIEW_MS,
  })
  record({ name: 'work of the page in it, p50', value: quantiles(busy).p50, unit: 'CPU ms' })
  const server = (cpuMsOf(pid) - before) / VIEWS
  record({ name: 'work of the server for it', value: server, unit: 'CPU ms' })
  const most = Math.max(...kilobytes)
  record({
    name: 'script of the first view, compressed',
    value: most,
    unit: 'kB',
    budget: `≤ ${SCRIPT_KB} kB`,
    met: most <= SCRIPT_KB,
  })
}

async function whenSettled(page: Page): Promise<number> {
  await until(page, 'globalThis.settledAt !== undefined')
  return page.evaluate('globalThis.settledAt')
}

/** Run by the debugger: the page lets nothing be evaluated, and that stays so. */
const until = (page: Page, isSo: string): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => {
    const look = () => ((${isSo}) ? resolve() : setTimeout(look, 20))
    look()
  })`)

/** What a process worked so far, where the system tells; its unit is a hundredth of a second. */
function cpuMsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  } catch {
    return Number.NaN
  }
}

/** From what a person does to the frame that shows all that it asks for. */
async function tellInteractions(record: Record, { browser, url, of }: Looking): Promise<void> {
  const { page, complaints } = await openPage(browser)
  const all: number[] = []
  await page.goto(`${url}/${STACK}/overview`)
  const own = new Map<Interaction, number[]>(INTERACTIONS.map((each) => [each, []]))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const each of INTERACTIONS) {
      await until(page, IS_SETTLED)
      for (let time = 0; time < each.times; time += 1) {
        const took = await timed(page, each, round * each.times + time)
        own.get(each)?.push(took)
        all.push(took)
      }
    }
  }
  for (const [{ name }, times] of own) {
    const { p50, p95 } = quantiles(times)
    record({ name: `${name}, p50`, value: p50, unit: 'ms' })
    record({ name: `${name}, p95`, value: p95, unit: 'ms' })
  }
  const { p95 } = quantiles(all)
  record({
    name: `${all.length} interactions ${of}, p95`,
    value: p95,
    unit: 'ms',
    budget: `≤ ${INTERACTION_MS} ms`,
    met: p95 <= INTERACTION_MS,
  })
  if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join('; ')}`)
  await page.context().close()
}

const PATIENCE_MS = 20_000

/** The browser counts, so that the wire to it is not part of it. */
async function timed(page: Page, { name, act, isDone }: Interaction, turn: number) {
  const took = await page.evaluate(`new Promise((resolve) => {
    const turn = ${turn}
    const start = performance.now()
    ;${act};
    const look = () => {
      const took = performance.now() - start
      if (${isDone}) resolve(took)
      else if (took > ${PATIENCE_MS}) resolve(null)
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })`)
  if (typeof took !== 'number') {
    const shown = await page.evaluate('location.href + "\\n" + document.body.innerText')
    throw new Error(`Nothing came of it: ${name}\n${shown}`)
  }
  return took
}
