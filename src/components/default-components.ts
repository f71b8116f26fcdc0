import type { StackComponent } from '../ports/component.ts'
import { anxietyComponent } from './anxiety/component.ts'
import { consolidationComponent } from './consolidation.ts'
import { embeddingComponent } from './embedding.ts'
import { emotionsComponent } from './emotions/component.ts'
import { forgettingComponent } from './forgetting.ts'
import { knowledgeComponent } from './knowledge.ts'
import { metamemoryComponent } from './metamemory.ts'
import { suggestionsComponent } from './suggestions.ts'

/** The eight that a stack comes with, in the order in which their hooks are called. */
export const defaultComponents = (): readonly StackComponent[] => [
  embeddingComponent(),
  forgettingComponent(),
  consolidationComponent(),
  emotionsComponent(),
  anxietyComponent(),
  suggestionsComponent(),
  metamemoryComponent(),
  knowledgeComponent(),
]
