import { MunimentError } from '../../domain/errors.ts'
import { type Hash, parseRef } from '../../domain/ids.ts'
import { identityParts } from '../../domain/kinds/content.ts'
import { repeatMarkOf, tombstoneOf } from '../../ledger/ledger.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Engine } from '../engine.ts'
import { openSealed } from '../read/memory-view.ts'
import { libCaller } from '../write/speaker.ts'

/** Rejects a quarantined memory for a person: the memory stays visible, and repeats are refused. */
export async function rejectQuarantined(
  engine: Engine,
  ref: string,
  caller = libCaller('reject_quarantined'),
) {
  engine.assertOpen()
  const stored = await quarantined(engine, ref)
  const { entry } = await engine.submit('reject', {
    ref: stored.state.ref,
    mark: markOf(engine, stored),
    actor: engine.host,
    caller,
  })
  return entry
}

/** Releases a quarantined memory for a person: the gate decides again, without the quarantine. */
export async function releaseQuarantined(
  engine: Engine,
  of: string,
  caller = libCaller('release_quarantined'),
) {
  engine.assertOpen()
  const { ref, line, sourceId, identity } = (await quarantined(engine, of)).state
  const key = engine.erasing.tombstoneKey()
  // The counter of the memory's repeats begins again.
  const burst = key && { actor: sourceId, identity: repeatMarkOf(engine.sha256, key, identity) }
  const request = { ref, line, identity, burst, actor: engine.host, caller }
  const { entry, disposition } = await engine.submit('release', request)
  return { entry, disposition }
}

async function quarantined({ read }: Pick<Engine, 'read'>, ref: string): Promise<StoredMemory> {
  const stored = await read({ type: 'memory', ref: parseRef(ref) })
  if (stored) return stored
  throw new MunimentError('not_found', `${ref} does not exist in this stack.`)
}

/** The tombstone against later copies of the same words by the same actor. */
function markOf({ sha256, erasing }: Engine, { state, sealed }: StoredMemory): Hash {
  const key = erasing.tombstoneKey()
  if (key === null) {
    throw new MunimentError('tombstone_key_missing', 'The key that makes tombstones is not here.')
  }
  const { kind, sourceId: actor } = state
  const identity = identityParts(kind, sealed ? openSealed(sealed).body : {})
  return tombstoneOf(sha256, key, { kind, actor, identity })
}
