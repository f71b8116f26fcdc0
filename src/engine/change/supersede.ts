import { MunimentError } from '../../domain/errors.ts'
import { type Ref, splitRef } from '../../domain/ids.ts'
import type { BeliefBody } from '../../domain/kinds/belief.ts'
import { normaliseText } from '../../domain/kinds/content.ts'
import type { RoutedPayload } from '../../domain/payload.ts'
import { sourcesIn } from '../../domain/provenance.ts'
import type { WriteResult } from '../../domain/write.ts'
import type { Engine } from '../engine.ts'
import { type Memory, viewOf } from '../read/memory-view.ts'
import { type AuthorOptions, authorOf } from '../write/speaker.ts'

export interface SupersedeOptions extends AuthorOptions {
  readonly confidence?: number
  /** The reason, saved as a note and cited beside the sources of the old belief. */
  readonly because?: string
  /** Added to the sources of the old belief. */
  readonly derivedFrom?: readonly string[]
  readonly modelId?: string
}

const CONFIDENCE = 0.8 // default of the new belief

/** Derives the new belief from the old belief and its sources. */
export async function supersede(
  engine: Engine,
  old: Ref,
  { statement, options }: { readonly statement: string; readonly options: SupersedeOptions },
): Promise<WriteResult> {
  const stored = await engine.read({ type: 'memory', ref: old })
  if (!stored) throw new MunimentError('not_found', `${old} does not exist in this stack.`)
  const before = viewOf(stored, await engine.moment()) as Memory<'belief'> // kind is checked below
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
  const { caller, label, actor } = authorOf(engine.stackId, 'supersede', options)
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
  const { epochId: _, ...kept } = bodyOf(before) // the new belief belongs to the present epoch
  const body = { ...kept, statement }
  const consequence = { type: 'supersedes', ref: old } as const
  return engine.write({ kind: 'belief', body, provenance: payload, captures, consequence }, caller)
}

const isNoBelief = (ref: Ref): boolean => splitRef(ref).kind !== 'belief'

const bodyOf = ({ body }: Memory<'belief'>): BeliefBody => body
