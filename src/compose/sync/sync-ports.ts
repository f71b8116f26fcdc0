import { readFileSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { MunimentError } from '../../domain/errors.ts'
import type { StackId } from '../../domain/ids.ts'
import {
  NOTHING_SYNCED,
  type Remote,
  type SyncPorts,
  type SyncShelf,
  type SyncState,
  type Vault,
} from '../../ports/remote.ts'
import type { Random } from '../../ports/world.ts'
import { linkWhole } from '../private-files.ts'
import { folderRemote } from './folder-remote.ts'
import { syncVault, VAULT_KEY_BYTES } from './sync-vault.ts'

export interface SyncOptions {
  /** A folder by its path, or a remote of the caller's own. */
  readonly remote: string | Remote
  /** The code of a remote that another machine began; kept in the home folder afterwards. */
  readonly code?: string
  /** Keeps the state of the rounds; a file in the home folder when absent. */
  readonly shelf?: SyncShelf
  /** Encryption of the caller's own; AES-256-GCM with the key of the code when absent. */
  readonly vault?: Vault
}

interface At {
  readonly stackId: StackId
  readonly home: () => string
  readonly random: Random
}

export async function syncPorts(options: SyncOptions, at: At): Promise<SyncPorts> {
  const { remote: given, code, shelf, vault } = options
  const remote = typeof given === 'string' ? folderRemote(given) : given
  return {
    remote,
    vault: vault ?? syncVault(await keyFor(remote, code, at), at.random),
    shelf: shelf ?? fileSyncShelf(join(at.home(), 'sync', `${at.stackId}.json`)),
  }
}

const keyFile = ({ home, stackId }: At): string => join(home(), 'keys', `${stackId}.sync`)

/** The code of the remote, for another machine; null before the first round. */
export function syncCode(at: Pick<At, 'home' | 'stackId'>): string | null {
  try {
    return readFileSync(keyFile({ ...at, random: () => new Uint8Array() }), 'utf8').trim()
  } catch {
    return null
  }
}

/**
 * The key that everything in the remote is encrypted with. The first machine draws the key; each
 * further machine is given its code, once.
 */
async function keyFor(remote: Remote, code: string | undefined, at: At): Promise<Uint8Array> {
  const kept = syncCode(at)
  if (kept !== null && (code === undefined || code === kept)) return keyIn(kept)
  if (kept !== null) {
    throw new MunimentError('invalid_input', 'This stack syncs with another code already.', {
      hint: `Remove ${keyFile(at)} to join another remote.`,
    })
  }
  if (code === undefined && (await remote.list('feeds/')).length > 0) {
    throw new MunimentError('invalid_input', 'This remote was begun by another machine.', {
      hint: 'There: muniment sync <folder> --show-code. Here: muniment sync <folder> --code <code>.',
    })
  }
  const key = code === undefined ? at.random(VAULT_KEY_BYTES) : keyIn(code)
  linkWhole(keyFile(at), Buffer.from(`${Buffer.from(key).toString('base64url')}\n`))
  return keyIn(syncCode(at) ?? '')
}

function keyIn(code: string): Uint8Array {
  const key = Buffer.from(code.trim(), 'base64url')
  if (key.length === VAULT_KEY_BYTES) return key
  throw new MunimentError('invalid_input', 'That is no code of a remote.', {
    hint: 'Copy the whole line that muniment sync <folder> --show-code prints on the first machine.',
  })
}

/** The state of the rounds as one file, replaced whole. */
export function fileSyncShelf(path: string): SyncShelf {
  return {
    async read() {
      try {
        return JSON.parse(await readFile(path, 'utf8')) as SyncState // written below
      } catch (cause) {
        if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')
          return NOTHING_SYNCED
        throw new MunimentError('store_unavailable', 'The state of the sync cannot be read.', {
          cause,
        })
      }
    },
    async write(state) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const draft = `${path}.${process.pid}`
      await writeFile(draft, JSON.stringify(state), { mode: 0o600, flush: true })
      await rename(draft, path)
    },
  }
}

export function memorySyncShelf(): SyncShelf {
  let state = NOTHING_SYNCED
  return {
    read: async () => state,
    write: async (next) => {
      state = next
    },
  }
}
