import { sessionsAt } from '../../domain/doors.ts'
import { type Hash, type Ref, splitRef } from '../../domain/ids.ts'
import { type ClaimBody, claimValueText } from '../../domain/kinds/claim.ts'
import { contentText, definitionOf } from '../../domain/kinds/table.ts'
import { isFirstHand } from '../../domain/labels.ts'
import type { Batch } from '../../domain/waist.ts'
import type { Candidate, Likeness } from '../../gate/stamp.ts'
import type { ServedPrint } from '../../ports/receipts.ts'
import { likest } from '../../recall/embed/likeness.ts'
import { type Print, printOf, underHeading, withoutHeading } from '../../recall/embed/print.ts'
import type { Serving } from '../read/served.ts'
import type { CommitListener } from './sequencer.ts'

const LIKES_MAX = 8 // memories for the gate to choose among

/** A draft of the current group. */
interface Draft {
  readonly ref: Ref
  readonly actor: string
  readonly print: Print
  readonly identity: Hash
}

/**
 * Finds memories that a model's draft may repeat, among the memories that the actor wrote or
 * received.
 */
export class Recogniser implements CommitListener {
  readonly #serving: Pick<Serving, 'told' | 'toldTo' | 'noteWritten'>
  #drafts: Draft[] = []

  constructor(serving: Pick<Serving, 'told' | 'toldTo' | 'noteWritten'>) {
    this.#serving = serving
  }

  async likesOf({ draft, arrival, main }: Candidate): Promise<readonly Likeness[]> {
    const { label, sourceId: actor } = draft.origin
    const { person, door } = draft.caller
    if (!definitionOf(main.kind).asserts || isFirstHand(label)) return []
    if (person || door === 'hook') return []
    const { print, heading } = comparedOf(main)
    const serving = this.#serving
    const known: (ServedPrint & { readonly identity?: Hash })[] = [...(await serving.toldTo(actor))]
    for (const session of sessionsAt(draft.caller, arrival.time)) {
      known.push(...(await serving.told(session)))
    }
    known.push(...this.#drafts.filter((each) => each.actor === actor))
    const kept = heading === null ? print : underHeading(print, heading)
    this.#drafts.push({ ref: main.ref, actor, print: kept, identity: main.keys.identity })
    const others = heading === null ? known : known.flatMap((each) => under(heading, each))
    return likest(print, others, LIKES_MAX).map(({ source: { ref, identity }, score }) => ({
      ref,
      score,
      ...(identity === undefined ? {} : { identity }),
    }))
  }

  /**
   * Keeps the prints of written drafts, so that the actor's later drafts are compared with them.
   */
  async settled(batch: Batch | null): Promise<void> {
    const written = new Set(batch?.entries.flatMap(({ entry }) => entry.ref ?? []))
    const drafts = this.#drafts.filter(({ ref }) => written.has(ref))
    this.#drafts = []
    for (const draft of drafts) await this.#serving.noteWritten(draft)
  }
}

interface Compared {
  readonly print: Print
  /** The print of the subject and predicate that the claims have to which it may be linked. */
  readonly heading: Print | null
}

/** Claims are linked where subject and predicate are the same, so their values are compared. */
function comparedOf({ kind, body }: Candidate['main']): Compared {
  if (kind !== 'claim') return { print: printOf(contentText(kind, body)), heading: null }
  const claim = body as ClaimBody // a body of kind claim was parsed as one
  const line = `${claim.subject} ${claim.predicate}`
  return { print: printOf(claimValueText(claim), line), heading: printOf(line) }
}

/** A claim under the heading, without it; nothing for all that is said of something else. */
function under<Source extends ServedPrint>(heading: Print, source: Source): readonly Source[] {
  if (splitRef(source.ref).kind !== 'claim') return []
  const print = withoutHeading(source.print, heading)
  return print === null ? [] : [{ ...source, print }]
}
