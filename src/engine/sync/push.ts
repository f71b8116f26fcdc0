import type { SealedRow } from '../../domain/entry.ts'
import { MunimentError } from '../../domain/errors.ts'
import { entryIn } from '../../ledger/ledger.ts'
import { utf8 } from '../../ledger/sha256.ts'
import { parseCheckpoint, parseNote } from '../../ledger/signed-note.ts'
import type { EntryRow } from '../../ports/store.ts'
import { type FeedHead, headName, headText } from '../../sync/head.ts'
import {
  bytesOfLines,
  digestOf,
  feedOf,
  isTold,
  leafLine,
  nameOf,
  SEGMENT_ENTRIES_MAX,
  type Segment,
  wordsLine,
} from '../../sync/segment.ts'
import { changeState, newestHead, type OpenedHead, putObject, type SyncParts } from './feed.ts'

const MERGED_ENTRIES_MAX = 512 // short segments at the end grow into one, so that heads stay short

/**
 * Publishes the entries of this ledger since the last head, and destroys erased words in the
 * remote. Returns the number of published entries.
 */
export async function push(parts: SyncParts): Promise<number> {
  const { core, ledger } = parts
  const { tip, stack } = await core.read({ type: 'standing' })
  if (stack.replica === null || tip.head.seq < 0) return 0
  const { replica } = stack
  const signing = ledger.signing()
  const before = await newestHead(parts, { replica, key: signing.key })
  await assertNoFork(parts, before)
  const { note: checkpoint, size } = await signing.checkpoint()
  const acks = await acksOf(parts)
  const segments = await segmentsUpTo(parts, { replica, before, size })
  if (before && isSame(before, { segments, acks })) return tidy(parts, before, 0)
  const counter = (before?.counter ?? 0) + 1
  const head: FeedHead = { replica, counter, key: signing.key, checkpoint, segments, acks }
  const name = headName(head)
  const sealed = await parts.ports.vault.seal(name, utf8(signing.signText(headText(head))))
  // Another process of this home published meanwhile: the next round continues after its head.
  if (!(await parts.ports.remote.putNew(name, sealed))) return 0
  await changeState(parts, (state) => ({ ...state, published: size }))
  return tidy(parts, head, size - (before?.tree.size ?? 0))
}

const isSame = (before: FeedHead, now: Pick<FeedHead, 'segments' | 'acks'>): boolean =>
  JSON.stringify([before.segments, Object.entries(before.acks).sort()]) ===
  JSON.stringify([now.segments, Object.entries(now.acks).sort()])

/** Two ledgers under one replica, such as a copied home, would publish two histories. */
async function assertNoFork({ ledger }: SyncParts, before: OpenedHead | null): Promise<void> {
  if (before === null) return
  const held = parseCheckpoint(parseNote(before.checkpoint)?.text ?? '')
  const problem = held && (await ledger.signing().disagreement(held))
  if (problem === null) return
  throw new MunimentError(
    'sync_refused',
    `Nothing was published: the remote holds another history of this replica (${problem.detail}).`,
    {
      hint: 'A copy of this home, or an older backup, writes under the same name. Keep one of them; open the other stack as a new one and sync it.',
      facts: { replica: before.replica, published: before.tree.size },
    },
  )
}

/** An acknowledgement covers entries that were entered, or erased, here. */
async function acksOf({ ports }: SyncParts): Promise<Readonly<Record<string, number>>> {
  const { peers } = await ports.shelf.read()
  const told = Object.entries(peers).filter(([, { trust }]) => trust === 'paired')
  return Object.fromEntries(
    told.map(([replica, { tree, waiting }]) => [replica, Math.min(tree.size, ...waiting)]),
  )
}

interface Upto {
  readonly replica: string
  readonly before: OpenedHead | null
  readonly size: number
}

/** Earlier segments that still hold, without erased words, and segments for new entries. */
async function segmentsUpTo(
  parts: SyncParts,
  { replica, before, size }: Upto,
): Promise<readonly Segment[]> {
  const published = before?.tree.size ?? 0
  const erasures = await parts.core.read({ type: 'table', name: 'erasures' })
  const gone = erasures.filter(({ entry }) => entry >= published).map(({ seq }) => seq)
  const segments: Segment[] = []
  for (const segment of before?.segments ?? []) {
    const isDirty = gone.some((seq) => seq >= segment.from && seq < segment.to)
    const words = isDirty ? await putWords(parts, replica, segment) : segment.words
    segments.push({ ...segment, words })
  }
  const last = segments.at(-1)
  if (last && size > published && size - last.from <= MERGED_ENTRIES_MAX) segments.pop()
  for (let from = segments.at(-1)?.to ?? 0; from < size; from += SEGMENT_ENTRIES_MAX) {
    const to = Math.min(size, from + SEGMENT_ENTRIES_MAX)
    segments.push(await putSegment(parts, replica, { from, to }))
  }
  return segments
}

type Range = Pick<Segment, 'from' | 'to'>

async function putSegment(parts: SyncParts, replica: string, range: Range): Promise<Segment> {
  const { from, to } = range
  const rows = await parts.core.read({ type: 'entries', from, limit: to - from })
  const bytes = bytesOfLines(rows.map(leafLine))
  const entries = nameOf(replica, 'entries', { from, digest: digestOf(parts.core.sha256, bytes) })
  await putObject(parts, entries, bytes)
  return { from, to, entries, words: await putWords(parts, replica, range, rows) }
}

/** The present words of a segment; null without words. */
async function putWords(
  parts: SyncParts,
  replica: string,
  { from, to }: Range,
  known?: readonly EntryRow[],
): Promise<string | null> {
  const { core } = parts
  const rows = known ?? (await core.read({ type: 'entries', from, limit: to - from }))
  const told = new Set(rows.filter(isRowTold).map(({ seq }) => seq))
  const sealed = await core.read({ type: 'table', name: 'sealed', from, to: to - 1 })
  const lines = sealed.filter(({ seq }: SealedRow) => told.has(seq)).map(wordsLine)
  if (lines.length === 0) return null
  const bytes = bytesOfLines(lines)
  const name = nameOf(replica, 'words', { from, digest: digestOf(core.sha256, bytes) })
  await putObject(parts, name, bytes)
  return name
}

function isRowTold({ bytes }: EntryRow): boolean {
  const entry = entryIn(bytes)
  return entry !== null && isTold(entry)
}

/** Deletes objects outside the newest head: erased words, merged segments, older heads. */
async function tidy(parts: SyncParts, head: FeedHead, pushed: number): Promise<number> {
  const { remote } = parts.ports
  const named = new Set([
    headName(head),
    ...head.segments.flatMap(({ entries, words }) => [entries, ...(words ? [words] : [])]),
  ])
  for (const name of await remote.list(feedOf(head.replica))) {
    if (!named.has(name)) await remote.delete(name)
  }
  return pushed
}
