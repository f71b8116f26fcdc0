import { MunimentError } from '../../domain/errors.ts'
import type { InferencePort } from '../../ports/inference.ts'
import { nameOf } from '../write/arguments.ts'

/** The cores a stack is attached to, the latest last, each with its model or none. */
export class AttachedCores {
  readonly #models = new Map<string, InferencePort | null>()

  /** Attaching again makes a core the latest. */
  attach(coreId: string, inference: InferencePort | null): void {
    nameOf('coreId', coreId)
    this.#models.delete(coreId)
    this.#models.set(coreId, inference)
  }

  detach(coreId: string): void {
    this.#models.delete(coreId)
  }

  /** Without a core's id, the latest is meant. A changed model does not make its core the latest. */
  changeModel(inference: InferencePort | null, coreId = [...this.#models.keys()].at(-1)): void {
    if (coreId === undefined || !this.#models.has(coreId)) {
      throw new MunimentError('not_found', 'That core is not attached to this stack.', {
        hint: 'await entity.attachStack(stack)',
      })
    }
    this.#models.set(coreId, inference)
  }

  /** The model of the latest core that has one. */
  get inference(): InferencePort | null {
    return [...this.#models.values()].findLast((model) => model !== null) ?? null
  }
}
