import { MunimentError } from '../../domain/errors.ts'
import { parseMemoryId, type RecordKind, toRef } from '../../domain/ids.ts'
import type { BodyInputOf } from '../../domain/kinds/table.ts'
import { isFirstHand, labelName, label as labels } from '../../domain/labels.ts'
import type { RoutedPayload } from '../../domain/payload.ts'
import type { WriteResult } from '../../domain/write.ts'
import { confidenceAt, tierNow } from '../../fold/effective.ts'
import type { Engine } from '../engine.ts'
import { openSealed } from '../read/memory-view.ts'
import { given, wrong } from '../write/arguments.ts'
import { type AuthorOptions, authorOf } from '../write/speaker.ts'
import { TOLD_ANEW } from '../write/write-request.ts'

/** The next revision of a memory; earlier sources stay, and `derivedFrom` adds to them. */
export type Revision<K extends RecordKind> = BodyInputOf<K> & {
  readonly id: string
  readonly derivedFrom?: readonly string[]
}

interface How {
  readonly expectedVersion: number | null
  /** An accepted proposal or an update never lifts the tier of the memory. */
  readonly keepsTier?: boolean
  readonly orPropose?: boolean
  /** The fields that the caller gave; all fields by default. */
  readonly given?: readonly string[]
  readonly options: AuthorOptions
}

/** Writes a new revision under the same id; null when the memory is gone. */
export async function revise<K extends RecordKind>(
  engine: Engine,
  kind: K,
  record: Revision<K>,
  { expectedVersion, options, keepsTier = false, orPropose = false, given: names }: How,
): Promise<WriteResult | null> {
  const {
    id,
    derivedFrom,
    provenance: _,
    ...body
  } = given(record) as Revision<K> & { provenance?: unknown }
  if (expectedVersion !== null && !(Number.isInteger(expectedVersion) && expectedVersion > 0)) {
    throw wrong('expectedVersion', 'the number of a version')
  }
  const ref = toRef(kind, parseMemoryId(id))
  const stored = await engine.read({ type: 'memory', ref })
  if (!stored?.sealed) return null
  const { provenance, body: before } = openSealed(stored.sealed)
  const { policy, now } = await engine.moment()
  // A revision raises no label: a model's memory stays a model's for every caller.
  const usual = isFirstHand(provenance.label) ? labels.firstHand() : labels.modelDerived()
  const { caller, label, actor } = authorOf(engine.stackId, `update_${kind}`, options, usual)
  const isModel = label.type === 'ModelDerived'
  const isPerson = labelName(label) === 'UserAsserted'
  const payload: RoutedPayload = {
    sourceType: isModel ? 'inference' : provenance.sourceType,
    label,
    sourceId: actor,
    ingestionPath: `${caller.door}:${caller.operation}`,
    // New words are no evidence, so the present confidence stays.
    confidence: confidenceAt(stored.state, policy, now),
    sourceEntity: provenance.sourceEntity,
    llmModel: isModel ? (provenance.llmModel ?? `unknown:${actor}`) : null,
    // The gate keeps the earlier sources; a revision only adds to them.
    derivedFrom: (derivedFrom ?? []) as NonNullable<RoutedPayload['derivedFrom']>, // parsed by the stack
    sourceEpisodes: [...provenance.sourceEpisodes],
    // A change of one field does not restate the rest, so the tier stays; a person confirms all.
    ...(isPerson && !keepsTier ? {} : { trustTier: tierNow(stored.state) }),
  }
  try {
    return await engine.write(
      {
        kind,
        id,
        body: { ...(kind !== TOLD_ANEW && epochIn(before)), ...body } as unknown as BodyInputOf<K>, // parsed by the stack
        provenance: payload,
        revises: { expectedVersion, ...(orPropose ? { orPropose } : {}) },
        ...(names === undefined ? {} : { given: names }),
      },
      caller,
    )
  } catch (cause) {
    if (cause instanceof MunimentError && cause.code === 'not_found') return null
    throw cause
  }
}

/** The epoch of the first revision. */
const epochIn = ({ epochId }: { readonly epochId?: string }) => epochId !== undefined && { epochId }
