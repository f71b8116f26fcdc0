import { KEPT_OUT } from '../../domain/claims.ts'
import type { Caller } from '../../domain/doors.ts'
import type { RecordKind, Ref } from '../../domain/ids.ts'
import type { BodyInputOf } from '../../domain/kinds/table.ts'
import { isFirstHand, type LabelName, labelNamed } from '../../domain/labels.ts'
import type { RoutedPayload } from '../../domain/provenance.ts'
import type { MemoryState } from '../../domain/state.ts'
import type { CaptureRequest, WriteRequest } from '../../engine/write/write-request.ts'
import type { Act, Intent, MustEnd, Sim } from './sim.ts'
import { CANARY } from './words.ts'

export interface Saying<K extends RecordKind> {
  readonly agent: string
  readonly kind: K
  readonly body: BodyInputOf<K>
  readonly label: LabelName
  readonly caller: Caller
  readonly parents?: readonly Ref[]
  readonly captures?: readonly CaptureRequest[]
  readonly revises?: MemoryState
  readonly id?: string
  readonly more?: Partial<RoutedPayload>
  readonly mustEnd?: MustEnd
}

/** A complete write with a canary in every free-text place. */
export function intentOf<K extends RecordKind>(sim: Sim, of: Saying<K>): Intent {
  const provenance: RoutedPayload = {
    sourceType: isFirstHand(of.label) ? 'direct_experience' : 'inference',
    label: labelNamed(of.label),
    sourceId: of.agent,
    sourceEntity: `${CANARY} the neighbour`,
    ingestionPath: `${of.caller.door}:${CANARY}`,
    document: sim.dice.isLucky(0.1) ? `${CANARY}://page` : null,
    confidence: 0.1 + sim.dice.roll(90) / 100,
    llmModel: of.label === 'ModelDerived' ? `${CANARY}-model-1` : null,
    derivedFrom: [...(of.parents ?? [])],
    ...of.more,
  }
  const request = {
    kind: of.kind,
    id: of.revises?.id ?? of.id ?? sim.ids.next(sim.clock.now()),
    body: of.body,
    provenance,
    captures: of.captures ?? [],
    ...(of.revises ? { revises: { expectedVersion: of.revises.revision } } : {}),
  } as WriteRequest & { readonly id: string } // kind and body agree by K
  const { agent, caller, mustEnd } = of
  return { agent, request, caller, ...(mustEnd ? { mustEnd } : {}) }
}

export const refOf = ({ request }: Intent): Ref => `${request.kind}:${request.id}` as Ref // both parsed

export const alone = (intent: Intent): Act => ({
  type: 'writes',
  intents: [intent],
  together: 'in_turn',
})

/** A few memories of these kinds, drawn from known memories that may still be cited. */
export function drawParents(
  sim: Sim,
  kinds: readonly RecordKind[],
  most = 3,
): readonly MemoryState[] {
  const fit = sim.known.memories.filter(
    ({ kind, disposition }) => kinds.includes(kind) && !KEPT_OUT.includes(disposition),
  )
  const drawn = Array.from({ length: 1 + sim.dice.roll(most) }, () => sim.dice.pickAny(fit))
  return [...new Set(drawn.flatMap((memory) => memory ?? []))]
}

export const refsOf = (memories: readonly MemoryState[]): readonly Ref[] =>
  memories.map(({ ref }) => ref)

const decoder = new TextDecoder()

/** The body of a known memory, read from its sealed row. */
export function bodyOf(sim: Sim, memory: MemoryState): Record<string, unknown> {
  const row = sim.known.sealed.find(({ seq }) => seq === memory.revisionSeq)
  return row ? JSON.parse(decoder.decode(row.bytes)).body : {}
}
