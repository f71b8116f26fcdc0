import { MunimentError } from '../../domain/errors.ts'
import type { InferencePort } from '../../ports/models.ts'
import { nameOf } from '../write/arguments.ts'

/** The attached cores of a stack, the latest last, each with a model or null. */
export class AttachedCores {
  readonly #models = new Map<string, InferencePort | null>()

  /** A repeated attach moves the core to the end. */
  attach(coreId: string, inference: InferencePort | null): void {
    nameOf('coreId', coreId)
    this.#models.delete(coreId)
    this.#models.set(coreId, inference)
  }

  detach(coreId: string): void {
    this.#models.delete(coreId)
  }

  /** Changes the model of a core, by default the latest. The order of cores stays. */
  changeModel(inference: InferencePort | null, coreId = [...this.#models.keys()].at(-1)): void {
    if (coreId === undefined || !this.#models.has(coreId)) {
      throw new MunimentError('not_found', 'That core is not attached to this stack.', {
        hint: 'await entity.attachStack(stack)',
      })
    }
    this.#models.set(coreId, inference)
  }

  /** The model of the latest core with a model. */
  get inference(): InferencePort | null {
    return [...this.#models.values()].findLast((model) => model !== null) ?? null
  }
}
