import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { openStack } from './built.ts'
import type { Record } from './report.ts'
import { WRITER_NOTES } from './size.ts'
import { withStack } from './stacks.ts'

const WRITER = fileURLToPath(new URL('./writer.ts', import.meta.url))

const WRITERS = 4

/** Four processes write to one stack at once; a reader looks at it all the while. */
export async function benchProcesses(record: Record): Promise<void> {
  await withStack(async ({ folder, stack }) => {
    const start = performance.now()
    const writers = Array.from({ length: WRITERS }, (_, number) => writer(folder, number + 1))
    let reads = 0
    let failures = 0
    let isDone = false
    const reading = (async () => {
      while (!isDone) {
        await stack.getNotes({ limit: 20 }).catch(() => {
          failures += 1
        })
        reads += 1
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    })()
    const failed = (await Promise.all(writers)).filter((code) => code !== 0).length
    isDone = true
    await reading
    const took = (performance.now() - start) / 1_000
    const again = await openStack('bench', { home: folder })
    const { note = 0 } = await again.getStats()
    await again.close()
    record({
      name: `four processes × ${WRITER_NOTES} notes on one stack`,
      value: note / took,
      unit: 'notes/s',
    })
    const met = failed === 0 && note === WRITERS * WRITER_NOTES
    record({
      name: 'notes of theirs that are there',
      value: note,
      unit: `of ${(WRITERS * WRITER_NOTES).toLocaleString('en')}`,
      budget: 'all',
      met,
    })
    const none = { budget: '0 failures', met: failures === 0 }
    record({ name: `failures of ${reads} reads meanwhile`, value: failures, unit: '', ...none })
  })
}

export const writer = (home: string, number: number): Promise<number | null> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [WRITER, home, String(number)], { stdio: 'inherit' })
    child.once('exit', resolve)
  })
