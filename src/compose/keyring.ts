import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MunimentError } from '../domain/errors.ts'
import { fromHex, toHex } from '../hash/sha256.ts'
import type { Keyring, StackKeys } from '../ports/keyring.ts'

/** For stacks that live and die with the process. */
export function memoryKeyring(): Keyring {
  const kept = new Map<string, StackKeys>()
  return {
    find: (uid) => kept.get(uid) ?? null,
    keep(uid, keys) {
      const found = kept.get(uid) ?? keys
      kept.set(uid, found)
      return found
    },
  }
}

/** One file a stack under `<home>/keys`, readable by its owner alone. */
export function fileKeyring(home: string): Keyring {
  const folder = join(home, 'keys')
  const pathOf = (uid: string): string => join(folder, uid)
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
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const draft = join(folder, `.${uid}.${process.pid}`)
      writeFileSync(draft, writeKeys(keys), { mode: 0o600, flush: true })
      try {
        // A link appears whole or not at all, and never replaces the keys another process kept.
        linkSync(draft, pathOf(uid))
      } catch (cause) {
        if (!isCode(cause, 'EEXIST')) throw cause
      } finally {
        unlinkSync(draft)
      }
      return find(uid) ?? keys
    },
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
