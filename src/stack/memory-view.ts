import type { Disposition } from '../domain/dispositions.ts'
import type { Tier } from '../domain/doors.ts'
import type { SealedRow } from '../domain/entry.ts'
import { MunimentError } from '../domain/errors.ts'
import type { MemoryId, Ref } from '../domain/ids.ts'
import type { RecordKind } from '../domain/kind-names.ts'
import { type BodyOf, contentText } from '../domain/kinds/table.ts'
import {
  type ComputedProvenance,
  computedProvenance,
  type Provenance,
} from '../domain/provenance.ts'
import type { Instant } from '../domain/time.ts'
import type { MetMemory, StoredMemory } from '../ports/store.ts'

/** A memory as readers get it: its words, its papers and where it stands. */
export interface Memory<K extends RecordKind = RecordKind> {
  readonly ref: Ref
  readonly kind: K
  readonly id: MemoryId
  readonly body: BodyOf<K>
  /** What it says, as one text. */
  readonly text: string
  readonly provenance: Provenance & ComputedProvenance
  /** The number of revisions; the body and provenance are the last one's. */
  readonly version: number
  readonly createdAt: Instant
  readonly disposition: Disposition
  /** The tier it has now, which may have risen or fallen since its birth. */
  readonly tier: Tier
  readonly confidence: number
  readonly strength: number
  readonly isProtected: boolean
  readonly entry: { readonly seq: number }
}

const decoder = new TextDecoder()

interface Opened {
  readonly body: object
  readonly provenance: Provenance & ComputedProvenance
}

/** Opens what a birth or revision sealed. The bytes were written by the gate. */
const openSealed = (sealed: SealedRow | string): Opened =>
  JSON.parse(typeof sealed === 'string' ? sealed : decoder.decode(sealed.bytes))

/** The content is opened when it is first looked at: a long lineage is mostly passed through. */
export function viewOf<K extends RecordKind>({
  state,
  sealed,
}: StoredMemory | MetMemory): Memory<K> {
  if (sealed === null) {
    throw new MunimentError('data_loss', `The content of ${state.ref} is missing.`, {
      hint: 'Run audit: it names what is gone.',
    })
  }
  let opened: (Opened & { readonly text: string }) | null = null
  const content = () => {
    if (opened) return opened
    const { body, provenance } = openSealed(sealed)
    const shown = { ...provenance, ...computedProvenance(provenance) }
    opened = { body, provenance: shown, text: contentText(state.kind, body) }
    return opened
  }
  return {
    ref: state.ref,
    kind: state.kind as K, // the caller asked for memories of this kind
    id: state.id,
    get body() {
      return content().body as BodyOf<K> // parsed as this kind before it was sealed
    },
    get text() {
      return content().text
    },
    get provenance() {
      return content().provenance
    },
    version: state.revision,
    createdAt: state.bornAt,
    disposition: state.disposition,
    tier: state.tier,
    confidence: state.confidence.value,
    strength: state.strength.value,
    isProtected: state.isProtected,
    entry: { seq: state.revisionSeq },
  }
}
