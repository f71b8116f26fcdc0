import type { SealedRow } from '../../domain/entry.ts'
import { MunimentError } from '../../domain/errors.ts'
import type { Ref } from '../../domain/ids.ts'
import type { Received } from '../../domain/received.ts'
import type { Instant } from '../../domain/time.ts'
import { appendLeaf, rootOf } from '../../ledger/merkle.ts'
import type { Peer, SyncState } from '../../ports/remote.ts'
import { type FeedLeaf, leavesIn, unreadable, wordsIn } from '../../sync/segment.ts'
import {
  changeState,
  EMPTY_TREE,
  newestHead,
  type OpenedHead,
  objectAt,
  replicasIn,
  type SyncParts,
} from './feed.ts'
import { type Arriving, enterAll } from './receive.ts'

export interface Pulled {
  readonly pulled: number
  readonly conflicts: number
  /** A sentence for each refused feed, and for each entry that waits without a reason. */
  readonly errors: readonly string[]
}

/** Reads all feeds, verifies each feed against its signed head, and enters new entries. */
export async function pull(parts: SyncParts, since: Instant | null = null): Promise<Pulled> {
  const { stack } = await parts.core.read({ type: 'standing' })
  const before = await parts.ports.shelf.read()
  const errors: string[] = []
  const read: FeedRead[] = []
  for (const replica of await replicasIn(parts)) {
    const peer = before.peers[replica] ?? null
    if (replica === stack.replica || peer?.trust === 'distrusted') continue
    try {
      read.push(await readFeed(parts, replica, peer))
    } catch (cause) {
      if (!(cause instanceof MunimentError) || cause.code !== 'sync_refused') throw cause
      errors.push(`${replica}: ${cause.message}`)
      if (peer)
        read.push({ replica, arriving: [], erased: [], peer: { ...peer, problem: cause.message } })
    }
  }
  const state = await changeState(parts, (now) => withPeers(now, read))
  const erased = new Set(state.erasedElsewhere)
  const entered = await enterAll(
    parts,
    read.flatMap(({ arriving }) => arriving),
    { erased, since },
  )
  await changeState(parts, (now) => ({
    ...now,
    peers: Object.fromEntries(
      Object.entries(now.peers).map(([replica, peer]) => [
        replica,
        {
          ...peer,
          waiting: entered.waiting.get(replica) ?? (isRead(read, replica) ? [] : peer.waiting),
        },
      ]),
    ),
  }))
  return { ...entered, errors: [...errors, ...entered.errors] }
}

const isRead = (read: readonly FeedRead[], of: string): boolean =>
  read.some(({ replica, peer }) => replica === of && peer.problem === null)

interface FeedRead {
  readonly replica: string
  readonly peer: Peer
  readonly arriving: readonly Arriving[]
  /** Memories that the feed says are erased. */
  readonly erased: readonly Ref[]
}

/** Keeps read entries as waiting until they are entered, so a crash in between loses nothing. */
function withPeers(now: SyncState, read: readonly FeedRead[]): SyncState {
  const peers = read.map(({ replica, peer, arriving }) => {
    const trust = now.peers[replica]?.trust ?? peer.trust
    const waiting = peer.problem === null ? arriving.map(({ entry }) => entry.seq) : peer.waiting
    return [replica, { ...peer, trust, waiting }] as const
  })
  const erasedElsewhere = new Set([...now.erasedElsewhere, ...read.flatMap(({ erased }) => erased)])
  return {
    ...now,
    peers: { ...now.peers, ...Object.fromEntries(peers) },
    erasedElsewhere: [...erasedElsewhere],
  }
}

const NEW_PEER: Omit<Peer, 'key'> = {
  trust: 'unknown',
  tree: EMPTY_TREE,
  waiting: [],
  acks: {},
  problem: null,
}

/**
 * Believes a feed only where all its leaves, old and new, give the root that the replica signed: a
 * history that does not continue the one seen before is a fork, and nothing of it is taken.
 */
async function readFeed(parts: SyncParts, replica: string, known: Peer | null): Promise<FeedRead> {
  const head = await newestHead(parts, { replica, key: known?.key ?? null })
  const peer: Peer = known ?? { ...NEW_PEER, key: head?.key ?? '' }
  if (head === null) return { replica, peer, arriving: [], erased: [] }
  const { sha256 } = parts.core
  if (head.tree.size < peer.tree.size) throw forked(head, peer)
  const waiting = new Set(peer.waiting)
  const wanted: { readonly leaf: FeedLeaf; readonly words: string | null }[] = []
  let tree = peer.tree
  for (const segment of head.segments) {
    const isWaited = peer.waiting.some((seq) => seq >= segment.from && seq < segment.to)
    if (segment.to <= peer.tree.size && !isWaited) continue
    for (const leaf of leavesIn(sha256, segment, await objectAt(parts, segment.entries))) {
      const isNew = leaf.number >= peer.tree.size
      if (isNew) tree = appendLeaf(sha256, tree, leaf.hash)
      if (leaf.entry && (isNew || waiting.has(leaf.number)))
        wanted.push({ leaf, words: segment.words })
    }
  }
  if (rootOf(sha256, tree) !== head.tree.root) throw forked(head, peer)
  const arriving = await withWords(parts, { wanted, head, peer })
  const erased = arriving.flatMap(({ entry }) =>
    entry.op === 'memory.erased' && peer.trust === 'paired' ? [entry.ref] : [],
  )
  return { replica, peer: { ...peer, tree, acks: head.acks, problem: null }, arriving, erased }
}

const forked = ({ replica, tree }: OpenedHead, peer: Peer): MunimentError =>
  unreadable(
    `the replica ${replica} has two histories: ${peer.tree.size} entries were seen, and the head of ${tree.size} does not continue them`,
  )

interface Wanted {
  readonly wanted: readonly { readonly leaf: FeedLeaf; readonly words: string | null }[]
  readonly head: OpenedHead
  readonly peer: Peer
}

async function withWords(
  parts: SyncParts,
  { wanted, head, peer }: Wanted,
): Promise<readonly Arriving[]> {
  const { size, root } = head.tree
  const packs = new Map<string, ReadonlyMap<number, Pick<SealedRow, 'salt' | 'bytes'>>>()
  const arriving: Arriving[] = []
  for (const { leaf, words } of wanted) {
    const { entry, hash, number } = leaf
    if (entry === null) continue
    if (words !== null && !packs.has(words)) packs.set(words, wordsIn(await objectAt(parts, words)))
    const seal = (words === null ? undefined : packs.get(words)?.get(number)) ?? null
    const received: Received = { entry: entry as Received['entry'], hash, size, root }
    arriving.push({ ...received, feed: head.replica, isPaired: peer.trust === 'paired', seal })
  }
  return arriving
}
