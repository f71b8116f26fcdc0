import { MunimentError } from '../../domain/errors.ts'
import { type Hash, isHash } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import { contentHash, readEntry } from '../../ledger/ledger.ts'
import type { Engine } from '../engine.ts'
import { wrong } from '../write/arguments.ts'

/** A policy with its hash, as entries name a policy. */
export interface NamedPolicy {
  readonly policy: Policy
  readonly policyHash: Hash
}

/** Reads the policy in force after an entry, or the policy of a hash, and checks the hash. */
export async function policyAt(engine: Engine, at: number | string): Promise<NamedPolicy> {
  const policyHash = typeof at === 'number' ? await hashAfter(engine, at) : at
  if (!isHash(policyHash)) throw wrong('at', 'the number of an entry, or the hash of a policy')
  const policy = await engine.read({ type: 'policy', hash: policyHash })
  if (!policy) {
    throw new MunimentError('not_found', `No policy of this stack has the hash ${policyHash}.`)
  }
  if (contentHash(engine.sha256, policy) !== policyHash) {
    throw new MunimentError(
      'store_corrupt',
      'The policy does not have the hash it is kept under.',
      {
        hint: 'Run audit: it names the first bad entry.',
      },
    )
  }
  return { policy, policyHash }
}

async function hashAfter({ read }: Engine, seq: number): Promise<unknown> {
  if (!Number.isSafeInteger(seq) || seq < 0) throw wrong('at', 'the number of an entry')
  const [row] = await read({ type: 'entries', from: seq, limit: 1 })
  if (!row || row.seq !== seq) throw new MunimentError('not_found', `There is no entry ${seq}.`)
  const { op, policy, decision } = readEntry(row.bytes)
  const hash = op === 'policy' ? decision.facts.hash : policy
  if (hash !== null) return hash
  throw new MunimentError('not_found', `Before entry ${seq + 1} there was no policy.`)
}
