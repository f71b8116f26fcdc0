/** What a caller may send at most. Meeting one is an error that names it (BOUND-LOUD). */
export const LIMITS = {
  bodyBytesMax: 1_048_576, // canonical bytes of one body
  bodyDepthMax: 64, // nesting of arrays and objects inside a body
  textCharsMax: 1_000_000, // one text field, in UTF-16 units
  shortTextCharsMax: 1_000, // names, types, ids, speakers
  listItemsMax: 1_000, // items of one list field
  tagCharsMax: 200, // one tag
  parentsMax: 1_000, // derivedFrom and sourceEpisodes, each
  batchDraftsMax: 10_000, // drafts of one all-or-nothing batch
  groupDraftsMax: 1_024, // drafts that wait together and commit together
  queueCommandsMax: 100_000, // commands that may wait for one stack
  pageItemsMax: 1_000, // items of one page of a list
  lineageVisitMax: 100_000, // memories one lineage walk may touch
  cascadeFlagsMax: 10_000, // children that one change flags; the entry says when there are more
  importMemoriesMax: 2_000, // memories of one import through a served door
  importBytesMax: 4_194_304, // bytes of one import through a served door
  importFileValuesMax: 100_000_000, // JSON values in a file that is imported on this machine
  importFileMemoriesMax: 1_000_000, // memories of one import from a file on this machine
  jsonBytesMax: 16_777_216, // one JSON document at a door
  jsonValuesMax: 500_000, // values of one JSON document, counted while it is read
  jsonKeysMax: 100_000, // keys of one object in it
} as const

export type LimitName = keyof typeof LIMITS

/** How far a clock may be off before nothing is dated by it. A person corrects it beyond that. */
export const CLOCK_LIMITS = {
  clockBehindMsMax: 86_400_000, // a reading before the last entry: 24 hours
  clockAheadMsMax: 284_083_200_000, // a reading after the last entry: 3,288 days, nine years
  clockJumpMsMax: 2_678_400_000, // a clock set ahead while a process runs: 31 days
} as const

/** How much is kept for one actor; meeting a limit is said in the answer and in the entry. */
export const KEPT_LIMITS = {
  rejectedSuggestionsMax: 32, // drafts of one actor at one door that the lint rule refused
} as const
