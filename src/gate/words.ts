import { type Caller, lowerTier, TIER_OF_LABEL, type Tier, tierAtDoor } from '../domain/doors.ts'
import type { Entry, SealedNote, SealedRow } from '../domain/entry.ts'
import { assert } from '../domain/errors.ts'
import { type Ref, splitRef } from '../domain/ids.ts'
import { identityParts, lineParts } from '../domain/kinds/content.ts'
import { contentText } from '../domain/kinds/table.ts'
import { type Label, labelName } from '../domain/labels.ts'
import type { Policy } from '../domain/policy.ts'
import { bringsWords } from '../domain/received.ts'
import type { Keys, Sealed } from '../fold/fold-memory.ts'
import { readJson } from '../ledger/canonical.ts'
import { contentHash } from '../ledger/ledger.ts'
import type { Sha256 } from '../ledger/sha256.ts'
import type { Desk } from './desk.ts'
import { distrustsOf } from './evidence.ts'

const decoder = new TextDecoder()

/** The bodies of memories: gathered bodies, and bodies that the group itself wrote. */
export class Words {
  #gathered: ReadonlyMap<Ref, SealedRow>
  #said = new Map<Ref, object>()

  constructor(gathered: readonly SealedRow[]) {
    this.#gathered = new Map(gathered.map((row) => [row.ref, row]))
  }

  copy(): Words {
    const copy = new Words([])
    copy.#gathered = this.#gathered
    copy.#said = new Map(this.#said)
    return copy
  }

  /** Null where the body was not gathered, or is erased. */
  of(ref: Ref): string | null {
    const body = this.bodyOf(ref)
    return body ? contentText(splitRef(ref).kind, body) : null
  }

  bodyOf(ref: Ref): object | null {
    const said = this.#said.get(ref)
    const row = said ? undefined : this.#gathered.get(ref)
    return row
      ? (readJson(decoder.decode(row.bytes)) as { readonly body: object }).body
      : (said ?? null) // sealed by the gate
  }

  put(ref: Ref, body: object): void {
    this.#said.set(ref, body)
  }
}

/** The content an entry commits to: a body with its birth certificate. */
export interface Content {
  readonly sealed: Sealed
  readonly keys: Keys
  readonly salt: Uint8Array
  readonly bytes: Uint8Array
}

/** An annotation or other text about a memory that exists; the entry commits to the bytes. */
export interface NoteContent {
  readonly note: SealedNote
  readonly salt: Uint8Array
  readonly bytes: Uint8Array
}

/** Opens what an entry of any replica sealed. The caller checked the bytes or wrote them. */
export function contentOf(
  sha256: Sha256,
  entry: Pick<Entry, 'revision' | 'ref'>,
  { salt, bytes }: Pick<SealedRow, 'salt' | 'bytes'>,
): Content | NoteContent {
  const opened = readJson(decoder.decode(bytes))
  if (!bringsWords(entry)) return { note: opened as SealedNote, salt, bytes } // as above
  const sealed = opened as Sealed // as above
  assert(entry.ref !== null, 'words belong to a memory')
  const { kind } = splitRef(entry.ref)
  const line = lineParts(kind, sealed.body)
  const identity = contentHash(sha256, identityParts(kind, sealed.body))
  return { sealed, keys: { identity, line: line && contentHash(sha256, line) }, salt, bytes }
}

/** The sealed content or the note, in the shape that the fold takes. */
export const brought = (content: Content | NoteContent | null) => {
  if (content === null) return { sealed: null, note: null }
  if ('note' in content) return { sealed: null, note: content.note }
  return { sealed: { ...content.sealed, keys: content.keys }, note: null }
}

/** The author of an annotation on a memory, such as a reason or tags. */
export interface Teller {
  readonly actor: string
  readonly label: Label
  readonly caller: Caller
}

/**
 * The tier of an annotation: the tier that a memory from this actor at this door would have.
 * Readers see the annotation with the memory, and the memory must not lend its tier.
 */
export function wordsTier({ actor, caller, label }: Teller, desk: Desk): Tier {
  const { door, session } = caller
  if (distrustsOf(desk, { actor, door, session }).length > 0) return 0
  const tier = tierAtDoor(desk.policy.doors[door], caller, labelName(label)) ?? 0
  const assessed = desk.assessmentOf(actor)
  return assessed ? lowerTier(tier, tierForTrust(assessed.weight, desk.policy)) : tier
}

/** An entry records the tier only where the tier is below the maximum of the label. */
export const toldTier = (tier: Tier, label: Label): Tier | null =>
  tier < TIER_OF_LABEL[labelName(label)] ? tier : null

/** Strong distrust gives tier 0; weak trust gives the lowest tier that counts. */
export function tierForTrust(score: number, { numbers }: Policy): Tier {
  if (score < numbers.assessmentDistrustBelow) return 0
  return score < numbers.assessmentDoubtBelow ? 1 : 3
}
