import { type ComponentHost, type StackComponent, trusted } from '../ports/component.ts'
import { anxietyComponent } from './anxiety/component.ts'
import { emotionsComponent } from './emotions/component.ts'
import { knowledgeComponent } from './knowledge.ts'
import { metamemoryComponent } from './metamemory.ts'

/**
 * Proposes lessons that recur in several episodes, and with a model themes across episodes.
 * Each proposal cites its episodes, keeps their doubts, and waits for a person.
 * @example
 * const stack = await openStack('demo', { path: ':memory:', components: [consolidationComponent()] })
 */
export function consolidationComponent(): StackComponent {
  let host: ComponentHost | null = null
  return {
    name: 'consolidation',
    version: '1.0.0',
    required: false,
    needsInference: true,
    attach: (given) => {
      host = given
    },
    onMaintenance: async () => host?.process(['episode_to_belief']),
  }
}

/**
 * Proposes memories from raw captures, by patterns of words or with a model. A capture is processed
 * once a person accepts a proposal, and not by being read.
 * @example
 * const stack = await openStack('demo', { path: ':memory:', components: [suggestionsComponent()] })
 */
export function suggestionsComponent(): StackComponent {
  let host: ComponentHost | null = null
  return {
    name: 'suggestions',
    version: '1.0.0',
    required: false,
    needsInference: true,
    attach: (given) => {
      host = given
    },
    onMaintenance: async () => host?.process(['raw_to_episode', 'raw_to_note']),
  }
}

/**
 * Forgets faded memories of low salience; protected memories stay.
 * @example
 * const stack = await openStack('demo', { path: ':memory:', components: [forgettingComponent()] })
 */
export function forgettingComponent(): StackComponent {
  let host: ComponentHost | null = null
  return {
    name: 'forgetting',
    version: '1.0.0',
    required: false,
    needsInference: false,
    attach: (given) => {
      host = given
    },
    onMaintenance: async () => {
      const done = await host?.sweep()
      return done && { ...done }
    },
  }
}

/**
 * Keeps the vectors that search uses up to date: those of the stack's own table of words, or of the
 * model that a core brings. Vectors bear the name and dimension of who made them; under another name
 * they are made anew, a stretch at a time, and going back costs nothing.
 * @example
 * const stack = await openStack('demo', { path: ':memory:', components: [embeddingComponent()] })
 */
export function embeddingComponent(): StackComponent {
  let host: ComponentHost | null = null
  return {
    name: 'embedding',
    version: '1.0.0',
    required: true,
    needsInference: true,
    attach: (given) => {
      host = given
    },
    onInference: (inference) => host?.useEmbedder(inference?.embedder ?? null),
    onMaintenance: async () => {
      const done = await host?.reindex()
      return done && { ...done }
    },
  }
}

/**
 * The eight that a stack comes with, in the order in which their hooks are called.
 * @example
 * const stack = await openStack('demo', { path: ':memory:', components: defaultComponents() })
 */
export const defaultComponents = (): readonly StackComponent[] =>
  [
    embeddingComponent(),
    forgettingComponent(),
    consolidationComponent(),
    emotionsComponent(),
    anxietyComponent(),
    suggestionsComponent(),
    metamemoryComponent(),
    knowledgeComponent(),
  ].map(trusted)
