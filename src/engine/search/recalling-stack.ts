import type { SearchResult } from '../../ports/component.ts'
import { type Loaded, type LoadOptions, load } from '../read/load.ts'
import { ReadingStack } from '../read/reading-stack.ts'
import { type Renderable, type RenderOptions, rendered } from '../read/render.ts'
import { type ReadBy, servedByLoad, servedBySearch } from '../read/served.ts'
import { given } from '../write/arguments.ts'
import type { Explained } from './explained.ts'
import { type RecallResult, recall, search } from './search.ts'
import type { SearchOptions } from './search-options.ts'
import { explain, type Target, type WhyNot, whyNot } from './why-recalled.ts'

/** What comes to mind, why, why not, and how it is given to a model. */
export class RecallingStack extends ReadingStack {
  /** Across all kinds, by every signal; components have the last word on order and choice. */
  async search(
    query: string,
    options?: (SearchOptions & ReadBy) | null,
  ): Promise<readonly SearchResult[]> {
    const { results } = await search(this.uses, this.registry, query, options)
    await this.serving.serve('search', options, servedBySearch(results))
    return results
  }

  /** The same, and whether what was found is likely to answer at all. */
  async recall(query: string, options?: (SearchOptions & ReadBy) | null): Promise<RecallResult> {
    const found = await recall(this.uses, this.registry, query, options)
    await this.serving.serve('search', options, servedBySearch(found.results))
    return found
  }

  /** What each signal gave to a memory's place among what was found. */
  async explain(
    query: string,
    target: Target,
    options?: (SearchOptions & ReadBy) | null,
  ): Promise<Explained> {
    const explained = await explain(this.uses, this.registry, { text: query, target, options })
    await this.#noteTold('explain', options, explained.ref)
    return explained
  }

  /** What kept a memory out of what was found, and what would bring it in. */
  async whyNot(
    query: string,
    target: Target,
    options?: (SearchOptions & ReadBy) | null,
  ): Promise<WhyNot> {
    const told = await whyNot(this.uses, this.registry, { text: query, target, options })
    await this.#noteTold('why_not', options, told.ref)
    return told
  }

  /** Which words a memory holds is something of what it says. */
  async #noteTold(operation: string, reader: ReadBy | null | undefined, ref: WhyNot['ref']) {
    const stored = await this.uses.read({ type: 'memory', ref })
    await this.noteServed(operation, reader, stored ? [{ ref, tier: stored.state.tier }] : [])
  }

  /** Working memory within a budget of tokens, every kind heard. */
  async load(options?: (LoadOptions & ReadBy) | null): Promise<Loaded> {
    const loaded = await load(this.uses, options)
    await this.serving.serve('load', options, servedByLoad(loaded))
    if (!this.registry.listens('onLoad')) return loaded
    return (await this.registry.dispatchLoad({ ...loaded })) as unknown as Loaded // only added to
  }

  /** What was found or loaded as a block for a prompt: marked as data, with refs, labels and tiers. */
  async render(what: Renderable, options: RenderOptions & ReadBy): Promise<string> {
    const { text, served } = rendered(what, given(options))
    await this.serving.serve('render', options, served)
    return text
  }
}
