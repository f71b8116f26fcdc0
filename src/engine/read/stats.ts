import type { Engine } from '../engine.ts'

/** Memories by kind and their total; failures and unfinished work only where any exist. */
export async function statsOf({
  read,
  registry,
}: Pick<Engine, 'read' | 'registry'>): Promise<Readonly<Record<string, number>>> {
  const counts = await read({ type: 'counts' })
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const errors = Object.values(registry.errors()).flat()
  const failed = errors.reduce((sum, { count }) => sum + count, 0)
  const { length: scrubs } = await read({ type: 'table', name: 'scrubs' })
  return {
    ...counts,
    total,
    ...(failed > 0 && { componentErrors: failed }),
    ...(scrubs > 0 && { scrubsPending: scrubs }),
  }
}
