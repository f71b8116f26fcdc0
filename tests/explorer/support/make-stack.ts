import { openStack } from '../../../src/compose/open-stack.ts'
import { fill } from './filler.ts'
import { type Told, tell } from './story.ts'

const DAY_MS = 86_400_000
const SPAN_DAYS = 90 // over which the memories of the stack are spread

export interface Made extends Told {
  readonly home: string
  readonly stackId: string
}

/** A stack of a real file: many memories of every day, and a story among them. */
export async function makeStack(home: string, stackId: string, memories: number): Promise<Made> {
  let now = Date.now() - SPAN_DAYS * DAY_MS
  const clock = { now: () => Math.round(now) }
  const step = (SPAN_DAYS * DAY_MS * 0.55) / Math.max(1, memories)
  // Components would note something of each, which takes longer than all the rest.
  const bare = await openStack(stackId, { home, clock, components: [] })
  await fill(bare, memories, () => {
    now += step
  })
  await bare.close()
  const stack = await openStack(stackId, { home, clock })
  const told = await tell(stack, {
    pass: (days) => {
      now += days * DAY_MS
    },
  })
  await stack.close()
  return { home, stackId, ...told }
}
