/** Heads memories of the personal stack wherever they appear with a project's. */
export const PERSONAL_HEADING =
  'From the person’s own stack “personal”, which this project can read and not write:'

/** The personal stack's share of working memory is one part in this many. */
export const PERSONAL_SHARE = 4
