import type { RecordKind } from '../domain/kind-names.ts'
import type { JsonObject } from '../domain/kinds/json-value.ts'
import type { ComponentHost, ComponentMemory, StackComponent } from '../ports/component.ts'

const MEMORIES_MAX = 200 // newest memories of each kind that are looked at
const SHOWN_MAX = 5 // of the least sure, and of those called to mind most often
export const UNCERTAIN_BELOW = 0.5 // confidence as it stands now

/** What somebody may be sure of. */
const HELD: readonly RecordKind[] = [
  'episode',
  'note',
  'claim',
  'belief',
  'goal',
  'value',
  'relationship',
]

const CAPTURED: ReadonlySet<RecordKind> = new Set(['episode', 'note'])

/** Knows how sure the stack is of what it holds, and what of it is ever called to mind. */
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
      const beliefs = (await host?.list('belief', { limit: MEMORIES_MAX })) ?? []
      const uncertain = uncertainIn(beliefs)
      if (uncertain.length > 0) {
        context.metamemory = {
          uncertainMemories: uncertain.length,
          leastSure: uncertain.slice(0, SHOWN_MAX).map(({ ref }) => ref),
        }
      }
    },
    onMaintenance: async () => host && (await surveyed(host)).figures,
    report: async () => {
      if (!host) return null
      const { figures, memories } = await surveyed(host)
      return {
        ...figures,
        leastSure: uncertainIn(memories).slice(0, SHOWN_MAX).map(shownWith('confidence')),
        mostCalledUpon: memories
          .filter(({ accessCount }) => accessCount > 0)
          .toSorted((a, b) => b.accessCount - a.accessCount)
          .slice(0, SHOWN_MAX)
          .map(shownWith('accessCount')),
      }
    },
  }
}

const shownWith =
  (number: 'confidence' | 'accessCount') =>
  (memory: ComponentMemory): JsonObject => ({ ref: memory.ref, [number]: memory[number] })

const uncertainIn = (memories: readonly ComponentMemory[]): readonly ComponentMemory[] =>
  memories
    .filter(({ confidence }) => confidence < UNCERTAIN_BELOW)
    .toSorted((a, b) => a.confidence - b.confidence)

async function surveyed(host: ComponentHost) {
  const memories: ComponentMemory[] = []
  let isCut = false
  for (const [at, kind] of HELD.entries()) {
    // What was captured for something else is as sure as that.
    const own = CAPTURED.has(kind) ? { untouched: true as const } : {}
    const page = await host.list(kind, { limit: MEMORIES_MAX, ...own })
    memories.push(...page)
    isCut ||= page.length === MEMORIES_MAX
    host.progress(at + 1, HELD.length)
  }
  const total = memories.reduce((sum, { confidence }) => sum + confidence, 0)
  const figures = {
    examined: memories.length,
    /** Whether there are more, older ones that were not looked at. */
    isCut,
    uncertain: uncertainIn(memories).length,
    meanConfidence: Math.round((total / Math.max(1, memories.length)) * 1_000) / 1_000,
    calledUpon: memories.filter(({ accessCount }) => accessCount > 0).length,
    neverCalledUpon: memories.filter(({ accessCount }) => accessCount === 0).length,
  }
  return { figures, memories }
}
