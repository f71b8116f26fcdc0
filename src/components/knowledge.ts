import type { ComponentHost, StackComponent } from '../ports/component.ts'

const MEMORIES_MAX = 100 // newest memories of each kind that are looked at

/** Knows what the stack knows about: the domains of beliefs, the tags of episodes and notes. */
export function knowledgeComponent(): StackComponent {
  let host: ComponentHost | null = null
  return {
    name: 'knowledge',
    version: '1.0.0',
    required: false,
    needsInference: false,
    attach: (given) => {
      host = given
    },
    onMaintenance: async () => host && (await survey(host)),
  }
}

async function survey(host: ComponentHost) {
  const limit = { limit: MEMORIES_MAX }
  const beliefs = await host.list('belief', limit)
  const tagged = [...(await host.list('episode', limit)), ...(await host.list('note', limit))]
  const domains = new Set([
    ...beliefs.flatMap(({ body }) => body.sourceDomain ?? []),
    ...tagged.flatMap(({ body }) => body.tags ?? []),
  ])
  return { examined: beliefs.length + tagged.length, domains: domains.size }
}
