import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStack } from '../src/compose/open-stack.ts'
import type { WriteRequest } from '../src/engine/write/write-request.ts'

// First sync of a stack into an empty one over a folder, and a round with one new note.
const COUNT = Number(process.argv[2] ?? 10_000)
const AT_ONCE = 500
const root = mkdtempSync(join(tmpdir(), 'bench-sync-'))
const remote = join(root, 'remote')
const open = (name: string, code?: string) =>
  openStack('me', {
    home: join(root, name),
    components: [],
    sync: { remote, ...(code ? { code } : {}) },
  })

const raw = (at: number): WriteRequest => ({
  kind: 'raw',
  body: { content: `capture ${at}: the quick brown fox jumps over the lazy dog ${at % 97}` },
  provenance: {
    sourceType: 'direct_experience',
    label: { type: 'External', kind: 'ExternalFirstHand' },
    sourceId: `tool-${at % 7}`,
    ingestionPath: 'lib:bench',
    confidence: 0.8,
    llmModel: null,
  },
})

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  const done = await work()
  const used = process.cpuUsage(cpu)
  const ms = (performance.now() - start).toFixed(0)
  process.stdout.write(
    `${what}: ${ms} ms, ${((used.user + used.system) / 1000).toFixed(0)} ms of processor\n`,
  )
  return done
}

const one = await open('one')
for (let at = 0; at < COUNT; at += AT_ONCE) {
  await one.writeAll(Array.from({ length: AT_ONCE }, (_, index) => raw(at + index)))
}
await timed(`push of ${COUNT}`, () => one.sync())
const { readFileSync } = await import('node:fs')
const code = readFileSync(join(root, 'one', 'keys', 'me.sync'), 'utf8').trim()
const two = await open('two', code)
await timed(`first pull of ${COUNT}`, () => two.pullChanges())
await one.write(raw(COUNT))
await timed('push of one more', () => one.sync())
await timed('pull of one more', () => two.pullChanges())
await one.close()
await two.close()
rmSync(root, { recursive: true })
