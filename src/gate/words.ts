import type { SealedRow } from '../domain/entry.ts'
import { type Ref, splitRef } from '../domain/ids.ts'
import { contentText } from '../domain/kinds/table.ts'
import { readJson } from '../ledger/canonical.ts'

const decoder = new TextDecoder()

/** The bodies of memories: gathered bodies, and bodies that the group itself wrote. */
export class Words {
  readonly #gathered: ReadonlyMap<Ref, SealedRow>
  readonly #said = new Map<Ref, object>()

  constructor(gathered: readonly SealedRow[] | ReadonlyMap<Ref, SealedRow>) {
    this.#gathered =
      gathered instanceof Map
        ? gathered
        : new Map([...gathered.values()].map((row) => [row.ref, row]))
  }

  copy(): Words {
    const copy = new Words(this.#gathered)
    for (const [ref, body] of this.#said) copy.#said.set(ref, body)
    return copy
  }

  /** Null where the body was not gathered, or is erased. */
  of(ref: Ref): string | null {
    const body = this.bodyOf(ref)
    return body ? contentText(splitRef(ref).kind, body) : null
  }

  #read(ref: Ref): object | null {
    const row = this.#gathered.get(ref)
    return row ? (readJson(decoder.decode(row.bytes)) as { readonly body: object }).body : null // sealed by the gate
  }

  bodyOf(ref: Ref): object | null {
    return this.#said.get(ref) ?? this.#read(ref)
  }

  put(ref: Ref, body: object): void {
    this.#said.set(ref, body)
  }
}
