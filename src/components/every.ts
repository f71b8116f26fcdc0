import type { RecordKind } from '../domain/ids.ts'
import type { ComponentHost, ComponentMemory } from '../ports/component.ts'

const PAGE = 1_000

/** Every live memory of some kinds, newest first of each, with progress: a survey leaves out nothing. */
export async function* every<K extends RecordKind>(
  host: ComponentHost,
  kinds: readonly K[],
): AsyncGenerator<ComponentMemory<K>> {
  const counts = await host.counts()
  const total = kinds.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0)
  let done = 0
  for (const kind of kinds) {
    for (let after: ComponentMemory['id'] | undefined; ; ) {
      const page: readonly ComponentMemory<K>[] = await host.list(kind, {
        limit: PAGE,
        ...(after === undefined ? {} : { after }),
      })
      yield* page
      done += page.length
      host.progress(done, Math.max(done, total))
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) break
      after = last.id
    }
  }
  host.progress(Math.max(done, total), Math.max(done, total))
}
