import type { Reader, Store } from '../../../ports/store.ts'

/**
 * Streams items from one snapshot. The snapshot call waits for the consumer of the generator, and
 * ends with the last item or when the consumer stops.
 */
export async function* withinSnapshot<Item>(
  store: Pick<Store, 'snapshot'>,
  read: (reader: Reader) => AsyncIterable<Item>,
): AsyncGenerator<Item, void, undefined> {
  let wanted = later<'more' | 'enough'>()
  let given = later<{ readonly item: Item }>()
  const ended = store.snapshot(async (reader) => {
    for await (const item of read(reader)) {
      if ((await wanted.promise) === 'enough') return null
      wanted = later()
      given.settle({ item })
    }
    return null
  })
  try {
    for (;;) {
      given = later()
      wanted.settle('more')
      const next = await Promise.race([given.promise, ended])
      if (next === null) return
      yield next.item
    }
  } finally {
    wanted.settle('enough')
    // The consumer has received the error; the cleanup only waits for the end.
    await ended.catch(() => undefined)
  }
}

interface Later<T> {
  readonly promise: Promise<T>
  readonly settle: (value: T) => void
}

function later<T>(): Later<T> {
  let settle: (value: T) => void = () => undefined
  const promise = new Promise<T>((resolve) => {
    settle = resolve
  })
  return { promise, settle }
}
