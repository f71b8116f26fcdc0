import type { Record } from './report.ts'
import { type Bench, together, withStack } from './stacks.ts'

const SHARE = 10 // one memory in so many is of the actor who is not believed

/** A tenth of all claims comes from one actor: what it costs to ask what if, to do it and to undo it. */
export async function benchDistrust(record: Record, memories: number): Promise<void> {
  await withStack(async ({ stack }: Bench) => {
    const claims = memories / 2 // each with the words that were captured for it
    let written = 0
    await together({ count: claims, writers: 256 }, () => {
      written += 1
      const actor = written % SHARE === 0 ? 'a doubted bot' : `actor ${written % 97}`
      return stack.claims.remember(`subject ${written}`, 'city', `value ${written}`, { actor })
    })
    const of = `one actor of ${memories / SHARE} of ${memories.toLocaleString('en')} memories`
    const what = { actor: 'a doubted bot' }
    const seconds = async (name: string, work: () => Promise<unknown>): Promise<void> => {
      const start = performance.now()
      const before = process.cpuUsage()
      await work()
      const { user, system } = process.cpuUsage(before)
      record({ name: `${name}, ${of}`, value: (performance.now() - start) / 1_000, unit: 's' })
      record({ name: `${name}, work`, value: (user + system) / 1e6, unit: 'CPU s' })
    }
    await seconds('whatIf', () => stack.sources.whatIf({ distrust: what }))
    await seconds('distrust', () => stack.sources.distrust(what))
    await seconds('trust', () => stack.sources.trust(what))
    await seconds('whatIf of somebody unheard of', () =>
      stack.sources.whatIf({ distrust: { actor: 'nobody' } }),
    )
  })
}
