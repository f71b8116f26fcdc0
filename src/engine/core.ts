import type { Caller } from '../domain/doors.ts'
import { MunimentError } from '../domain/errors.ts'
import type { Hash, MemoryId, RecordKind, StackId } from '../domain/ids.ts'
import { type BodyInputOf, parseBody } from '../domain/kinds/table.ts'
import { type Policy, parsePolicy } from '../domain/policy.ts'
import type { StackState } from '../domain/state.ts'
import { type Instant, toInstant } from '../domain/time.ts'
import type { LifecycleState } from '../domain/vocabulary.ts'
import type { Batch } from '../domain/waist.ts'
import type { PolicyResult, StateResult } from '../domain/write.ts'
import { contentHash } from '../ledger/ledger.ts'
import type { Sha256 } from '../ledger/sha256.ts'
import type { Answer, ReadQuery } from '../ports/store.ts'
import type { RebuildOptions, Rebuilt } from './audit/audit.ts'
import { type AuditOptions, type AuditReport, isChain, parseRange } from './audit/codes.ts'
import { replacingAmong } from './claims/replacement-links.ts'
import { StatementChecks } from './claims/statement-checks.ts'
import { askOracle } from './claims/verdict.ts'
import { ComponentRegistry } from './components/component-registry.ts'
import { ComponentFailures, tellSaved } from './components/reports.ts'
import type { Engine, Erasing } from './engine.ts'
import { erasingOn, namingWhatKeepsOut } from './erase/tombstones.ts'
import { type CallOptions, ELSEWHERE_MIN, type StackParts } from './parts.ts'
import { LossCheck } from './proofs/signed-heads.ts'
import { Serving } from './read/served.ts'
import { type Recollection, recollectionOn } from './search/recollection.ts'
import type { BundleTools } from './transfer/bundle/export.ts'
import { eventLoopYield, type Moment } from './world.ts'
import { given, libCaller, readable } from './write/arguments.ts'
import { Recogniser } from './write/gather.ts'
import { acceptedIn, type CommandRequest, type CommandType } from './write/outcomes.ts'
import { type CommitListener, Sequencer } from './write/sequencer.ts'
import { StackIdentity } from './write/stack-identity.ts'
import { type Committed, oneOf, Writer } from './write/write.ts'
import type { ChangeRequest, SaveRecord, WriteRequest, Written } from './write/write-request.ts'

export const SCHEMA_VERSION = 1

/** The engine of one open stack: every facet and use case reads and writes through this class. */
export class EngineCore implements Engine {
  readonly stackId: StackId
  readonly sha256: Sha256
  readonly registry: ComponentRegistry
  readonly failures: ComponentFailures
  readonly serving: Serving
  readonly recollection: Recollection
  readonly erasing: Erasing
  readonly asLeft: LossCheck
  readonly checks: StatementChecks
  readonly yieldToEventLoop: () => Promise<void>
  /** Called after each commit that grew the ledger, with the new size. */
  readonly onGrown: ((size: number) => void)[] = []
  readonly onClosing: (() => Promise<void>)[] = []
  readonly #parts: StackParts
  readonly #genesisPolicyHash: Hash
  readonly #identity: StackIdentity
  readonly #sequencer: Sequencer
  readonly #writer: Writer
  #standing: StackState
  #seenEnforcing: boolean
  #isClosed = false // refuses further writes
  #hasEnded = false // refuses further reads
  #closing: Promise<void> | null = null

  constructor(parts: StackParts) {
    const { stackId, store, world, standing, genesisPolicy, groupDraftsMax } = parts
    const { clock, timer, sha256 } = world
    this.#parts = parts
    this.stackId = stackId
    this.sha256 = sha256
    this.yieldToEventLoop = eventLoopYield(timer)
    this.registry = new ComponentRegistry({ clock, timer, components: parts.components ?? [] })
    this.failures = new ComponentFailures(this.registry)
    this.asLeft = new LossCheck(parts, parts.isWhole ?? false)
    this.checks = new StatementChecks(this, timer)
    this.serving = new Serving({ stackId, world, receipts: parts.receipts ?? null })
    this.recollection = recollectionOn(parts, {
      fault: (cause) => this.registry.fault('embedding', 'onSearch', cause),
      sound: () => this.registry.worked('embedding', 'onSearch'),
    })
    this.#standing = standing
    this.#seenEnforcing = standing.enforcing
    this.#genesisPolicyHash = contentHash(sha256, genesisPolicy)
    this.#identity = new StackIdentity(world.keyring, world.random)
    this.#identity.observed(standing)
    const recogniser = parts.receipts ? new Recogniser(this.serving) : null
    this.#sequencer = new Sequencer({
      stackId,
      store,
      tools: { sha256, tombstoneKey: () => this.#identity.tombstoneKey },
      setting: () => ({
        stackId,
        sha256,
        genesisPolicy,
        genesisPolicyHash: this.#genesisPolicyHash,
        enforcement: { wanted: parts.enforceProvenance, seen: this.#seenEnforcing },
        replica: this.#identity.replica,
        hasOracle: parts.oracle !== undefined,
      }),
      listeners: [this.#listener(), this.#identity, ...(recogniser ? [recogniser] : [])],
      ...(recogniser ? { recogniser } : {}),
      ...(groupDraftsMax === undefined ? {} : { groupDraftsMax }),
    })
    this.#writer = new Writer({
      stackId,
      world,
      sequencer: this.#sequencer,
      isEnforcing: parts.enforceProvenance,
      notify: (committed) => this.#notify(committed),
    })
    this.erasing = erasingOn(parts, {
      tombstoneKey: () => this.#identity.tombstoneKey,
      forgetReceipts: (what) => this.serving.forget(what),
      submit: (type, request) => this.submit(type, request),
    })
  }

  #listener(): CommitListener {
    return {
      observed: (stack) => {
        this.#standing = stack
      },
      continuing: (ledger) => this.asLeft.assertSigned(ledger),
      committed: ({ stack, entries, tip }: Batch) => {
        this.#standing = stack
        this.#seenEnforcing = stack.enforcing
        if (entries.length > 0) for (const grown of this.onGrown) grown(tip.tree.size)
      },
    }
  }

  readonly now = (): Instant => toInstant(this.#parts.world.clock.now())

  readonly nextId = (): MemoryId => this.#parts.world.ids.next(this.#parts.world.clock.now())

  readonly read = async <Q extends ReadQuery>(query: Q): Promise<Answer<Q>> => {
    this.assertOpen(this.#hasEnded)
    return this.asLeft.readWhole(query)
  }

  readonly moment = async (): Promise<Moment> => {
    const { policy, stack } = await this.read({ type: 'standing' })
    const moment = { policy: policy ?? this.#parts.genesisPolicy, now: this.now() }
    return stack.received > 0 ? { ...moment, byOrigin: true } : moment
  }

  readonly foreignMoves = (): Promise<number> => this.#sequencer.readForeignMoves()

  async write(request: WriteRequest, caller: Caller) {
    return oneOf(await this.writeAll([request], caller))
  }

  writeAll(
    requests: readonly WriteRequest[],
    caller: Caller,
    expectedMoves: number | null = null,
  ): Promise<Written> {
    const placed = requests.map((request) => ({ ...request, inOpenEpoch: true as const }))
    return this.writeRouted(placed, caller, expectedMoves)
  }

  /** Writes requests of a door or an import: only a request that asks gets the open epoch. */
  async writeRouted(
    requests: readonly WriteRequest[],
    caller: Caller,
    expectedMoves: number | null = null,
  ): Promise<Written> {
    return this.#writing().write(requests, caller, expectedMoves)
  }

  async save<K extends RecordKind>(
    kind: K,
    records: readonly SaveRecord<K>[],
    options?: CallOptions | null,
  ): Promise<readonly MemoryId[]> {
    const writer = this.#writing()
    const written = await writer.save(kind, records, libCaller(`save_${kind}`, given(options)))
    return acceptedIn(written).map(({ id }) => id)
  }

  /** Sends a command other than a write through the gate. */
  readonly submit = async <T extends CommandType>(type: T, request: CommandRequest<T>) =>
    this.#writing().submit(type, request)

  readonly change = async (request: ChangeRequest) => this.#writing().change(request)

  /** Components see every saved memory; the stack keeps the fields that they return. */
  async #notify(committed: Committed): Promise<Written> {
    const written = await namingWhatKeepsOut(this, committed)
    const { genesisPolicy: genesis } = this.#parts
    if (!written.refused) await askOracle(this.#parts, written.results)
    await tellSaved(this, this.registry, { written, genesis })
    if (!written.refused && this.#parts.linksReplaced)
      for (const ref of replacingAmong(written.results)) await this.checks.add(ref, 'replacements')
    await this.failures.tellNew(this)
    return written.refused ? written : { refused: false, results: written.results }
  }

  async tidy(): Promise<void> {
    await this.submit('tidy', { actor: this.host, caller: libCaller('maintenance') })
  }

  async setState(
    to: LifecycleState,
    from: LifecycleState | null,
    caller: Caller,
  ): Promise<StateResult> {
    return (await this.submit('state', { to, from, actor: this.host, caller })).result
  }

  async setPolicy(given: Policy, caller: Caller): Promise<PolicyResult> {
    const policy = readable(() => parsePolicy(given))
    const policyHash = contentHash(this.sha256, policy)
    return (await this.submit('policy', { policy, policyHash, actor: this.host, caller })).result
  }

  async getPolicy(): Promise<{ readonly policy: Policy; readonly policyHash: Hash }> {
    const { policy, stack } = await this.read({ type: 'standing' })
    return {
      policy: policy ?? this.#parts.genesisPolicy,
      policyHash: stack.policyHash ?? this.#genesisPolicyHash,
    }
  }

  async certify<K extends RecordKind>(
    kind: K,
    body: BodyInputOf<K>,
  ): Promise<{ readonly contentHash: Hash; readonly policyHash: Hash }> {
    const { policyHash } = await this.getPolicy()
    return { contentHash: contentHash(this.sha256, parseBody(kind, body)), policyHash }
  }

  async writeFile(path: string, chunks: AsyncIterable<string>): Promise<void> {
    const { writeFile } = this.#parts
    if (writeFile) return writeFile(path, chunks)
    throw new MunimentError('store_unavailable', 'There are no files where this stack lives.')
  }

  /**
   * Recomputes everything in the ledger and names the first mismatch. With `only: 'chain'`, only
   * bytes, links, tree and commitments, without the meaning of entries; `since` and `to` narrow
   * this check to a range.
   */
  async audit(options: AuditOptions = {}): Promise<AuditReport> {
    parseRange(options)
    const { store, stackId } = this.whole
    const { auditElsewhere, world } = this.#parts
    const { tip } = await store.read(stackId, { type: 'standing' })
    if (auditElsewhere && tip.head.seq >= ELSEWHERE_MIN) return auditElsewhere(options)
    const run = isChain(options)
      ? (await import('./audit/chain.ts')).auditChain
      : (await import('./audit/audit.ts')).audit
    return store.snapshot((reader) => run({ store: reader, stackId }, world.sha256, options))
  }

  /** Folds every row anew from the ledger; answers are equal before and after. */
  async rebuild(options: RebuildOptions = {}): Promise<Rebuilt> {
    const { rebuildElsewhere, world } = this.#parts
    const { tip } = await this.read({ type: 'standing' })
    if (rebuildElsewhere && tip.head.seq >= ELSEWHERE_MIN) return rebuildElsewhere(options)
    const { rebuild } = await import('./audit/audit.ts')
    return rebuild(this.whole, world.sha256, options)
  }

  /** Reloads the stack's identity after a whole ledger was committed around the sequencer. */
  async broughtBack(): Promise<void> {
    this.#standing = (await this.asLeft.read({ type: 'standing' })).stack // the ledger may end before a signed head
    this.#seenEnforcing = this.#standing.enforcing
    this.#identity.observed(this.#standing)
  }

  /** The state of the stack as this process last saw the stack. */
  get standing(): StackState {
    return this.#standing
  }

  /** The actor of acts by the host process. */
  get host(): string {
    return `${this.stackId}:host`
  }

  /** The store and the hashes, for work on the whole ledger. */
  get whole(): BundleTools & Pick<StackParts, 'stackId' | 'store'> {
    this.assertOpen(this.#hasEnded)
    const { store, world } = this.#parts
    return { stackId: this.stackId, store, sha256: this.sha256, hasher: world.hasher }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.checks.settled()
    this.#isClosed = true
    await this.#sequencer.idle()
    for (const closing of this.onClosing) await closing()
    await this.recollection.close()
    this.#hasEnded = true
    await this.serving.close()
    await this.#parts.releaseStore?.()
  }

  #writing(): Writer {
    this.assertOpen()
    return this.#writer
  }

  assertOpen(hasClosed = this.#isClosed): void {
    if (hasClosed) throw new MunimentError('stack_closed', 'The stack is closed.')
  }
}
