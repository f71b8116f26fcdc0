import { MunimentError } from '../domain/errors.ts'
import { type Ref, splitRef } from '../domain/ids.ts'
import type { RecordKind } from '../domain/kind-names.ts'
import { label } from '../domain/labels.ts'
import { isAccepted } from '../domain/outcome.ts'
import type { ComponentHost, ComponentMemory } from '../ports/component.ts'
import { findStored } from './finding.ts'
import { applyForgetting } from './forgetting.ts'
import { forComponents } from './memory-view.ts'
import { libCaller } from './speaker.ts'
import type { Uses } from './uses.ts'

/** The stack as one component sees it; what it does is signed with its name. */
export function hostFor(uses: Uses, name: string): ComponentHost {
  const by = {
    label: label.modelDerived(),
    actor: `component:${name}`,
    caller: libCaller(`component_${name}`),
  }
  return {
    stackId: uses.stackId,
    now: () => uses.now(),
    list: async (kind, { limit, after, since } = {}) => {
      const { found, moment } = await findStored(uses, kind, {
        ...(limit === undefined ? {} : { limit }),
        ...(after === undefined ? {} : { after }),
      })
      return found
        .filter(({ state }) => since === undefined || state.bornAt >= since)
        .map((stored) => forComponents(stored, moment) as ComponentMemory<typeof kind>) // as asked
    },
    get: async (ref) => {
      const stored = await uses.read({ type: 'memory', ref })
      return stored && forComponents(stored, await uses.moment())
    },
    counts: () => uses.read({ type: 'counts' }),
    suggest: async (proposal, sources) => {
      const result = await uses.write(
        {
          kind: 'suggestion',
          body: { ...proposal, sourceRefs: [...sources] },
          provenance: {
            sourceType: 'consolidation',
            label: by.label,
            sourceId: by.actor,
            ingestionPath: `lib:${by.caller.operation}`,
            confidence: proposal.confidence,
            llmModel: `unknown:${by.actor}`,
          },
        },
        by.caller,
      )
      return isAccepted(result) ? result.ref : null
    },
    forget: async (ref, reason) => {
      const change = { type: 'forget' } as const
      return (await uses.change({ ref, change, text: reason, ...by })).changed
    },
    flag: async (ref, reason) => flag(uses, { ref, reason, by }),
    sweep: async () => {
      const { swept, forgotten } = await applyForgetting(uses)
      return { swept, forgotten }
    },
    reindex: async () => null,
  }
}

interface Flagging {
  readonly ref: Ref
  readonly reason: string
  readonly by: Pick<Parameters<Uses['change']>[0], 'label' | 'actor' | 'caller'>
}

/** A wish that moves nothing: it stands in the queue until a person has looked. */
async function flag(uses: Uses, { ref, reason, by }: Flagging): Promise<void> {
  const { kind } = splitRef(ref)
  const { reason: unchanged } = await uses.change({
    ref,
    change: { type: 'ask_review' },
    text: reason,
    ...by,
  })
  if (unchanged === 'not_found') {
    throw new MunimentError('not_found', `There is no such ${kind as RecordKind}.`)
  }
}
