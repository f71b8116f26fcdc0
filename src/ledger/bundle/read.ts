import type { SealedRow } from '../../domain/entry.ts'
import { LimitError, MunimentError, ScopeError } from '../../domain/errors.ts'
import { isHash, parseStackId, type StackId } from '../../domain/ids.ts'
import type { ActorKey, Burst, Tally, Tombstone } from '../../domain/state.ts'
import { byteOrder } from '../canonical.ts'
import { type Hasher, utf8 } from '../sha256.ts'
import {
  BUNDLE_FORMAT,
  type BundleHeader,
  badLine,
  type Counts,
  jsonIn,
  LineReader,
  type RowIn,
  type RowSection,
  rowIn,
  SECTIONS,
  sealedRowOf,
  type TextLines,
} from './format.ts'

/** A bundle read to the end, line by line; the content of the entries is not checked yet. */
export interface Bundle {
  readonly stackId: StackId
  readonly header: BundleHeader
  readonly entries: readonly Uint8Array[]
  readonly sealed: readonly SealedRow[]
  readonly actorKeys: readonly ActorKey[]
  readonly tallies: readonly Tally[]
  readonly bursts: readonly Burst[]
  readonly tombstones: readonly Tombstone[]
  /** True where the digest in the last line matches the lines before. */
  readonly isDigestRight: boolean
}

export interface ReadOptions {
  readonly hasher: () => Hasher
  /** The only stack accepted; null accepts any. */
  readonly stackId: StackId | null
}

/** Reads every required line in order, and compares the digest at the end. */
export async function readBundle(
  lines: TextLines,
  { hasher, stackId }: ReadOptions,
): Promise<Bundle> {
  const reader = new LineReader(lines, hasher())
  try {
    const header = headerIn(await reader.next())
    const named = stackNamed(header, stackId)
    const entries: Uint8Array[] = []
    for (let seq = 0; seq < header.counts.entries; seq += 1) {
      entries.push(utf8(await reader.next()))
    }
    const rows = <Section extends RowSection>(section: Section) =>
      rowsIn(reader, section, header.counts[section])
    const bundle = {
      stackId: named,
      header,
      entries,
      sealed: (await rows('sealed')).map(sealedRowOf),
      actorKeys: await rows('actorKeys'),
      tallies: await rows('tallies'),
      bursts: await rows('bursts'),
      tombstones: await rows('tombstones'),
    }
    const { line, digest } = await reader.last()
    return { ...bundle, isDigestRight: line === `{"sha256":"${digest}"}` }
  } finally {
    await reader.close()
  }
}

/** Null for lines other than a bundle; errors of the lines' own reader pass through. */
export async function tryReadBundle(
  lines: TextLines,
  options: ReadOptions,
): Promise<Bundle | null> {
  try {
    return await readBundle(lines, options)
  } catch (cause) {
    const isBad = cause instanceof MunimentError && cause.code === 'invalid_bundle'
    if (isBad || cause instanceof LimitError) return null
    throw cause
  }
}

async function rowsIn<Section extends RowSection>(
  reader: LineReader,
  section: Section,
  count: number,
): Promise<readonly RowIn<Section>[]> {
  const rows: RowIn<Section>[] = []
  let last: string | null = null
  while (rows.length < count) {
    const line = await reader.next()
    const read = rowIn(section, jsonIn(line, reader.number))
    if (typeof read === 'string') throw badLine(reader.number, read)
    if (last !== null && byteOrder(last, read.key) >= 0) {
      throw badLine(reader.number, 'does not come after the line before it')
    }
    last = read.key
    rows.push(read.row)
  }
  return rows
}

const UID = /^[0-9a-f]{32}$/
const MEMBERS = 'counts,format,head,root,stack,uid'
const COUNTED = [...SECTIONS].sort().join()

/** Reads the first line of a bundle; throws where the line is no header. */
export function headerIn(line: string): BundleHeader {
  const header = jsonIn(line, 1) as Partial<BundleHeader> | null // every member is checked below
  if (header?.format !== BUNDLE_FORMAT) {
    throw badLine(1, `does not begin a bundle of the format ${BUNDLE_FORMAT}`)
  }
  const { counts, head, root, uid } = header
  const isWhole =
    Object.keys(header).join() === MEMBERS &&
    isCounts(counts) &&
    Object.keys(head ?? {}).join() === 'hash,seq' &&
    isHash(head?.hash) &&
    head.seq === counts.entries - 1 &&
    isHash(root) &&
    typeof uid === 'string' &&
    UID.test(uid)
  if (!isWhole) throw badLine(1, 'is not the header of a bundle')
  return header as BundleHeader // checked member by member
}

const isCounts = (value: unknown): value is Counts =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).join() === COUNTED &&
  Object.values(value).every((count) => Number.isSafeInteger(count) && count >= 0)

/** Entries name their stack, so a bundle cannot be restored under another name. */
function stackNamed({ stack }: BundleHeader, wanted: StackId | null): StackId {
  const named = stackIdIn(stack)
  if (wanted !== null && named !== wanted) {
    throw new ScopeError(`The bundle is of the stack ${named}, not ${wanted}.`, {
      hint: 'Restore it under its own name, or import its memories into the other stack.',
      facts: { bundle: named, wanted },
    })
  }
  return named
}

function stackIdIn(stack: unknown): StackId {
  try {
    return parseStackId(stack)
  } catch (cause) {
    throw badLine(1, 'does not name a stack', { cause })
  }
}
