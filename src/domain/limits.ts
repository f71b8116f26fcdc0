/**
 * Limits of a caller's input. Input over a limit is an error that names the limit (BOUND-LOUD).
 * @example console.log(LIMITS.parentsMax)
 */
export const LIMITS = {
  bodyBytesMax: 1_048_576, // canonical bytes of a body
  bodyDepthMax: 64, // nesting of arrays and objects inside a body
  textCharsMax: 1_000_000, // a text field, in UTF-16 units
  shortTextCharsMax: 1_000, // names, types, ids, speakers
  listItemsMax: 1_000, // items of a list field
  tagCharsMax: 200, // a tag
  parentsMax: 1_000, // derivedFrom and sourceEpisodes, each
  batchDraftsMax: 10_000, // drafts of an all-or-nothing batch
  groupDraftsMax: 1_024, // drafts that wait together and commit together
  queueCommandsMax: 100_000, // commands that may wait for a stack
  pageItemsMax: 1_000, // items of a page of a list
  lineageVisitMax: 100_000, // memories a lineage walk may touch
  cascadeFlagsMax: 10_000, // children flagged by a change; the entry says when there are more
  importMemoriesMax: 2_000, // memories of an import through a served door
  importBytesMax: 4_194_304, // bytes of an import through a served door
  importFileValuesMax: 100_000_000, // JSON values in a file imported on this machine
  importFileMemoriesMax: 1_000_000, // memories of an import from a file on this machine
  jsonBytesMax: 16_777_216, // a JSON document at a door
  jsonValuesMax: 500_000, // values of a JSON document, counted while reading
  jsonKeysMax: 100_000, // keys of an object in a JSON document
} as const

export type LimitName = keyof typeof LIMITS

/** Tolerated clock errors. Beyond a limit nothing is dated, and a person corrects the clock. */
export const CLOCK_LIMITS = {
  clockBehindMsMax: 86_400_000, // a reading before the last entry: 24 hours
  clockAheadMsMax: 284_083_200_000, // a reading after the last entry: 3,288 days, nine years
  clockJumpMsMax: 2_678_400_000, // a clock set ahead while a process runs: 31 days
} as const

/** Data kept per actor. The answer and the entry report a reached limit. */
export const KEPT_LIMITS = {
  rejectedSuggestionsMax: 32, // drafts of an actor at a door that the lint rule refused
} as const
