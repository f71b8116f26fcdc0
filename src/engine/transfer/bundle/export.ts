import { MunimentError } from '../../../domain/errors.ts'
import type { StackId } from '../../../domain/ids.ts'
import type { Burst } from '../../../domain/state.ts'
import {
  BUNDLE_FORMAT,
  type BundleHeader,
  type RowSection,
  TAGS,
} from '../../../ledger/bundle/format.ts'
import { byteOrder, canonicalize } from '../../../ledger/canonical.ts'
import { rootOf } from '../../../ledger/merkle.ts'
import { type Hasher, type Sha256, toHex } from '../../../ledger/sha256.ts'
import type { Reader, Store } from '../../../ports/store.ts'

/**
 * Streams items from one snapshot. The snapshot call waits for the consumer of the generator, and
 * ends with the last item or when the consumer stops.
 */
async function* withinSnapshot<Item>(
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

/** Hash functions for a bundle. */
export interface BundleTools {
  readonly sha256: Sha256
  readonly hasher: () => Hasher
}

interface Exporting {
  readonly stackId: StackId
  readonly store: Pick<Store, 'snapshot'>
}

const PAGE = 512 // rows in memory at a time

/** Streams the whole stack as of a moment, line by line. Equal stacks give equal bytes. */
export async function* exportBundle(
  { stackId, store }: Exporting,
  { sha256, hasher }: BundleTools,
): AsyncGenerator<string, void, undefined> {
  const digest = hasher()
  for await (const page of withinSnapshot(store, (reader) => pagesOf(reader, stackId, sha256))) {
    for (const line of page) {
      const text = `${line}\n`
      digest.update(text)
      yield text
    }
  }
  yield `${canonicalize({ sha256: digest.digest() })}\n`
}

type Lines = readonly string[]

async function* pagesOf(
  reader: Reader,
  stackId: StackId,
  sha256: Sha256,
): AsyncGenerator<Lines, void, undefined> {
  const header = await headerOf(reader, stackId, sha256)
  const last = header.head.seq
  yield [canonicalize(header)]
  for (let from = 0; from <= last; from += PAGE) {
    const rows = await reader.read(stackId, { type: 'entries', from, limit: PAGE })
    yield rows.map(({ seq, bytes }) => textOf(bytes, seq))
  }
  for await (const rows of sealedPages(reader, stackId, last)) {
    yield rows.map(({ seq, ref, salt, bytes }) =>
      rowLine('sealed', { seq, ref, salt: toHex(salt), text: textOf(bytes, seq) }),
    )
  }
  const keys = await reader.read(stackId, { type: 'table', name: 'actorKeys' })
  yield rowLines('actorKeys', keys, ({ actor }) => actor)
  const tallies = await reader.read(stackId, { type: 'table', name: 'tallies' })
  yield rowLines('tallies', tallies, ({ key }) => key)
  for await (const rows of burstPages(reader, stackId)) {
    yield rows.map((row) => rowLine('bursts', row))
  }
  const tombstones = await reader.read(stackId, { type: 'table', name: 'tombstones' })
  yield rowLines('tombstones', tombstones, ({ mark }) => mark)
}

async function headerOf(reader: Reader, stackId: StackId, sha256: Sha256): Promise<BundleHeader> {
  const { tip, stack } = await reader.read(stackId, { type: 'standing' })
  if (stack.uid === null) {
    throw new MunimentError('not_found', 'Nothing was ever written to this stack.', {
      hint: 'There is nothing to export yet.',
    })
  }
  const { seq, hash } = tip.head
  const count = async (name: 'actorKeys' | 'tallies' | 'tombstones'): Promise<number> =>
    (await reader.read(stackId, { type: 'table', name })).length
  return {
    format: BUNDLE_FORMAT,
    stack: stackId,
    uid: stack.uid,
    head: { seq, hash },
    root: rootOf(sha256, tip.tree),
    counts: {
      entries: seq + 1,
      sealed: await countOf(sealedPages(reader, stackId, seq)),
      actorKeys: await count('actorKeys'),
      tallies: await count('tallies'),
      bursts: await countOf(burstPages(reader, stackId)),
      tombstones: await count('tombstones'),
    },
  }
}

async function countOf(pages: AsyncIterable<readonly unknown[]>): Promise<number> {
  let count = 0
  for await (const page of pages) count += page.length
  return count
}

async function* sealedPages(reader: Reader, stackId: StackId, last: number) {
  for (let from = 0; from <= last; from += PAGE) {
    const to = Math.min(from + PAGE - 1, last)
    yield await reader.read(stackId, { type: 'table', name: 'sealed', from, to })
  }
}

async function* burstPages(reader: Reader, stackId: StackId) {
  for (let after: Burst | null = null; ; ) {
    const rows: readonly Burst[] = await reader.read(stackId, {
      type: 'table',
      name: 'bursts',
      after,
      limit: PAGE,
    })
    yield rows
    const end = rows.at(-1)
    if (end === undefined || rows.length < PAGE) return
    after = end
  }
}

const rowLine = (section: RowSection, row: object): string => canonicalize({ [TAGS[section]]: row })

/** Sorted, because no store guarantees the order of these rows. */
const rowLines = <Row extends object>(
  section: RowSection,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
): Lines =>
  rows.toSorted((a, b) => byteOrder(keyOf(a), keyOf(b))).map((row) => rowLine(section, row))

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Entries and sealed rows are canonical JSON; invalid UTF-8 means damage. */
function textOf(bytes: Uint8Array, seq: number): string {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw new MunimentError('store_corrupt', `Entry ${seq} or its content is not text.`, {
      hint: 'Run audit: it names what is damaged.',
      facts: { seq },
      cause,
    })
  }
}
