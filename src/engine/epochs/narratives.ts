import type { SelfNarrativeInput } from '../../domain/kinds/self-narrative.ts'
import { isFirstHand, type Label, type SourceType } from '../../domain/labels.ts'
import type { RoutedPayload } from '../../domain/payload.ts'
import { type Accepted, isAccepted } from '../../domain/write.ts'
import { revise } from '../change/revision.ts'
import type { Engine } from '../engine.ts'
import { findAll } from '../read/list.ts'
import { given } from '../write/arguments.ts'
import { refusalError } from '../write/refusal.ts'
import { type AuthorOptions, authorOf } from '../write/speaker.ts'

export interface NarrateOptions extends AuthorOptions {
  /** Sources of the narrative: episodes, beliefs, values, goals, drives. */
  readonly derivedFrom: readonly string[]
}

/** Writes the self-narrative of a type as a new revision; earlier revisions stay readable. */
export async function narrate(
  engine: Engine,
  told: SelfNarrativeInput,
  asked: NarrateOptions,
): Promise<Accepted> {
  const { derivedFrom, ...options } = given(asked)
  const { narrativeType = 'identity' } = told
  const { caller, actor, label } = authorOf(engine.stackId, 'narrate', options)
  const standing = await findAll(engine, 'self_narrative', { subtype: narrativeType })
  // A person's narrative stays; a model's narrative stands beside with separate revisions.
  const isOwn = ({ provenance }: (typeof standing)[number]): boolean =>
    isFirstHand(provenance.label) === isFirstHand(label)
  const before = standing.find(isOwn) ?? (isFirstHand(label) ? standing[0] : undefined)
  if (before) {
    const record = { ...told, narrativeType, id: before.id, derivedFrom }
    const how = { expectedVersion: before.version, options }
    const result = await revise(engine, 'self_narrative', record, how)
    if (result && isAccepted(result)) return result
    if (result) throw refusalError(result)
  }
  const isModel = label.type === 'ModelDerived'
  const provenance: RoutedPayload = {
    sourceType: sourceTypeOf(label, options),
    label,
    sourceId: actor,
    ingestionPath: `${caller.door}:${caller.operation}`,
    confidence: CONFIDENCE,
    llmModel: isModel ? `unknown:${actor}` : null,
    derivedFrom: derivedFrom as RoutedPayload['derivedFrom'] & object, // parsed by the stack
  }
  const request = { kind: 'self_narrative', body: { ...told, narrativeType }, provenance }
  const result = await engine.write(request as never, caller) // a narrative, parsed by the stack
  if (!isAccepted(result)) throw refusalError(result)
  return result
}

function sourceTypeOf({ type }: Label, { saidBy }: AuthorOptions): SourceType {
  if (saidBy !== undefined) return 'external'
  return type === 'ModelDerived' ? 'inference' : 'direct_experience'
}

const CONFIDENCE = 0.8
