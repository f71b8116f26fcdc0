import { parseRef, type Ref } from '../../../domain/ids.ts'
import { identityParts } from '../../../domain/kinds/content.ts'
import type { JsonObject } from '../../../domain/kinds/json-value.ts'
import { type BodyInputOf, parseBody } from '../../../domain/kinds/table.ts'
import { label } from '../../../domain/labels.ts'
import type { RoutedPayload } from '../../../domain/payload.ts'
import { contentHash } from '../../../ledger/ledger.ts'
import type { Engine } from '../../engine.ts'
import type { WriteRequest } from '../../write/write-request.ts'
import type { DroppedReason } from '../dropped-reasons.ts'
import { type CheckedDraft, holdsUp } from '../holds-up.ts'
import type { Transition } from '../transitions.ts'
import { type Draft, RULE } from './draft-suggestions.ts'

export type Outcome = 'suggestions' | 'memories'

export interface Proposed {
  readonly requests: readonly WriteRequest[]
  readonly dropped: Readonly<Partial<Record<DroppedReason, number>>>
}

interface How {
  readonly transition: Transition
  readonly as: Outcome
  readonly actor: string
  readonly session: string
}

/** Requests for the drafts that pass the checks and are new. */
export async function proposedFrom(engine: Engine, draft: Draft, how: How): Promise<Proposed> {
  const requests: WriteRequest[] = []
  const dropped: Partial<Record<DroppedReason, number>> = {}
  const drop = (reason: DroppedReason): void => {
    dropped[reason] = (dropped[reason] ?? 0) + 1
  }
  const said = new Set<string>()
  for (const item of draft.items) {
    const held = holdsUp(item, draft.sources, how.transition)
    if (!held.ok) {
      drop(held.reason)
      continue
    }
    const isNew = !said.has(held.text) && !(await isKnown(engine, held, how.transition))
    said.add(held.text)
    if (isNew) requests.push(requestFor(held, draft, how))
    else drop('already_known')
  }
  return { requests, dropped }
}

type Sound = Extract<CheckedDraft, { ok: true }>

/** Known memories and earlier suggestions are not proposed again, except expired ones. */
async function isKnown(engine: Engine, { body }: Sound, { to }: Transition): Promise<boolean> {
  const { sha256, read } = engine
  const identity = contentHash(sha256, identityParts(to, body))
  if (
    (await read({ type: 'memories', as: 'state', where: { identity }, order: 'oldest' })).length > 0
  )
    return true
  return isSuggested(engine, suggestionOf({ to, body, confidence: 0, refs: [] }))
}

/** True if an equal suggestion is open or answered; an expired one may be proposed again. */
export async function isSuggested(
  { sha256, read }: Pick<Engine, 'sha256' | 'read'>,
  suggestion: BodyInputOf<'suggestion'>,
): Promise<boolean> {
  const body = parseBody('suggestion', suggestion)
  const identity = contentHash(sha256, identityParts('suggestion', body))
  const before = await read({ type: 'memories', as: 'state', where: { identity }, order: 'oldest' })
  return before.some(({ facets }) => facets.status !== 'expired')
}

const suggestionOf = ({
  to,
  body,
  confidence,
  refs,
}: Pick<Transition, 'to'> & Pick<Sound, 'body' | 'confidence' | 'refs'>) => ({
  memoryType: to,
  content: body as JsonObject, // parsed as a body, which is JSON
  confidence,
  sourceRefs: [...refs],
})

function requestFor(
  { body, confidence, refs }: Sound,
  { model, tierMax }: Pick<Draft, 'model' | 'tierMax'>,
  { transition: { to }, as, actor, session }: How,
): WriteRequest {
  const provenance: RoutedPayload = {
    sourceType: 'consolidation',
    label: label.modelDerived(),
    sourceId: actor,
    ingestionPath: 'lib:process',
    confidence,
    llmModel: model === RULE ? `unknown:${RULE}` : model,
    session,
    trustTier: tierMax,
  }
  if (as === 'suggestions') {
    const suggested = suggestionOf({ to, body, confidence, refs })
    return { kind: 'suggestion', body: suggested, provenance } as WriteRequest // a suggestion
  }
  const derivedFrom = refs.map((ref): Ref => parseRef(ref))
  return { kind: to, body, provenance: { ...provenance, derivedFrom } } as WriteRequest // parsed as this kind
}
