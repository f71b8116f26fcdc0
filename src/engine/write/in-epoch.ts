import type { MemoryId } from '../../domain/ids.ts'
import { isKind, type RecordKind } from '../../domain/kind-names.ts'
import {
  type CaptureRequest,
  namesIn,
  type PlacedRequest,
  type WriteRequest,
} from './write-request.ts'

/**
 * Memories bear the epoch that they are born in; one that is revised keeps it, unless it is a story,
 * which is told anew. What the stack notes of itself bears none, nor do epochs.
 */
const bearsEpoch = ({ kind, revises }: Pick<WriteRequest, 'kind' | 'revises'>): boolean =>
  isKind(kind) && kind !== 'epoch' && (revises === undefined || kind === TOLD_ANEW)

/** A kind whose revisions are tellings of their own. */
export const TOLD_ANEW = 'self_narrative'

/** The same with the epoch, and what is written down for it too; what it says itself stays. */
function inEpoch(request: WriteRequest, epochId: MemoryId | null): WriteRequest {
  if (epochId === null || !bearsEpoch(request)) return request
  const { body, captures = [] } = request
  const placed = {
    ...request,
    body: { epochId, ...body },
    given: request.given ?? namesIn(body),
    captures: captures.map((capture) => captureIn(capture, epochId)),
  }
  return placed as WriteRequest // of the kind it was
}

const captureIn = (capture: CaptureRequest, epochId: MemoryId): CaptureRequest =>
  capture.body === 'own words'
    ? capture
    : ({ ...capture, body: { epochId, ...capture.body } } as CaptureRequest) // of the kind it was

/** Writes that are made for the open epoch, whichever that turns out to be, or as they are. */
export type Placeable =
  | readonly WriteRequest[]
  | ((epoch: MemoryId | null) => readonly WriteRequest[])

export const placedIn = (requests: readonly WriteRequest[]): Placeable =>
  requests.some(bearsEpoch)
    ? (epoch) => requests.map((request) => inEpoch(request, epoch))
    : requests

/** One write as a list of one. */
export function listed<K extends RecordKind>(
  request: WriteRequest<K> | PlacedRequest<K>,
): Placeable {
  const one = (made: WriteRequest<K>) => [made as unknown as WriteRequest] // of its own kind
  return typeof request === 'function' ? (epoch) => one(request(epoch)) : one(request)
}
