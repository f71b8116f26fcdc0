import { toMs } from '../../domain/time.ts'
import { queryTerms, termsOf } from '../../domain/words/terms.ts'
import { countedFrom } from '../../recall/time/calendar.ts'
import { type TimeByEvent, timesByEvents } from '../../recall/time/events.ts'
import { type TimeExpression, timeExpressions } from '../../recall/time/expressions.ts'
import { viewOf } from '../read/memory-view.ts'
import { SEARCHED, type SearchRequest } from './search-options.ts'
import type { Hit } from './search-ranking.ts'

const EVENTS_MAX = 2 // events per question
const LOOKED_AT_MAX = 12 // candidate memories per event
const TELLING_MAX = 3 // memories with every word of the event, because the intended memory is unknown

/**
 * Time spans that a question counts from a remembered event. A memory with exactly one named time
 * gives this time; any other gives its own date. An event without a memory gives no span.
 */
export async function eventTimes(
  asked: SearchRequest,
  find: (asked: SearchRequest) => Promise<readonly Hit[]>,
): Promise<readonly TimeExpression[]> {
  const times: TimeExpression[] = []
  const events = timesByEvents(asked.query.text).filter(({ event }) => queryTerms(event).length > 0)
  for (const counted of events.slice(0, EVENTS_MAX)) {
    const hits = await find(askedForEvent(asked, counted))
    times.push(...hits.flatMap((hit) => timesIn(hit, counted, asked)).slice(0, TELLING_MAX))
  }
  return times
}

/** Searches every kind and speaker at the caller's tier: hidden memories must reveal no date. */
function askedForEvent(
  { filter, lifted = filter, ...asked }: SearchRequest,
  { event }: TimeByEvent,
): SearchRequest {
  const { context: _, ...query } = asked.query
  const { minTier, includeWeak } = lifted
  return {
    ...asked,
    query: { ...query, text: event, limit: LOOKED_AT_MAX, recordTypes: SEARCHED },
    kinds: SEARCHED,
    filter: {
      ...(minTier === undefined ? {} : { minTier }),
      ...(includeWeak === undefined ? {} : { includeWeak }),
    },
  }
}

function timesIn(
  { memory }: Hit,
  { event, steps, unit }: TimeByEvent,
  { moment }: SearchRequest,
): readonly TimeExpression[] {
  const { text, provenance, createdAt } = viewOf(memory, moment)
  const said = new Set(termsOf(text))
  if (!queryTerms(event).every((term) => said.has(term))) return []
  const at = toMs(provenance.eventTime ?? createdAt)
  const named = timeExpressions(text, at).flatMap((time) => (time.type === 'span' ? time : []))
  const from = named.length === 1 ? (named[0]?.from ?? at) : at
  return [{ type: 'span', ...countedFrom(from, steps, unit) }]
}
