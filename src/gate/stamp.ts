import { LimitError, once } from '../domain/errors.ts'
import { type Hash, type MemoryId, type RecordKind, type Ref, toRef } from '../domain/ids.ts'
import { identityParts, lineParts } from '../domain/kinds/content.ts'
import { keptOutAs } from '../domain/kinds/table.ts'
import { LIMITS } from '../domain/limits.ts'
import { EVERYONE } from '../domain/provenance.ts'
import type { Arrival, Arrived, Draft } from '../domain/write.ts'
import type { Keys } from '../fold/fold-memory.ts'
import { canonicalize } from '../ledger/canonical.ts'
import { type Chance, chanceOf } from '../ledger/chance.ts'
import { contentHash, repeatMarkOf, tombstoneOf } from '../ledger/ledger.ts'
import { type Sha256, UNIT_BYTES_MAX, utf8 } from '../ledger/sha256.ts'

/** Dependencies of stamping; a stack copied without its tombstone key has none. */
export interface Tools {
  readonly sha256: Sha256
  readonly tombstoneKey: () => Uint8Array | null
}

/** One memory of a draft, with the values computed from its words alone. */
export interface Stamped {
  readonly kind: RecordKind
  readonly id: MemoryId
  readonly ref: Ref
  readonly body: object
  /** The body's canonical form, which is hashed, measured and sealed. */
  readonly bodyText: string
  readonly contentHash: Hash
  readonly keys: Keys
  readonly derivedFrom: readonly Ref[]
}

export interface Candidate {
  readonly draft: Draft
  readonly arrival: Arrival
  readonly main: Stamped
  readonly captures: readonly Stamped[]
  /** Tombstones that would refuse the draft or its captures; computed only on request. */
  readonly marks: () => readonly Hash[]
  /** The key for counting repeats of the draft's words; null without the tombstone key. */
  readonly repeatMark: () => Hash | null
  /** The repeat key of other words. */
  readonly repeatMarkOf: (identity: Hash) => Hash | null
  readonly chance: Chance
  /** Memories that the draft may repeat in other words, nearest first; most drafts have none. */
  readonly likes: readonly Likeness[]
}

/** A memory that the actor wrote or was served, and its score against the draft. */
export interface Likeness {
  readonly ref: Ref
  /** Thousandths that both texts share, summed both ways. */
  readonly score: number
  /** The identity of the words of a draft that may not be a memory yet. */
  readonly identity?: Hash
}

export function stamp({ draft, arrival }: Arrived, tools: Tools): Candidate {
  const main = stampOne(draft, tools.sha256)
  const repeatsOf = (identity: Hash): Hash | null => {
    const key = tools.tombstoneKey()
    return key && repeatMarkOf(tools.sha256, key, identity)
  }
  const captures = draft.captures.map((capture) => stampOne(capture, tools.sha256))
  return {
    draft,
    arrival,
    main,
    captures,
    marks: once(() =>
      [main, ...captures].flatMap((item) => marksOf(item, draft.origin.sourceId, tools)),
    ),
    repeatMark: once(() => repeatsOf(main.keys.identity)),
    repeatMarkOf: repeatsOf,
    chance: chanceOf(tools.sha256, arrival.bytes),
    likes: [],
  }
}

type Unstamped = Pick<Draft, 'kind' | 'id' | 'body' | 'derivedFrom'>

export function stampOne({ kind, id, body, derivedFrom }: Unstamped, sha256: Sha256): Stamped {
  const bodyText = canonicalize(body)
  if (bodyText.length > LIMITS.bodyBytesMax / UNIT_BYTES_MAX) {
    const { length } = utf8(bodyText)
    if (length > LIMITS.bodyBytesMax)
      throw new LimitError('bodyBytesMax', LIMITS.bodyBytesMax, length)
  }
  const line = lineParts(kind, body)
  return {
    kind,
    id,
    ref: toRef(kind, id),
    body,
    bodyText,
    contentHash: sha256(bodyText),
    keys: {
      identity: contentHash(sha256, identityParts(kind, body)),
      line: line && contentHash(sha256, line),
    },
    derivedFrom,
  }
}

function marksOf(main: Stamped, sourceId: string, tools: Tools): readonly Hash[] {
  const { sha256 } = tools
  const tombstoneKey = tools.tombstoneKey()
  if (tombstoneKey === null) return []
  const identity = identityParts(main.kind, main.body)
  return [sourceId, EVERYONE].map((actor) =>
    tombstoneOf(sha256, tombstoneKey, { kind: keptOutAs(main.kind), actor, identity }),
  )
}
