import { TIER_OF_LABEL, type Tier } from '../../domain/doors.ts'
import type { Entry } from '../../domain/entry.ts'
import type { Hash } from '../../domain/ids.ts'
import { labelName } from '../../domain/labels.ts'
import type { StackState } from '../../domain/state.ts'
import type { Uses } from '../engine.ts'
import { openNote } from '../read/memory-view.ts'

/** Words that somebody put beside a memory, and what they count for: not what the memory does. */
export interface Beside {
  readonly text: string | null
  /** Null where there are no words. */
  readonly tier: Tier | null
}

const NONE: Beside = { text: null, tier: null }

/** The words beside memories that one answer tells, however often it tells them. */
export interface Besides {
  /** What was given as a reason with a change, as its entry and what it sealed say. */
  in(entry: Entry): Promise<Beside>
  /** What the words of an entry count for today. */
  tierOf(entry: Entry): Promise<Tier>
}

/** Where the stack stands is read once for all of them, and what an entry sealed once. */
export function besidesOn({ read }: Pick<Uses, 'read'>): Besides {
  let standing: Promise<{ readonly stack: StackState }> | null = null
  const told = new Map<number, Promise<Beside>>()
  const tierOf = async (entry: Entry): Promise<Tier> => {
    standing ??= read({ type: 'standing' })
    return besideTier(entry, (await standing).stack)
  }
  const tell = async (entry: Entry): Promise<Beside> => {
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

/** As the gate found it; who is not believed since then counts for nothing in words either. */
export function besideTier(
  { tier, label, actor, door }: Pick<Entry, 'tier' | 'label' | 'actor' | 'door'>,
  { distrusted }: Pick<StackState, 'distrusted'>,
  /** What entries would call the session; no entry holds it, only papers do. */
  session: Hash | null = null,
): Tier {
  const from = { door, actor, session }
  const isDoubted = distrusted.some(({ origin, of }) => of === from[origin])
  if (isDoubted) return 0
  return tier ?? (label === null ? 0 : TIER_OF_LABEL[labelName(label)])
}
