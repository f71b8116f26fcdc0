import type { Disposition, LifecycleState } from '../domain/dispositions.ts'
import type { Caller } from '../domain/doors.ts'
import { assert, MunimentError } from '../domain/errors.ts'
import { type Hash, type MemoryId, parseRef, type StackId } from '../domain/ids.ts'
import type { RecordKind } from '../domain/kind-names.ts'
import { type BodyInputOf, parseBody } from '../domain/kinds/table.ts'
import type { EntryPointer, PolicyResult, StateResult, WriteResult } from '../domain/outcome.ts'
import type { Policy } from '../domain/policy.ts'
import type { StackState } from '../domain/state.ts'
import { toInstant } from '../domain/time.ts'
import type { Batch } from '../domain/waist.ts'
import { contentHash } from '../ledger/ledger.ts'
import type { Receipt } from '../ports/receipts.ts'
import type { Answer, ReadQuery } from '../ports/store.ts'
import type { RebuildOptions, Rebuilt } from './audit/audit.ts'
import type { AuditReport } from './audit/codes.ts'
import { type AuditOptions, isChain, parseRange } from './audit/range.ts'
import { askOracle } from './claims/oracle-question.ts'
import { ComponentFailures } from './components/component-failures.ts'
import { ComponentRegistry } from './components/component-registry.ts'
import { tellSaved } from './components/saved-report.ts'
import type { Uses } from './engine.ts'
import { erasingOn } from './erase/erasure-tools.ts'
import { namingWhatKeepsOut } from './erase/tombstones.ts'
import { type CallOptions, ELSEWHERE_MIN, type StackParts } from './parts.ts'
import { LossCheck } from './proofs/loss-check.ts'
import { viewOf } from './read/memory-view.ts'
import { Serving } from './read/served.ts'
import { statsOf } from './read/stats.ts'
import { markOf, releaseOf } from './review/quarantine.ts'
import { recollectionOn } from './search/recollection.ts'
import type { BundleTools } from './transfer/bundle/export.ts'
import { given } from './write/arguments.ts'
import { EpochPlacement } from './write/epoch-placement.ts'
import { listed, type Placeable, placedIn } from './write/in-epoch.ts'
import { Recogniser } from './write/recogniser.ts'
import { refusalError } from './write/refusal.ts'
import { Sequencer } from './write/sequencer.ts'
import { libCaller } from './write/speaker.ts'
import { StackIdentity } from './write/stack-identity.ts'
import { type Committed, firstOf, oneOf, Writing, type Written } from './write/write.ts'
import type { PlacedRequest, SaveRecord, WriteRequest } from './write/write-request.ts'
import { eventLoopYield } from './yield.ts'

export const SCHEMA_VERSION = 1

/** The engine of one open stack: every facet reads and writes through this class. */
export class EngineCore {
  readonly stackId: StackId
  readonly schemaVersion = SCHEMA_VERSION
  readonly #parts: StackParts
  readonly #writing: Writing
  readonly #sequencer: Sequencer
  readonly #placing: EpochPlacement
  readonly #genesisPolicyHash: Hash
  readonly #identity: StackIdentity
  readonly registry: ComponentRegistry
  /** Context of the use cases. */
  readonly uses: Uses
  readonly serving: Serving
  readonly failures: ComponentFailures
  /** Called after each commit that grew the ledger, with the new size. */
  readonly onGrown: ((size: number) => void)[] = []
  readonly onClosing: (() => Promise<void>)[] = []
  readonly #loss: LossCheck
  #standing: StackState
  #seenEnforcing: boolean
  #isClosed = false // refuses further writes
  #hasEnded = false // refuses further reads
  #closing: Promise<void> | null = null

  constructor(parts: StackParts) {
    const { clock, timer } = parts.world
    this.registry = new ComponentRegistry({ clock, timer, components: parts.components ?? [] })
    this.#parts = parts
    this.failures = new ComponentFailures(this.registry)
    this.stackId = parts.stackId
    this.#loss = new LossCheck(parts, parts.isWhole ?? false)
    this.#standing = parts.standing
    this.#identity = new StackIdentity(parts.world.keyring, parts.world.random)
    this.#identity.meet(parts.standing)
    this.#seenEnforcing = parts.standing.enforcing
    this.#genesisPolicyHash = contentHash(parts.world.sha256, parts.genesisPolicy)
    const { stackId, store, world, groupDraftsMax } = parts
    this.#sequencer = new Sequencer({
      stackId,
      store,
      tools: { sha256: world.sha256, tombstoneKey: () => this.#identity.tombstoneKey },
      setting: () => ({
        stackId,
        sha256: world.sha256,
        genesisPolicy: parts.genesisPolicy,
        genesisPolicyHash: this.#genesisPolicyHash,
        enforcement: { wanted: parts.enforceProvenance, seen: this.#seenEnforcing },
        replica: this.#identity.replica,
        hasOracle: parts.oracle !== undefined,
      }),
      observed: (stack) => {
        this.#standing = stack
        this.#identity.meet(stack)
      },
      continuing: (ledger) => this.#loss.assertSigned(ledger),
      committing: (batch) => this.#identity.announce(batch.stack),
      unfounded: (batch) => this.#identity.withdraw(batch.stack),
      onCommit: (batch) => this.#committed(batch),
      ...(parts.receipts ? { recogniser: new Recogniser(() => this.serving) } : {}),
      ...(groupDraftsMax === undefined ? {} : { groupDraftsMax }),
    })
    this.#writing = new Writing({
      stackId,
      world,
      sequencer: this.#sequencer,
      isEnforcing: parts.enforceProvenance,
    })
    this.uses = this.#usesOf(parts)
    this.#placing = new EpochPlacement(this.uses, this.#sequencer)
    this.serving = new Serving({ stackId, world, receipts: parts.receipts ?? null })
  }

  #usesOf({ stackId, world, genesisPolicy }: StackParts): Uses {
    const now = () => toInstant(world.clock.now())
    const writing = (): Writing => {
      this.#assertOpen()
      return this.#writing
    }
    return {
      stackId,
      sha256: world.sha256,
      recollection: recollectionOn(this.#parts, {
        fault: (cause) => this.registry.fault('embedding', 'onSearch', cause),
        sound: () => this.registry.worked('embedding', 'onSearch'),
      }),
      now,
      yieldToEventLoop: eventLoopYield(world.timer),
      nextId: () => world.ids.next(world.clock.now()),
      read: (query) => this.#read(query),
      asLeft: this.#loss,
      moment: async () => {
        const { policy } = await this.#read({ type: 'standing' })
        return { policy: policy ?? genesisPolicy, now: now() }
      },
      policyHash: async () => (await this.getPolicy()).policyHash,
      foreignMoves: () => this.#sequencer.readForeignMoves(),
      write: async (request, caller) => oneOf(await this.#writeAll(placedIn([request]), caller)),
      writeAll: (requests, caller, expectedMoves) =>
        this.#writeAll(placedIn(requests), caller, expectedMoves),
      change: async (request) => writing().change(request),
      setTrust: async (request) => writing().setTrust(request),
      erasing: erasingOn(this.#parts, {
        tombstoneKey: () => this.#identity.tombstoneKey,
        forgetReceipts: (what) => this.serving.forget(what),
        writing,
      }),
      correctClock: async (caller) => writing().correctClock(this.#host(), caller),
      tidy: async () => writing().tidy(this.#host(), libCaller('maintenance')),
      writeFile: async (path, chunks) => {
        const { writeFile } = this.#parts
        if (writeFile) return writeFile(path, chunks)
        throw new MunimentError('store_unavailable', 'There are no files where this stack lives.')
      },
    }
  }

  #committed(batch: Batch): void {
    this.#standing = batch.stack
    if (batch.entries.length > 0) for (const grown of this.onGrown) grown(batch.tip.tree.size)
    this.#placing.onCommit(batch)
    this.#seenEnforcing = batch.stack.enforcing
    this.#identity.settle(batch.stack)
  }

  /** Reloads the stack's identity after a whole ledger was committed around the sequencer. */
  async broughtBack(): Promise<void> {
    this.#standing = (await this.#loss.read({ type: 'standing' })).stack // the ledger may end before a signed head
    this.#seenEnforcing = this.#standing.enforcing
    this.#identity.meet(this.#standing)
  }

  get state(): LifecycleState {
    return this.#standing.state
  }

  async certify<K extends RecordKind>(
    kind: K,
    body: BodyInputOf<K>,
  ): Promise<{ readonly contentHash: Hash; readonly policyHash: Hash }> {
    const { stack } = await this.#read({ type: 'standing' })
    return {
      contentHash: contentHash(this.#parts.world.sha256, parseBody(kind, body)),
      policyHash: stack.policyHash ?? this.#genesisPolicyHash,
    }
  }

  async write<K extends RecordKind>(
    request: WriteRequest<K> | PlacedRequest<K>,
    caller: Caller = libCaller('write'),
  ): Promise<WriteResult> {
    return oneOf(await this.#writeAll(listed(request), caller))
  }

  async writeAll(
    requests: readonly WriteRequest[],
    caller: Caller = libCaller('write_all'),
  ): Promise<Written> {
    return this.#writeAll(requests, caller)
  }

  async #writeAll(
    requests: Placeable,
    caller: Caller,
    expectedMoves?: number | null,
  ): Promise<Written> {
    this.#assertOpen()
    return this.#told(
      this.#placing.write(requests, (made, known) =>
        this.#writing.write(made, caller, expectedMoves ?? known),
      ),
    )
  }

  /** Components see every saved memory; the stack keeps the fields that they return. */
  async #told(writing: Promise<Committed>): Promise<Written> {
    const written = await namingWhatKeepsOut(this.uses, await writing)
    if (!written.refused) await askOracle(this.#parts, written.results)
    await tellSaved(this.uses, this.registry, { written, genesis: this.#parts.genesisPolicy })
    await this.failures.tellNew(this.uses)
    return written.refused ? written : { refused: false, results: written.results }
  }

  async save<K extends RecordKind>(
    kind: K,
    record: SaveRecord<K>,
    options?: CallOptions | null,
  ): Promise<MemoryId> {
    return firstOf(await this.saveAll(kind, [record], options))
  }

  async saveAll<K extends RecordKind>(
    kind: K,
    records: readonly SaveRecord<K>[],
    options?: CallOptions | null,
  ): Promise<readonly MemoryId[]> {
    this.#assertOpen()
    const caller = libCaller(`save_${kind}`, given(options))
    const written = await this.#told(this.#writing.save(kind, records, caller))
    if (written.refused) throw refusalError(written.result)
    return written.results.map(({ id }) => {
      assert(id !== null, 'an accepted write has an id')
      return id
    })
  }

  /**
   * Recomputes everything in the ledger and names the first mismatch. With `only: 'chain'`, only
   * bytes, links, tree and commitments, without the meaning of entries; `since` and `to` narrow
   * this check to a range.
   */
  async audit(options: AuditOptions = {}): Promise<AuditReport> {
    parseRange(options)
    const { store, stackId } = this.#reading()
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
    const { tip } = await this.#read({ type: 'standing' })
    if (rebuildElsewhere && tip.head.seq >= ELSEWHERE_MIN) return rebuildElsewhere(options)
    const { rebuild } = await import('./audit/audit.ts')
    return rebuild(this.#reading(), world.sha256, options)
  }

  async setState(
    to: LifecycleState,
    caller: Caller = libCaller('set_state'),
  ): Promise<StateResult> {
    this.#assertOpen()
    return this.#writing.setState({ to, from: null }, this.#host(), caller)
  }

  async activate(caller: Caller = libCaller('activate')): Promise<StateResult> {
    this.#assertOpen()
    const change = { to: 'ACTIVE', from: 'INITIALIZING' } as const
    return this.#writing.setState(change, this.#host(), caller)
  }

  async setPolicy(policy: Policy, caller: Caller = libCaller('set_policy')): Promise<PolicyResult> {
    this.#assertOpen()
    return this.#writing.setPolicy(policy, this.#host(), caller)
  }

  async getPolicy(): Promise<{ readonly policy: Policy; readonly policyHash: Hash }> {
    const { policy, stack } = await this.#read({ type: 'standing' })
    return {
      policy: policy ?? this.#parts.genesisPolicy,
      policyHash: stack.policyHash ?? this.#genesisPolicyHash,
    }
  }

  /**
   * Rejects a quarantined memory for a person: the memory stays visible, and repeats are refused.
   */
  async rejectQuarantined(
    ref: string,
    caller: Caller = libCaller('reject_quarantined'),
  ): Promise<EntryPointer> {
    this.#assertOpen()
    const stored = await this.#read({ type: 'memory', ref: parseRef(ref) })
    if (!stored) throw new MunimentError('not_found', `${ref} does not exist in this stack.`)
    const tools = { sha256: this.#parts.world.sha256, key: this.#identity.tombstoneKey }
    const mark = markOf(viewOf(stored, await this.uses.moment()), tools)
    return this.#writing.reject({ ref: stored.state.ref, mark }, this.#host(), caller)
  }

  /** Releases a quarantined memory for a person: the gate decides again, without the quarantine. */
  async releaseQuarantined(
    ref: string,
    caller: Caller = libCaller('release_quarantined'),
  ): Promise<{ readonly entry: EntryPointer; readonly disposition: Disposition }> {
    this.#assertOpen()
    const stored = await this.#read({ type: 'memory', ref: parseRef(ref) })
    if (!stored) throw new MunimentError('not_found', `${ref} does not exist in this stack.`)
    const tools = { sha256: this.#parts.world.sha256, key: this.#identity.tombstoneKey }
    const what = releaseOf(stored.state, tools)
    const { entry, disposition } = await this.#writing.release(what, this.#host(), caller)
    return { entry, disposition }
  }

  /** True when tombstones exist and their key is missing. */
  get lacksKey(): boolean {
    return this.#standing.tombstones > 0 && this.#identity.tombstoneKey === null
  }

  /** Names the file of the stack's keys. */
  get uid(): string | null {
    return this.#standing.uid
  }

  async getStats(): Promise<Readonly<Record<string, number>>> {
    return statsOf((query) => this.#read(query), this.registry)
  }

  /** Memories that were served in a session, oldest first; receipts expire after some weeks. */
  async receipts(session: string): Promise<readonly Receipt[]> {
    this.#assertOpen()
    return this.serving.of(session)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.#isClosed = true
    await this.#sequencer.idle()
    for (const closing of this.onClosing) await closing()
    await this.uses.recollection.close()
    this.#hasEnded = true
    await this.serving.close()
    await this.#parts.releaseStore?.()
  }

  #assertOpen(has = this.#isClosed): void {
    if (has) throw new MunimentError('stack_closed', 'The stack is closed.')
  }

  #reading() {
    this.#assertOpen(this.#hasEnded)
    return { stackId: this.stackId, store: this.#parts.store }
  }

  /** The store and the hashes, for copying a whole stack. */
  get whole(): BundleTools & Pick<StackParts, 'stackId' | 'store'> {
    const { sha256, hasher } = this.#parts.world
    return { ...this.#reading(), sha256, hasher }
  }

  async #read<Q extends ReadQuery>(query: Q): Promise<Answer<Q>> {
    this.#assertOpen(this.#hasEnded)
    return this.#loss.readWhole(query)
  }

  #host = (): string => `${this.stackId}:host`
}
