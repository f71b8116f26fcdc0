/** Stands above memories of the personal stack wherever they are shown with those of a project. */
export const PERSONAL_HEADING =
  'From the person’s own stack “personal”, which this project can read and not write:'

/** Of the room for working memory, the personal stack gets one part in so many. */
export const PERSONAL_SHARE = 4
