import type { ComponentHost, ComponentMemory, StackComponent } from '../ports/component.ts'

const EPISODES_MAX = 50 // newest episodes that are looked at
const RECURRING_MIN = 2 // episodes that must teach a lesson to make it a pattern

/** Finds what several episodes taught alike. */
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
    onMaintenance: async () => {
      const episodes = await host?.list('episode', { limit: EPISODES_MAX })
      return episodes && { examined: episodes.length, patternsFound: recurring(episodes) }
    },
  }
}

/** A lesson counts once an episode, however often the episode repeats it. */
function recurring(episodes: readonly ComponentMemory<'episode'>[]): number {
  const taught = new Map<string, number>()
  for (const { body } of episodes) {
    for (const lesson of new Set(body.lessons.map(plainly))) {
      taught.set(lesson, (taught.get(lesson) ?? 0) + 1)
    }
  }
  return [...taught.values()].filter((count) => count >= RECURRING_MIN).length
}

const plainly = (lesson: string): string =>
  lesson.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
