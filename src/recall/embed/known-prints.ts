import { sharedLeast, termsIn } from './likeness.ts'
import type { Print } from './print.ts'

interface Source {
  readonly ref: string
  readonly print: Print
}

/**
 * Prints that a reader knows, the latest `most` of them, indexed by their words: a write is then
 * compared with the few prints that share words with it.
 */
export class KnownPrints<Known extends Source> {
  readonly #most: number
  /** The slot of each print, oldest first. */
  #slots = new Map<string, number>()
  #bySlot: (Known | undefined)[] = []
  #byTerm = new Map<number, number[]>()

  constructor(most: number, oldestFirst: readonly Known[]) {
    this.#most = most
    for (const known of oldestFirst) this.add(known)
  }

  /** A print that is known already becomes the latest. */
  add(known: Known): void {
    const key = `${known.ref} ${known.print.join()}`
    this.#drop(key)
    const slot = this.#bySlot.push(known) - 1
    this.#slots.set(key, slot)
    for (const term of termsIn(known.print)) {
      const slots = this.#byTerm.get(term)
      if (slots === undefined) this.#byTerm.set(term, [slot])
      else slots.push(slot)
    }
    if (this.#slots.size > this.#most) this.#drop(this.#slots.keys().next().value ?? '')
    if (this.#bySlot.length > this.#most * 2) this.#rebuild()
  }

  #drop(key: string): void {
    const slot = this.#slots.get(key)
    if (slot === undefined) return
    this.#bySlot[slot] = undefined
    this.#slots.delete(key)
  }

  /** Leaves out the slots of dropped prints, which the lists of words still name. */
  #rebuild(): void {
    const all = this.all()
    this.#slots = new Map()
    this.#bySlot = []
    this.#byTerm = new Map()
    for (const known of all) this.add(known)
  }

  all(): readonly Known[] {
    return this.#bySlot.flatMap((known) => known ?? [])
  }

  /** Prints that `likest` could find for a text. */
  near(said: Print): readonly Known[] {
    const terms = termsIn(said)
    const shared = new Map<number, number>()
    for (const term of terms)
      for (const slot of this.#byTerm.get(term) ?? []) shared.set(slot, (shared.get(slot) ?? 0) + 1)
    const least = sharedLeast(terms.size)
    return [...shared].flatMap(([slot, count]) => (count < least ? [] : (this.#bySlot[slot] ?? [])))
  }
}
