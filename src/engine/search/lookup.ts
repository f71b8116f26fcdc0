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

/** Questions about search results: why a memory was found or not, and how results are shown. */
export class Lookup {
  readonly #core: EngineCore

  constructor(core: EngineCore) {
    this.#core = core
  }

  /** The share of each signal in the place of a memory among the results. */
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

  /** The reason why a memory was not found, and the options that would bring it in. */
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

  /** The terms that match in a memory are part of its words, so a receipt is left. */
  async #noteMatched(operation: string, reader: ReadBy | null | undefined, ref: WhyNot['ref']) {
    const stored = await this.#core.uses.read({ type: 'memory', ref })
    const served = stored ? [{ ref, tier: stored.state.tier }] : []
    await this.#core.serving.serve(operation, reader, served)
  }

  /** Results or working memory as a block for a prompt: marked as data, with refs, labels and tiers. */
  async render(what: Renderable, options: RenderOptions & ReadBy): Promise<string> {
    const { text, served } = rendered(what, given(options))
    await this.#core.serving.serve('render', options, served)
    return text
  }

  /** Memories that lists for a use leave out: how many, and which. */
  async withheld(options?: WithheldOptions | null): Promise<Withheld> {
    return withheld(this.#core.uses, options)
  }

  /** The ref that is meant by `kind:part` or `part`, where part starts or ends exactly one id. */
  async resolveRef(text: string): Promise<Ref> {
    return resolveRef(this.#core.uses, text)
  }

  /** Leaves receipts for memories that a door shows. */
  async noteServed(
    operation: string,
    reader: ReadBy | null | undefined,
    memories: readonly Served[],
  ): Promise<void> {
    await this.#core.serving.serve(operation, reader, memories)
  }
}
