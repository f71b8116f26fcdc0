import { TIER_OF_LABEL, type Tier } from '../../domain/doors.ts'
import type { Entry } from '../../domain/entry.ts'
import type { Hash } from '../../domain/ids.ts'
import { labelName } from '../../domain/labels.ts'
import type { StackState } from '../../domain/state.ts'
import { openNote } from '../read/memory-view.ts'
import type { Read } from '../world.ts'

/** The reason given with a change, with its tier today; the words, not the effect of the change. */
export interface Annotation {
  readonly text: string | null
  /** Null without a text. */
  readonly tier: Tier | null
}

const NONE: Annotation = { text: null, tier: null }

/** Annotations for one answer, each read once. */
export interface AnnotationReader {
  /** The reason of a change, from the entry and its sealed content. */
  in(entry: Entry): Promise<Annotation>
  /** Today's tier of an entry's words. */
  tierOf(entry: Entry): Promise<Tier>
}

/** Reads the stack's state once for all annotations, and each sealed content once. */
export function annotationReader({ read }: { readonly read: Read }): AnnotationReader {
  let standing: Promise<{ readonly stack: StackState }> | null = null
  const told = new Map<number, Promise<Annotation>>()
  const tierOf = async (entry: Entry): Promise<Tier> => {
    standing ??= read({ type: 'standing' })
    return annotationTier(entry, (await standing).stack)
  }
  const tell = async (entry: Entry): Promise<Annotation> => {
    const { seq, commitment, revision } = entry
    if (commitment === null || revision !== null) return NONE
    const [sealed] = await read({ type: 'table', name: 'sealed', from: seq, to: seq })
    const { text } = sealed ? openNote(sealed) : NONE
    return text === null ? NONE : { text, tier: await tierOf(entry) }
  }
  return {
    tierOf,
    in(entry) {
      const known = told.get(entry.seq) ?? tell(entry)
      told.set(entry.seq, known)
      return known
    },
  }
}

/** The tier at the gate, or 0 when the origin was distrusted since. */
export function annotationTier(
  { tier, label, actor, door }: Pick<Entry, 'tier' | 'label' | 'actor' | 'door'>,
  { distrusted }: Pick<StackState, 'distrusted'>,
  /**
   * The session as entries name sessions; only provenance holds the session itself, never an entry.
   */
  session: Hash | null = null,
): Tier {
  const from = { door, actor, session }
  const isDoubted = distrusted.some(({ origin, of }) => of === from[origin])
  if (isDoubted) return 0
  return tier ?? (label === null ? 0 : TIER_OF_LABEL[labelName(label)])
}
