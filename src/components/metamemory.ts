import type { RecordKind } from '../domain/ids.ts'
import type { JsonObject } from '../domain/kinds/json-value.ts'
import type { ComponentHost, ComponentMemory, StackComponent } from '../ports/component.ts'
import { every } from './every.ts'

const LOADED_MAX = 200 // newest beliefs that `load` considers
const SHOWN_MAX = 5 // of the least sure, and of the most often recalled
export const UNCERTAIN_BELOW = 0.5 // confidence after decay

/** The confidence of the stack in its beliefs. */
const HELD: readonly RecordKind[] = [
  'episode',
  'note',
  'claim',
  'belief',
  'goal',
  'value',
  'relationship',
]

/**
 * Reports the confidence of the stack's memories, and the use of its memories.
 * @example
 * const stack = await openStack('demo', { path: ':memory:', components: [metamemoryComponent()] })
 */
export function metamemoryComponent(): StackComponent {
  let host: ComponentHost | null = null
  return {
    name: 'metamemory',
    version: '1.0.0',
    required: false,
    needsInference: false,
    attach: (given) => {
      host = given
    },
    onLoad: async (context) => {
      const beliefs = (await host?.list('belief', { limit: LOADED_MAX })) ?? []
      const uncertain = leastSure(beliefs)
      if (uncertain.length > 0) {
        context.metamemory = {
          uncertainMemories: uncertain.length,
          /** There are older beliefs, which were not looked at: the report looks at all. */
          isCut: beliefs.length === LOADED_MAX,
          leastSure: uncertain.slice(0, SHOWN_MAX).map(({ ref }) => ref),
        }
      }
    },
    onMaintenance: async () => host && (await surveyed(host)).figures,
    report: async () => {
      if (!host) return null
      const { figures, uncertain, called } = await surveyed(host)
      return {
        ...figures,
        leastSure: leastSure(uncertain).slice(0, SHOWN_MAX).map(shownWith('confidence')),
        mostCalledUpon: called
          .toSorted((a, b) => b.accessCount - a.accessCount)
          .slice(0, SHOWN_MAX)
          .map(shownWith('accessCount')),
      }
    },
  }
}

/** The fields of a memory that the scan keeps. */
type Noted = Pick<ComponentMemory, 'ref' | 'confidence' | 'accessCount'>

const shownWith =
  (number: 'confidence' | 'accessCount') =>
  (memory: Noted): JsonObject => ({ ref: memory.ref, [number]: memory[number] })

const isUncertain = ({ confidence }: Noted): boolean => confidence < UNCERTAIN_BELOW

const leastSure = (memories: readonly Noted[]): readonly Noted[] =>
  memories.filter(isUncertain).toSorted((a, b) => a.confidence - b.confidence)

async function surveyed(host: ComponentHost) {
  const uncertain: Noted[] = []
  const called: Noted[] = []
  let [examined, total] = [0, 0]
  for await (const memory of every(host, HELD)) {
    if (memory.isCaptured) continue // a capture has the confidence of its memory
    const { ref, confidence, accessCount } = memory
    examined += 1
    total += confidence
    if (isUncertain(memory)) uncertain.push({ ref, confidence, accessCount })
    if (accessCount > 0) called.push({ ref, confidence, accessCount })
  }
  const figures = {
    examined,
    uncertain: uncertain.length,
    meanConfidence: Math.round((total / Math.max(1, examined)) * 1_000) / 1_000,
    calledUpon: called.length,
    neverCalledUpon: examined - called.length,
  }
  return { figures, uncertain, called }
}
