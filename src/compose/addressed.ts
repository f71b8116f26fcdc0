import { MunimentError } from '../domain/errors.ts'
import { parseStackId } from '../domain/ids.ts'
import type { Values } from '../operations/settings.ts'
import type { Embedder } from '../ports/models.ts'
import { httpEmbedder } from '../recall/embed/providers/http-embedder.ts'
import type { PostgresStore } from '../stores/postgres/index.ts'
import { systemTimer } from './node-world.ts'
import { storeAt } from './open-stack.ts'

type Address = Pick<
  Values,
  'embedder.url' | 'embedder.model' | 'embedder.dimension' | 'embedder.key'
>

/** The embedder named by the settings; an incomplete setting is an error that names the missing part. */
export function addressedEmbedder(values: Address): Embedder {
  const { 'embedder.url': url, 'embedder.model': model, 'embedder.dimension': dimension } = values
  if (url === null || model === null || dimension === null) {
    throw new MunimentError('invalid_input', 'An embedder needs a url, a model and a dimension.', {
      hint: 'muniment stack config shows which is there.',
    })
  }
  const key = values['embedder.key']
  return httpEmbedder(
    { url, model, dimension, ...(key === null ? {} : { key }) },
    { fetch, timer: systemTimer },
  )
}

/** Operations on stacks at an address, beside opening a stack. */
async function using<T>(address: string, work: (store: PostgresStore) => Promise<T>): Promise<T> {
  const { store, release } = await storeAt(address)
  try {
    return await work(store)
  } finally {
    await release()
  }
}

export const existsAt = (address: string, id: string): Promise<boolean> =>
  using(address, async (store) => {
    const { tip } = await store.read(parseStackId(id), { type: 'standing' })
    return tip.head.seq >= 0
  })

export const listAt = (address: string): Promise<readonly string[]> =>
  using(address, (store) => store.stacks())

export const checkAt = (address: string, id: string): Promise<readonly string[]> =>
  using(address, async (store) => {
    const damage = await store.check(parseStackId(id))
    return damage.map(({ seq, says }) => (seq === null ? says : `${says}, at entry ${seq}`))
  })

/** Bytes of all stacks there, before and after: tables hold the rows of many. */
export const vacuumAt = (address: string): Promise<{ before: number; after: number }> =>
  using(address, async (store) => {
    const before = await store.bytes()
    await store.vacuum()
    return { before, after: await store.bytes() }
  })

export interface MigrateOptions {
  readonly isDryRun: boolean
  readonly onStep: (step: number, of: number) => void
}

export async function migrateAt(address: string, options: MigrateOptions) {
  const { migration } = await import('../stores/postgres/index.ts')
  return migration({ connectionString: address }, options)
}

export const noBackup = (): MunimentError =>
  new MunimentError('invalid_input', 'A stack in a database is not a file that could be copied.', {
    hint: 'muniment stack export whole.bundle; or back up the database itself, with pg_dump.',
  })
