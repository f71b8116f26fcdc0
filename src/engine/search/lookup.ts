import type { Ref } from '../../domain/ids.ts'
import type { EngineCore } from '../core.ts'
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
  readonly #core: EngineCore

  constructor(core: EngineCore) {
    this.#core = core
  }

  /** The share of each signal in the rank of a memory. */
  async explain(
    query: string,
    target: Target,
    options?: (SearchOptions & ReadBy) | null,
  ): Promise<Explained> {
    const { uses, registry } = this.#core
    const explained = await explain(uses, registry, { text: query, target, options })
    await this.#noteMatched('explain', options, explained.ref)
    return explained
  }

  /** The reason why a memory was not found, and the options that would show the memory. */
  async whyNot(
    query: string,
    target: Target,
    options?: (SearchOptions & ReadBy) | null,
  ): Promise<WhyNot> {
    const { uses, registry } = this.#core
    const answer = await whyNot(uses, registry, { text: query, target, options })
    await this.#noteMatched('why_not', options, answer.ref)
    return answer
  }

  /** Matching terms are part of the words of a memory, so the read leaves a receipt. */
  async #noteMatched(operation: string, reader: ReadBy | null | undefined, ref: WhyNot['ref']) {
    const stored = await this.#core.uses.read({ type: 'memory', ref })
    const served = stored ? [{ ref, tier: stored.state.tier }] : []
    await this.#core.serving.serve(operation, reader, served)
  }

  /** Results or working memory as a block for a prompt: fenced, with refs, labels and tiers. */
  async render(what: Renderable, options: RenderOptions & ReadBy): Promise<string> {
    const { text, served } = rendered(what, given(options))
    await this.#core.serving.serve('render', options, served)
    return text
  }

  /** The number and the refs of memories withheld from a use. */
  async withheld(options?: WithheldOptions | null): Promise<Withheld> {
    return withheld(this.#core.uses, options)
  }

  /** Resolves `kind:part` or `part` to a ref, where the part starts or ends exactly one id. */
  async resolveRef(text: string): Promise<Ref> {
    return resolveRef(this.#core.uses, text)
  }

  async noteServed(
    operation: string,
    reader: ReadBy | null | undefined,
    memories: readonly Served[],
  ): Promise<void> {
    await this.#core.serving.serve(operation, reader, memories)
  }
}
