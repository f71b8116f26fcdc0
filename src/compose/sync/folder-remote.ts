import { link, mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { MunimentError } from '../../domain/errors.ts'
import { byteOrder } from '../../ledger/canonical.ts'
import type { Remote } from '../../ports/remote.ts'

const isCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === code

/**
 * A folder that something else carries to other machines: a mounted disk, Syncthing, Dropbox, git.
 * Files appear whole under their name and are never changed.
 */
export function folderRemote(folder: string): Remote {
  const root = resolve(folder)
  return {
    address: root,
    list: (prefix) => told(root, async () => listed(root, prefix)),
    get: (name) =>
      told(root, async () => {
        try {
          return await readFile(join(root, name))
        } catch (cause) {
          if (isCode(cause, 'ENOENT')) return null
          throw cause
        }
      }),
    putNew: (name, bytes) => told(root, () => putWhole(join(root, name), bytes)),
    delete: (name) => told(root, () => rm(join(root, name), { force: true })),
  }
}

async function told<T>(root: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new MunimentError('store_unavailable', `The sync folder ${root} cannot be used.`, {
      cause,
    })
  }
}

async function listed(root: string, prefix: string): Promise<readonly string[]> {
  const from = dirname(`${prefix}x`)
  const found = await readdir(join(root, from), { recursive: true, withFileTypes: true }).catch(
    (cause: unknown) => {
      if (isCode(cause, 'ENOENT')) return []
      throw cause
    },
  )
  return found
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(root.length + 1)
        .replaceAll('\\', '/'),
    )
    .filter((name) => name.startsWith(prefix))
    .sort(byteOrder)
}

async function putWhole(path: string, bytes: Uint8Array): Promise<boolean> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = join(folder, `.draft.${process.pid}`)
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    await link(draft, path)
    return true
  } catch (cause) {
    if (isCode(cause, 'EEXIST')) return false
    throw cause
  } finally {
    await rm(draft, { force: true })
  }
}
