import type { Ref } from '../../../src/domain/ids.ts'
import type { DoubtOf, GateDraft } from '../steps.ts'
import { isReasoned } from './tables.ts'
import type { Book, Remembered } from './words.ts'

// What falls and what returns, from docs/firewall.md: no walk of a family, every memory is asked.

/** The entries by which what comes from there is not believed. */
export const doubtsOf = (
  book: Book,
  { actor, door }: Pick<GateDraft, 'actor' | 'door'>,
): readonly number[] =>
  book.doubts
    .filter(({ origin, name }) => ({ actor, door, session: null })[origin] === name)
    .map(({ entry }) => entry)

const everything = ({ memories, noise }: Book): readonly Remembered[] =>
  [...memories, ...noise].sort((a, b) => a.seq - b.seq)

export const isMeant =
  (what: DoubtOf) =>
  ({ ref, actor, door }: Remembered): boolean =>
    'ref' in what ? ref === what.ref : { actor, door, session: null }[what.origin] === what.name

/** Whether it was reasoned, and from nothing but what is in `fallen`. */
function isGroundless({ parents, ...memory }: Remembered, fallen: readonly Ref[]): boolean {
  return isReasoned(memory) && parents.length > 0 && parents.every((ref) => fallen.includes(ref))
}

const isFlaggedFor = ({ flags }: Remembered, by: Ref): boolean =>
  flags.some((flag) => flag.code === 'source_distrusted' && flag.by === by)

export interface Turned {
  readonly direct: readonly Remembered[]
  /** Turned for what they rest on, in the order in which it is told. */
  readonly ground: readonly Remembered[]
  readonly flagged: readonly { readonly ref: Ref; readonly by: Ref }[]
}

const refsIn = (memories: readonly Remembered[]): Ref[] => memories.map(({ ref }) => ref)

/** Oldest first, then what rested on those, one after the other: a child right after its last ground. */
export function fall(book: Book, what: DoubtOf): Turned {
  const all = everything(book)
  const direct = all.filter(isMeant(what))
  const fallen = refsIn(all.filter(({ distrust }) => distrust !== null))
  const falling = direct.filter(({ ref }) => !fallen.includes(ref))
  const ground: Remembered[] = []
  fallen.push(...refsIn(falling))
  for (const { ref } of falling) {
    for (const child of all.filter(({ parents }) => parents.includes(ref))) {
      if (fallen.includes(child.ref) || !isGroundless(child, fallen)) continue
      fallen.push(child.ref)
      falling.push(child) // its own children come after those before it
      ground.push(child)
    }
  }
  const flagged = falling.flatMap(({ ref: by }) =>
    all
      .filter(({ ref, parents }) => parents.includes(by) && !fallen.includes(ref))
      .filter((child) => !isFlaggedFor(child, by))
      .map(({ ref }) => ({ ref, by })),
  )
  return { direct, ground, flagged }
}

export interface Returned extends Turned {
  /** Of all that is touched: what is believed again. */
  readonly back: readonly Ref[]
  readonly cleared: readonly { readonly ref: Ref; readonly of: readonly number[] }[]
}

type Mark = NonNullable<Remembered['distrust']>

/** A mark without one of its reasons: the entry of an origin, or the word on the memory itself. */
export const without = (mark: Mark, reason: number | 'own'): Mark => ({
  ...mark,
  origins: mark.origins.filter((entry) => entry !== reason),
  own: mark.own && reason !== 'own',
})

/** What has no reason of its own left is believed again, unless all that it was reasoned from is not. */
export function giveBack(book: Book, what: DoubtOf, reason: number | 'own'): Returned {
  const all = everything(book)
  const direct = all.filter(
    (memory) =>
      memory.distrust !== null &&
      (reason === 'own' ? isMeant(what)(memory) : memory.distrust.origins.includes(reason)),
  )
  const touched = descent(all, direct)
  const fallen = new Set(refsIn(all.filter(({ distrust }) => distrust !== null)))
  const back: Ref[] = []
  for (const memory of touched) {
    if (memory.distrust === null) continue
    const left = direct.includes(memory) ? without(memory.distrust, reason) : memory.distrust
    if (left.own || left.origins.length > 0 || isGroundless(memory, [...fallen])) continue
    fallen.delete(memory.ref)
    back.push(memory.ref)
  }
  const returning = touched.filter(({ ref }) => back.includes(ref))
  return {
    direct,
    back,
    ground: returning.filter((memory) => !direct.includes(memory)),
    flagged: returning.flatMap((child) =>
      child.parents
        .filter((by) => fallen.has(by) && !isFlaggedFor(child, by))
        .map((by) => ({ ref: child.ref, by })),
    ),
    cleared: touched
      .map(({ ref, flags }) => ({
        ref,
        of: flags
          .filter(
            ({ code, by }) => code === 'source_distrusted' && by !== null && back.includes(by),
          )
          .map(({ seq }) => seq),
      }))
      .filter(({ of }) => of.length > 0),
  }
}

/** These and what descends from them: who has no source among them first, a child after its last source. */
function descent(all: readonly Remembered[], from: readonly Remembered[]): readonly Remembered[] {
  const touched = refsIn(from)
  for (const ref of touched) {
    const children = all.filter(({ parents }) => parents.includes(ref))
    touched.push(...refsIn(children).filter((child) => !touched.includes(child)))
  }
  const sourcesIn = ({ parents }: Remembered) => parents.filter((ref) => touched.includes(ref))
  const among = all.filter(({ ref }) => touched.includes(ref))
  const order = among.filter((memory) => sourcesIn(memory).length === 0)
  for (const [index, { ref }] of order.entries()) {
    const walked = refsIn(order.slice(0, index + 1))
    order.push(
      ...among
        .filter(({ parents }) => parents.includes(ref))
        .filter((child) => sourcesIn(child).every((source) => walked.includes(source))),
    )
  }
  return order
}
