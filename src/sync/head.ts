import type { Hash } from '../domain/ids.ts'
import { canonicalize, readJson } from '../ledger/canonical.ts'
import type { Sha256 } from '../ledger/sha256.ts'
import {
  openNote,
  parseCheckpoint,
  parseNote,
  parseVerifierKey,
  type VerifyEd25519,
} from '../ledger/signed-note.ts'
import { feedOf, type Segment, unreadable } from './segment.ts'

const FORMAT = 'muniment/sync-head/1'
const COUNTER_DIGITS = 12

/** The newest statement of a replica about its feed. */
export interface FeedHead {
  readonly replica: string
  /** Rises by one with every head of the feed. */
  readonly counter: number
  /** The key of the signature, as clients pin it. */
  readonly key: string
  /** The signed head of the ledger, as a C2SP checkpoint. */
  readonly checkpoint: string
  readonly segments: readonly Segment[]
  /** The last received entry of each other feed. */
  readonly acks: Readonly<Record<string, number>>
}

export interface FeedTree {
  readonly size: number
  readonly root: Hash
}

export const headsOf = (replica: string): string => `${feedOf(replica)}heads/`

export const headName = ({ replica, counter }: Pick<FeedHead, 'replica' | 'counter'>): string =>
  `${headsOf(replica)}${String(counter).padStart(COUNTER_DIGITS, '0')}`

export const headText = (head: FeedHead): string => `${FORMAT}\n${canonicalize(head)}\n`

export interface Verifying {
  readonly sha256: Sha256
  readonly verify: VerifyEd25519
}

/** Opens a head and checks its signature under the pinned key, or else under the key it names. */
export function openHead(
  note: string,
  of: { readonly replica: string; readonly key: string | null },
  { sha256, verify }: Verifying,
): FeedHead & { readonly tree: FeedTree } {
  const [format, line = ''] = (parseNote(note)?.text ?? '').split('\n')
  if (format !== FORMAT) throw unreadable('the head of the feed is none')
  const head = readJson(line) as unknown as FeedHead // signed by the replica, and checked next
  if (head.replica !== of.replica) throw unreadable('the head is of another replica')
  if (of.key !== null && head.key !== of.key) {
    throw unreadable('the head is signed by another key than the first one was')
  }
  const key = parseVerifierKey(sha256, head.key)
  const opened = key && openNote(note, [key], { sha256, verify })
  if (!opened?.ok) throw unreadable('the signature of the head is wrong')
  const tree = parseCheckpoint(parseNote(head.checkpoint)?.text ?? '')
  if (tree === null) throw unreadable('the head of the ledger is none')
  let at = 0
  for (const { from, to } of head.segments) {
    if (from !== at || to <= from) throw unreadable('the segments leave a gap')
    at = to
  }
  if (at !== tree.size) throw unreadable('the segments end elsewhere than the ledger')
  return { ...head, tree }
}
