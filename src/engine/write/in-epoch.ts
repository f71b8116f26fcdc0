import type { MemoryId } from '../../domain/ids.ts'
import { isKind, type RecordKind } from '../../domain/kind-names.ts'
import {
  type CaptureRequest,
  namesIn,
  type PlacedRequest,
  type WriteRequest,
} from './write-request.ts'

/**
 * A memory belongs to the epoch of its birth, and a revision keeps this epoch; each version of a
 * narrative belongs to its own. Records of the stack about itself and epochs belong to none.
 */
const bearsEpoch = ({ kind, revises }: Pick<WriteRequest, 'kind' | 'revises'>): boolean =>
  isKind(kind) && kind !== 'epoch' && (revises === undefined || kind === TOLD_ANEW)

/** A kind whose revisions are new accounts. */
export const TOLD_ANEW = 'self_narrative'

/**
 * Adds the epoch to a request and its captures; a capture of the memory's own words stays
 * unchanged.
 */
function inEpoch(request: WriteRequest, epochId: MemoryId | null): WriteRequest {
  if (epochId === null || !bearsEpoch(request)) return request
  const { body, captures = [] } = request
  const placed = {
    ...request,
    body: { epochId, ...body },
    given: request.given ?? namesIn(body),
    captures: captures.map((capture) => captureIn(capture, epochId)),
  }
  return placed as WriteRequest // of the request's kind
}

const captureIn = (capture: CaptureRequest, epochId: MemoryId): CaptureRequest =>
  capture.body === 'own words'
    ? capture
    : ({ ...capture, body: { epochId, ...capture.body } } as CaptureRequest) // of the capture's kind

/** Requests as they are, or a builder that takes the open epoch. */
export type Placeable =
  | readonly WriteRequest[]
  | ((epoch: MemoryId | null) => readonly WriteRequest[])

export const placedIn = (requests: readonly WriteRequest[]): Placeable =>
  requests.some(bearsEpoch)
    ? (epoch) => requests.map((request) => inEpoch(request, epoch))
    : requests

/** A single request as a list. */
export function listed<K extends RecordKind>(
  request: WriteRequest<K> | PlacedRequest<K>,
): Placeable {
  const one = (made: WriteRequest<K>) => [made as unknown as WriteRequest] // of the request's kind
  return typeof request === 'function' ? (epoch) => one(request(epoch)) : one(request)
}
