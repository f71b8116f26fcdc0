import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ERASE_BASES } from '../domain/erasure.ts'
import { MunimentError } from '../domain/errors.ts'
import { isHash, tryParseRef } from '../domain/ids.ts'
import { fromHex, toHex } from '../ledger/sha256.ts'
import type { Keyring, KnownErasure, StackKeys } from '../ports/keyring.ts'
import { guarded } from '../stores/sqlite/faults.ts'
import { appendLines } from './append-lines.ts'
import { linkWhole } from './link-whole.ts'

/** For stacks that live and die with the process. */
export function memoryKeyring(): Keyring {
  const kept = new Map<string, StackKeys>()
  const erased = new Map<string, readonly KnownErasure[]>()
  return {
    find: (uid) => kept.get(uid) ?? null,
    keep(uid, keys) {
      const found = kept.get(uid) ?? keys
      kept.set(uid, found)
      return found
    },
    drop: (uid) => void kept.delete(uid),
    erasures: (uid) => erased.get(uid) ?? [],
    noteErasures(uid, more) {
      const known = erased.get(uid) ?? []
      erased.set(uid, [...known, ...unknownAmong(known, more)])
    },
  }
}

/** One file a stack under `<home>/keys`, readable by its owner alone. */
export function fileKeyring(home: string): Keyring {
  const folder = join(home, 'keys')
  const pathOf = (uid: string): string => join(folder, uid)
  const listOf = (uid: string): string => join(folder, `${uid}.erasures`)
  const find = (uid: string): StackKeys | null => {
    let text: string
    try {
      text = readFileSync(pathOf(uid), 'utf8')
    } catch (cause) {
      if (isCode(cause, 'ENOENT')) return null
      throw new MunimentError('store_unavailable', 'The key file of this stack cannot be read.', {
        cause,
      })
    }
    return readKeys(text)
  }
  return {
    find,
    keep(uid, keys) {
      const kept = find(uid)
      if (kept) return kept
      guarded(folder, () => linkWhole(pathOf(uid), writeKeys(keys)))
      return find(uid) ?? keys
    },
    drop(uid) {
      try {
        rmSync(pathOf(uid), { force: true })
      } catch {
        // A key to nothing is left behind: why the stack could not be made is the thing to say.
      }
    },
    erasures: (uid) => readErasures(listOf(uid)),
    noteErasures(uid, more) {
      const fresh = unknownAmong(readErasures(listOf(uid)), more)
      if (fresh.length === 0) return
      guarded(folder, () =>
        appendLines(
          listOf(uid),
          fresh.map((each) => JSON.stringify(each)),
        ),
      )
    },
  }
}

const unknownAmong = (known: readonly KnownErasure[], more: readonly KnownErasure[]) => {
  const hashes = new Set(known.map(({ hash }) => hash))
  return more.filter(({ hash }) => !hashes.has(hash))
}

/** One erasure a line, only ever added to; a line that a crash cut off is written again. */
function readErasures(path: string): readonly KnownErasure[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line) => erasureIn(line) ?? [])
  } catch (cause) {
    if (isCode(cause, 'ENOENT')) return []
    throw new MunimentError('store_unavailable', 'The list of erasures cannot be read.', { cause })
  }
}

function erasureIn(line: string): KnownErasure | null {
  try {
    const { seq, hash, basis, ref, of, tombstones = [] } = JSON.parse(line) as KnownErasure // checked next
    const isWhole =
      Number.isSafeInteger(seq) &&
      isHash(hash) &&
      ERASE_BASES.includes(basis) &&
      (ref === null || tryParseRef(ref) !== undefined) &&
      (of === null || isHash(of)) &&
      Array.isArray(tombstones) &&
      tombstones.every(isHash)
    return isWhole ? { seq, hash, basis, ref, of, tombstones } : null
  } catch {
    return null
  }
}

const isCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === code

const writeKeys = ({ replica, tombstoneKey }: StackKeys): string =>
  `${JSON.stringify({ replica, tombstoneKey: tombstoneKey && toHex(tombstoneKey) })}\n`

function readKeys(text: string): StackKeys {
  const { replica, tombstoneKey } = membersOf(text)
  const isWhole = typeof replica === 'string' && /^[0-9a-f]{32}$/.test(replica)
  const isKey = typeof tombstoneKey === 'string' && /^[0-9a-f]{64}$/.test(tombstoneKey)
  if (!isWhole || !(isKey || tombstoneKey === null)) throw unreadable()
  return { replica, tombstoneKey: isKey ? fromHex(tombstoneKey) : null }
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
  }
  throw unreadable()
}

const unreadable = (): MunimentError =>
  new MunimentError('store_corrupt', 'The key file of this stack is damaged.', {
    hint: 'Bring it back from where the stack was written last.',
  })
