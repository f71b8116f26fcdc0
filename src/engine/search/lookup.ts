import type { Ref } from '../../domain/ids.ts'
import type { Engine } from '../engine.ts'
import { type Renderable, type RenderOptions, rendered } from '../read/render.ts'
import { resolveRef } from '../read/resolve-ref.ts'
import type { ReadBy, Served } from '../read/served.ts'
import type { Withheld } from '../read/use-gate.ts'
import { type WithheldOptions, withheld } from '../read/withheld.ts'
import { given } from '../write/arguments.ts'
import type { Explained } from './explained.ts'
import type { SearchOptions } from './search-options.ts'
import { explain, type Target, type WhyNot, whyNot } from './why-recalled.ts'

/**
 * Questions about search results: the reasons for a rank or an absence, and blocks for a prompt.
 */
export class Lookup {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** The share of each signal in the rank of a memory. */
  async explain(
    query: string,
    target: Target,
    options?: (SearchOptions & ReadBy) | null,
  ): Promise<Explained> {
    const { registry } = this.#engine
    const explained = await explain(this.#engine, registry, { text: query, target, options })
    await this.#noteMatched('explain', options, explained.ref)
    return explained
  }

  /** The reason why a memory was not found, and the options that would show the memory. */
  async whyNot(
    query: string,
    target: Target,
    options?: (SearchOptions & ReadBy) | null,
  ): Promise<WhyNot> {
    const { registry } = this.#engine
    const answer = await whyNot(this.#engine, registry, { text: query, target, options })
    await this.#noteMatched('why_not', options, answer.ref)
    return answer
  }

  /** Matching terms are part of the words of a memory, so the read leaves a receipt. */
  async #noteMatched(operation: string, reader: ReadBy | null | undefined, ref: WhyNot['ref']) {
    const stored = await this.#engine.read({ type: 'memory', ref })
    const served = stored ? [{ ref, tier: stored.state.tier }] : []
    await this.#engine.serving.serve(operation, reader, served)
  }

  /** Results or working memory as a block for a prompt: fenced, with refs, labels and tiers. */
  async render(what: Renderable, options: RenderOptions & ReadBy): Promise<string> {
    const { text, served } = rendered(what, given(options))
    await this.#engine.serving.serve('render', options, served)
    return text
  }

  /** The number and the refs of memories withheld from a use. */
  async withheld(options?: WithheldOptions | null): Promise<Withheld> {
    return withheld(this.#engine, options)
  }

  /** Resolves `kind:part` or `part` to a ref, where the part starts or ends exactly one id. */
  async resolveRef(text: string): Promise<Ref> {
    return resolveRef(this.#engine, text)
  }

  async noteServed(
    operation: string,
    reader: ReadBy | null | undefined,
    memories: readonly Served[],
  ): Promise<void> {
    await this.#engine.serving.serve(operation, reader, memories)
  }
}
