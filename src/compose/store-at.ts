import { MunimentError } from '../domain/errors.ts'
import type { PostgresStore } from '../stores/postgres/index.ts'

const POSTGRES = /^postgres(?:ql)?:\/\//

/** Stacks that one process opens at one address share its connections. */
const open = new Map<string, { readonly store: PostgresStore; users: number }>()

export interface SharedStore {
  readonly store: PostgresStore
  /** The last one to let go closes it. */
  readonly release: () => Promise<void>
}

/** Opens a store by its address; the code for it is loaded here and nowhere else. */
export async function storeAt(address: string): Promise<SharedStore> {
  if (!POSTGRES.test(address)) {
    throw new MunimentError('invalid_input', 'That is no address of a store.', {
      hint: 'postgres://user:password@host/database, or no store at all: a file in the home folder.',
    })
  }
  const { postgres } = await import('../stores/postgres/index.ts')
  const shared = open.get(address) ?? { store: postgres({ connectionString: address }), users: 0 }
  shared.users += 1
  open.set(address, shared)
  let isOut = true
  return {
    store: shared.store,
    release: async () => {
      if (!isOut) return
      isOut = false
      shared.users -= 1
      if (shared.users > 0) return
      open.delete(address)
      await shared.store.close()
    },
  }
}
