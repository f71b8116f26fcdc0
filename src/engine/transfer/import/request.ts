import { parseMemoryId, type Ref, type StackId, splitRef, toRef } from '../../../domain/ids.ts'
import { captureId } from '../../../ledger/chance.ts'
import type { Sha256 } from '../../../ledger/sha256.ts'
import type { CaptureRequest, WriteRequest } from '../../write/write-request.ts'
import type { DumpItem } from './dump.ts'
import { standInCaptures } from './missing-sources.ts'
import type { Group } from './order.ts'

export interface RequestParts {
  readonly sha256: Sha256
  /** The stack it comes from. */
  readonly stackId: StackId
  /** Whether somebody vouches for what the file says of its actors. */
  readonly isVouched: boolean
  /** Memories that go by another name here; captures of a revision join them. */
  readonly renamed: Map<Ref, Ref>
}

/** A memory as a write at the import door; its captures are captured again. */
export function requestOf(
  group: Group,
  { sha256, stackId, isVouched, renamed }: RequestParts,
): WriteRequest {
  const { main, captures, parents, supersedes } = group
  const { id } = splitRef(main.ref)
  const standIns = standInCaptures(group, stackId)
  for (const [at, { ref, kind }] of captures.entries()) {
    const given = captureId(sha256, id, { index: standIns.length + at, revision: 1 })
    renamed.set(ref, toRef(kind, parseMemoryId(given)))
  }
  const here = (refs: readonly Ref[]): readonly Ref[] => refs.map((ref) => renamed.get(ref) ?? ref)
  return {
    kind: main.kind,
    id,
    body: main.body,
    captures: [
      ...standIns,
      ...captures.map(({ kind, body }) => ({ kind, body }) as CaptureRequest),
    ],
    provenance: {
      ...originOf(main),
      ...(isVouched ? {} : namedAfter(stackId, main.provenance)),
      ingestionPath: `import:${stackId}`,
      derivedFrom: here(parents),
      sourceEpisodes: here(main.evidence),
    },
    ...(supersedes === null
      ? {}
      : { consequence: { type: 'supersedes', ref: renamed.get(supersedes) ?? supersedes } }),
  } as unknown as WriteRequest // body and provenance are parsed by the stack, as every write's are
}

const KEPT = [
  'sourceType',
  'label',
  'sourceId',
  'sourceEntity',
  'session',
  'turn',
  'relayed',
  'document',
  'llmModel',
] as const

/** Who said it and how, as at its origin; when it was written there is when it happened. */
function originOf({ provenance, confidence, at }: DumpItem) {
  const kept = KEPT.filter((name) => provenance[name] !== undefined)
  return {
    ...Object.fromEntries(kept.map((name) => [name, provenance[name]])),
    eventTime: provenance.eventTime ?? at,
    confidence,
  }
}

/**
 * Names of a file that nobody vouches for are not names of here: an actor or a session of the file must
 * not pass for one of this stack.
 */
function namedAfter(stackId: StackId, { sourceId, session }: DumpItem['provenance']) {
  const named = (name: unknown): unknown =>
    typeof name === 'string' ? `import:${stackId}/${name}` : name
  return { sourceId: named(sourceId), session: named(session) }
}
