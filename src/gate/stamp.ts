import type { Keys } from '../belief/fold-memory.ts'
import type { Arrival, Arrived, Draft } from '../domain/draft.ts'
import { LimitError } from '../domain/errors.ts'
import { identityParts, lineParts } from '../domain/identity.ts'
import { type Hash, type MemoryId, type Ref, toRef } from '../domain/ids.ts'
import type { RecordKind } from '../domain/kind-names.ts'
import { contentText } from '../domain/kinds/table.ts'
import { LIMITS } from '../domain/limits.ts'
import { canonicalBytes } from '../hash/canonical.ts'
import { type Chance, chanceOf } from '../hash/chance.ts'
import { contentHash, tombstoneOf } from '../hash/ledger.ts'
import type { Sha256 } from '../hash/sha256.ts'

/** What stamping needs of the world; the tombstone key is null where a stack has none yet. */
export interface Tools {
  readonly sha256: Sha256
  readonly tombstoneKey: Uint8Array | null
}

/** One memory of a draft with everything that follows from its words alone. */
export interface Stamped {
  readonly kind: RecordKind
  readonly id: MemoryId
  readonly ref: Ref
  readonly body: object
  readonly text: string
  readonly contentHash: Hash
  readonly keys: Keys
  readonly derivedFrom: readonly Ref[]
}

export interface Candidate {
  readonly draft: Draft
  readonly arrival: Arrival
  readonly main: Stamped
  readonly captures: readonly Stamped[]
  /** Tombstones that would keep the main memory out: its actor's, and everyone's. */
  readonly marks: readonly Hash[]
  readonly chance: Chance
}

export function stamp({ draft, arrival }: Arrived, tools: Tools): Candidate {
  const main = stampOne(draft, tools.sha256)
  return {
    draft,
    arrival,
    main,
    captures: draft.captures.map((capture) => stampOne(capture, tools.sha256)),
    marks: marksOf(main, draft.origin.sourceId, tools),
    chance: chanceOf(tools.sha256, arrival.bytes),
  }
}

type Unstamped = Pick<Draft, 'kind' | 'id' | 'body' | 'derivedFrom'>

function stampOne({ kind, id, body, derivedFrom }: Unstamped, sha256: Sha256): Stamped {
  const bytes = canonicalBytes(body)
  if (bytes.length > LIMITS.bodyBytesMax) {
    throw new LimitError('bodyBytesMax', LIMITS.bodyBytesMax, bytes.length)
  }
  const line = lineParts(kind, body)
  return {
    kind,
    id,
    ref: toRef(kind, id),
    body,
    text: contentText(kind, body),
    contentHash: sha256(bytes),
    keys: {
      identity: contentHash(sha256, identityParts(kind, body)),
      line: line && contentHash(sha256, line),
    },
    derivedFrom,
  }
}

export const EVERYONE = '*'

function marksOf(main: Stamped, sourceId: string, tools: Tools): readonly Hash[] {
  const { sha256, tombstoneKey } = tools
  if (tombstoneKey === null) return []
  const identity = identityParts(main.kind, main.body)
  return [sourceId, EVERYONE].map((actor) =>
    tombstoneOf(sha256, tombstoneKey, { kind: main.kind, actor, identity }),
  )
}
