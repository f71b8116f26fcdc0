import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { OpenOptions } from '../../compose/open-stack.ts'
import { userFolder, usualHome } from '../../compose/usual-home.ts'
import { MunimentError } from '../../domain/errors.ts'
import { parseStackId } from '../../domain/ids.ts'
import type { Stack } from '../../stack.ts'
import type {
  Host,
  Migrated,
  Migrating,
  Moved,
  Moving,
  Opening,
  Place,
  Restoring,
  Scene,
  Tuned,
  Vacuumed,
} from './host.ts'
import { nodeHost } from './node-host.ts'
import { run } from './program.ts'

export async function main(): Promise<number> {
  const stacks: Host['stacks'] = {
    open,
    exists,
    list,
    backup,
    check,
    vacuum,
    restore,
    bundleLines,
    move,
    migrate,
    syncCode,
  }
  return run(nodeHost({ stacks, jsonParser, scene, defaultHome: usualHome, userFolder }))
}

const SIGN_EVERY = 100 // entries

async function open(
  stackId: string,
  place: Place & Tuned,
  { isServed = false, sync }: Opening = {},
): Promise<Stack> {
  const { openStack } = await import('../../compose/open-stack.ts')
  const { checkpointsTo } = place.values
  return openStack(stackId, {
    ...at(place),
    // A command writes few entries: signing a head for each would reread the whole ledger.
    signing: { every: SIGN_EVERY, onClose: isServed },
    ...(checkpointsTo === null ? {} : { checkpointsTo }),
    ...(sync === undefined ? {} : { sync }),
    ...(await embedderOf(place)),
  })
}

async function syncCode(stackId: string, { home }: Place): Promise<string | null> {
  const { syncCode: codeIn } = await import('../../compose/sync/sync-ports.ts')
  return codeIn({ stackId: parseStackId(stackId), home: () => home })
}

async function embedderOf({ values }: Tuned): Promise<Pick<OpenOptions, 'embedder'>> {
  if (values['embedder.url'] === null) return {}
  const { addressedEmbedder } = await import('../../compose/addressed.ts')
  return { embedder: addressedEmbedder(values) }
}

/** A place as the library takes it: files in the home folder unless a store is named. */
const at = ({ home, store }: Place) => ({ home, ...(store === null ? {} : { store }) })

/** Functions for databases, loaded only where a store is named. */
const addressed = () => import('../../compose/addressed.ts')

async function fileOf(stackId: string, { home }: Pick<Place, 'home'>): Promise<string> {
  const { stackFile } = await import('../../compose/open-stack.ts')
  return stackFile(home, parseStackId(stackId))
}

async function exists(stackId: string, place: Place): Promise<boolean> {
  if (place.store !== null) return (await addressed()).existsAt(place.store, stackId)
  // Compares the exact spelling, even on file systems that ignore case.
  const file = path.basename(await fileOf(stackId, place))
  const names = await filesIn(place)
  if (names.includes(file)) return true
  const { tracesOf } = await import('../../compose/stack-swap.ts')
  return tracesOf(file).some((trace) => names.includes(trace))
}

async function list({ home, store }: Place): Promise<readonly string[]> {
  if (store !== null) return (await addressed()).listAt(store)
  const names = await filesIn({ home })
  return names.flatMap((name) => (name.endsWith('.db') ? [name.slice(0, -3)] : [])).sort()
}

/** Synchronous: a thread would take longer than reading one folder. */
async function filesIn({ home }: Pick<Place, 'home'>): Promise<readonly string[]> {
  const { stacksFolder } = await import('../access/home.ts')
  try {
    return readdirSync(stacksFolder(home))
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return []
    const message = `The stacks in ${home} cannot be looked at.`
    const hint = 'muniment doctor says whose they are and what may be done with them.'
    throw new MunimentError('store_unavailable', message, { hint, cause })
  }
}

async function backup(stackId: string, target: Place & { readonly to: string }): Promise<void> {
  if (target.store !== null) throw (await addressed()).noBackup()
  const { backUpStack } = await import('../../compose/restore-stack.ts')
  await backUpStack(stackId, { home: target.home, to: target.to })
}

async function check(stackId: string, place: Place): Promise<readonly string[]> {
  if (place.store !== null) return (await addressed()).checkAt(place.store, stackId)
  const { SqliteStore } = await import('../../stores/sqlite/store.ts')
  const store = new SqliteStore({ path: await fileOf(stackId, place), readOnly: true })
  try {
    const damage = await store.check()
    return damage.map(({ seq, says }) => (seq === null ? says : `${says}, at entry ${seq}`))
  } finally {
    await store.close()
  }
}

async function vacuum(stackId: string, place: Place): Promise<Vacuumed> {
  if (place.store !== null) return (await addressed()).vacuumAt(place.store)
  const { elsewhere } = await import('../../compose/elsewhere.ts')
  const file = await fileOf(stackId, place)
  const before = statSync(file).size
  await elsewhere({ work: 'vacuum', path: file, stackId: parseStackId(stackId) })
  return { before, after: statSync(file).size }
}

/** Only this program restores a bundle, for a person; no operation of the table does. */
async function bundleLines(from: string): Promise<AsyncIterable<string>> {
  const { linesOfFile } = await import('../../compose/restore-stack.ts')
  return linesOfFile(from)
}

async function restore(stackId: string, source: Place & Restoring): Promise<Stack> {
  const { restoreStack } = await import('../../compose/restore-stack.ts')
  const { from, replace, onSetAside, onProgress } = source
  return restoreStack(stackId, { ...at(source), from, replace, onSetAside, onProgress })
}

async function move(stackId: string, source: Place & Moving): Promise<Moved> {
  const { moveStack } = await import('../../compose/move-stack.ts')
  const { to, onProgress } = source
  return moveStack(stackId, { from: at(source), to: at(to), onProgress })
}

async function migrate({ store, ...options }: Place & Migrating): Promise<Migrated> {
  return (await addressed()).migrateAt(store === null ? '' : store, options)
}

async function jsonParser(): Promise<(text: string) => unknown> {
  const { parseJson } = await import('../../ledger/parse-json.ts')
  return parseJson
}

async function scene(): Promise<Scene> {
  const [{ embeddedScene }, { openStack }] = await Promise.all([
    import('./demo/embedded-scene.ts'),
    import('../../compose/open-stack.ts'),
  ])
  return embeddedScene({ now: Date.now, open: (at) => openStack('demo', at) })
}
