import type { SealedRow } from '../domain/entry.ts'
import { type Ref, splitRef } from '../domain/ids.ts'
import { contentText } from '../domain/kinds/table.ts'
import { readJson } from '../ledger/read-json.ts'

const decoder = new TextDecoder()

/** What memories say: those asked for when a group was gathered, and those the group itself said. */
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

  /** Null where nobody asked for it, or it is gone. */
  of(ref: Ref): string | null {
    const body = this.bodyOf(ref)
    return body ? contentText(splitRef(ref).kind, body) : null
  }

  #read(ref: Ref): object | null {
    const row = this.#gathered.get(ref)
    return row ? (readJson(decoder.decode(row.bytes)) as { readonly body: object }).body : null // the gate's
  }

  bodyOf(ref: Ref): object | null {
    return this.#said.get(ref) ?? this.#read(ref)
  }

  put(ref: Ref, body: object): void {
    this.#said.set(ref, body)
  }
}
