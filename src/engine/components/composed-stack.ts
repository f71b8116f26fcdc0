import type { StackComponent } from '../../ports/component.ts'
import type { InferencePort } from '../../ports/inference.ts'
import type { HookErrors } from './component-calls.ts'
import type { ComponentRegistry } from './component-registry.ts'

/** What a stack is put together from, and which cores it is put together with. */
export class Composed {
  protected readonly registry: ComponentRegistry

  constructor(registry: ComponentRegistry) {
    this.registry = registry
  }

  /** Every component by its name, in the order in which they are called. */
  get components(): Readonly<Record<string, StackComponent>> {
    return this.registry.asRecord()
  }

  async getComponent(name: string): Promise<StackComponent | null> {
    return this.registry.get(name)
  }

  async addComponent(component: StackComponent): Promise<void> {
    this.registry.add(component)
  }

  async removeComponent(name: string): Promise<void> {
    this.registry.remove(name)
  }

  /** What failed in components since the stack was opened: a failure breaks nothing else. */
  async componentErrors(): Promise<Readonly<Record<string, readonly HookErrors[]>>> {
    return this.registry.errors()
  }

  /** A core came. Its model, if it has one, serves the components until a later core brings one. */
  async onAttach(coreId: string, inference: InferencePort | null = null): Promise<void> {
    await this.registry.attached(coreId, inference)
  }

  async onDetach(coreId: string): Promise<void> {
    await this.registry.detached(coreId)
  }

  /** The model of a core changed: of the one that is named, or else of the latest. */
  async onModelChanged(inference: InferencePort | null = null, coreId?: string): Promise<void> {
    await this.registry.modelChanged(inference, coreId)
  }
}
