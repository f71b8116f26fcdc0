import { foldText } from '../domain/words/terms.ts'

/** Verbs of work that a note without a subject begins with, beside forms in "-ed". */
const DONE =
  /^(?:(?:re)?ran|(?:re)?built|sent|made|wrote|took|got|found|put|set)(?: |$)|^\p{L}{2,}ed(?![\p{L}:])/u
/** "Failed charges are retried": the form in "-ed" is part of a subject. */
const OF_STATE = /^\S+(?: \S+){1,2} (?:is|are|was|were|has|have|may|can|must)\b/u
/** Counts of what a run did: "214 passed", "2 to add". */
const TALLY =
  /\b\d[\d,.]* (?:passed|failed|skipped|errors?|warnings?|rows?|files?|tests?|commits?|messages? in|to (?:add|change|destroy)|low|high|of it)\b|: \d|, \d+ ?(?:s|ms|sec|min|h|seconds?|minutes?|hours?)\b/u
/** A reading of an instrument: other by the hour, and true each time. */
const READING =
  /\b\d[\d.,]* ?(?:ms|milliseconds?)\b|\b\d+(?:[.,]\d+)? ?(?:%|percent) (?:full|used|free|busy|done)\b/u

/** A reading without a verb: "Hall 21 degrees, humidity 48 percent". */
const TELEGRAM = /\d ?(?:degrees|°c?|percent|%)(?![\p{L}\p{N}])/u
const VERB =
  /\b(?:is|are|was|were|be|has|have|had|must|may|can|should|costs?|goes|keeps?|lasts?|runs?|set)\b/u

/** Notes about one run of something: the next run has other numbers, and contradicts nothing. */
export function isRunLog(text: string): boolean {
  const folded = foldText(text)
  return (DONE.test(folded) && !OF_STATE.test(folded)) || TALLY.test(folded) || isReading(folded)
}

const isReading = (folded: string): boolean =>
  READING.test(folded) || (TELEGRAM.test(folded) && !VERB.test(folded))
