import type { Reader, Store } from '../../../ports/store.ts'

/**
 * What is read of one moment, handed out as it is asked for. A snapshot lasts as long as a call,
 * and a generator as long as its reader likes; so the call waits for whoever takes the items, and
 * ends when there are no more or no more are wanted.
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
    // Why it ended was told to whoever was waiting; here it only has to be over.
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
