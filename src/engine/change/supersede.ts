import { MunimentError } from '../../domain/errors.ts'
import { normaliseText } from '../../domain/identity.ts'
import { type Ref, splitRef } from '../../domain/ids.ts'
import type { BeliefBody } from '../../domain/kinds/belief.ts'
import type { WriteResult } from '../../domain/outcome.ts'
import type { RoutedPayload } from '../../domain/payload.ts'
import { sourcesIn } from '../../domain/provenance.ts'
import type { Uses } from '../engine.ts'
import { type Memory, viewOf } from '../read/memory-view.ts'
import { type AuthorOptions, authorOf } from '../write/speaker.ts'

export interface SupersedeOptions extends AuthorOptions {
  readonly confidence?: number
  /** Why: kept as a note beside what the old belief rested on. */
  readonly because?: string
  /** Sources beside those of the old belief. */
  readonly derivedFrom?: readonly string[]
  readonly modelId?: string
}

const CONFIDENCE = 0.8 // of the new belief, when none is given

/** The new belief is made from the old one and from what that one rested on. */
export async function supersede(
  uses: Uses,
  old: Ref,
  { statement, options }: { readonly statement: string; readonly options: SupersedeOptions },
): Promise<WriteResult> {
  const stored = await uses.read({ type: 'memory', ref: old })
  if (!stored) throw new MunimentError('not_found', `${old} does not exist in this stack.`)
  const before = viewOf(stored, await uses.moment()) as Memory<'belief'> // its kind is looked at next
  if (before.kind !== 'belief') {
    throw new MunimentError('invalid_input', 'Only a belief is superseded.', {
      hint: 'Claims are ended or retracted; other kinds are revised.',
    })
  }
  if (normaliseText(String(statement)) === normaliseText(before.text)) {
    throw new MunimentError('invalid_input', 'The new belief says the same as the old one.', {
      hint: 'Verify or reinforce it with evidence; words alone do not make it more likely.',
    })
  }
  const { caller, label, actor } = authorOf(uses.stackId, 'supersede', options)
  const isModel = label.type === 'ModelDerived'
  const { because } = options
  const sources = [old, ...sourcesIn(before.provenance).filter(isNoBelief)]
  const payload: RoutedPayload = {
    sourceType: 'inference',
    label,
    sourceId: actor,
    ingestionPath: `${caller.door}:${caller.operation}`,
    confidence: options.confidence ?? CONFIDENCE,
    llmModel: isModel ? (options.modelId ?? `unknown:${actor}`) : null,
    derivedFrom: [...new Set([...sources, ...((options.derivedFrom ?? []) as readonly Ref[])])],
    sourceEpisodes: [...before.evidence],
  }
  const captures =
    because === undefined
      ? []
      : ([
          { kind: 'raw', body: { content: because } },
          { kind: 'note', body: { content: because } },
        ] as const)
  const { epochId: _, ...kept } = bodyOf(before) // it is formed now, not when the old one was
  const body = { ...kept, statement }
  const consequence = { type: 'supersedes', ref: old } as const
  return uses.write({ kind: 'belief', body, provenance: payload, captures, consequence }, caller)
}

const isNoBelief = (ref: Ref): boolean => splitRef(ref).kind !== 'belief'

const bodyOf = ({ body }: Memory<'belief'>): BeliefBody => body
