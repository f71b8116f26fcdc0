import type { Ref } from '../../../src/domain/ids.ts'

/** How like a draft is to something that was served, as it is told to the gate. */
export interface Like {
  readonly ref: Ref
  readonly score: number
  readonly covered: number
  readonly repeated: number
  readonly isInStep: boolean
  readonly isElsewhere: boolean
}

/** What there is to know of a draft and of what it is like. */
export interface Reworded {
  readonly kind: string
  /** A claim that names when it holds. */
  readonly isDated: boolean
  readonly cites: readonly Ref[]
  readonly likes: readonly Like[]
  /** The kinds of the memories that are there. */
  readonly kinds: ReadonlyMap<Ref, string>
}

export type Told =
  | { readonly says: 'the same'; readonly of: Ref }
  | { readonly says: 'in other words'; readonly of: Ref; readonly isElsewhere: boolean }
  | { readonly says: 'something new' }

/**
 * The table of docs/firewall.md, read row by row: near-certain in this session, likely in this
 * session, passed on from another, otherwise new. Of several the one that is told first.
 */
export function reworded({ kind, isDated, cites, likes, kinds }: Reworded): Told {
  const isOtherStay = (ref: Ref) => isDated && kinds.get(ref) === 'claim'
  const isBuiltUpon = (ref: Ref) => cites.includes(ref) && kinds.get(ref) !== kind
  const there = likes.filter(({ ref }) => kinds.has(ref) && !isOtherStay(ref))
  for (const like of there) {
    if (like.isElsewhere || !like.isInStep || kinds.get(like.ref) !== kind) continue
    if (like.covered >= 950 && like.repeated >= 600) return { says: 'the same', of: like.ref }
  }
  const free = there.filter(({ ref }) => !isBuiltUpon(ref))
  for (const like of free) {
    if (like.isElsewhere || like.score < 1_442) continue
    return { says: 'in other words', of: like.ref, isElsewhere: false }
  }
  for (const like of free) {
    if (!like.isElsewhere || like.covered < 700 || like.repeated < 500) continue
    return { says: 'in other words', of: like.ref, isElsewhere: true }
  }
  return { says: 'something new' }
}
