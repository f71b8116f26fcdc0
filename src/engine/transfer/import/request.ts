import { parseMemoryId, type Ref, type StackId, splitRef, toRef } from '../../../domain/ids.ts'
import { captureId } from '../../../ledger/chance.ts'
import type { Sha256 } from '../../../ledger/sha256.ts'
import type { CaptureRequest, WriteRequest } from '../../write/write-request.ts'
import type { DumpItem } from './dump.ts'
import { type Group, standInCaptures } from './order.ts'

export interface RequestParts {
  readonly sha256: Sha256
  readonly stackId: StackId
  /** True if the importer vouches for the file's actors. */
  readonly isVouched: boolean
  /** Memories with another ref in this stack; captures of a revision are added. */
  readonly renamed: Map<Ref, Ref>
}

/** Converts a group to a write at the import door; its captures are captured again. */
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
  } as unknown as WriteRequest // body and provenance are parsed by the stack, as for every write
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

/** The origin of the memory; its time of writing becomes the event time. */
function originOf({ provenance, confidence, at }: DumpItem) {
  const kept = KEPT.filter((name) => provenance[name] !== undefined)
  return {
    ...Object.fromEntries(kept.map((name) => [name, provenance[name]])),
    eventTime: provenance.eventTime ?? at,
    confidence,
  }
}

/** Prefixes names of an unvouched file, so that none passes for a local actor or session. */
function namedAfter(stackId: StackId, { sourceId, session }: DumpItem['provenance']) {
  const named = (name: unknown): unknown =>
    typeof name === 'string' ? `import:${stackId}/${name}` : name
  return { sourceId: named(sourceId), session: named(session) }
}
