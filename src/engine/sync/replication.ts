import { MunimentError } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import { receivedIn } from '../../domain/received.ts'
import type { Instant } from '../../domain/time.ts'
import { entryIn } from '../../ledger/ledger.ts'
import { NOTHING_SYNCED, type Peer, type SyncPorts } from '../../ports/remote.ts'
import { keyWords } from '../../sync/fingerprint.ts'
import type { Sources } from '../distrust/distrust.ts'
import type { StackParts } from '../parts.ts'
import type { ActOptions } from '../write/arguments.ts'
import { changeState, EMPTY_TREE, type SyncParts } from './feed.ts'

/** The result of a replication round. */
export interface SyncResult {
  readonly pushed: number
  readonly pulled: number
  /** Memories revised by two replicas at once; both revisions stay. */
  readonly conflicts: number
  readonly errors: readonly string[]
  /** The remote address; null where the stack has no remote. */
  readonly remote: string | null
}

export interface PullOptions {
  /** Only changes at this moment or later. */
  readonly since?: string
}

/** Another replica, for a person who compares keys. */
export interface PeerView {
  readonly replica: string
  /** The key of the replica as words; the other machine shows the same. */
  readonly words: string
  readonly trust: Peer['trust']
  readonly entries: number
  readonly waiting: number
  readonly problem: string | null
}

/** Receipts of other replicas for erasures of this stack. */
export interface ErasureReceipts {
  readonly erased: number
  /** Replicas that confirmed all erasures, and replicas that have not yet. */
  readonly confirmedBy: readonly string[]
  readonly missing: readonly string[]
}

export interface SyncStatus {
  readonly remote: string | null
  readonly isOnline: boolean
  readonly replica: string | null
  /** The words of this replica's own key. */
  readonly words: string | null
  readonly pending: number
  readonly peers: readonly PeerView[]
  readonly erasures: ErasureReceipts
}

const NO_REMOTE: SyncResult = { pushed: 0, pulled: 0, conflicts: 0, errors: [], remote: null }
const PAGE = 512

type Means = Pick<SyncParts, 'core' | 'ledger' | 'erasures'> & {
  readonly sources: Sources
  readonly parts: Pick<StackParts, 'sync' | 'verifySignature'>
}

/** Replication over a remote: push, pull, and trust in other replicas. */
export class Replication {
  readonly #means: Means

  constructor(means: Means) {
    this.#means = means
  }

  /**
   * Pulls, then pushes, so that what is published knows of what was there.
   * @example const { pushed, pulled } = await stack.replication.sync()
   */
  async sync(): Promise<SyncResult> {
    const parts = this.#parts()
    if (parts === null) return NO_REMOTE
    const { pull } = await import('./pull.ts') // loads parts of the audit, which few calls need
    const { push } = await import('./push.ts')
    const pulled = await pull(parts)
    return { ...pulled, pushed: await push(parts), remote: parts.ports.remote.address }
  }

  /**
   * Takes in what other replicas said, from a moment on where one is given.
   * @example await stack.replication.pull()
   */
  async pull(since: Instant | null = null): Promise<SyncResult> {
    const parts = this.#parts()
    if (parts === null) return NO_REMOTE
    const { pull } = await import('./pull.ts')
    return { ...(await pull(parts, since)), pushed: 0, remote: parts.ports.remote.address }
  }

  /**
   * Entries that the remote does not have yet.
   * @example const waiting = await stack.replication.pending()
   */
  async pending(): Promise<number> {
    const { core } = this.#means
    const ports = this.#ports
    if (ports === undefined) return 0
    const { tip } = await core.read({ type: 'standing' })
    const { published } = await ports.shelf.read()
    return Math.max(0, tip.head.seq + 1 - published)
  }

  /**
   * True where the remote answers.
   * @example const isOnline = await stack.replication.isOnline()
   */
  async isOnline(): Promise<boolean> {
    try {
      await this.#ports?.remote.list('feeds/')
      return this.#ports !== undefined
    } catch {
      return false
    }
  }

  /**
   * The remote, what waits, and every known replica.
   * @example const { peers } = await stack.replication.status()
   */
  async status(): Promise<SyncStatus> {
    const { core, ledger } = this.#means
    const ports = this.#ports
    const { stack } = await core.read({ type: 'standing' })
    const { peers } = ports ? await ports.shelf.read() : NOTHING_SYNCED
    return {
      remote: ports?.remote.address ?? null,
      isOnline: await this.isOnline(),
      replica: stack.replica,
      words: ledger.canSign ? keyWords(core.sha256, ledger.signing().key) : null,
      pending: await this.pending(),
      peers: Object.entries(peers).map(([replica, { key, trust, tree, waiting, problem }]) => ({
        ...{ replica, trust, problem },
        words: keyWords(core.sha256, key),
        entries: tree.size,
        waiting: waiting.length,
      })),
      erasures: await this.#receipts(peers),
    }
  }

  /**
   * Trusts a replica after a person compared its words; what waited comes with the next pull.
   * @example
   * const { peers } = await stack.replication.status()
   * for (const { words } of peers) await stack.replication.trust(words)
   */
  async trust(words: string): Promise<PeerView> {
    return this.#turn(words, 'paired')
  }

  /**
   * Believes a replica no longer, with every memory that it brought. Returns the memories that are
   * distrusted now; where the caller lacks the authority, a person decides in review.
   * @example
   * const { peers } = await stack.replication.status()
   * for (const { words } of peers) await stack.replication.distrust(words)
   */
  async distrust(words: string, options: ActOptions = {}): Promise<readonly Ref[]> {
    const { replica } = await this.#turn(words, 'distrusted')
    const turned: Ref[] = []
    for (const ref of await this.#broughtBy(replica)) {
      const how = { ...options, basis: 'compromised' } as const
      turned.push(...(await this.#means.sources.distrust(ref, how)).memories)
    }
    return turned
  }

  async #turn(named: string, trust: Peer['trust']): Promise<PeerView> {
    const parts = this.#parts()
    const { peers } = await this.status()
    const found = peers.filter(({ replica, words }) => words === named || replica === named)
    const [view] = found
    if (parts === null || view === undefined || found.length > 1) {
      throw new MunimentError('not_found', 'No replica has these words.', {
        hint: 'muniment sync --status lists the replicas; give all six words.',
      })
    }
    await changeState(parts, (state) => {
      const peer = state.peers[view.replica]
      if (peer === undefined) return state
      // A newly paired feed is read from the start: memories under the cap of unknown replicas rise.
      const isNew = trust === 'paired' && peer.trust !== 'paired'
      const read = isNew ? { tree: EMPTY_TREE, waiting: [] } : {}
      return { ...state, peers: { ...state.peers, [view.replica]: { ...peer, ...read, trust } } }
    })
    return { ...view, trust }
  }

  async #broughtBy(replica: string): Promise<readonly Ref[]> {
    const { read } = this.#means.core
    const refs = new Set<Ref>()
    for (let from = 0; ; from += PAGE) {
      const rows = await read({ type: 'entries', from, limit: PAGE })
      for (const { bytes } of rows) {
        const entry = entryIn(bytes)
        const told = entry && receivedIn(entry)?.entry
        if (told?.replica === replica && told.revision !== null) refs.add(told.ref)
      }
      if (rows.length < PAGE) return this.#present([...refs])
    }
  }

  async #present(refs: readonly Ref[]): Promise<readonly Ref[]> {
    const where = { refs, present: true } as const
    return this.#means.core.read({ type: 'memories', as: 'ref', where, order: 'given' })
  }

  async #receipts(peers: Readonly<Record<string, Peer>>): Promise<ErasureReceipts> {
    const { read } = this.#means.core
    const { stack } = await read({ type: 'standing' })
    const erasures = await read({ type: 'table', name: 'erasures' })
    const last = Math.max(-1, ...erasures.map(({ entry }) => entry))
    const known = Object.entries(peers).filter(([, { trust }]) => trust !== 'distrusted')
    const hasErased = (acks: Peer['acks']): boolean => (acks[stack.replica ?? ''] ?? 0) > last
    return {
      erased: erasures.length,
      confirmedBy: known.filter(([, { acks }]) => hasErased(acks)).map(([replica]) => replica),
      missing: known.filter(([, { acks }]) => !hasErased(acks)).map(([replica]) => replica),
    }
  }

  get #ports(): SyncPorts | undefined {
    return this.#means.parts.sync
  }

  #parts(): SyncParts | null {
    const { parts, ...means } = this.#means
    const verify = parts.verifySignature
    if (parts.sync === undefined || verify === undefined) return null
    return { ...means, ports: parts.sync, verify }
  }
}
