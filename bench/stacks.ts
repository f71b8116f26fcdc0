import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenOptions } from '../src/compose/open-stack.ts'
import type { Stack } from '../src/stack.ts'
import { Entity, openStack } from './built.ts'
import { sentence } from './words.ts'

export interface Bench {
  readonly folder: string
  readonly stack: Stack
  readonly entity: InstanceType<typeof Entity>
}

/** A stack in a folder of its own on the real disk, removed when the work is done. */
export async function withStack<T>(
  work: (bench: Bench) => Promise<T>,
  options: Pick<OpenOptions, 'components'> = {},
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'muniment-bench-'))
  const stack = await openStack('bench', { home: folder, ...options })
  const entity = new Entity('bench')
  await entity.attachStack(stack)
  try {
    return await work({ folder, stack, entity })
  } finally {
    await stack.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

let number = 0

interface Amount {
  readonly count: number
  readonly writers: number
}

/** Notes by `writers` at once, each waiting for its own before the next; gives notes a second. */
export async function writeNotes({ entity }: Bench, amount: Amount): Promise<number> {
  const start = performance.now()
  await together(amount, async () => {
    number += 1
    await entity.note(sentence(number), { observed: true })
  })
  return (amount.count / (performance.now() - start)) * 1_000
}

export async function together(
  { count, writers }: Amount,
  work: () => Promise<unknown>,
): Promise<void> {
  let left = count
  const writer = async (): Promise<void> => {
    while (left > 0) {
      left -= 1
      await work()
    }
  }
  await Promise.all(Array.from({ length: writers }, writer))
}

const TURNS_A_SESSION = 20 // rounds, so that what is found has neighbours
const MEMORIES_A_ROUND = 5 // a note and its raw, an episode and its raw, a belief

/** A life of about so many memories: mostly notes and episodes, what was concluded, who one is. */
export async function writeLife({ entity }: Bench, memories: number): Promise<void> {
  await together({ count: Math.ceil(memories / MEMORIES_A_ROUND), writers: 64 }, async () => {
    number += 3
    const own = number // others count on while this one waits
    const turn = Math.floor(own / 3)
    const tags = [`day-${turn % 30}`, ...(turn % 1_000 === 0 ? ['seldom'] : [])]
    const context = turn % 10 === 0 ? { context: 'project:ten' } : {}
    const session = `session ${Math.floor(turn / TURNS_A_SESSION)}`
    const note = await entity.note(sentence(own), { tags, session, observed: true, ...context })
    const said = { objective: sentence(own + 1), outcome: 'done', tags, session, observed: true }
    const episode = await entity.episode(said)
    const because = { derivedFrom: [note.ref, episode.ref] }
    const belief = await entity.belief(sentence(own + 2), {
      confidence: 0.3 + (turn % 70) / 100,
      ...because,
      ...context,
    })
    if (turn % 100 !== 0) return
    const from = { derivedFrom: [belief.ref] }
    await entity.goal(`reach ${sentence(own)}`, from)
    await entity.value(`value ${turn}`, sentence(own + 1), { ...from, priority: turn % 97 })
  })
}
