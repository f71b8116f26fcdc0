import { ask, pathOf } from './client.ts'

/** An entry that was written just now. */
export interface Event {
  readonly seq: number
  readonly op: string
  readonly ref: string | null
  readonly at: string
}

const AGAIN_MS = [500, 1_000, 2_000, 5_000, 10_000] as const

/** Follows the ledger as it grows until it is called off; comes back after a break. */
export async function follow(
  stack: string,
  signal: AbortSignal,
  onEvent: (event: Event) => void,
): Promise<void> {
  let last: number | null = null
  let failures = 0
  while (!signal.aborted) {
    try {
      const from = last === null ? '' : `?lastEventId=${last}`
      const answer = await ask(`${pathOf(stack, 'changes')}${from}`, { signal })
      failures = 0
      for await (const event of eventsIn(answer)) {
        last = event.seq
        onEvent(event)
      }
    } catch {
      failures += 1 // a server that went away may come back
    }
    const wait = AGAIN_MS[Math.min(failures, AGAIN_MS.length - 1)]
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, wait))
  }
}

async function* eventsIn(answer: Response): AsyncGenerator<Event> {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  while (reader) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '))
      if (data) yield JSON.parse(data.slice(6)) as Event // as the door writes it
    }
  }
}
