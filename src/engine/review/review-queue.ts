import type { Caller } from '../../domain/doors.ts'
import { MunimentError } from '../../domain/errors.ts'
import { type Hash, parseRef } from '../../domain/ids.ts'
import { identityParts } from '../../domain/kinds/content.ts'
import type { Disposition } from '../../domain/vocabulary.ts'
import type { EntryPointer } from '../../domain/write.ts'
import { repeatMarkOf, tombstoneOf } from '../../ledger/ledger.ts'
import type { StoredMemory } from '../../ports/store.ts'
import type { Upkeep } from '../components/health.ts'
import type { Engine } from '../engine.ts'
import type { ProcessOptions, ProcessReport } from '../processing/run/process.ts'
import { openSealed } from '../read/memory-view.ts'
import type { ReadBy } from '../read/served.ts'
import { gated, tierMinOf } from '../read/use-gate.ts'
import { given, libCaller } from '../write/arguments.ts'
import type { ChangeProposal, ReviewAnswer } from './proposals.ts'
import {
  getReview,
  type ResolveOptions,
  type ReviewItem,
  type ReviewOptions,
  type Settled,
  settleReview,
} from './review.ts'

/** Rejects a quarantined memory for a person: the memory stays visible, and repeats are refused. */
async function rejectQuarantined(
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
async function releaseQuarantined(
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

/** The proposal without the author's words. */
const withoutWords = (proposal: ChangeProposal): ChangeProposal => ({
  ...proposal,
  text: null,
  tags: null,
  fields: null,
})

/** Withholds words above the connection's rights; every item and reason stays visible. */
async function gatedReview(
  engine: Pick<Engine, 'moment'>,
  items: readonly ReviewItem[],
  { caller }: ReadBy,
): Promise<readonly ReviewItem[]> {
  if (caller?.use === undefined) return items
  const { policy } = await engine.moment()
  const needed = tierMinOf(policy, { caller }, 0)
  const readable = (proposal: ChangeProposal): ChangeProposal =>
    proposal.tier < needed ? withoutWords(proposal) : proposal
  return items.map((item) => ({
    ...item,
    memory: gated(item.memory, policy, { caller }),
    against: item.against.map((memory) => gated(memory, policy, { caller })),
    proposal: item.proposal && readable(item.proposal),
    proposals: item.proposals.map(readable),
  }))
}

/** The queue of everything waiting for a person. */
export class ReviewQueue {
  readonly #engine: Engine
  readonly #upkeep: Upkeep

  constructor(engine: Engine, upkeep: Upkeep) {
    this.#engine = engine
    this.#upkeep = upkeep
  }

  /**
   * The open items, newest first.
   * @example const waiting = await stack.review.list({ limit: 10 })
   */
  async list(options?: (ReviewOptions & ReadBy) | null): Promise<readonly ReviewItem[]> {
    const all = await getReview(this.#engine, options)
    const items = await gatedReview(this.#engine, all, given(options))
    await this.#engine.serving.serve(
      'review',
      options,
      items.flatMap(({ memory, against }) => [memory, ...against]),
    )
    return items
  }

  /**
   * Resolves one item for a person; true if the answer was taken.
   * @example
   * for (const { ref, answers } of await stack.review.list()) {
   *   if (answers.includes('dismiss')) await stack.review.resolve(ref, 'dismiss')
   * }
   */
  async resolve(ref: string, answer: ReviewAnswer, how?: ResolveOptions | null): Promise<boolean> {
    return (await this.settle(ref, answer, how)).taken
  }

  /**
   * Resolves one item for a person, and returns the result.
   * @example
   * const [item] = await stack.review.list()
   * if (item) console.log((await stack.review.settle(item.ref, 'accept')).did)
   */
  async settle(ref: string, answer: ReviewAnswer, how?: ResolveOptions | null): Promise<Settled> {
    const options = given(how)
    const { caller } = options
    const reject = (of: string) => this.reject(of, caller)
    const release = (of: string) => this.release(of, caller)
    return settleReview(this.#engine, parseRef(ref), { answer, options, reject, release })
  }

  /**
   * Rejects a quarantined memory: the memory stays visible, and the same words stay out.
   * @example
   * const [item] = await stack.review.list({ kinds: ['quarantine'] })
   * if (item) await stack.review.reject(item.ref)
   */
  async reject(ref: string, caller?: Caller): Promise<EntryPointer> {
    return rejectQuarantined(this.#engine, ref, caller)
  }

  /**
   * Releases a quarantined memory: the gate decides anew, without the quarantine.
   * @example
   * const [item] = await stack.review.list({ kinds: ['quarantine'] })
   * if (item) await stack.review.release(item.ref)
   */
  async release(
    ref: string,
    caller?: Caller,
  ): Promise<{ readonly entry: EntryPointer; readonly disposition: Disposition }> {
    return releaseQuarantined(this.#engine, ref, caller)
  }

  /**
   * Makes suggestions of waiting captures, with a model where attached and by rule where possible.
   * No suggestion becomes a memory unasked.
   * @example const report = await stack.review.process()
   */
  async process(options?: ProcessOptions | null): Promise<ProcessReport> {
    return this.#upkeep.process(options)
  }
}
