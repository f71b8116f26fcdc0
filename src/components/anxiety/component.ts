import type { JsonObject } from '../../domain/kinds/json-value.ts'
import type { ComponentHost, StackComponent } from '../../ports/component.ts'
import {
  actionsFor,
  isLevel,
  type Level,
  levelAfter,
  measured,
  type Told,
  toldIn,
} from './measure.ts'
import { overall } from './scores.ts'

const NOTHING_TOLD: Told = { contextTokens: null, contextWindow: null }

/**
 * Watches how well the memory is kept: 0 is at ease, 100 is in need. The level it was at is kept in
 * the stack, by maintenance and never by reading, so that it does not flicker from one process to
 * the next.
 */
export function anxietyComponent(): StackComponent {
  let host: ComponentHost | null = null
  return {
    name: 'anxiety',
    version: '1.0.0',
    required: false,
    needsInference: false,
    attach: (given) => {
      host = given
    },
    onLoad: async (context) => {
      const found = host && (await looked(host, NOTHING_TOLD))
      if (found) context.anxiety = found
    },
    onMaintenance: async () => {
      const found = host && (await looked(host, NOTHING_TOLD))
      if (!host || !found) return null
      await host.keep({ level: found.level })
      return { level: found.level, score: found.score }
    },
    report: async (question) => host && (await looked(host, toldIn(question))),
  }
}

/** Where it stands, and what would help; null where there is nothing to measure by. */
async function looked(host: ComponentHost, told: Told) {
  const dimensions = await measured(host, told)
  const score = overall(dimensions)
  if (score === null) return null
  const level = levelAfter(score, await levelBefore(host))
  const actions = actionsFor(dimensions).map((action): JsonObject => ({ ...action }))
  return { level, score, dimensions: { ...dimensions }, actions }
}

async function levelBefore(host: ComponentHost): Promise<Level | null> {
  const { level } = (await host.kept()) ?? {}
  return isLevel(level) ? level : null
}
