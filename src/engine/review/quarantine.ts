import { MunimentError } from '../../domain/errors.ts'
import { identityParts } from '../../domain/identity.ts'
import type { Hash } from '../../domain/ids.ts'
import type { MemoryState } from '../../domain/state.ts'
import { repeatMarkOf, tombstoneOf } from '../../ledger/ledger.ts'
import type { Sha256 } from '../../ledger/sha256.ts'
import type { Memory } from '../read/memory-view.ts'

interface MarkTools {
  readonly sha256: Sha256
  readonly key: Parameters<typeof tombstoneOf>[1] | null
}

/** The tombstone against later copies of the same words by the same actor. */
export function markOf({ kind, body, provenance }: Memory, { sha256, key }: MarkTools): Hash {
  if (key === null) {
    throw new MunimentError('tombstone_key_missing', 'The key that makes tombstones is not here.')
  }
  const identity = identityParts(kind, body)
  return tombstoneOf(sha256, key, { kind, actor: provenance.sourceId, identity })
}

/** The data of a release: the quarantined memory and the counter of its repeats. */
export const releaseOf = (
  { ref, line, sourceId, identity }: MemoryState,
  { sha256, key }: MarkTools,
) => ({
  ref,
  line,
  identity,
  burst: key && { actor: sourceId, identity: repeatMarkOf(sha256, key, identity) },
})
