import { nodeHasher, nodeSha256 } from '../../src/compose/node-world.ts'
import { MunimentError } from '../../src/domain/errors.ts'
import type { StackId } from '../../src/domain/ids.ts'
import { exportBundle } from '../../src/engine/transfer/bundle/export.ts'
import { type Restored, restoreBundle } from '../../src/engine/transfer/bundle/restore.ts'
import type { Store } from '../../src/ports/store.ts'

const TOOLS = { sha256: nodeSha256, hasher: nodeHasher }

export async function linesOf(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const line of lines) all.push(line)
  return all
}

export const exported = (store: Store, stackId: StackId): Promise<string[]> =>
  linesOf(exportBundle({ stackId, store }, TOOLS))

export const restored = (
  store: Store,
  lines: Iterable<string> | AsyncIterable<string>,
  stackId?: StackId,
): Promise<Restored> =>
  restoreBundle(store, lines, { ...TOOLS, ...(stackId === undefined ? {} : { stackId }) })

/** The same lines under a digest of their own: what somebody would hand in who knows the format. */
export function resigned(lines: readonly string[]): string[] {
  const hasher = nodeHasher()
  for (const line of lines.slice(0, -1)) hasher.update(line)
  return [...lines.slice(0, -1), `{"sha256":"${hasher.digest()}"}\n`]
}

/** The coded error that a call ends with; anything else is a failure of the test. */
export async function errorOf(work: Promise<unknown>): Promise<MunimentError> {
  const outcome = await work.then(
    () => 'it went well',
    (cause: unknown) => cause,
  )
  if (outcome instanceof MunimentError && outcome.code !== 'invariant') return outcome
  throw outcome instanceof Error ? outcome : new Error(String(outcome))
}

/** The members of a header or of the row in a line, changed and written again. */
export const edited = (line: string, change: (value: Record<string, never>) => void): string => {
  const value = JSON.parse(line)
  change(value)
  return `${JSON.stringify(value)}\n`
}
