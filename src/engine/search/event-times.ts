import { queryTerms, termsOf } from '../../domain/terms.ts'
import { toMs } from '../../domain/time.ts'
import { countedFrom } from '../../recall/time/calendar.ts'
import { type TimeByEvent, timesByEvents } from '../../recall/time/events.ts'
import { type TimeExpression, timeExpressions } from '../../recall/time/expressions.ts'
import { viewOf } from '../read/memory-view.ts'
import type { Hit } from './ranking.ts'
import { type Asked, SEARCHED } from './search-options.ts'

const EVENTS_MAX = 2 // that one question counts from
const LOOKED_AT_MAX = 12 // memories that hold some of its words
const TELLING_MAX = 3 // that say all of them: which one is meant, nobody said

/**
 * The times that a question counts from something that happened, by what is remembered of it.
 * What is not remembered gives none. A memory that names a time tells when it was; another, that it
 * was when the memory says to be of.
 */
export async function eventTimes(
  asked: Asked,
  find: (asked: Asked) => Promise<readonly Hit[]>,
): Promise<readonly TimeExpression[]> {
  const times: TimeExpression[] = []
  const events = timesByEvents(asked.query.text).filter(({ event }) => queryTerms(event).length > 0)
  for (const counted of events.slice(0, EVENTS_MAX)) {
    const hits = await find(askedForEvent(asked, counted))
    times.push(...hits.flatMap((hit) => timesIn(hit, counted, asked)).slice(0, TELLING_MAX))
  }
  return times
}

/** Whatever kind tells of it and whoever said it; what the caller may not see tells nothing. */
function askedForEvent(
  { filter, lifted = filter, ...asked }: Asked,
  { event }: TimeByEvent,
): Asked {
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
  { moment }: Asked,
): readonly TimeExpression[] {
  const { text, provenance, createdAt } = viewOf(memory, moment)
  const said = new Set(termsOf(text))
  if (!queryTerms(event).every((term) => said.has(term))) return []
  const at = toMs(provenance.eventTime ?? createdAt)
  const named = timeExpressions(text, at).flatMap((time) => (time.type === 'span' ? time : []))
  const from = named.length === 1 ? (named[0]?.from ?? at) : at
  return [{ type: 'span', ...countedFrom(from, steps, unit) }]
}
